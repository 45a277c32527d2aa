"""Changes told in one sentence: "switched from X to Y", "it's Y now", "gave up the violin"; and what is taken back.

What has ended in a message is remembered until something takes its place; the two become one statement that names
what it replaces. Where neither name tells what it is, only memory can: the attribute then is left unresolved.

What ended is left to memory: everything the sentence names is offered as over, with the attribute left open, and only
what is known to hold is ended. What took its place is not guessed; the message itself says so.

What a sentence takes back is kept on the scene, so that the next statement says that it corrects, and what.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recollect.attributes.catalogue import attribute_named
from recollect.domain.readings import UNRESOLVED
from recollect.language import tags
from recollect.language.english import closed_words
from recollect.language.lexicon import ENDING
from recollect.readers.rules.copula import owner_of
from recollect.readers.rules.english import cues
from recollect.readers.rules.english.chatter import KEEP_IN_MIND
from recollect.readers.rules.owners import attribute_of
from recollect.readers.rules.quoting import is_place, said, trimmed
from recollect.readers.rules.scene import Finding, Scene, span_of
from recollect.readers.rules.sorts.kinds import kind_of, kind_of_command
from recollect.readers.rules.syntax.clauses import Clause
from recollect.readers.rules.syntax.phrases import Phrase, phrase_at
from recollect.readers.rules.syntax.words import Sentence, Word
from recollect.readers.rules.who import Who, could_be_person, user, who_is

_CHANGES = frozenset(
    "switch change move go upgrade migrate convert transition swap trade exchange replace shift transfer downgrade "
    "rename".split()
)
_GONE = frozenset(("gone", "dead", "history", "over", "broken"))
_USES = frozenset("do use have take follow run drive drink eat wear get buy".split())
_GUESSED = 0.6


def read_replacing(clause: Clause, who: Who | None, scene: Scene) -> list[Finding]:
    """A replacement or an end that no frame knows, by the names in it."""
    verb = clause.verb
    if verb is None or (who is None and clause.subject is not None and not clause.subject.named):
        return []
    text = scene.text
    if verb.lemma in _CHANGES and who is not None and who.kind in ("user", "project"):
        old, new = _pair(clause)
        if new is not None and (old is not None or _from_lead(clause) is not None):
            old = old or _from_lead(clause)
            assert old is not None
            return [_replacement(said(new, text), said(old, text), scene, clause.part("as"))]
    instead = _instead(clause)
    if instead is not None and verb.lemma in _USES and who is not None and who.kind in ("user", "project"):
        new = clause.part("")
        if new is not None and not new.pronoun:
            return [_replacement(said(new, text), said(instead, text), scene)]
    if verb.lemma in _USES | _TAKING_UP and scene.ended and scene.ended[-1].attribute == UNRESOLVED and who is not None:
        new = clause.part("", "to")
        if (
            new is not None
            and new.named
            and not new.pronoun
            and who.kind == "user"
            and _NOW.search(text, *span_of(clause))
        ):
            return [_replacement(said(new, text), scene.ended[-1].value, scene)]
    return _end(clause, who, scene)


_TAKING_UP = frozenset("read go switch subscribe join order wear play watch listen choose pick".split())
_NOW = re.compile(r"\b(?:now|instead|these days|nowadays|from now on)\b", re.IGNORECASE)


def _replacement(new: str, old: str, scene: Scene, role: Phrase | None = None) -> Finding:
    owner, called = attribute_of(role, scene) if role is not None else (None, None)
    if called is not None:
        return Finding(owner or owner_of(called.attribute, scene), called.attribute, new, old=old, confidence=_GUESSED)
    attribute = kind_of(new) or kind_of_command(new) or kind_of(old) or kind_of_command(old) or UNRESOLVED
    return Finding(owner_of(attribute, scene), attribute, new, old=old, confidence=_GUESSED)


def _end(clause: Clause, who: Who | None, scene: Scene) -> list[Finding]:
    """ "I dropped FitBase", "the Corsa is gone", "`make test` was removed", "Olga left"."""
    verb, subject = clause.verb, clause.subject
    assert verb is not None
    gone: Phrase | None = None
    if (
        (verb.lemma in ENDING or (verb.lemma == "give" and "up" in verb.adverbs))
        and (who is None or who.kind in ("user", "project"))
        and not verb.passive
        and not verb.modal
    ):
        gone = clause.part("")
    elif (
        subject is not None
        and verb.lemma in ENDING
        and (verb.passive or not clause.part("") or verb.lemma in ("resign", "retire"))
    ) or (subject is not None and verb.lemma == "be" and any(part.phrase.low in _GONE for part in clause.parts)):
        gone = subject
    elif subject is not None and verb.lemma == "go" and verb.passive:
        gone = subject  # "is gone"
    if (
        gone is None
        or gone.pronoun
        or not gone.words[0].tag & (tags.NAME | tags.CODE)
        or gone.det in ("a", "an", "this", "your")
    ):
        return []
    if (who is not None and who.kind == "relation") or (
        verb.lemma in ("lose", "finish", "close", "end") and not verb.passive
    ):
        return []
    value = said(trimmed(gone, scene.text), scene.text)
    if is_place(value):
        return []  # who left a town this morning may be back tonight
    attribute = kind_of(value) or kind_of_command(value) or UNRESOLVED
    return [Finding(owner_of(attribute, scene), attribute, value, effect="ended", confidence=_GUESSED)]


def _pair(clause: Clause) -> tuple[Phrase | None, Phrase | None]:
    """The old and the new: after "from" and "to", or the object and what follows "for", "with" or "by"."""
    old = clause.part("from", "off")
    new = clause.part("to", "onto")
    if new is None and old is None:
        old, new = clause.part(""), clause.part("for", "with", "by", "against")
        if clause.verb is not None and clause.verb.lemma in _SWAPPING and _both_plain(old, new):
            return old, new
    return _name(old), _name(new)


_SWAPPING = frozenset("swap trade exchange replace".split())


def _both_plain(old: Phrase | None, new: Phrase | None) -> bool:
    """ "The treadmill" for "a rowing machine": two things, one known and one new."""
    if old is None or new is None or old.pronoun or new.pronoun:
        return False
    return old.det in ("the", "my", "our") and new.det in ("a", "an", "")


def _name(phrase: Phrase | None) -> Phrase | None:
    if phrase is None or phrase.pronoun or not (phrase.named or kind_of(" ".join(word.text for word in phrase.words))):
        return None
    return phrase


def _from_lead(clause: Clause) -> Phrase | None:
    """ "After years with X I switched to Y": what stood before the subject."""
    words = clause.lead
    for at, word in enumerate(words):
        if word.tag & tags.NAME and not word.tag & tags.TIME:
            phrase, _ = phrase_at(words, at, len(words))
            return phrase
    return None


def instead_of(clause: Clause, scene: Scene) -> str:
    """The old value that a clause says is replaced: "instead of Slack we use Zulip". Empty if none."""
    old = _instead(clause)
    return said(old, scene.text) if old is not None else ""


def _instead(clause: Clause) -> Phrase | None:
    words = (*clause.lead, *clause.words)
    for at in range(len(words) - 2):
        if words[at].low in ("instead", "rather") and words[at + 1].low in ("of", "than"):
            old, _ = phrase_at(words, at + 2, len(clause.lead) if at < len(clause.lead) else len(words))
            return old
    return None


def joined(finding: Finding, scene: Scene) -> Finding:
    """A finding that takes the place of what ended before it in the message, if it does."""
    if finding.effect in ("ended", "past", "event", "never", "rule"):
        return finding
    for at in range(len(scene.ended) - 1, -1, -1):
        before = scene.ended[at]
        if not _replaceable(before, finding):
            continue
        del scene.ended[at]
        who = before.who if finding.who.kind in ("user", "project") and before.attribute != UNRESOLVED else finding.who
        attribute = before.attribute if finding.attribute == UNRESOLVED else finding.attribute
        return finding._replace(old=finding.old or before.value, who=who, attribute=attribute)
    return finding


def _replaceable(before: Finding, after: Finding) -> bool:
    known = attribute_named(after.attribute)
    if before.value.casefold() == after.value.casefold() or (known is not None and known.many):
        return False
    if before.attribute == after.attribute:
        return (
            before.who.key == after.who.key
            or before.who.kind in ("user", "project")
            or after.who.kind in ("user", "project")
        )
    return UNRESOLVED in (before.attribute, after.attribute) and after.who.kind in ("user", "project", "thing")


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
    if subject is None and scene.company.unnamed:
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


_TAKING_BACK = re.compile(cues.TAKING_BACK + r"[\s.,;:!—–-]*", re.IGNORECASE)
_CORRECTING = re.compile(cues.CORRECTING, re.IGNORECASE)
_ACTUALLY = re.compile(cues.ACTUALLY, re.IGNORECASE)
_NOT_TAIL = re.compile(r"[,;]? (?:and )?not [^.!?;]+[.!?]*$", re.IGNORECASE)
_OPENING = re.compile(
    rf"(?:{KEEP_IN_MIND})(?:\s*[,:;!.—–-]+\s*|\s+(?=that\b))"
    rf"|(?:please remember that|please remember|remember that|note that|keep in mind that|i think|"
    rf"i believe|turns out|it turns out|just so you know|fyi|did i mention that)\s+",
    re.IGNORECASE,
)
_MOST_OPENINGS = 4


def uncovered(sentence: Sentence, scene: Scene) -> Sentence | None:
    """The sentence without its openings; what it takes back is noted on the scene. `None` if nothing is left."""
    for _ in range(_MOST_OPENINGS):
        said = scene.text[sentence.start : sentence.end]
        if back := _TAKING_BACK.match(said):
            _note(back, sentence, scene)
            rest = _without(sentence, back.end())
        elif correcting := _CORRECTING.match(said):
            scene.corrects = scene.corrects or _is_correction(correcting, said)
            rest = _without(sentence, correcting.end())
        elif (actually := _ACTUALLY.match(said)) and (_NOT_TAIL.search(said) or "I said" in said):
            scene.corrects = True
            rest = _without(sentence, actually.end())
        elif opening := _OPENING.match(said):
            rest = _without(sentence, opening.end())
        else:
            return sentence
        if rest is None or rest.start == sentence.start:
            return rest
        sentence = rest
    return sentence


def _is_correction(match: re.Match[str], said: str) -> bool:
    word = match.group().strip(" ,.:;!").lower()
    return word not in ("sorry", "oops", "rather") or _NOT_TAIL.search(said) is not None


def _note(back: re.Match[str], sentence: Sentence, scene: Scene) -> None:
    """Remember what was wrong: a value, or the name of an attribute."""
    scene.corrects = True
    about = next((group for group in back.groupdict().values() if group), "")
    if not about:
        return
    begin = sentence.start + back.start() + back.group().find(about)
    inside = [word for word in sentence.words if begin <= word.start < begin + len(about)]
    phrase, _ = phrase_at(inside, 0, len(inside)) if inside else (None, 0)
    if phrase is not None and phrase.det in ("the", "my", "our"):
        owner, called = attribute_of(phrase, scene)
        if owner is not None and called is not None:
            scene.topic = (owner, called.attribute)
            return
    scene.wrong = about.strip("`\"'“” ")


def _without(sentence: Sentence, size: int) -> Sentence | None:
    begin = sentence.start + size
    words = [word for word in sentence.words if word.start >= begin]
    while words and words[0].tag & tags.PUNCT and words[0].text in ",;:.-—–!":
        words.pop(0)
    return Sentence(words, sentence.asks, words[0].start, sentence.end) if words else None


def denied(clause: Clause, scene: Scene) -> str:
    """The value that a clause denies: "..., not Cologne". Empty if none."""
    for tail in clause.tails:
        if value := denied_in(tail, scene):
            return value
    return ""


def denied_in(tail: Sequence[Word], scene: Scene) -> str:
    if len(tail) > 1 and tail[0].low == "not":
        phrase, after = phrase_at(tail, 1, len(tail))
        if phrase is not None:
            return scene.text[
                phrase.start : tail[-1].end if after < len(tail) and not tail[after].tag & tags.TIME else phrase.end
            ].strip("`\"'“” ")
        return scene.text[tail[1].start : tail[-1].end].strip("`\"'“” ")
    return ""
