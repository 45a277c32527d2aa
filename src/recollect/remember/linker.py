"""Judge texts against those near to them, read through the ports; nothing is written here.

A text that arrives late, with a date before others, may be what those others replace. They are judged anew then, each
against everything older that is near to it now. Pairs in doubt are put to a language model; its word is kept with the
link, with its reason, and deletes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from recollect.domain.changes import SettleLink
from recollect.domain.chat.chat_model import ChatMessage, ChatRole
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.links.statement_link import Judge, Judgement, Settlement, StatementLink, StatementLinks
from recollect.domain.meanings import Nearness
from recollect.domain.notes import ONCE_TRUE
from recollect.domain.ports import Archive, Store
from recollect.domain.scopes import ANYWHERE
from recollect.domain.selections import Selection
from recollect.domain.text import both_ends
from recollect.remember.link_decision import (
    MOST_BY_MEANING,
    DatedText,
    Neighbours,
    candidates,
    judged,
    likeliest,
    says_how_things_are,
    share_asserted,
    text_of_message,
    text_of_note,
)
from recollect.remember.pipeline import masked

_WIDE = 48  # near texts that are looked through for those of the same part, earlier and later
_BY_WORDS = 8
_MOST_WORDS = 24  # of a text that are looked for


@dataclass(frozen=True, slots=True)
class LinkSources:
    """Where the neighbours of a text are read, and who judges.

    `words` are those of a text that are worth looking for. `likeness` compares two texts of which neither may be in
    the index yet; `None` without a model. `on_our_scale` tells a likeness as our own encoder would measure it; `None`
    for a model that nobody has compared with it.
    """

    space: str
    store: Store
    archive: Archive
    links: StatementLinks
    judge: Judge
    words: Callable[[str], Sequence[str]]
    nearness: Nearness | None = None
    likeness: Callable[[str, str], float] | None = None
    on_our_scale: Callable[[float], float] | None = None


def judged_at_once(sources: LinkSources, fresh: Sequence[DatedText], at: datetime) -> list[Judgement] | None:
    """Judge texts that are about to be written; `None` if one of them is older than something near to it.

    Those others would have to be judged anew, which is left to a job.
    """
    found: list[Judgement] = []
    for text in fresh:
        near = _neighbours(sources, text, fresh)
        beside = {each.record_id for each in fresh}
        if any(each.may_change(text) for each in near.texts.values() if each.record_id not in beside):
            return None
        found.append(_judged(sources, text, near, at))
    return found


def judged_late(sources: LinkSources, waiting: Sequence[DatedText], at: datetime) -> list[Judgement]:
    """Judge texts that are kept already, and anew the later ones for which they are an older end."""
    found: dict[str, Judgement] = {}
    unjudged = {each.record_id for each in waiting}
    later: dict[str, DatedText] = {}
    for text in waiting:
        near = _neighbours(sources, text)
        found[text.record_id] = _judged(sources, text, near, at)
        later.update((key, each) for key, each in near.texts.items() if key not in unjudged and each.may_change(text))
    # Those that wait for this judge themselves are compared with everything when it is their turn.
    known = sources.links.judgements(sources.space, list(later))
    for key, each in later.items():
        if key in known and known[key].model == sources.judge.model_id:
            near = _neighbours(sources, each)
            if any(one.record_id in unjudged for one in candidates(each, near)):
                # One whose words have changed since waits, too: the store passes over what is of another version.
                found[key] = _judged(sources, replace(each, version=known[key].version), near, at)
    return list(found.values())


def _judged(sources: LinkSources, text: DatedText, near: Neighbours, at: datetime) -> Judgement:
    measured = dict(near.likeness)

    def older() -> list[DatedText]:
        found = _asserted(sources, candidates(text, near))
        missing = {each.record_id for each in found} - measured.keys()
        if missing:  # found by words
            measured.update(_alike(sources, text, missing))
        return found

    def likeness(record_id: str) -> float | None:
        scale, alike = sources.on_our_scale, measured.get(record_id)
        return None if scale is None or alike is None else scale(alike)

    return judged(text, older, sources.judge, at, likeness)


def _asserted(sources: LinkSources, texts: Sequence[DatedText]) -> list[DatedText]:
    """Those of the texts that say how things are: a question or a dream is replaced by nothing.

    A message that a note was made from was taken as asserted by whoever made it.
    """
    concluded = sources.archive.derived_notes(sources.space, [each.record_id for each in texts])
    known = sources.links.judgements(sources.space, [each.record_id for each in texts])
    found = []
    for each in texts:
        judgement = known.get(each.record_id)
        if judgement is None or judgement.model != sources.judge.model_id:
            stances = sources.judge.stances(each.text)
            stance, asserted = likeliest(stances), share_asserted(stances)
        else:
            stance, asserted = judgement.stance, judgement.asserted
        if says_how_things_are(stance, asserted) or concluded.get(each.record_id):
            found.append(each)
    return found


def _neighbours(sources: LinkSources, text: DatedText, beside: Sequence[DatedText] = ()) -> Neighbours:
    """The texts near to one. Those `beside` it are written together with it, and in no index yet."""
    likeness = _alike(sources, text, None)
    texts = _texts(sources, likeness)
    ours = sum(each.part == text.part for each in texts.values())
    if ours < MOST_BY_MEANING and len(likeness) >= _WIDE and text.part != ANYWHERE:
        # The nearest are those of others: look among its own part.
        own = {
            *sources.store.ids(sources.space, Selection(scope=text.part)),
            *sources.archive.ids(sources.space, text.part),
        }
        likeness = _alike(sources, text, own)
        texts = _texts(sources, likeness)
    by_words = _by_words(sources, text)
    texts = {**by_words, **texts}
    order = list(by_words)
    for each in beside:
        texts[each.record_id] = each
        if sources.likeness is not None:
            likeness[each.record_id] = sources.likeness(text.text, each.text)
        else:
            order.insert(0, each.record_id)
    texts.pop(text.record_id, None)
    return Neighbours(texts, likeness, order)


def _alike(sources: LinkSources, text: DatedText, among: Collection[str] | None) -> dict[str, float]:
    """How like a text the records are that are most like it."""
    found: dict[str, float] = {}
    if sources.nearness is not None:
        for near in sources.nearness.alike(sources.space, text.text, limit=_WIDE, among=among):
            found.setdefault(near.record_id, near.likeness)
    return found


def _by_words(sources: LinkSources, text: DatedText) -> dict[str, DatedText]:
    words = list(dict.fromkeys(sources.words(text.text)))[:_MOST_WORDS]
    if not words:
        return {}
    space, selection = sources.space, Selection(states=ONCE_TRUE, scope=text.part)
    notes = [match.note.id for match in sources.store.matching(space, words, selection, limit=_BY_WORDS)]
    said = sources.archive.matching(space, words, until=None, limit=_BY_WORDS, scope=text.part)
    messages = {each.id: found for each in said if (found := text_of_message(each)) is not None}
    return {**messages, **_texts(sources, dict.fromkeys(notes, 0.0))}


def _texts(sources: LinkSources, near: Mapping[str, float]) -> dict[str, DatedText]:
    """The texts of some records, as they are now."""
    ids = list(near)
    notes = sources.store.current(sources.space, ids) if ids else {}
    said = sources.archive.those(sources.space, [each for each in ids if each not in notes])
    found = [text_of_note(note, 0) for note in notes.values()] + [text_of_message(each) for each in said.values()]
    return {each.record_id: each for each in found if each is not None}


PROMPT_VERSION = "settle/1"
LONGEST_REPLY = 1500  # tokens
MOST_PAIRS = 10  # of one request

_LONGEST_TEXT = 800  # characters
_LONGEST_REASON = 300
_FIELDS: Mapping[str, Any] = {
    "pair": {"type": "integer"},
    "relation": {"type": "string", "enum": [each.value for each in Settlement]},
    "reason": {"type": "string", "maxLength": 1000},
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "maxItems": MOST_PAIRS,
            "items": {
                "type": "object",
                "properties": _FIELDS,
                "required": list(_FIELDS),
                "additionalProperties": False,
            },
        }
    },
    "required": ["verdicts"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class DoubtfulPair:
    """A link and its two texts."""

    link: StatementLink
    older: DatedText
    newer: DatedText


def messages_about(pairs: Sequence[DoubtfulPair]) -> tuple[ChatMessage, ...]:
    """The request to a model: what to do, and the pairs as data."""
    lines = [
        json.dumps([number, *_shown(each.older), *_shown(each.newer)], ensure_ascii=False).replace("<", "\\u003c")
        for number, each in enumerate(pairs, start=1)
    ]
    told = "\n".join(("<pairs>", *lines, "</pairs>"))
    return ChatMessage(ChatRole.SYSTEM, _prompt()), ChatMessage(ChatRole.USER, told)


def settlements(
    verdicts: Sequence[Mapping[str, Any]], pairs: Sequence[DoubtfulPair], settled_by: str
) -> list[SettleLink]:
    """The word on each pair; of several on one pair the first, and for one that no verdict names that there is none."""
    told = {each["pair"]: each for each in reversed(verdicts)}
    found = []
    for number, pair in enumerate(pairs, start=1):
        verdict, link = told.get(number), pair.link
        word = None if verdict is None else Settlement(verdict["relation"])
        reason = "" if verdict is None else " ".join(verdict["reason"].split())[:_LONGEST_REASON]
        found.append(SettleLink(link.older, link.newer, link.judged_at, word, settled_by, reason))
    return found


def _shown(text: DatedText) -> tuple[str, str]:
    return f"{text.at:%Y-%m-%d}", both_ends(masked(text.text), _LONGEST_TEXT // 2)


@cache
def _prompt() -> str:
    return Path(__file__).with_name("settle_prompt.txt").read_text(encoding="utf-8")
