"""The spend ledger as values: what language models cost, what they may cost, and the port to where it is written."""
