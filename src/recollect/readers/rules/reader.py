"""The reader of rules: a message is cut into words, sentences and clauses, and each clause is held against data.

Read from top to bottom: blank out what was not said, find the times, cut into words, sentences and clauses, read each
clause, and put what was found into statements. It is pure, never raises on any text, and takes time in proportion to
the text's length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from recollect.attributes.catalogue import attribute_named
from recollect.domain.dataclass import replace
from recollect.domain.observations import Message, Standing
from recollect.domain.periods import TimeMention
from recollect.domain.readings import Modality, Polarity, Reading, ReadingContext, Reason, Skipped, Statement
from recollect.language.times.finder import find_times
from recollect.language.world.guess import guess
from recollect.readers.rules.certainty import is_certain, is_sound, unasserted
from recollect.readers.rules.changes import (
    denied,
    denied_in,
    instead_of,
    joined,
    read_endings,
    read_replacing,
    uncovered,
)
from recollect.readers.rules.copula import read_fragment, read_lead, read_replacement
from recollect.readers.rules.english import chatter, cues
from recollect.readers.rules.findings import read_clause, subject_of
from recollect.readers.rules.gate import (
    GateDecision,
    SentenceVerdict,
    is_taken_back,
    judge_sentence,
    masked,
    reason_given,
)
from recollect.readers.rules.moods import Mood, is_unreal, mood_of
from recollect.readers.rules.owners import asides_in
from recollect.readers.rules.scene import Finding, Scene, by_rule, span_of, with_times
from recollect.readers.rules.statements import told
from recollect.readers.rules.syntax.clauses import Clause, clauses_of
from recollect.readers.rules.syntax.words import Sentence, sentences_of, words_of
from recollect.readers.rules.who import Company

_PLAY = re.compile(chatter.PLAY, re.IGNORECASE)
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
            skipped.append(Skipped(sentence.start, sentence.end, heard.verdict.reason or Reason.NOT_UNDERSTOOD))
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
    verdict: SentenceVerdict
    standing: Standing


def _heard(sentence: Sentence, scene: Scene) -> _Heard:
    verdict = judge_sentence(sentence, scene.text)
    if verdict.decision is GateDecision.REJECT and verdict.reason is not Reason.NOT_SELF_CONTAINED:
        return _Heard(sentence, (), verdict, Standing.ASKED)
    clauses = clauses_of(sentence.words)
    return _Heard(sentence, clauses, verdict, standing_of(sentence, verdict, clauses, scene))


def _read(heard: _Heard, scene: Scene) -> list[Statement]:
    """The statements of one sentence."""
    rest = uncovered(heard.sentence, scene)
    if rest is None:
        return []
    if rest is not heard.sentence:
        heard = _heard(rest, scene)
    if heard.verdict.reason is Reason.CHATTER and (reason := reason_given(heard.sentence)) is not None:
        heard = _heard(reason, scene)  # "Give me a recipe, I don't eat beef"
    sentence, clauses, verdict, standing = heard
    if not clauses:
        return []
    scene.sentence = (sentence.start, sentence.end)
    hedged = verdict.reason is Reason.HYPOTHETICAL
    found: list[tuple[Finding, Mood, int, int]] = []
    doubtful: list[tuple[int, int]] = []
    open_ones = unasserted(clauses)
    for at, clause in enumerate(clauses):
        before = clauses[at - 1] if at else None
        start, end = span_of(clause)
        unreal = at in open_ones or is_unreal(clause, before, scene.text[start:end])
        mood = mood_of(clause, before, scene.text[start:end], hedged=hedged, asks=sentence.asks)
        if unreal or mood.modality is not Modality.ASSERTED:
            doubtful.append((start, end))
        for finding in _findings(clause, before, scene):
            if unreal and finding.effect != "named":
                continue
            if not is_sound(finding, clause, scene.text) or not is_certain(finding, clause, scene.company):
                continue
            found.append((_noting(finding, mood, clause, scene), mood, start, end))
    if not found and not hedged and not sentence.asks and standing in _TOLD:
        over = by_rule("endings", scene, read_endings, sentence, clauses, scene)
        kept = [each for each in over if not _is_within(each.value, doubtful, scene)]
        found.extend((finding, Mood(), sentence.start, sentence.end) for finding in kept)
    statements = []
    for finding, mood, start, end in found:
        if _is_one_of_two(finding, [other for other, _, begin, _ in found if begin == start]):
            continue
        if (
            mood.modality is not Modality.ASSERTED
            and (finding.confidence < SURE or finding.who.kind in ("person", "relation"))
            and finding.effect != "named"
        ):
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


def _findings(clause: Clause, before: Clause | None, scene: Scene) -> Iterator[Finding]:
    if clause.verb is None:
        yield from _verbless(clause, before, scene)
        return
    yield from by_rule("lead", scene, read_lead, clause.lead, scene)
    found = read_clause(clause, scene)
    yield from found
    if found:
        return
    if clause.subject is not None and clause.subject.low in ("it", "that") and (old := denied(clause, scene)):
        yield from by_rule("replacement", scene, read_replacement, clause.words[clause.verb.end :], scene, old)
        return
    yield from by_rule("replacing", scene, read_replacing, clause, subject_of(clause, scene), scene)


def _verbless(clause: Clause, before: Clause | None, scene: Scene) -> Iterator[Finding]:
    if clause.link == "label" or (before is not None and before.link == "label"):
        return
    found = by_rule("fragment", scene, read_fragment, clause, scene)
    yield from found
    if not found:
        for at, word in enumerate(clause.words):
            if word.low == "not" and at and (old := denied_in(clause.words[at:], scene)):
                yield from by_rule("replacement", scene, read_replacement, clause.words[:at], scene, old)
                return


def _noting(finding: Finding, mood: Mood, clause: Clause, scene: Scene) -> Finding:
    """Ties a finding to what the message denied or ended before, and remembers what it ends itself."""
    if not finding.old and (old := denied(clause, scene) or instead_of(clause, scene)):
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


_LONG_AGO = timedelta(days=240)  # a season or two back is still news; last year's is history

_SUPPOSING = re.compile(cues.SUPPOSING, re.IGNORECASE)
_CONDITIONAL = re.compile(cues.CONDITIONAL, re.IGNORECASE)
_IRREAL = re.compile(cues.IRREAL, re.IGNORECASE)
_BACK_THEN = re.compile(cues.BACK_THEN, re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_OTHERS = frozenset(cues.OTHERS.split())
_OWNED = re.compile(r"^(?:at |in |with )?(?:my|our|his|her|their|the)\s+(?:[\w-]+\s+)?([\w-]+)['’]s?\s", re.IGNORECASE)
_GROUP = re.compile(
    r"^(?!the (?:team|crew|group|squad)\b)(?:(?:half|most|all|some|part) of (?:the|our)|the|another|some) "
    r"(?:other )?(?:[\w-]+ ){0,2}?"
    rf"(?:{'|'.join(cues.GROUPS.split())})\b(?! (?:{'|'.join(cues.OF_A_GROUP.split())})\b)",
    re.IGNORECASE,
)
_ONESELF = re.compile(r"\b(?:I|me|we|us)\b(?! (?:told|think|guess|heard|hear|know)\b)")
_NAMES_ONES_OWN = re.compile(r"^(?:my|our)\s+(?:[\w-]+\s+){1,2}(?:is|are)\s+[A-Z]")


def standing_of(sentence: Sentence, verdict: SentenceVerdict, clauses: Sequence[Clause], scene: Scene) -> Standing:
    """Classify a sentence: stated, asked, supposed, about others, or long past."""
    text, times, at = scene.text, scene.times, scene.at
    if verdict.decision is GateDecision.REJECT and verdict.reason is not Reason.NOT_SELF_CONTAINED:
        return Standing.ASKED
    said = text[sentence.start : sentence.end].strip()
    within = [time for time in times if sentence.start <= time.start and time.end <= sentence.end]
    if _SUPPOSING.search(said) or _CONDITIONAL.search(said):
        return Standing.SUPPOSED
    if _is_long_ago(said, within, at):
        return Standing.LONG_AGO
    if _is_of_others(said):
        return Standing.OF_OTHERS
    unsure = verdict.reason is Reason.HYPOTHETICAL or not _is_real(sentence, clauses, text)
    return Standing.SUPPOSED if unsure and _IRREAL.search(said) else Standing.STATED


def _is_long_ago(said: str, times: Sequence[TimeMention], at: datetime) -> bool:
    years = [int(year) for year in _YEAR.findall(said)]
    if years:
        return max(years) < at.year - 1
    return _BACK_THEN.search(said) is not None and any(time.period.end < at - _LONG_AGO for time in times)


def _is_of_others(said: str) -> bool:
    owner = _OWNED.match(said)
    if owner and owner.group(1).lower() in _OTHERS:
        return True
    if _GROUP.match(said):
        return True
    first, *following = re.findall(r"[\w'’-]+", said.lower())[:3] or [""]
    told_of_them = first in ("my", "our", "a", "the") and not _OTHERS.isdisjoint(following)
    # "My mentor is Wanjiru" tells who somebody of one's own is, "a friend brought me tea" what oneself has got.
    return told_of_them and not _NAMES_ONES_OWN.match(said) and not _ONESELF.search(said)


def _is_real(sentence: Sentence, clauses: Sequence[Clause], text: str) -> bool:
    """Whether its first clause is meant as it is said."""
    for clause in clauses[:1]:
        start, end = span_of(clause)
        mood = mood_of(clause, None, text[start:end], hedged=False, asks=sentence.asks)
        return not is_unreal(clause, None, text[start:end]) and mood.modality not in (
            Modality.SUPPOSED,
            Modality.WISHED,
        )
    return True
