"""Owners of attributes: "Ana's birthday" is Ana's, "our team's chat" the project's, "the release captain" nobody's."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.attributes.records import About, Flag
from recollect.language import tags
from recollect.language.english.relations import RELATIONS
from recollect.readers.rules.naming import Called, attribute_in, known_by, thing_in
from recollect.readers.rules.scene import Scene, Who, project, thing, user, who_is
from recollect.readers.rules.words import Phrase, Word, phrase_at

_COMPANIONS = ("of", "for", "in", "on", "at", "to", "behind")


def attribute_of(phrase: Phrase, scene: Scene) -> tuple[Who | None, Called | None]:
    """The owner and the attribute; two `None` if the phrase names nothing that could have a value."""
    if phrase.det in ("your", "its", "that", "those", "these", "another", "his", "her", "their"):
        return None, None
    whole = known_by(phrase.words)
    if whole is not None:
        named = Called(whole)
        return _by_determiner(phrase, named, scene), named
    owner, core, companion = _taken_apart(phrase, scene)
    called = attribute_in(core) if core and not _is_a_named_relation(core) else None
    if called is None:
        return None, None
    if owner is not None:
        return owner, called
    if companion is not None:
        return _of_companion(companion, called, scene), called
    return _by_determiner(phrase, called, scene), called


def _is_a_named_relation(core: Sequence[Word]) -> bool:
    """ "Husband Marco" is a person, not an attribute; so is "drummer Marco"."""
    named = len(core) > 1 and bool(core[-1].tag & tags.NAME) and not core[0].tag & tags.NAME
    return named and (core[-1].text[1:].islower() or any(word.low in RELATIONS for word in core[:-1]))


def _of_companion(companion: Phrase, called: Called, scene: Scene) -> Who | None:
    who = who_is(companion, scene.company)
    if who is None:
        who = thing(thing_in(companion.words))
    return project() if who.kind == "user" and called.known.about is About.PROJECT else who


def _by_determiner(phrase: Phrase, called: Called, scene: Scene) -> Who | None:
    known, about = called.known, called.known.about
    if called.thing and not (phrase.det == "my" and about is About.EITHER):
        return thing(called.thing)
    if phrase.det == "my":
        return project() if about is About.PROJECT and Flag.OWN not in known.flags else user(scene.company)
    if phrase.det == "our":
        return user(scene.company) if about is About.PERSON else project()
    if phrase.det in ("the", "this", ""):
        if about is not About.PERSON:
            return project()
        bare = Flag.BARE in known.flags and not phrase.det and len(phrase.words) == 1
        return user(scene.company) if bare else None
    return None


def _taken_apart(phrase: Phrase, scene: Scene) -> tuple[Who | None, Sequence[Word], Phrase | None]:
    """The owner before 's, the words that name the attribute, and the companion after "of" or "for"."""
    words = phrase.words
    owner: Who | None = None
    at = max((n for n, word in enumerate(words) if word.tag & tags.OWNER and 0 < n < len(words) - 1), default=0)
    if at:
        if any(word.low == "of" for word in words[:at]):
            return None, (), None  # "the owner of Ana's flat" is the flat's
        owner = who_is(Phrase(words[:at], phrase.det), scene.company)
        if owner is None:
            return None, (), None
        words = words[at + 1 :]
    core, companion = _split(words)
    return owner, core, companion


def _split(words: Sequence[Word]) -> tuple[Sequence[Word], Phrase | None]:
    places = [at for at, word in enumerate(words) if at and word.low in _COMPANIONS and not word.tag & tags.NAME]
    for place in places:
        companion, _ = phrase_at(words, place + 1, len(words))
        if companion is None:
            continue
        if companion.low in ("choice", "mine", "ours"):
            return words[:place], None
        begin = next(at for at, word in enumerate(words) if word is companion.words[0])
        return words[:place], Phrase(words[begin:], companion.det)
    return words, None
