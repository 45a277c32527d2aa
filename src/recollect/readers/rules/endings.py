"""A sentence that tells of an end: "Tuva gave up the violin", "no longer a nurse", "bye Disney+, hello Netflix".

What ended is left to memory: everything the sentence names is offered as over, with the attribute left open, and only
what is known to hold is ended. What took its place is not guessed; the message itself says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recollect.domain.statements import UNRESOLVED
from recollect.language import tags
from recollect.language.english import changes
from recollect.readers.rules.quoting import said
from recollect.readers.rules.scene import Finding, Scene
from recollect.readers.rules.syntax.clauses import Clause
from recollect.readers.rules.syntax.phrases import Phrase, phrase_at
from recollect.readers.rules.syntax.sentences import Sentence
from recollect.readers.rules.syntax.words import Word
from recollect.readers.rules.who import Who, could_be_person, user, who_is

_ENDING = re.compile(changes.ENDING, re.IGNORECASE)
_BESIDE = re.compile(changes.BESIDE, re.IGNORECASE)
_NONE_LEFT = re.compile(changes.NONE_LEFT, re.IGNORECASE)
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
