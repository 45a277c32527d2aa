"""Readers: each turns a message into a `Reading`, behind one port. Nothing here is stored or compared with memory."""
