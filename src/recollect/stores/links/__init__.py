"""Judgements and links between statements in an SQL database."""
