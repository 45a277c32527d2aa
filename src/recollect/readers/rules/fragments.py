"""Sentences without a verb: "Branch policy: git-flow", "Oat cappuccino, every morning", "Tuesday 10:00, not 9:00"."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.attributes.catalogue import attribute_named, flagged
from recollect.attributes.records import About, Flag
from recollect.domain.statements import UNRESOLVED
from recollect.language import tags
from recollect.readers.rules.clauses import Clause
from recollect.readers.rules.frames import is_meeting
from recollect.readers.rules.kinds import kind_of, version_apart
from recollect.readers.rules.naming import attribute_in, is_open_head, thing_in
from recollect.readers.rules.owning import attribute_of
from recollect.readers.rules.phrases import Phrase, phrase_at
from recollect.readers.rules.quoting import said
from recollect.readers.rules.scene import RECURRENCE, SLOT, Finding, Scene
from recollect.readers.rules.sorts_of_people import is_trade
from recollect.readers.rules.values import dated_value
from recollect.readers.rules.who import Who, project, thing, user
from recollect.readers.rules.words import Word

_LONGEST_LABEL = 6  # words


def read_label(label: Sequence[Word], content: Sequence[Word], scene: Scene) -> list[Finding]:
    """ "Indentation: two spaces": the label names the attribute, the rest is the value."""
    if not label or not content or len(label) > _LONGEST_LABEL:
        return []
    phrase, after = phrase_at(label, 0, len(label))
    if phrase is None or (after < len(label) and not label[after].tag & (tags.PREP | tags.TIME)):
        return []
    value = _content(content, scene)
    if not value:
        return []
    if (version := version_apart(value)) is not None:
        return [Finding(_thing(phrase), f"{version[0].lower()} version", version[1])]
    whole = Phrase([word for word in label if word.start >= phrase.start], phrase.det)
    owner, called = attribute_of(whole, scene)
    if phrase.head.low in ("name", "topic", "title", "keyword", "keywords", "prompt", "question"):
        return []
    if called is None or (called.known is None and not is_open_head(phrase.head.low)):
        return []
    if owner is None:
        owner = user(scene.company) if called.known is not None and called.known.about is About.PERSON else project()
    if called.known is not None and called.known.value == "date":
        value = dated_value(scene, content[0].start, content[-1].end) or value
    return [Finding(owner, called.attribute, value, confidence=0.85)]


def topic_of(label: Sequence[Word]) -> Who | None:
    """The thing that a label says the next clause is about: "Billing-service: persistence layer is DuckDB"."""
    phrase, after = phrase_at(label, 0, len(label))
    if phrase is None or after != len(label) or len(label) > _LONGEST_LABEL or phrase.det in ("my", "a", "an"):
        return None
    name = thing_in(phrase.words)
    return thing(name) if name else None


def read_fragment(clause: Clause, scene: Scene) -> list[Finding]:
    """What a piece without a verb says by the kind of what it names."""
    words = clause.words
    phrase, after = phrase_at(words, 0, len(words))
    start, end = words[0].start, words[-1].end
    slot = SLOT.match(scene.text, start)
    if slot is not None:
        meeting = next((found for found in _phrases(words) if is_meeting(found)), None)
        if meeting is not None:
            called = attribute_in(meeting.core)
            return [
                Finding(project(), called.attribute if called is not None else "team_meeting", slot.group().strip())
            ]
    if phrase is None or phrase.pronoun:
        return []
    if change := _change(words, phrase, scene):
        return [change]
    if trade := _trade(words, phrase, after, scene):
        return [trade]
    value = said(phrase, scene.text)
    if flagged(kind := kind_of(value), Flag.HABITUAL) and RECURRENCE.search(scene.text, start, end):
        return [Finding(user(scene.company), kind or "", value)]
    return []


def read_lead(lead: Sequence[Word], scene: Scene) -> list[Finding]:
    """What stands before a clause and is none: "Ferry cook here, we sail at six"."""
    phrase, after = phrase_at(lead, 0, len(lead)) if lead else (None, 0)
    trade = _trade(lead, phrase, after, scene) if phrase is not None and not phrase.pronoun else None
    return [trade] if trade is not None else []


def _trade(words: Sequence[Word], phrase: Phrase, after: int, scene: Scene) -> Finding | None:
    """ "Year 4 teacher here", "data engineer at a startup": who speaks says what they are."""
    if phrase.det or after >= len(words) or words[after].low not in _PLACED or not is_trade(Phrase(phrase.words, "a")):
        return None
    return Finding(user(scene.company), "role", said(Phrase(phrase.core), scene.text), confidence=0.8)


_PLACED = frozenset(("here", "at"))


def _change(words: Sequence[Word], phrase: Phrase, scene: Scene) -> Finding | None:
    """ "API cut-over to Cloud Run on 15 May": a change named by a noun, of the thing before it."""
    if phrase.head.low not in _CHANGE_NOUNS:
        return None
    for at, word in enumerate(words):
        if word.low in ("to", "onto") and word.start >= phrase.end and at + 1 < len(words):
            new, _ = phrase_at(words, at + 1, len(words))
            attribute = kind_of(said(new, scene.text)) if new is not None else None
            if new is None or attribute is None:
                return None
            name = thing_in(phrase.words[:-1]) if len(phrase.words) > 1 else ""
            return Finding(
                thing(name) if name else owner_of(attribute, scene), attribute, said(new, scene.text), effect="change"
            )
    return None


_CHANGE_NOUNS = frozenset(
    "cut-over cutover move migration switch switchover upgrade transition relocation rollout".split()
)


def read_end(label: Sequence[Word], scene: Scene) -> list[Finding]:
    """ "No longer vegetarian: ...": what a label says is over."""
    if len(label) < 2 or (label[0].low, label[1].low) not in (("no", "longer"), ("no", "more"), ("not", "anymore")):
        return []
    phrase, _ = phrase_at(label, 2, len(label)) if len(label) > 2 else (None, 0)
    attribute = kind_of(said(phrase, scene.text)) if phrase is not None else None
    if phrase is None or attribute is None:
        return []
    return [Finding(owner_of(attribute, scene), attribute, said(phrase, scene.text), effect="ended")]


def read_replacement(words: Sequence[Word], scene: Scene, old: str) -> list[Finding]:
    """ "Vercel, not Netlify": the attribute is what the names are, or only memory knows it."""
    phrase, _ = phrase_at(words, 0, len(words))
    if phrase is None or phrase.pronoun or not old:
        return []
    value = said(phrase, scene.text)
    attribute = kind_of(value) or kind_of(old) or UNRESOLVED
    return [Finding(owner_of(attribute, scene), attribute, value, old=old, confidence=0.7)]


def owner_of(attribute: str, scene: Scene) -> Who:
    """Whose such an attribute is when nobody is named."""
    known = attribute_named(attribute)
    return project() if known is not None and known.about is About.PROJECT else user(scene.company)


def _content(words: Sequence[Word], scene: Scene) -> str:
    kept = list(words)
    while kept and kept[-1].tag & tags.PUNCT:
        kept.pop()
    if not kept or len(kept) > 12:
        return ""
    if kept[0].tag & (tags.SUBJECT | tags.WH | tags.SUB) and not kept[0].tag & tags.NAME:
        return ""
    begin = 1 if kept[0].tag & tags.DET and not kept[0].tag & tags.NAME and len(kept) > 1 else 0
    for at, word in enumerate(kept):
        if at > begin and word.low == "not" and kept[at - 1].tag & tags.PUNCT:
            kept = kept[: at - 1]
            break
    if len(kept) <= begin:
        return ""  # "The, not the old one" names nothing
    return scene.text[kept[begin].start : kept[-1].end].strip("`\"'“”‘’ ")


def _thing(phrase: Phrase) -> Who:
    name = thing_in(phrase.words)
    return thing(name) if name else project()


def _phrases(words: Sequence[Word]) -> list[Phrase]:
    found = []
    at = 0
    while at < len(words):
        phrase, after = phrase_at(words, at, len(words))
        if phrase is not None:
            found.append(phrase)
        at = max(after, at + 1)
    return found
