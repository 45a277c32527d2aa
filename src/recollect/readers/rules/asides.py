"""People named by the way: "my sister Ana", "Kasia (my team lead)", "Anvi (daughter, 6)".

Somebody's name and what they are to the speaker hold whatever the sentence around them does: it may ask, wish or
command. So they are read from the words alone, without a verb.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recollect.language import tags
from recollect.language.lexicon import LEXICON
from recollect.readers.rules.quoting import is_place
from recollect.readers.rules.scene import Finding, Scene
from recollect.readers.rules.sorts.kinds import kind_of
from recollect.readers.rules.syntax.phrases import Phrase, abbreviates
from recollect.readers.rules.syntax.words import Word
from recollect.readers.rules.who import Who, could_be_person, named_relation, person_named, relation_in, user

_MOST_BEFORE_A_NAME = 5  # words between "my" and the name: "my younger brother in law Marek"
_MOST_NAMES = 4  # words of a name, the full stop of a title among them
_OLDEST = 110
_YEARS = frozenset("years year yrs yr old yo".split())


class Aside(NamedTuple):
    """A person named by the way, what that says, and where it stands in the text."""

    who: Who
    findings: tuple[Finding, ...]
    start: int
    end: int


def asides_in(words: Sequence[Word], scene: Scene) -> Iterator[Aside]:
    """Everybody who is named by the way, in order."""
    for at, word in enumerate(words):
        if word.low in ("my", "our") and word.tag & tags.POSS:
            found = _relation_named(words, at, scene)
        elif word.text == "(" and at:
            found = _in_brackets(words, at, scene)
        else:
            continue
        if found is not None:
            yield found


def _relation_named(words: Sequence[Word], at: int, scene: Scene) -> Aside | None:
    """ "My older sister Mika", "my boss (Dapo)"."""
    begin = at + 1
    limit = min(len(words), begin + _MOST_BEFORE_A_NAME)
    first = next((n for n in range(begin, limit) if words[n].tag & tags.NAME or words[n].text == "("), 0)
    bracket = bool(first) and words[first].text == "("
    stop = first + 1 if bracket else first
    names = _names_from(words, stop)
    if not first or not names or (bracket and not _closes(words, stop + len(names))):
        return None
    who = named_relation(Phrase((*words[begin:first], *names), words[at].low), scene.company)
    return None if who is None else _aside(who, scene, words[at].start, names[-1].end)


def _in_brackets(words: Sequence[Word], at: int, scene: Scene) -> Aside | None:
    """ "Kasia (my team lead)", "Anvi (daughter, 6)", "Liisa (12)"."""
    close = next((n for n in range(at + 1, min(len(words), at + 8)) if words[n].text == ")"), 0)
    begin = at
    while begin and at - begin < _MOST_NAMES and words[begin - 1].tag & tags.NAME:
        begin -= 1
    names = words[begin:at]
    if not close or not names or not _may_be_somebody(names):
        return None
    inside = [word for word in words[at + 1 : close] if word.text != "," and not word.tag & tags.POSS]
    age = next((word.text for word in inside if word.low.isdigit() and 0 < int(word.low) < _OLDEST), "")
    kin = [word for word in inside if not word.tag & tags.NUM and word.low not in _YEARS]
    if not (age or kin):
        return None
    if kin:
        who = named_relation(Phrase((*kin, *names), "my"), scene.company)
    elif _is_said_of_somebody(names, words, close):
        who = person_named(names)
    else:
        return None
    if who is None or (kin and not relation_in(kin)):
        return None
    return _aside(who, scene, names[0].start, words[close].end, age=age)


def _is_said_of_somebody(names: Sequence[Word], words: Sequence[Word], close: int) -> bool:
    """ "Liisa (12) made it", not "Figure (3)": no word of the language, who does something or is listed."""
    after = words[close + 1] if close + 1 < len(words) else None
    acts = after is None or bool(after.tag & (tags.VERB | tags.AUX | tags.CONJ)) or after.text in ",."
    return acts and names[0].low not in LEXICON


def _aside(who: Who, scene: Scene, start: int, end: int, *, age: str = "") -> Aside:
    found: list[Finding] = []
    if who.relation:
        found.append(Finding(user(scene.company), who.relation, who.name, effect="named", wording=who.word))
    if age:
        found.append(Finding(who, "age", age))
    return Aside(who, tuple(found), start, end)


def _names_from(words: Sequence[Word], at: int) -> Sequence[Word]:
    stop = at
    while stop < min(len(words), at + _MOST_NAMES) and (
        words[stop].tag & tags.NAME or (stop > at and abbreviates(words[stop - 1], words[stop]))
    ):
        stop += 1
    names = words[at:stop]
    return names if names and _may_be_somebody(names) else ()


def _may_be_somebody(names: Sequence[Word]) -> bool:
    """Whether names can be a person's, and are not known to be a place or a brand."""
    name = " ".join(word.text for word in names)
    return could_be_person(Phrase(names)) and kind_of(name) is None and not is_place(name)


def _closes(words: Sequence[Word], at: int) -> bool:
    return at < len(words) and words[at].text == ")"
