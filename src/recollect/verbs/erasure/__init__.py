"""Erasing more than one thing: what a filter finds, or everything of a user, an agent or a space."""
