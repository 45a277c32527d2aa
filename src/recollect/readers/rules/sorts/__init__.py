"""Sorts of phrases: what can be a place, an employer, a person or a database, and the value such a phrase gives."""
