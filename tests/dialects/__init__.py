"""Dialects: other memory systems, each in its own words against our server."""

"""Clients of other memory systems, speaking to our server as they speak to their own."""
