"""Pure: answers as small objects. A model reads every character of them, so what is empty or usual is left out.

Texts come without what cannot be seen, and long ones only with their beginning where there are several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.domain.answers.recollections import Erasure, History, Hit, Learned, Profile, Recollection
from recollect.domain.clock import format_time
from recollect.domain.links.statement_link import CHANGES, StatementLink
from recollect.domain.notes import Note, State
from recollect.recall.block import dates_of, origin_of
from recollect.recall.evidence.messages import quoted, shown_sentence
from recollect.recall.fence import seen

_SHOWN = 1000  # characters of a text among others; `get` shows the whole


def recollection(found: Recollection) -> dict[str, Any]:
    return {"hits": [_hit(hit) for hit in found.hits], "coverage": found.coverage.value}


def note(found: Note) -> dict[str, Any]:
    """One note, whole."""
    about = {"subject": found.subject, "attribute": found.attribute, "value": found.value}
    return _filled(
        {
            "id": found.id,
            "version": found.version,
            "title": found.title and seen(found.title),
            "text": seen(found.text),
            "date": dates_of(found),
            "origin": seen(origin_of(found)),
            "kind": found.kind.value,
            **{name: value and seen(value) for name, value in about.items()},
            "tags": [seen(tag) for tag in found.tags],
            "state": "" if found.state is State.ACTIVE else found.state.value,
            "pinned": found.pinned,
            "confidence": None if found.confidence == 1.0 else found.confidence,
            "review": found.review and seen(found.review),
            "supersedes": list(found.supersedes),
        }
    )


def history(found: History) -> dict[str, Any]:
    """Each step once, in the order in which they were true, with how often its record was changed.

    `changes` of a step are those that a model read from it, or from the message it comes from; a person may deny them.
    """
    return {
        "steps": [
            _filled(
                {
                    "id": step.note.id,
                    "text": _short(step.note.text),
                    "date": dates_of(step.note),
                    "state": step.note.state.value,
                    "origin": seen(origin_of(step.note)),
                    "recorded": format_time(step.note.recorded_at),
                    "versions": len(step.versions),
                    "review": step.note.review and seen(step.note.review),
                    "confidence": None if step.note.confidence == 1.0 else step.note.confidence,
                    "said": "" if quoted(step.note) == step.note.text else _short(quoted(step.note)),
                    "changes": _changes(step.note, found.links),
                }
            )
            for step in found.steps
        ]
    }


def _changes(note: Note, links: Sequence[StatementLink]) -> list[dict[str, Any]]:
    sources = {note.id, *note.derived_from}
    return [
        _filled({"newer": link.newer, "older": link.older, "denied": link.is_refuted})
        for link in links
        if link.newer in sources and link.stands_as.value in CHANGES
    ]


def learned(found: Learned) -> dict[str, Any]:
    known = found.note
    return _filled(
        {
            "id": known.id if known else "",
            "action": found.action,
            "reason": found.reason,
            "text": _short(known.text) if known else "",
            "supersedes": list(known.supersedes) if known else [],
        }
    )


def erasure(found: Erasure) -> dict[str, Any]:
    return _filled(
        {
            "forgotten": [*found.note_ids, *found.observation_ids],
            "still_there": list(found.derived),
            "residue": found.residue,
        }
    )


def profile(found: Profile) -> dict[str, Any]:
    """Attribute by attribute; prose would say the same again."""
    fields = (
        _filled(
            {
                "attribute": each.attribute,
                "values": [_short(value) for value in each.values],
                "since": format_time(each.since) if each.since and each.since.year > 1 else "",
                "ids": list(each.note_ids),
            }
        )
        for each in found.fields
    )
    return {"subject": seen(found.subject), "fields": list(fields)}


def _hit(hit: Hit) -> dict[str, Any]:
    if hit.note is not None:
        date, origin = dates_of(hit.note), origin_of(hit.note)
    else:
        said = hit.observation
        date = f"{said.observed_at:%Y-%m-%d}" if said else ""
        origin = f"said by {said.speaker or said.role or 'somebody'}" if said else ""
    return _filled(
        {
            "id": hit.id,
            "text": _short(hit.text),
            "said": seen(shown_sentence(hit)),
            "date": date,
            "origin": seen(origin),
            "score": round(hit.score, 3),
            "doubted": "doubted" in hit.why,
            "attachments": _files(hit),
        }
    )


def _files(hit: Hit) -> list[dict[str, str]]:
    """The files of a message: what they are, and by which digest they can be read."""
    files = hit.observation.attachments if hit.note is None and hit.observation else ()
    return [
        _filled({"digest": each.digest, "name": seen(each.name), "alt": seen(each.alt), "caption": seen(each.caption)})
        for each in files
    ]


def _short(text: str) -> str:
    shown = seen(text)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]} …"


def _filled(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "", [], False)}
