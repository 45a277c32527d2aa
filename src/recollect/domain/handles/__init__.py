"""Handles on records, for those who call us: keys of their own, UUIDs, and for how long something is kept."""
