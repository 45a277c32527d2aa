"""Answers in sentences: is the right record cited, is nothing made up, and is nothing said where nothing is known."""
