"""agentmemory: its REST paths, its tools, resources and prompts over HTTP, the frames of its viewer, its export."""
