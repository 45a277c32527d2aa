"""The graph, measured: how long reads take as a space grows, and what it adds to questions of two steps."""
