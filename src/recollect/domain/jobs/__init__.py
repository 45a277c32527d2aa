"""Jobs and webhooks as values, and their ports: work after the call that asked for it, and who is told of it."""
