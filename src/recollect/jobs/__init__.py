"""Work that is done after the call that asked for it: who runs it, what each kind does, and the verbs about it.

A job waits in the store (`domain/jobs`). A runner takes one, does it with the verbs that everybody uses, and settles
it. Everything a job writes passes only while the runner still holds it.
"""
