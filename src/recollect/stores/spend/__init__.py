"""The spend ledger in any SQL database."""
