"""Values as text and JSON, and back: the spellings that every door, every export and every list of a verb share.

A decoder checks its input as strictly as a verb checks an argument, so a value that comes out is sound.
"""
