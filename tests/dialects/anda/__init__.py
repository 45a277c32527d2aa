"""Anda Brain."""
