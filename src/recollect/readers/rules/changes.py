"""Changes told in one sentence: "switched from X to Y", "I dropped X", "the Corsa is gone".

Where neither name tells what it is, only memory can: the attribute is left unresolved. So is what ended:
everything a sentence names is offered as over, and only what is known to hold is ended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recollect.domain.readings import UNRESOLVED
from recollect.language import tags
from recollect.language.english import closed_words
from recollect.language.lexicon import ENDING
from recollect.readers.rules.clauses import Clause
from recollect.readers.rules.findings import owner_of
from recollect.readers.rules.gate import Sentence
from recollect.readers.rules.naming import kind_of, said, trimmed
from recollect.readers.rules.scene import Finding, Scene, Who, could_be_person, user, who_is
from recollect.readers.rules.words import Phrase, Word, phrase_at

_CHANGES = frozenset(
    "switch change move go upgrade migrate convert transition swap trade exchange replace shift transfer downgrade "
    "rename".split()
)
_GONE = frozenset(("gone", "dead", "history", "over", "broken"))
_SPARED = frozenset(("alone", "place", "untouched", "enabled"))  # "we left ESLint alone"
_GUESSED = 0.6


def read_replacing(clause: Clause, who: Who | None, scene: Scene) -> list[Finding]:
    """A replacement or an end that no frame knows, by the names in it."""
    verb, text = clause.verb, scene.text
    assert verb is not None
    if verb.lemma in _CHANGES and who is not None and who.kind in ("user", "project"):
        old, new = _pair(clause)
        if new is not None and old is not None:
            attribute = kind_of(said(new, text)) or UNRESOLVED
            who = owner_of(attribute, scene)
            return [Finding(who, attribute, said(new, text), old=said(old, text), confidence=_GUESSED)]
    return _end(clause, who, scene)


def _end(clause: Clause, who: Who | None, scene: Scene) -> list[Finding]:
    """ "I dropped FitBase", "the Corsa is gone", "FitBase was removed", "Olga left"."""
    verb, subject = clause.verb, clause.subject
    assert verb is not None
    gone: Phrase | None = None
    ends = verb.lemma in ENDING or (verb.lemma == "give" and "up" in verb.adverbs)
    if ends and (who is None or who.kind in ("user", "project")):
        gone = clause.part("")
    elif (
        (ends and (verb.passive or not clause.part("")))
        or (verb.lemma == "be" and any(part.phrase.low in _GONE for part in clause.parts))
        or (verb.lemma == "go" and verb.passive)  # "is gone"
    ):
        gone = subject
    if gone is None or gone.pronoun or gone.head.tag & tags.ING or not gone.words[0].tag & (tags.NAME | tags.CODE):
        return []
    spared = verb.lemma == "leave" and not _SPARED.isdisjoint(word.low for word in clause.words)
    if spared or (verb.lemma in ("lose", "finish", "close", "end") and not verb.passive):
        return []
    value = said(trimmed(gone, scene.text), scene.text)
    attribute = kind_of(value) or UNRESOLVED
    return [Finding(owner_of(attribute, scene), attribute, value, effect="ended", confidence=_GUESSED)]


def _pair(clause: Clause) -> tuple[Phrase | None, Phrase | None]:
    """The old and the new: after "from" and "to", or the object and what follows "for", "with" or "by"."""
    old = clause.part("from", "off")
    new = clause.part("to", "onto")
    if new is None and old is None:
        old, new = clause.part(""), clause.part("for", "with", "by", "against")
    return _name(old), _name(new)


def _name(phrase: Phrase | None) -> Phrase | None:
    named = phrase is not None and (phrase.named or kind_of(" ".join(word.text for word in phrase.words)))
    return phrase if named else None


_ENDING = re.compile(closed_words.ENDING, re.IGNORECASE)
_BESIDE = re.compile(closed_words.BESIDE, re.IGNORECASE)
_NONE_LEFT = re.compile(closed_words.NONE_LEFT, re.IGNORECASE)
_MOST = 6  # things named: a longer sentence tells of something else
_POSSIBLE = 0.55
_NO_THING = tags.TIME | tags.WH | tags.SUB | tags.DET


def read_endings(sentence: Sentence, clauses: Sequence[Clause], scene: Scene) -> list[Finding]:
    """Everything that may be over by a sentence, each once."""
    text = scene.text[sentence.start : sentence.end]
    if _BESIDE.search(text) or not (_ENDING.search(text) or _NONE_LEFT.search(text)):
        return []
    me = user(scene.company)
    offered = [(me, value) for value in _none_left(text)]
    for clause in clauses:
        offered.extend(_offered(clause, me, scene))
    if len(offered) > _MOST:
        return []
    return [
        Finding(who, UNRESOLVED, value, effect="ended", confidence=_POSSIBLE) for who, value in dict.fromkeys(offered)
    ]


def _none_left(text: str) -> Iterator[str]:
    """ "I have no hairdresser any more": what is over, by what it is called."""
    found = _NONE_LEFT.search(text)
    if found:
        yield next(filter(None, found.groups())).lower()


def _offered(clause: Clause, me: Who, scene: Scene) -> Iterator[tuple[Who, str]]:
    """The things a clause names beside its actor, each with its owner: only what somebody did themselves ends it."""
    verb, subject = clause.verb, clause.subject
    if verb is None:
        if not any(word.tag & tags.PAST for word in clause.words):  # else there is a verb that was not understood
            yield from ((me, said(phrase, scene.text)) for phrase in _phrases(clause.words))
        return
    if (subject is None and scene.company.unnamed) or "disliked" in verb.chain:
        return  # "he never came back. Sold the boat instead": not the speaker's
    who = me if subject is None else who_is(subject, scene.company)
    if who is not None and who.kind == "thing" and subject is not None and could_be_person(subject):
        who = Who(f"person:{subject.low}", who.called, "person")
    if who is not None and who.personal:
        beside = (clause.lead, *clause.tails)
        things = [part.phrase for part in clause.parts] + [name for words in beside for name in _phrases(words)]
        yield from ((who, said(phrase, scene.text)) for phrase in things if _is_thing(phrase))
    ends = verb.passive or verb.lemma == "be" or (verb.end >= len(clause.words) and not verb.chain)
    if ends and subject is not None and _is_thing(subject):
        yield me, said(subject, scene.text)  # "the Corsa is gone", "Kasia left"


def _phrases(words: Sequence[Word]) -> Iterator[Phrase]:
    at = 0
    while at < len(words):
        phrase, after = phrase_at(words, at, len(words))
        if phrase is not None and _is_thing(phrase):
            yield phrase
        at = max(after, at + 1)


def _is_thing(phrase: Phrase) -> bool:
    return not phrase.pronoun and not phrase.words[0].tag & _NO_THING
