"""Secrets are found and taken out here: keys, tokens, passwords, and whatever someone marked as private.

Rules are data, one table per family. A text is read once for the keywords of all rules; only where one stands is
its rule tried, with patterns that cannot go back on what they have read. So the time grows with the text and with
nothing else. What is found leaves a placeholder with its kind, and a report that names kinds and places only.
"""
