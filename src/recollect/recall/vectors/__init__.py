"""Vectors of a space: read in the background, kept in memory, and compared with a question."""
