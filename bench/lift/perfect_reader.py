"""A model that reads stories perfectly: it knows what is true at the end, and says each thing where it is told.

A claim is put at a message whose words say it: what holds at the end at the last such message, what is over at the
first, and its end at the last, unless a successor is told. Claims that no single message says in its words are not put;
nor are those whose end no words tell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bench.lift.perfect_model import PerfectModel
from recollect.attributes.catalogue import attribute_called
from recollect.domain.chat.chat_model import ModelTask
from recollect.domain.readings import USER
from recollect.language.english.relations import RELATIONS
from recollect.readers.model.candidates import stands_in

_NO_LETTER = re.compile(r"[^a-z0-9' -]")
_PLAIN = {"modality": "asserted", "tense": "present", "since": "", "until": "", "occurred": "", "corrects": False}


class PerfectReader(PerfectModel):
    """Candidates of one story by the text of their message."""

    task = ModelTask.READ

    def __init__(self) -> None:
        self.table: dict[str, list[dict[str, Any]]] = {}
        self.put: list[Mapping[str, Any]] = []  # claims that hold at the end
        self.over: list[Mapping[str, Any]] = []  # claims that do not
        self.unsaid = 0

    def known(self, lines: Sequence[Sequence[Any]]) -> dict[str, Any]:
        """See `PerfectModel.known`."""
        found = [
            {**each, "message": number}
            for number, _, _, how, text in lines
            if how == "read"
            for each in self.table.get(text, ())
        ]
        return {"statements": found}


def perfect_reader(story: Mapping[str, Any]) -> PerfectReader:
    """The reader that knows a story."""
    reader = PerfectReader()
    texts = [each["content"] for each in story["messages"] if each["role"] == "user"]
    side_by_side = Counter((claim["about"], claim["what"]) for claim in story["facts"])
    told_at: dict[tuple[str, str], int] = {}
    for claim in story["facts"]:
        said = _said_in(claim, texts)
        if not said:
            reader.unsaid += 1
            continue
        reader.put.append(claim)
        told_at.setdefault((claim["about"], claim["what"]), said[-1])
        _tell(reader, texts[said[-1]], _candidate(claim, side_by_side))
    for claim in story["past"]:
        said, key = _said_in(claim, texts), (claim["about"], claim["what"])
        followed = told_at.get(key, -1) if side_by_side[key] == 1 else -1
        if not said or (len(said) == 1 and followed < 0):
            reader.unsaid += 1
            continue
        reader.over.append(claim)
        told = _candidate(claim, side_by_side)
        if said[0] >= followed >= 0:  # told only when it was over
            _tell(reader, texts[said[0]], {**told, "tense": "past"})
            continue
        _tell(reader, texts[said[0]], told)
        if followed < 0:
            _tell(reader, texts[said[-1]], {**told, "polarity": "ended"})
    return reader


def _tell(reader: PerfectReader, text: str, candidate: dict[str, Any]) -> None:
    reader.table.setdefault(text, []).append({**candidate, "quote": text})


def _said_in(claim: Mapping[str, Any], texts: Sequence[str]) -> list[int]:
    """The places of the messages that say the value of a claim, and whom it is about."""
    about = str(claim["about"]).removeprefix("user's ")
    return [
        place
        for place, text in enumerate(texts)
        if stands_in(str(claim["value"]), text) and (about == USER or claim.get("relation") or stands_in(about, text))
    ]


def _candidate(claim: Mapping[str, Any], side_by_side: Counter[tuple[str, str]]) -> dict[str, Any]:
    named = _NO_LETTER.sub("", str(claim["what"]).casefold())[:40].strip()
    known = attribute_called(named)
    attribute = known.name if known is not None else named
    many = side_by_side[claim["about"], claim["what"]] > 1
    value = str(claim["value"])
    return {
        **_PLAIN, "subject": _subject(claim), "attribute": attribute, "value": value, "many": many,
        "polarity": "affirmed", "replaces": "",
    }  # fmt: skip


def _subject(claim: Mapping[str, Any]) -> str:
    about = str(claim["about"]).casefold()
    if about == USER:
        return USER
    word = about.removeprefix("user's ")
    return f"relation:{word}" if word in RELATIONS else f"person:{word}"
