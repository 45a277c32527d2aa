"""Webhooks as values, and the port to those of a store: addresses that are told of changes."""
