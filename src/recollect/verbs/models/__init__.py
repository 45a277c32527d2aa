"""Verbs about models, as the store itself remembers them: the embedding model that serves, keys by space."""
