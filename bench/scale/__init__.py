"""Measurements of a store on a server, with many spaces in it."""
