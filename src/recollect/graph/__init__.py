"""The graph: entities and relations that are read from notes, without a model, and asked about.

Nothing of it is written. A relation holds exactly as long as the notes behind it do, so `as_of` and `known_at` work, a
correction corrects it, and what is forgotten is gone from it. An index says which notes name whom (`domain/graph`).
"""
