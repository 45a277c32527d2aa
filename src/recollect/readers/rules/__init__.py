"""A message comes in, statements come out: who, which attribute, which value, and how it was meant. No model.

A sentence is cut into words, the words into clauses, and each clause is held against frames: short lines of data
that say which verb, with which complements, tells which attribute. What no frame knows is not read. Nothing here is
stored or compared with what is known; that is the reconciling's task. Lists of words stand in `words.tsv`, as data.
"""
