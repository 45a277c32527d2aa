"""The model of memory: notes, their times, where they came from, and the one way to change them.

Pure values, standard library only. Nothing here knows a database, a model or a door.
"""
