"""The index of entities in an SQL database: which notes name whom and what."""
