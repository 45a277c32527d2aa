"""A message comes in, statements come out: who, which attribute, which value, and how it was meant. No model.

A sentence is cut into words, the words into clauses, and each clause is held against frames: short lines of data
that say which verb, with which complements, tells which attribute. What no frame knows is read in the open, from the
words of the sentence itself. Nothing here is stored or compared with what is known; that is the reconciling's task.
All knowledge of a language stands in a folder of its own, as data.
"""
