"""A file comes in: find it, open it safely, read it for what it is, and cut it into pieces worth finding.

Readers are pure: bytes become chunks or conversations, and the same bytes always become the same ones. Nothing here
writes. What cannot be read is named with a reason, and the rest goes on.
"""
