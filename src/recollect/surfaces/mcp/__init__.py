"""The door for agents: tools, resources and prompts over MCP, at `/mcp` of the server or through a shim on standard
input. Tools call verbs and nothing else; what a tool may do is what the token of its caller may do."""
