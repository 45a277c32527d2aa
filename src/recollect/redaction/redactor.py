"""Take what must not be kept out of a text, before anything else sees it.

Pure, and in time that grows with the text alone. What was found is reported by kind and place, never by what it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from recollect.domain.late import Late
from recollect.redaction.scanner import SecretFinding, findings, has_keyword
from recollect.redaction.structures import (
    dotted_tokens,
    has_dotted_token,
    kubernetes_secrets,
    private_keys,
    private_spans,
)

_PASSES = 8  # the first finds nearly everything, the second that nothing is left; more only what is made for it
_PLACEHOLDER = Late(r"\[redacted:[a-z0-9-]{1,60}\]")
_GLUED = Late("(?<=[A-Za-z0-9_-])[A-Za-z0-9_-]++")


class Redaction(NamedTuple):
    """One thing that was taken out. The span is in the original text, its end not included."""

    kind: str
    start: int
    end: int


class Redacted(NamedTuple):
    """The text with a placeholder for each redaction, and the redactions in the order they stand."""

    text: str
    redactions: tuple[Redaction, ...]


def redact(text: str, *, pii: bool = False, once: bool = False) -> Redacted:
    """The text without secrets, and without personal data if `pii`. Doing it again changes nothing.

    `once` finds the same, and is quicker for a process that reads little and ends: it gets to know only those keywords
    that the text has.
    """
    clean = text
    redactions: tuple[Redaction, ...] = ()
    for _ in range(_PASSES):
        more = _found(clean, pii, once)
        if not more:
            break
        # A secret that is gone can uncover another, to which it was glued or which it kept from its name.
        redactions = _in_original(more, redactions)
        clean = _replaced(text, redactions)
    return Redacted(clean, redactions)


def is_plain(text: str) -> bool:
    """Whether nothing in a text, nor in any beginning of it, can be a secret: no rule and no frame has its mark there.

    Most texts are, and it is quickly told; of the others only `redact` can tell.
    """
    lowered = text.lower()
    return (
        len(lowered) == len(text)
        and not has_dotted_token(text)
        and "private" not in lowered
        and "kind: secret" not in lowered
        and not has_keyword(lowered)
    )


def _found(text: str, pii: bool, once: bool) -> tuple[Redaction, ...]:
    lowered = _lowered(text)
    found = [SecretFinding(0, start, end, "private") for start, end in private_spans(text, lowered)]
    found += (SecretFinding(0, start, end, "private-key") for start, end in private_keys(text, lowered))
    found += (SecretFinding(1, start, end, "discord-token") for start, end in dotted_tokens(text))
    found += (SecretFinding(2, start, end, "kubernetes-secret") for start, end in kubernetes_secrets(text, lowered))
    found += findings(text, lowered, once=once)
    if pii:
        from recollect.redaction.personal import personal_data

        found += personal_data(text)
    return tuple(_merged(text, _outside_placeholders(text, found))) if found else ()


def _lowered(text: str) -> str:
    """The text to look for keywords in: lower case, with every character in its place and placeholders blanked."""
    lowered = text.lower()
    if len(lowered) != len(text):  # the dotted capital I, and it alone, becomes two characters
        lowered = text.replace("İ", "I").lower()
    return _PLACEHOLDER.sub(_blank, lowered) if "[redacted:" in lowered else lowered


def _blank(placeholder: re.Match[str]) -> str:
    return "\0" * len(placeholder.group())


def _outside_placeholders(text: str, found: list[SecretFinding]) -> list[SecretFinding]:
    """Without what touches a placeholder from an earlier redaction, unless it has a frame of its own around it."""
    if not found or "[redacted:" not in text:
        return found
    kept = []
    taken = [placeholder.span() for placeholder in _PLACEHOLDER.finditer(text)]
    at = 0
    for finding in sorted(found, key=lambda finding: finding.start):
        while at < len(taken) and taken[at][1] <= finding.start:
            at += 1
        if finding.rank == 0 or at == len(taken) or taken[at][0] >= finding.end:
            kept.append(finding)
    return kept


def _merged(text: str, found: Iterable[SecretFinding]) -> Iterator[Redaction]:
    """Merge overlapping findings into one redaction, over all of them, with the kind that says most.

    Text glued to a secret goes with it: it may be the rest of one, and nothing must be left that only looks like
    the beginning of another now.
    """
    best: SecretFinding | None = None
    start = end = 0
    for finding in sorted(found, key=lambda finding: (finding.start, finding.rank, -finding.end)):
        if best is None or finding.start >= end:
            if best is not None:
                yield Redaction(best.kind, start, end)
            best, start, end = finding, finding.start, 0
        elif finding.rank < best.rank:
            best = finding
        if finding.end > end:
            glued = _GLUED.match(text, finding.end)
            end = glued.end() if glued else finding.end
    if best is not None:
        yield Redaction(best.kind, start, end)


def _in_original(more: tuple[Redaction, ...], earlier: tuple[Redaction, ...]) -> tuple[Redaction, ...]:
    """Both together, with the places of `more`, which are in the text that `earlier` left, moved to the original's."""
    together: list[Redaction] = []
    at = shift = 0
    for redaction in more:
        while at < len(earlier) and earlier[at].start - shift < redaction.start:
            together.append(earlier[at])
            shift += _shrunk(earlier[at])
            at += 1
        start = redaction.start + shift
        while at < len(earlier) and earlier[at].start - shift < redaction.end:
            shift += _shrunk(earlier[at])
            at += 1
        together.append(Redaction(redaction.kind, start, redaction.end + shift))
    return (*together, *earlier[at:])


def _shrunk(redaction: Redaction) -> int:
    """By how many characters it made the text shorter; less than none if it made it longer."""
    return redaction.end - redaction.start - len(_placeholder(redaction))


def _replaced(text: str, redactions: tuple[Redaction, ...]) -> str:
    pieces: list[str] = []
    at = 0
    for redaction in redactions:
        pieces += (text[at : redaction.start], _placeholder(redaction))
        at = redaction.end
    return "".join((*pieces, text[at:]))


def _placeholder(redaction: Redaction) -> str:
    return f"[redacted:{redaction.kind}]"
