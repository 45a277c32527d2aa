"""LifeBench: what is on somebody's phone (messages, notes, calendar, calls, photos …), and questions about a life.

Chats with an assistant are said to the memory; everything else lies on a phone, and is saved as a note of its own with
its title and day, as an import would do it. A record is known by its kind and number; a chat is one record however long
it is. A question is asked at the end of its month, when nothing later has been told to anybody.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.material import Corpus, DataSet, Item, Question, flat

FOLDER = "lifebench"

_EARLIEST = datetime(2025, 1, 1, tzinfo=UTC)  # of records that name no day, such as contacts
# Of each kind, what is told besides its title; whatever has none of these is told field by field.
_TELLING = {
    "calendar": ("description",),
    "note": ("content",),
    "photo": ("caption", "summarized_info"),
    "push": ("content",),
}


def load(folder: Path) -> list[DataSet]:
    corpora, dropped = [], 0
    for person in sorted(each for each in folder.iterdir() if (each / "phone_data").is_dir()):
        corpus, without = _person(person)
        corpora.append(corpus)
        dropped += without
    return [DataSet("lifebench", corpora, along_the_way=True, dropped=dropped, about="mixed records of a life")]


def _person(folder: Path) -> tuple[Corpus, int]:
    items = [
        item
        for file in sorted((folder / "phone_data").glob("*.json"))
        for record in _json(file)
        for item in _record(file.stem, record)
    ]
    items.sort(key=lambda item: item.at)
    known: dict[str, datetime] = {}
    for item in items:
        known.setdefault(item.id, item.at)
    last = items[-1].at + timedelta(days=1)
    asked = [each for file in sorted((folder / "QA").glob("*.json")) for each in _json(file)]
    questions = []
    for each in asked:
        evidence = (_id(piece["type"], piece["id"]) for piece in each.get("evidence") or ())
        now = _asked_at(each, last)
        gold = tuple(dict.fromkeys(name for name in evidence if name in known and known[name] <= now))
        if gold:
            questions.append(Question(each["question"], each["question_type"], gold, now))
    return Corpus(folder.name, items, questions), len(asked) - len(questions)


def _asked_at(question: Mapping[str, Any], last: datetime) -> datetime:
    """When something is asked: at the end of the month that is named, or after the last record."""
    try:
        year, month = (int(part) for part in str(question["ask_time"]).split("-")[:2])
        return datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    except (KeyError, ValueError):
        return last


def _record(kind: str, record: Mapping[str, Any]) -> Iterator[Item]:
    name, at = _id(kind, record.get("phone_id")), _moment(record)
    if kind == "sms":
        way = "From" if record.get("message_type") == "Receive" else "To"
        text = f"{way} {record.get('contactName') or 'someone'}: {record.get('message_content') or ''}"
        yield Item(name, text, at, is_note=True, tags=(kind,))
    elif kind == "agent_chat":
        for place, said in enumerate(record["conversation"].values()):
            for role in ("user", "assistant"):
                if said.get(role, {}).get("content"):
                    yield Item(name, said[role]["content"], at + timedelta(seconds=place), session=name, role=role)
    else:
        title = record.get("title") if kind != "photo" else None
        told = [str(record[field]) for field in _TELLING.get(kind, ()) if record.get(field)]
        text = " ".join(told) or _spelled(kind, record)
        yield Item(name, text, at, is_note=True, title=title or None, tags=(kind,))


def _spelled(kind: str, record: Mapping[str, Any]) -> str:
    """A record of no known shape, field by field."""
    left_out = ("type", "event_id", "phone_id", "datetime")
    fields = ", ".join(f"{key}: {flat(value)}" for key, value in record.items() if key not in left_out)
    return f"{kind.replace('_', ' ')}: {fields}"


def _moment(record: Mapping[str, Any]) -> datetime:
    """When a record was made. The health data of one phone names its fields in Chinese."""
    for field in ("datetime", "date", "日期"):
        if record.get(field):
            try:
                return datetime.fromisoformat(str(record[field])).replace(tzinfo=UTC)
            except ValueError:
                continue
    return _EARLIEST


def _id(kind: str, number: object) -> str:
    return f"{kind}/{number}"


def _json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))
