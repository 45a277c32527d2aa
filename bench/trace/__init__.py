"""The way of a call through the code: which files a verb enters, and how often it goes from one to another.

python -m bench.trace                  save, add, search and recall, with one sentence each
python -m bench.trace --files          the files that each verb enters, with its calls into each

Every verb is called once before it is traced, so that loading modules and filling caches is not counted; then once more
with other words. Only functions of `recollect` count, on the thread that calls. A move is a call from one file into
another; methods that the interpreter writes for values have no file, and belong to their caller.
"""
