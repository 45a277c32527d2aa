"""Where memory is kept: one SQL store, two dialects.

The same named statements run on SQLite and on PostgreSQL; only text search has a file of its own in each.
A store keeps what it is given, atomically, and decides nothing.
"""
