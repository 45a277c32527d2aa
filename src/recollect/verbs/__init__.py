"""The verbs, chapter by chapter: notes, reading, what an agent is told, sessions, the desk, in and out, upkeep.

`Memory` is these chapters together. A verb checks what it was given, asks a pure decision what should change,
and applies that; it takes values that JSON can hold and returns a frozen value.
"""
