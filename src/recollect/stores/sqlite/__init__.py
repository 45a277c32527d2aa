"""SQLite through apsw: one file, many processes."""
