"""Texts of a megabyte that are made to be slow: what leads to a rule, over and over, and never or always to its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle

from recollect.redaction import clouds, names, services, structures
from recollect.redaction.rules import SecretRule

MEGABYTE = 1_000_000

_RULES: dict[str, Sequence[SecretRule]] = {
    "clouds": clouds.RULES,
    "code_hosts": (*services.HOSTS, *services.REGISTRIES, *services.PIPELINES),
    "messaging": (*services.CHAT, *services.MAIL, *services.PHONE),
    "models": services.MODELS,
    "payments": (*services.PAYMENTS, *services.SHOPS, *services.COINS),
    "services": (*services.WATCHING, *services.PLANNING, *services.STORING, *services.PEOPLE),
    "structures": structures.RULES,
}
FAMILIES: dict[str, tuple[str, ...]] = {
    **{name: tuple(dict.fromkeys(word for rule in rules for word in rule.keywords)) for name, rules in _RULES.items()},
    "words": tuple(names.WORDS),
    "vendors": tuple(names.VENDORS),
}

# What comes after a keyword: nothing, runs that are too short, long or endless, and what almost ends a pattern.
_FILLINGS = {
    "bare": "",
    "spaced": " ",
    "short run": "aB3dE5gH7 ",
    "joined run": "aB3dE5gH7",
    "hyphens": "-",
    "dots": "aB3dE5gH7.",
    "long run": "aB3dE5gH7jK9mN1pQ3" * 16 + " ",
    "very long run": "aB3dE5gH7jK9mN1pQ3" * 4_000 + "\n",
    "given": "=aB3dE5gH7 ",
    "given and given": "=",
    "quoted": '": "',
    "said": " is ",
    "for what": " for the thing that stands here and goes on ",
    "at signs": "a:@@@@@@@@@@@@@@@@",
    "hex": "0123456789abcdef0123456789abcdef",
}

LONE: dict[str, str] = {
    "nothing but a": "a",
    "nothing but blanks": " ",
    "nothing but line ends": "\n",
    "nothing but dashes": "-",
    "nothing but digits": "7",
    "nothing but dots": ".",
    "nothing but equals": "=",
    "nothing but quotes": '"',
    "nothing but backslashes": "\\",
    "escapes": "\\n",
    "escapes of addresses": "%3d",
    "non-ASCII": "ё",
    "dotted capital I": "İ",
    "begin marks": "-----BEGIN PRIVATE KEY-----\n",
    "end marks": "-----END PRIVATE KEY-----\n",
    "begin marks in RSA": "-----BEGIN RSA PRIVATE KEY-----",
    "begin and end": "-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----",
    "begin and lines": "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 4,
    "headers of a key": "-----BEGIN PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n",
    "opening tags": "<private>",
    "closing tags": "</private>",
    "tags in turn": "<private></private>",
    "half tags": "<private ",
    "placeholders": "[redacted:password] ",
    "placeholders given": "password=[redacted:password] ",
    "mail": "a@b.co ",
    "almost mail": "a@",
    "mail run": "a.b-c+d",
    "domains": "a@b.c.d.e.f.g.h.i.j.k.l.",
    "phones": "+49 151 2345678 ",
    "digits and blanks": "12 ",
    "digits and hyphens": "123-45-",
    "cards": "4111 1111 1111 1111 ",
    "accounts": "DE89 3704 0044 0532 0130 00 ",
    "almost accounts": "DE89 ",
}


def filled(piece: str) -> str:
    return (piece * (MEGABYTE // len(piece) + 1))[:MEGABYTE]


def for_keywords(keywords: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A megabyte for each filling, of all the keywords in turn."""
    for name, filling in _FILLINGS.items():
        pieces, size = [], 0
        for keyword in cycle(keywords):
            pieces.append(keyword + filling)
            size += len(pieces[-1])
            if size >= MEGABYTE:
                break
        yield name, "".join(pieces)[:MEGABYTE]


def for_rule(rule: SecretRule) -> Iterator[tuple[str, str]]:
    """The same for one rule, in the spelling its pattern wants as well as it can be guessed."""
    return for_keywords([*rule.keywords[:2], *(keyword.upper() for keyword in rule.keywords[:2])])
