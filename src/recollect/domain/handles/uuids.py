"""Ids and UUIDs: two spellings of the same 128 bits, one to one.

Memory and every answer of ours have the 26 characters. Whoever speaks UUID may send one wherever an id is asked for
(`checked_id`), and a dialect that answers in UUIDs spells ours so.
"""

from __future__ import annotations

from recollect.domain.late import Late

_UUID = Late(r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}|[0-9A-Fa-f]{32}")
_BASE_32 = str.maketrans("ABCDEFGHJKMNPQRSTVWXYZ", "ABCDEFGHIJKLMNOPQRSTUV")  # Crockford's digits as Python's


def uuid_of(record_id: str) -> str:
    """An id of ours as a UUID, in small letters and with hyphens."""
    digits = f"{int(record_id.translate(_BASE_32), 32):032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def bits_of(text: str) -> int | None:
    """The bits of a UUID, with hyphens or without; `None` if it is none. `encode_id` spells them as an id."""
    return int(text.replace("-", ""), 16) if _UUID.fullmatch(text) else None
