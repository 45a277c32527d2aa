"""The command line: one command for each verb, and a few of its own."""
