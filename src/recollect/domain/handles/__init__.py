"""Handles on records, for those who call us: keys of their own, UUIDs, how long something is kept, when it is told."""
