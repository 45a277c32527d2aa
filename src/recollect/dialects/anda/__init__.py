"""Anda Brain: formation, recall and maintenance of spaces over HTTP and MCP, with its tokens and forms of bodies."""
