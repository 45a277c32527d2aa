"""Anamnesis: its five tools, the text it injects, and the API of its dashboard, on notes that are its files as well."""
