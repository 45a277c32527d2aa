"""KIP as a verb: commands on the graph of a space, and search over its elements."""
