"""The two labelled files as values: texts that hold one secret each, and texts that hold none.

Secrets are made here, at run time and from a seed, out of templates. What is kept in the repository looks like no
secret, so neither people nor scanners need to wonder about it.
"""

from __future__ import annotations

import base64
import json
import random
import re
import string
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SAMPLES = Path(__file__).parent / "samples"
_PIECE = re.compile(r"\{([a-zA-Z0-9]+)(?::([0-9]+))?\}")

_ALPHABETS = {
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "dig": string.digits,
    "low": string.ascii_lowercase + string.digits,
    "up": string.ascii_uppercase + string.digits,
    "letters": string.ascii_letters,
    "b32": string.ascii_uppercase + "234567",
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "b62": string.ascii_letters + string.digits,
    "b64": string.ascii_letters + string.digits + "+/",
    "safe": string.ascii_letters + string.digits + "-_",
}


@dataclass(frozen=True, slots=True)
class Planted:
    """A text with a secret at `start`. `kinds` are the names it may be found under."""

    kinds: frozenset[str]
    text: str
    secret: str
    start: int


def planted(seed: int = 1) -> Iterator[Planted]:
    """Every line of `secrets.txt`, with secrets that no other seed makes."""
    chance = random.Random(f"secrets {seed}")
    for line in (_SAMPLES / "secrets.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        kinds, template = line.split("\t", 1)
        made = _PIECE.sub(lambda piece: _made(chance, piece[1], int(piece[2] or 0)), _with_line_ends(template))
        before, secret, after = re.split("[«»]", made)
        yield Planted(frozenset(kinds.split("|")), before + secret + after, secret, len(before))


def benign() -> list[str]:
    """Every line of `benign.txt`: things people and programs write that hold no secret."""
    lines = (_SAMPLES / "benign.txt").read_text(encoding="utf-8").splitlines()
    return [_with_line_ends(line) for line in lines if line and not line.startswith("# ---")]


def _with_line_ends(line: str) -> str:
    return re.sub(r"(?<!\\)\\n", "\n", line).replace("\\\\n", "\\n")


def _made(chance: random.Random, name: str, size: int) -> str:
    """One piece. A `d` behind the name asks for a digit and letters, `mixed` for both cases as well."""
    if name == "uuid":
        return str(uuid.UUID(int=chance.getrandbits(128), version=4))
    if name == "jwt":
        claims = {"sub": _made(chance, "dig", 10), "iat": 1516239022}
        parts = (json.dumps({"alg": "HS256", "typ": "JWT"}), json.dumps(claims))
        coded = (base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)
        return ".".join((*coded, _made(chance, "safe", 43)))
    if name == "basic":
        return base64.b64encode(f"user:{_made(chance, 'b62', 15)}".encode()).decode()
    if name == "snowflake":
        return base64.b64encode(f"1{_made(chance, 'dig', 17)}".encode()).decode()
    alphabet = _ALPHABETS.get(name) or _ALPHABETS[name.removesuffix("mixed").removesuffix("d")]
    while True:
        value = "".join(chance.choices(alphabet, k=size))
        digit = re.search("[0-9]", value) and re.search("[A-Za-z]", value)
        mixed = digit and re.search("[a-z]", value) and re.search("[A-Z]", value)
        wanted = mixed if name.endswith("mixed") else digit if name not in _ALPHABETS else True
        if wanted and not (size > 3 and len(set(value)) < 3):
            return value
