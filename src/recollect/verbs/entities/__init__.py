"""Verbs about entities: the graph that is read from notes, and names that mean the same."""
