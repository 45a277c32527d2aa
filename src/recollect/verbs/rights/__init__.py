"""The accounts of people who may come in."""
