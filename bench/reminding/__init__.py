"""Reminding before an act: a made-up history of sessions with mistakes that repeat, played through `remind`."""
