"""Memory around the clients of language models: recall before a call, remember after it, and never in its way.

A wrapped client is a twin of the user's own, of the same class, whose requests pass by here as the wire has them. The
libraries of the vendors are the user's; none is imported here.
"""
