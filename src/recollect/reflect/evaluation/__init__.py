"""Evaluation: questions that notes should answer, and how well a ranking does. Verbs and benchmarks share it."""
