"""Mémoire: users with keys, sessions, and facts with a category and a temporal state, on notes and messages of ours."""
