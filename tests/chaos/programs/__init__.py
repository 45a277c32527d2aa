"""The programs that the chaos tests start: small users of `recollect.Memory`, each in a process of its own.

A program says what it did as lines of JSON, and an acknowledgement only after the verb has returned.
"""
