"""Anamnesis, as it is published: a store of its own making is opened, edited and synced by us, and read by it again."""
