"""Owners of attributes and people named by the way: "Ana's birthday", "our team's chat", "my sister Ana".

Somebody's name and what they are to the speaker hold whatever the sentence around them does: it may ask, wish or
command. So they are read from the words alone, without a verb.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recollect.attributes.records import About, Flag
from recollect.language import tags
from recollect.language.english.relations import RELATIONS
from recollect.language.lexicon import LEXICON
from recollect.readers.rules.english.nouns import HOUSEHOLD
from recollect.readers.rules.naming import (
    Called,
    attribute_in,
    is_empty_head,
    is_open_head,
    known_by,
    thing_in,
)
from recollect.readers.rules.quoting import is_place
from recollect.readers.rules.scene import Finding, Scene
from recollect.readers.rules.sorts.kinds import kind_of
from recollect.readers.rules.syntax.clauses import Clause
from recollect.readers.rules.syntax.phrases import Phrase, abbreviates, phrase_at
from recollect.readers.rules.syntax.words import Word
from recollect.readers.rules.who import (
    Who,
    could_be_person,
    named_relation,
    person_named,
    project,
    pronoun_means,
    relation_in,
    thing,
    user,
    who_is,
)

_HOUSEHOLD = frozenset(HOUSEHOLD.split())
_COMPANIONS = ("of", "for", "in", "on", "at", "to", "behind")


def receiver_of(clause: Clause, scene: Scene) -> Who | None:
    """Whom something is given to, and who then has it: "she brought me a kitten", "I got my mum a Kindle"."""
    verb = clause.verb
    if verb is None or verb.lemma not in _GIVING or len(clause.parts) < 2:
        return None
    first, second = clause.parts[:2]
    if first.prep or second.prep:
        return None
    person = first.phrase.pronoun or first.phrase.low in RELATIONS
    return who_is(first.phrase, scene.company) or _NOBODY if person else None


_GIVING = frozenset("give bring buy get lend leave send make".split())
_NOBODY = Who("", "", "nobody")  # somebody it is not safe to name


def attribute_of(phrase: Phrase, scene: Scene) -> tuple[Who | None, Called | None]:
    """The owner and the attribute; two `None` if the phrase names nothing that could have a value."""
    if phrase.det in ("your", "its", "that", "those", "these", "another", "his", "her", "their"):
        return _theirs(phrase, scene)
    whole = known_by(phrase.words)
    if whole is not None:
        named = Called(whole.name, whole)
        return _by_determiner(phrase, named, scene), named
    owner, core, companion = _taken_apart(phrase, scene)
    if not core or _is_a_named_relation(core):
        return None, None
    called = attribute_in(core)
    if called is None or (called.known is None and _says_nothing(called, core, phrase)):
        return None, None
    if owner is not None:
        return owner, called
    if companion is not None:
        return _of_companion(companion, called, phrase, scene), called
    return _by_determiner(phrase, called, scene), called


def _theirs(phrase: Phrase, scene: Scene) -> tuple[Who | None, Called | None]:
    """ "Her birthday": of whoever she is, if that can be told."""
    pronoun = {"his": "he", "her": "she", "their": "they"}.get(phrase.det)
    owner = pronoun_means(pronoun, scene.company) if pronoun is not None else None
    called = attribute_in(phrase.words) if owner is not None else None
    return (owner, called) if called is not None and called.known is not None else (None, None)


def _says_nothing(called: Called, core: Sequence[Word], phrase: Phrase) -> bool:
    if called.attribute.startswith("favourite"):
        return False
    head = Phrase(core).head.low
    if len(core) == 1 and head in RELATIONS:
        # "My eldest" is somebody; "my accountant" may be what an accountant is named by.
        return RELATIONS[head][0] != "" or head not in _SERVING
    return is_empty_head(head) and not (len(core) > 1 and is_open_head(head))


_SERVING = frozenset(
    "teacher professor trainer babysitter nanny cleaner gardener barber hairdresser accountant lawyer recruiter".split()
)


def _is_a_named_relation(core: Sequence[Word]) -> bool:
    """ "Husband Marco" is a person, not an attribute; so is "drummer Marco"."""
    named = len(core) > 1 and bool(core[-1].tag & tags.NAME) and not core[0].tag & tags.NAME
    return named and (core[-1].text[1:].islower() or any(word.low in RELATIONS for word in core[:-1]))


def _of_companion(companion: Phrase, called: Called, phrase: Phrase, scene: Scene) -> Who | None:
    if companion.words[0].tag & tags.TIME:
        return _by_determiner(phrase, called, scene)
    who = who_is(companion, scene.company)
    if who is None:
        who = thing(thing_in(companion.words))
    if who.kind == "project" and called.thing:
        return thing(called.thing)
    if who.kind == "user" and called.known is not None and called.known.about is About.PROJECT:
        return project()
    return who


def _by_determiner(phrase: Phrase, called: Called, scene: Scene) -> Who | None:
    known = called.known
    about = known.about if known is not None else About.EITHER
    if called.thing and not (phrase.det == "my" and about is About.EITHER):
        return thing(called.thing)
    if phrase.det == "my":
        return (
            project()
            if about is About.PROJECT and (known is None or Flag.OWN not in known.flags)
            else user(scene.company)
        )
    if phrase.det == "our":
        return user(scene.company) if about is About.PERSON or _is_domestic(phrase) else project()
    if phrase.det in ("the", "this", ""):
        if known is not None and about is About.PERSON:
            return (
                user(scene.company) if Flag.BARE in known.flags and not phrase.det and len(phrase.words) == 1 else None
            )
        stands_in = bool(scene.ended) and phrase.head.low == "slot"
        return project() if known is not None or stands_in or (phrase.det and is_open_head(phrase.head.low)) else None
    return None


def _is_domestic(phrase: Phrase) -> bool:
    return any(word.low in _HOUSEHOLD for word in phrase.words)


def _taken_apart(phrase: Phrase, scene: Scene) -> tuple[Who | None, Sequence[Word], Phrase | None]:
    """The owner before 's, the words that name the attribute, and the companion after "of" or "for"."""
    words = phrase.words
    owner: Who | None = None
    at = max((n for n, word in enumerate(words) if word.tag & tags.OWNER and 0 < n < len(words) - 1), default=0)
    if at and not _owns_what_follows(words, at, scene):
        owner = who_is(Phrase(words[:at], phrase.det), scene.company)
        if owner is None:
            return None, (), None
        words = words[at + 1 :]
    core, companion = _split(words)
    return owner, core, companion


def _owns_what_follows(words: Sequence[Word], at: int, scene: Scene) -> bool:
    """Whether 's belongs to the one behind "of" alone: "the owner of Ana's flat" is the flat's. "The Bank of England's
    governor" is the bank's, whose name has an "of" in it.
    """
    of = max((n for n, word in enumerate(words[:at]) if n and word.low == "of"), default=0)
    whose = words[of + 1 : at]
    if not of or not whose or words[of - 1].text[:1].isupper():
        return False
    if whose[0].tag & tags.POSS or words[at + 1].tag & tags.NAME:
        return True
    who = who_is(Phrase(whose), scene.company)
    return who is not None and who.kind in ("person", "relation")


def _split(words: Sequence[Word]) -> tuple[Sequence[Word], Phrase | None]:
    places = [at for at, word in enumerate(words) if at and word.low in _COMPANIONS and not word.tag & tags.NAME]
    for place in places:
        after = place + 1
        if after >= len(words):
            break
        if words[after].tag & tags.TIME:
            return words[:place], Phrase(words[after:])
        companion, _ = phrase_at(words, after, len(words))
        if companion is None:
            continue
        if companion.low in ("choice", "mine", "ours"):
            return words[:place], None
        if companion.words[0].low in ("front", "charge", "place", "case"):
            continue  # "the gateway in front of the API"
        if words[place].low == "of" and not companion.det and not companion.named and place != places[-1]:
            continue  # "head of state in Poland"
        begin = next(at for at, word in enumerate(words) if word is companion.words[0])
        return _without_place(words[:place]), Phrase(words[begin:], companion.det)
    return words, None


def _without_place(words: Sequence[Word]) -> Sequence[Word]:
    """ "Gateway in front" is a gateway."""
    at = next((n for n, word in enumerate(words) if n and word.low == "in"), len(words))
    return words[:at]


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
