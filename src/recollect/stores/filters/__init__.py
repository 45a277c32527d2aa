"""Filters in SQL: conditions with bound values, the table of metadata they are compared in, and counts."""
