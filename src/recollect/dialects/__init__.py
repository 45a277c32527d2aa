"""Dialects: the words and shapes of other memory systems, each in a folder of its own, on verbs of ours.

A dialect knows verbs by their names and doors not at all: a door hands it somebody who may call verbs.
"""
