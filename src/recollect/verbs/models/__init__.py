"""Verbs about models: keys by space, the embedding model that serves, and what models are asked for after a write."""
