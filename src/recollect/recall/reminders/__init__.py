"""Reminders before an act: which notes are about it, what failed before, and the few lines that are told."""
