"""When something was, is or will be, from the words people use for it.

A text is cut into tokens, a language's patterns are matched against them, and what matched is reckoned on the
calendar of whoever spoke. Only `english.py` knows English: words and patterns, no code. Nothing here knows what
time it is now; every phrase is read from the moment its text was written.
"""
