"""Exports of other systems that are taken in, and the files that they are."""
