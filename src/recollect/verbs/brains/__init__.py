"""Verbs of brains: conversations are taken in at once and formed later, in their order; questions are numbered."""
