"""Hits become an answer in sentences: the words of records, or those of a model that are checked against them."""
