"""Roots that change, facts that end, messages that are erased: cases in others' wordings, and their score."""
