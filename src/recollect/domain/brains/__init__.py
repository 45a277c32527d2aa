"""Brains: a space as other programs keep one: an owner, a tier, and numbered conversations that become memory."""
