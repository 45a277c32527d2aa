"""Webhooks in any SQL database: looked after here, and woken by every commit they want to hear of."""
