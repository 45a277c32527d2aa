"""Real coding agents, driven offline against a model of our own. Run by `make test-agents`, which sets them up."""
