"""Attributes: one record for each thing that can be said of a person or a project, and the catalogue that reads them.

A record is a table in `data/*.toml`. It holds everything that is particular to its attribute: how many values hold at
a time, how a value is put into a sentence, how people call it and ask for it, which sentences state it, how long it
stays likely. The code above knows flags and fields, never the name of an attribute.
"""
