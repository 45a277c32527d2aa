"""Where the work is done: folders and repositories of this machine, looked at and never changed.

What is seen here goes to the domain, which decides. Only the standard library is needed, so that a hook can use it.
"""
