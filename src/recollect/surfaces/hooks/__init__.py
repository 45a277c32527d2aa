"""Hooks of coding agents: a small process for each event, which is never in the way and never fails."""
