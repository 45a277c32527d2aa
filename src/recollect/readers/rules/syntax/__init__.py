"""Syntax: words, phrases, verb groups, clauses and sentences, as much of a grammar as statements need."""
