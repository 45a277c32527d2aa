"""Data sets of others, read from the files they come in. None of them is part of the project."""
