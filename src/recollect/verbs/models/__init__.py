"""Verbs about models, as the store itself remembers them: the embedding model that serves, keys by space."""
"""Work that language models are asked to do after a write, by jobs: reading what was said, settling doubtful pairs."""
