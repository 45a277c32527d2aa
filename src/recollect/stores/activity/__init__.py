"""Figures of each day in any SQL database: those of commits are counted where they are written, questions later."""
