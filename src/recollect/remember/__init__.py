"""Something is to be remembered: check it, decide what changes, and hand the changes over.

Decisions are pure. They know what is known and what was asked, and return what should be written.
"""
