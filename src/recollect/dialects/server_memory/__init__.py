"""The reference knowledge-graph memory server: its nine tools, its graph, and the lines of its file."""
