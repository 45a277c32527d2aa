"""The reader of rules: a message is cut into words, sentences and clauses, and each clause is held against data.

Read from top to bottom: blank out what was not said, find the times, cut into words, sentences and clauses, read each
clause, and put what was found into statements. It is pure, never raises on any text, and takes time in proportion to
the text's length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from recollect.attributes.catalogue import attribute_named
from recollect.domain.dataclass import replace
from recollect.domain.observations import Message, Standing
from recollect.domain.readings import (
    UNRESOLVED,
    Modality,
    Polarity,
    Reading,
    ReadingContext,
    Reason,
    Skipped,
    Statement,
)
from recollect.language import tags
from recollect.language.lexicon import LEXICON
from recollect.language.times.finder import find_times
from recollect.language.world.words import guess
from recollect.readers.rules import cues
from recollect.readers.rules.changes import read_endings, read_replacing
from recollect.readers.rules.clauses import Clause, clauses_of, span_of
from recollect.readers.rules.findings import read_clause, subject_of
from recollect.readers.rules.gate import (
    MAY_BE_READ,
    Sentence,
    is_taken_back,
    masked,
    passed_over,
    reason_given,
    sentences_of,
    standing_of,
    uncovered,
)
from recollect.readers.rules.naming import is_place, kind_of, said
from recollect.readers.rules.scene import (
    Company,
    Finding,
    Scene,
    Who,
    by_rule,
    could_be_person,
    named_relation,
    person_named,
    relation_in,
    user,
    with_times,
)
from recollect.readers.rules.statements import Mood, is_certain, is_sound, is_unreal, mood_of, told, unasserted
from recollect.readers.rules.words import Phrase, Word, abbreviates, phrase_at, words_of

_PLAY = re.compile(cues.PLAY, re.IGNORECASE)
_TOLD = frozenset((Standing.STATED, Standing.OF_OTHERS))
SPEAKING_ROLES = frozenset(("user", "human", "customer", "person", "participant"))
SURE = 0.65  # of what is only planned or supposed, less certain readings are not worth a word
MOST_STATEMENTS = 200  # of one message: a longer list is a document, and is ingested as one


class RulesReader:
    """See `Reader`. `without` names rules that are left out, to measure what each is worth."""

    name = "rules"

    def __init__(self, without: Iterable[str] = ()) -> None:
        self._without = frozenset(without)

    def read(self, message: Message, context: ReadingContext) -> Reading:
        """See `Reader.read`. Only what people say is read: an assistant's or a tool's message says nothing.

        Nor does one that is surely in another language: English rules would misread it.
        """
        if message.role.lower() not in SPEAKING_ROLES:
            return Reading()
        if guess(message.text).foreign:
            return Reading(passed_over=(Skipped(0, len(message.text), Reason.OTHER_LANGUAGE),))
        spoken = masked(message.text)
        times = find_times(spoken, at=message.at, zone=context.zone)
        words = with_times(words_of(spoken), spoken, times)
        company = Company(message.speaker or "User", frozenset(name.lower() for name in context.known_names))
        scene = Scene(spoken, message.at, context.zone, company, times, without=self._without)
        sentences = sentences_of(words, spoken)
        if not sentences:
            nothing = Reason.CHATTER if spoken == message.text else Reason.ECHO
            return Reading((), Standing.ASKED, (Skipped(0, len(spoken), nothing),))
        return _read_all(sentences, scene)


def _read_all(sentences: Sequence[Sentence], scene: Scene) -> Reading:
    """The reading of a message. The first sentence that says anything decides how the message stands."""
    statements: list[Statement] = []
    skipped: list[Skipped] = []
    standing = Standing.ASKED
    for number, sentence in enumerate(sentences):
        heard = _heard(sentence, scene)
        standing = heard.standing if standing is Standing.ASKED else standing
        read = [] if is_taken_back(number, sentences, scene.text) else _read(heard, scene)
        read.extend(_named_by_the_way(sentence, scene))
        if not read:
            skipped.append(Skipped(sentence.start, sentence.end, heard.reason or Reason.NOT_UNDERSTOOD))
        statements.extend(read)
        if len(statements) >= MOST_STATEMENTS:
            break
    if _PLAY.search(scene.text):
        statements = [each for each in statements if each.read_by == ("rules:asides",)]
    return Reading(_unique(statements), standing, tuple(skipped))


class _Heard(NamedTuple):
    """A sentence, taken apart once: its clauses, whether it is worth reading, and how it stands to the truth."""

    sentence: Sentence
    clauses: Sequence[Clause]
    reason: Reason | None
    standing: Standing


def _heard(sentence: Sentence, scene: Scene) -> _Heard:
    reason = passed_over(sentence, scene.text)
    if reason not in MAY_BE_READ:
        return _Heard(sentence, (), reason, Standing.ASKED)
    clauses = clauses_of(sentence.words)
    return _Heard(sentence, clauses, reason, standing_of(sentence, reason, clauses, scene))


def _read(heard: _Heard, scene: Scene) -> list[Statement]:
    """The statements of one sentence."""
    rest = uncovered(heard.sentence, scene)
    if rest is None:
        return []
    if rest is not heard.sentence:
        heard = _heard(rest, scene)
    if heard.reason is Reason.CHATTER and (given := reason_given(heard.sentence)) is not None:
        heard = _heard(given, scene)  # "Give me a recipe, I don't eat beef"
    sentence, clauses, reason, standing = heard
    if not clauses:
        return []
    scene.sentence = (sentence.start, sentence.end)
    hedged = reason is Reason.HYPOTHETICAL
    found: list[tuple[Finding, Mood, int, int]] = []
    doubtful: list[tuple[int, int]] = []
    open_ones = unasserted(clauses)
    for at, clause in enumerate(clauses):
        before = clauses[at - 1] if at else None
        start, end = span_of(clause)
        unreal = at in open_ones or is_unreal(clause, before, scene.text[start:end])
        mood = mood_of(clause, scene.text[start:end], hedged=hedged)
        if unreal or mood.modality is not Modality.ASSERTED:
            doubtful.append((start, end))
        for finding in _findings(clause, scene):
            if unreal and finding.effect != "named":
                continue
            if not is_sound(finding, clause, scene.text) or not is_certain(finding, clause, scene.company):
                continue
            found.append((_noting(finding, mood, clause, scene), mood, start, end))
    if not found and not hedged and standing in _TOLD:
        over = by_rule("endings", scene, read_endings, sentence, clauses, scene)
        kept = [each for each in over if not _is_within(each.value, doubtful, scene)]
        found.extend((finding, Mood(), sentence.start, sentence.end) for finding in kept)
    statements = []
    for finding, mood, start, end in found:
        if _is_one_of_two(finding, [other for other, _, begin, _ in found if begin == start]):
            continue
        unsure = finding.confidence < SURE or finding.who.kind in ("person", "relation")
        if unsure and mood.modality is not Modality.ASSERTED and finding.effect != "named":
            continue
        statement = told(finding, mood, scene, start, end)
        if statement is not None:
            statements.append(statement)
    return statements


def _is_one_of_two(finding: Finding, others: Sequence[Finding]) -> bool:
    """Whether a clause gives two values to an attribute that has only one: neither is certain then."""
    known = attribute_named(finding.attribute)
    if known is None or known.many or finding.effect:
        return False
    return any(
        other.who.key == finding.who.key and other.attribute == finding.attribute and other.value != finding.value
        for other in others
        if not other.effect and other.old == finding.old
    )


def _is_within(value: str, spans: Sequence[tuple[int, int]], scene: Scene) -> bool:
    place = scene.text.find(value, scene.sentence[0])
    return any(start <= place < end for start, end in spans)


def _named_by_the_way(sentence: Sentence, scene: Scene) -> Iterator[Statement]:
    """Statements on who is who, whatever the sentence does; whoever is named can be meant by a pronoun from then on."""
    for aside in asides_in(sentence.words, scene):
        scene.company.met(aside.who)
        for finding in by_rule("asides", scene, lambda aside: aside.findings, aside):
            if (statement := told(finding, Mood(), scene, aside.start, aside.end)) is not None:
                yield statement


def _findings(clause: Clause, scene: Scene) -> Iterator[Finding]:
    if clause.verb is None:
        return
    found = read_clause(clause, scene)
    yield from found
    if not found:
        yield from by_rule("replacing", scene, read_replacing, clause, subject_of(clause, scene), scene)


def _noting(finding: Finding, mood: Mood, clause: Clause, scene: Scene) -> Finding:
    """Ties a finding to what the message denied or ended before, and remembers what it ends itself."""
    if not finding.old and (old := denied(clause, scene)):
        finding = finding._replace(old=old)
    if finding.attribute.endswith(" version"):
        scene.technology = finding.attribute.removesuffix(" version")
    if finding.effect == "ended" or mood.ended:
        scene.ended.append(finding)
        return finding
    if mood.modality is Modality.ASSERTED and not mood.negated:
        finding = joined(finding, scene)
    return finding


def _paired(statements: Sequence[Statement]) -> list[Statement]:
    """ "Logs go to Splunk now, Loki is switched off": the end came after what takes its place."""
    ended = {(s.subject, s.attribute): s.value for s in statements if s.polarity is Polarity.ENDED and not s.many}
    paired = []
    for statement in statements:
        old = ended.get((statement.subject, statement.attribute))
        holds = statement.polarity is Polarity.AFFIRMED and statement.modality is Modality.ASSERTED
        if old is not None and holds and not statement.replaces and old != statement.value:
            statement = replace(statement, replaces=old)
        paired.append(statement)
    return paired


def _unique(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Each statement once; an end that the same message replaces is part of the replacement."""
    statements = _paired(statements)
    replaced = {(statement.attribute, statement.replaces.casefold()) for statement in statements if statement.replaces}
    kept: dict[tuple[str, ...], Statement] = {}
    for statement in statements:
        value = statement.value.casefold()
        over = statement.polarity is Polarity.ENDED and not statement.many  # one of many is ended by itself
        if over and any(old == value for _, old in replaced):
            continue
        key = (statement.subject, statement.attribute, value, statement.polarity, statement.modality, statement.tense)
        if key not in kept:
            kept[key] = statement
    return tuple(kept.values())


def joined(finding: Finding, scene: Scene) -> Finding:
    """A finding that takes the place of what ended before it in the message, if it does."""
    known = attribute_named(finding.attribute)
    if finding.effect == "event" or (known is not None and known.many):
        return finding
    for at in range(len(scene.ended) - 1, -1, -1):
        before = scene.ended[at]
        if _replaceable(before, finding):
            del scene.ended[at]
            return finding._replace(old=finding.old or before.value)
    return finding


def _replaceable(before: Finding, after: Finding) -> bool:
    if before.attribute == after.attribute:
        return before.who.key == after.who.key
    return UNRESOLVED in (before.attribute, after.attribute) and after.who.kind in ("user", "project", "thing")


def denied(clause: Clause, scene: Scene) -> str:
    """The value that a clause denies: "..., not Cologne". Empty if none."""
    for tail in clause.tails:
        if value := denied_in(tail, scene):
            return value
    return ""


def denied_in(tail: Sequence[Word], scene: Scene) -> str:
    phrase, _ = phrase_at(tail, 1, len(tail)) if tail[0].low == "not" else (None, 0)
    return said(phrase, scene.text) if phrase is not None else ""


# People named by the way: somebody's name and what they are to the speaker hold whatever the sentence around them does.

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
