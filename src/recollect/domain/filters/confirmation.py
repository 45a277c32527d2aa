"""Confirmations: a token that stands for exactly what a first call found, so that a second one can do nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from recollect.domain.errors import Conflict

_DIGITS = 24  # 96 bits; it guards against a mistake, and everybody who can make one may also erase


def confirmation_of(verb: str, space: str, asked: Mapping[str, Any], found: Iterable[tuple[str, int]]) -> str:
    """The token for what is asked for and the set that was found: each record by its id and its version."""
    import hashlib

    told = json.dumps([verb, space, asked, sorted(found)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def require_confirmed(confirm: str, token: str, verb: str) -> None:
    """Raise unless the token that was handed back is that of what would be erased now."""
    if confirm.strip().lower() != token:
        raise Conflict(
            f"`{verb}` was confirmed for something else: the filter or what it finds has changed. Nothing was erased.",
            code="not_confirmed",
            hint="Call it without `confirm`, look at what would go, and hand back the token it gives.",
        )
