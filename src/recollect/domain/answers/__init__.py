"""Values that verbs answer with, a module for each part of the product that asks for more than notes.

What a search finds stands in `recollections`, beside the notes, for every part speaks of it.
"""
