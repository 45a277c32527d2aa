"""Screens: each answer of a verb as a person reads it in a terminal."""
