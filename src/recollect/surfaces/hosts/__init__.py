"""The coding agents of this machine: what each of them reads, and how Recollect is written into it and out again.

Planning is pure: the texts of files come in, other texts come out. Whatever is not ours stays as it is, to the byte.
"""
