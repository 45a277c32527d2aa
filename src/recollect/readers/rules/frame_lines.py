"""The lines of frames of all attributes, taken apart. Their form is explained in `attributes.records`.

`kind_frames.tsv` has those that leave the attribute to their value: `@` is that of the value's kind, `@version` the
version of what is named.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from recollect.attributes.catalogue import catalogue
from recollect.attributes.records import About
from recollect.language import tags
from recollect.language.lexicon import LEXICON


class FrameSlot(NamedTuple):
    """A place in a frame: `role` is VALUE, OLD, SKIP, THING, WORD or ANY; of a subject also WHO, MEETING or YOU.

    `sort` or `heads` say what may stand there, `preps` after which prepositions ("" for the object).
    """

    role: str
    sort: str = ""
    heads: frozenset[str] = frozenset()
    preps: frozenset[str] = frozenset()
    optional: bool = False


class Frame(NamedTuple):
    attribute: str
    subject: FrameSlot
    verbs: frozenset[str]
    passive: frozenset[str]
    slots: tuple[FrameSlot, ...]
    adverbs: frozenset[str]
    barred: frozenset[str]
    asks: re.Pattern[str] | None
    effects: frozenset[str]
    needs: frozenset[str]


TIMED = frozenset(("date", "birthdate", "slot", "recurrence"))


def _frames() -> tuple[dict[str, tuple[Frame, ...]], dict[str, tuple[Frame, ...]]]:
    active: dict[str, list[Frame]] = {}
    passive: dict[str, list[Frame]] = {}
    lines = [(attribute, line) for attribute in catalogue() for line in attribute.frames.strip().splitlines()]
    known = [(attribute.name, line) for attribute, line in lines if attribute.about is About.PERSON]
    work = [(attribute.name, line) for attribute, line in lines if attribute.about is not About.PERSON]
    rows = Path(__file__).with_name("kind_frames.tsv").read_text(encoding="utf-8").splitlines()
    kinds = [(row.partition("\t")[0], row.partition("\t")[2]) for row in rows]
    for attribute, line in (*work, *kinds, *known):
        frame = _frame(attribute, line)
        for verb in frame.verbs:
            active.setdefault(verb, []).append(frame)
        for verb in frame.passive:
            passive.setdefault(verb, []).append(frame)
    return {verb: tuple(found) for verb, found in active.items()}, {
        verb: tuple(found) for verb, found in passive.items()
    }


def _frame(attribute: str, line: str) -> Frame:
    body, _, effects = line.partition(">")
    body, _, asked = body.partition(" & ")
    tokens = body.split()
    subject = _slot(tokens.pop(0), frozenset(("",)))
    slots: list[FrameSlot] = []
    while _is_preposition(tokens[0]):
        preps = _preps(tokens.pop(0))
        slots.append(_slot(tokens.pop(0), preps))
    verbs = tokens.pop(0).split("|")
    adverbs: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()
    preps, optional = frozenset(("",)), False
    for token in tokens:
        if token.startswith("+"):
            adverbs = frozenset(token[1:].split("|"))
        elif token.startswith("-"):
            barred = frozenset(token[1:].split("|"))
        elif _is_slot(token):
            slot = _slot(token.lstrip("?"), preps)
            if optional and slot.role == "VALUE":  # the preposition may be missing, not the value
                slot, optional = slot._replace(preps=slot.preps | {""}), False
            slots.append(slot._replace(optional=optional or token.startswith("?")))
            preps, optional = frozenset(("",)), False
        else:
            optional = token.startswith("?")
            preps = _preps(token.lstrip("?"))
    asks = re.compile("|".join(_asked(option) for option in asked.strip().split("|"))) if asked.strip() else None
    return Frame(
        attribute,
        subject,
        frozenset(verb for verb in verbs if not verb.startswith("!")),
        frozenset(verb[1:] for verb in verbs if verb.startswith("!")),
        tuple(slots),
        adverbs,
        barred,
        asks,
        frozenset(effects.split()),
        next((slot.preps for slot in slots if not slot.optional and slot.sort not in TIMED), frozenset()),
    )


def _asked(option: str) -> str:
    """The pattern of one alternative: `*` is any word, `$` is the end."""
    if option.endswith("$"):
        return rf"\b{re.escape(option[:-1])}\s*$"
    escaped = re.escape(option).replace(r"\*", r"\S+")
    return escaped if option.startswith("n'") else rf"\b{escaped}\b"


def _is_slot(token: str) -> bool:
    bare = token.lstrip("?")
    return bare[0] == "=" or bare == "*" or bare.partition(":")[0].isupper()


def _is_preposition(token: str) -> bool:
    return all(
        LEXICON.get(part, (0, ""))[0] & tags.PREP and not LEXICON[part][0] & tags.VERB for part in token.split("|")
    )


def _preps(token: str) -> frozenset[str]:
    return frozenset("" if part == "*" else part for part in token.split("|")) | (
        frozenset(("and",)) if token == "*" else frozenset()
    )


def _slot(token: str, preps: frozenset[str]) -> FrameSlot:
    if token.startswith("="):
        return FrameSlot("WORD", heads=frozenset(token[1:].replace("|=", "|").split("|")), preps=preps)
    if token == "*":
        return FrameSlot("ANY", preps=preps)
    role, _, sort = token.partition(":")
    return FrameSlot(role, sort or "any", preps=preps)


ACTIVE, PASSIVE = _frames()
