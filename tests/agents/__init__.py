"""Real coding agents, driven offline against a model of our own. `make agents` obtains those of `make test`."""
