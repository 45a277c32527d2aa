"""How much happened on each day, as values, and the port to the figures of a store."""
