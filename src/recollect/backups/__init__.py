"""Backups elsewhere: a folder, a git remote, a bucket, a dataset repository.

A target keeps named objects and knows nothing of memory. A backup is two of them: the packed copy, and last the
manifest, without which no copy is ever taken for a backup. Libraries of the targets are imported where they are used.
"""
