"""The graph: who and what notes are about, how they relate, and since when. Values, keys and ports."""
