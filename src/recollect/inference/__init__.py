"""The minds we borrow: models that turn words into vectors, on this machine and without a hub.

Nothing here reaches the network by itself. A model is there because it was installed by name and checked, or it is
not, and then words and hashed features do the work.
"""
