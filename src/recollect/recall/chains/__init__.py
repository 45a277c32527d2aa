"""Statements that took the place of others, as a judge linked them."""
