"""Brains in an SQL database: their settings, and conversations that are numbered with the jobs that form them."""
