"""The whole story of a message: redact it, keep it, mask what is not its own, read it, reconcile, write it all at once.

`hear` decides and writes nothing. It returns everything one call wants to write, so that the message, what was read
from it and what that changed are kept together or not at all.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from recollect.attributes.catalogue import attribute_named, flagged
from recollect.attributes.records import Flag
from recollect.domain.answers.contexts import FENCE
from recollect.domain.answers.recollections import KEPT, UNREADABLE, Learned, PassedOver
from recollect.domain.changes import AddObservation, CountVerdicts, Edit, OpenSession, WriteNote
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.errors import InvalidInput, RecollectError
from recollect.domain.notes import Note, of_callers
from recollect.domain.observations import (
    Activity,
    Message,
    Observation,
    ObservationKind,
    Session,
    Standing,
    described,
    only_kept,
)
from recollect.domain.origin import Authority, Caller, Origin
from recollect.domain.periods import Precision
from recollect.domain.readings import (
    UNRESOLVED,
    USER,
    Modality,
    Polarity,
    Reader,
    Reading,
    ReadingContext,
    Reason,
    Skipped,
    Statement,
    Tense,
)
from recollect.domain.scopes import Scope
from recollect.domain.text import both_ends
from recollect.language.english.directions import asked_to_remember
from recollect.redaction.clean_records import checked_text
from recollect.redaction.redactor import redact
from recollect.remember.known_facts import FactFinding, KnownFacts, Likeness, Lookup, is_of_somebody, normalised
from recollect.remember.reconcile import FactAction, reconcile
from recollect.remember.resolver import Known, placed, refiled

# Nobody calls themselves so: a sentence about "User" is one of our own.
_OUR_WORD = re.compile(r"[\s*•-]*(?:the )?user(?:['’]s)?\s", re.IGNORECASE)

# Characters of a prompt that are read at its beginning, and at its end: an agent waits meanwhile, and what people paste
# in between is not what they say. Ten times as much takes a second.
_READ_AT_EACH_END = 2_000
_READ_OF_A_MESSAGE = 32_000  # likewise of any message; what is longer is a document, and reading it takes a minute
_SHOWN_OF_UNREADABLE = 200  # characters of a message that could not be read

_LOG = logging.getLogger("recollect.remember")
_LOG.addHandler(
    logging.NullHandler()
)  # whoever wants to hear of it listens; nothing is printed into a command's answer


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Where and when something is heard: everything a decision needs besides the words."""

    space: str
    session: Session
    scope: Scope
    caller: Caller
    at: datetime
    zone: tzinfo
    new_id: Callable[[], str]
    lookup: Lookup  # the current notes on a subject and attribute; without a subject on that of anybody
    holding: Callable[[str], Sequence[Note]]  # those with a value, whatever they are about
    reader: Reader
    redact_pii: bool = False
    authority: Authority | None = None  # of what is read; `None` means: as the caller has it
    metadata: Mapping[str, Any] = field(default_factory=dict)  # of what is heard
    erase_at: datetime | None = None  # from when it is kept no longer
    likeness: Likeness | None = None  # of what two texts mean, where there is a model that can tell


@dataclass(slots=True)
class Heard:
    """The edits one call wants to write, and what it made of each thing said."""

    edits: list[Edit] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)
    learned: list[Learned] = field(default_factory=list)
    passed_over: list[PassedOver] = field(default_factory=list)
    redacted: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    notes: dict[str, int] = field(default_factory=dict)  # where among the edits each note is written
    readings: dict[str, Reading] = field(default_factory=dict)  # of the messages kept, by the id of the observation
    facts: KnownFacts | None = None  # what is known by now; `None` until something is looked up

    def known(self, setting: Circumstances) -> KnownFacts:
        """The facts known by now, this call included."""
        if self.facts is None:
            self.facts = KnownFacts(setting.lookup, setting.holding)
        return self.facts


def hear(messages: Sequence[Message], setting: Circumstances, *, read: bool = True) -> Heard:
    """Decide what a run of messages changes. Without `read` they are only kept."""
    heard = Heard(edits=[OpenSession(setting.session)])
    if not read:
        setting = replace(setting, metadata=only_kept(setting.metadata))
    for message in messages:
        observation = keep(message.text, setting, heard, message=message)
        if read and message.role == "user":
            _learn_from(observation, message, setting, heard)
    _count(heard)
    return heard


def read_prompts(prompts: Sequence[Observation], setting: Circumstances, heard: Heard) -> list[tuple[Observation, str]]:
    """Learn what a person tells an agent in passing; of a long prompt, from what stands around what was pasted.

    It holds for the project it was said in, whichever agent hears of it next. Returned are wishes to have something
    remembered from which no fact could be read, each with its prompt.
    """
    for_all = replace(setting.scope, agent=None, machine=None)
    reading = replace(setting, scope=for_all, authority=setting.caller.word)
    wishes: list[tuple[Observation, str]] = []
    for prompt in prompts:
        known = len(heard.learned)
        said = Message("user", prompt.text, prompt.observed_at, prompt.speaker)
        if prompt.id not in heard.readings:
            _read(prompt.text, prompt.id, prompt.kind, said, reading, heard)
        _learn_from(prompt, said, reading, heard)
        wish = asked_to_remember(masked(prompt.text))
        if wish is not None and len(heard.learned) == known:
            wishes.append((prompt, wish))
    _count(heard)
    return wishes


def learn_later(told: Iterable[tuple[Observation, Reading, Circumstances]], heard: Heard) -> None:
    """Learn what was read later from messages that are kept already, each in the circumstances in which it was told."""
    for observation, reading, setting in told:
        said = Message(observation.role or "user", observation.text, observation.observed_at, observation.speaker)
        heard.readings[observation.id] = reading
        _learn_from(observation, said, setting, heard)
    _count(heard)


def read_kept(observation: Observation, setting: Circumstances, heard: Heard) -> Reading | None:
    """Read a message that is kept already, in the circumstances in which it was told; `None` as for a new one."""
    said = Message(observation.role or "system", observation.text, observation.observed_at, observation.speaker)
    return _read(observation.text, observation.id, observation.kind, said, setting, heard)


def keep(
    text: str,
    setting: Circumstances,
    heard: Heard,
    *,
    message: Message | None = None,
    kind: ObservationKind = ObservationKind.MESSAGE,
    title: str | None = None,
    origin: Origin | None = None,
    activity: Activity | None = None,
    files: tuple[str, ...] = (),
) -> Observation:
    """Keep a text verbatim, but for its secrets, which are taken out before anything else sees it."""
    clean = redact(text, pii=setting.redact_pii)
    heard.redacted.update(redaction.kind for redaction in clean.redactions)
    new_id = setting.new_id()
    reading = _read(clean.text, new_id, kind, message, setting, heard)
    attached = message.attachments if message else ()
    about = (
        described(attached) if attached else None
    )  # a message that is nothing but a picture is told by the words about it
    observation = Observation(
        id=new_id,
        space=setting.space,
        session_id=setting.session.id,
        position=0,
        kind=kind,
        text=checked_text(clean.text if clean.text.strip() or not about else about),
        observed_at=message.at if message else setting.at,
        recorded_at=setting.at,
        role=message.role if message else None,
        speaker=message.speaker if message else None,
        title=f"{title}; {about}" if title and about else title or about,
        standing=reading.standing if reading is not None else None,
        origin=origin or setting.caller.origin(),
        activity=activity,
        files=files,
        scope=setting.scope,
        metadata=setting.metadata,
        erase_at=setting.erase_at,
        attachments=attached,
    )
    heard.observations.append(observation)
    heard.edits.append(AddObservation(observation))
    return observation


def _read(
    text: str, observation_id: str, kind: ObservationKind, message: Message | None, setting: Circumstances, heard: Heard
) -> Reading | None:
    """Read a message, once. Only a person's words are read; `None` for others, and if the reader fails."""
    if message is None or message.role != "user":
        return None
    most = _READ_AT_EACH_END if kind is ObservationKind.PROMPT else _READ_OF_A_MESSAGE
    own_words = replace(message, text=both_ends(masked(text), most))
    try:
        if own_words.text.strip():
            reading = setting.reader.read(own_words, ReadingContext(setting.zone))
        else:
            reading = Reading((), Standing.ASKED, (Skipped(0, len(own_words.text), Reason.ECHO),))
    except Exception as fault:
        _note_fault(fault, text, observation_id, heard)
        return None
    heard.readings[observation_id] = reading
    return reading


def learn(statement: Statement, finding: FactFinding, setting: Circumstances, heard: Heard) -> Learned:
    """Reconcile one statement with what is known, including what this very call has changed already."""
    facts = heard.known(setting)
    line = facts.line(statement.subject, statement.attribute)
    worded = line.wording(statement.value, setting.likeness)
    if worded != statement.value:
        finding = replace(finding, statement=replace(statement, value=worded))
    outcome = reconcile(finding, line.touched_by(finding), space=setting.space, at=setting.at, new_id=setting.new_id)
    for edit in outcome.edits:
        _write(edit, heard, facts)
    learned = Learned(outcome.action.value, outcome.reason, outcome.note, statement.quote)
    heard.learned.append(learned)
    heard.verdicts[KEPT if outcome.action is not FactAction.IGNORED else "duplicate"] += 1
    return learned


def _count(heard: Heard) -> None:
    if heard.verdicts:
        heard.edits.append(CountVerdicts(tuple(sorted(heard.verdicts.items()))))


def _learn_from(observation: Observation, message: Message, setting: Circumstances, heard: Heard) -> None:
    """Learn what a message says. A statement that cannot be filed is lost, but not the message and not the call."""
    reading = heard.readings.get(observation.id)
    if reading is None:
        return
    known = _KnownByNow(setting, heard, message.speaker)
    for statement in _believed(reading, known, message, heard):
        try:
            if _is_echo(statement, heard.known(setting)):
                _pass_over(statement.quote, Reason.ECHO.value, heard)
                continue
            told = refiled(statement, known, at=message.at) if _may_be_refiled(statement) else statement
            told = _of_speaker(told, message)
            learn(told, _finding(told, observation, message, setting), setting, heard)
        except Exception as fault:
            _note_fault(fault, statement.quote, observation.id, heard)


def _believed(reading: Reading, known: Known, message: Message, heard: Heard) -> list[Statement]:
    """The facts of a message, those that end something first: what a sentence gives away of the old is known by then,
    and does not come back."""
    if not reading.statements:
        _count_skipped(reading, heard)
        return []
    judged = accepted(reading.statements)
    waiting = [each for each, reason in judged.others if each.attribute == UNRESOLVED and reason is not Reason.DOUBTED]
    left = placed(waiting, known, at=message.at) if waiting else []
    found_a_place = {each.quote for each in left}
    for quote, reason in dict.fromkeys((each.quote, reason.value) for each, reason in judged.others):
        if quote not in found_a_place:
            _pass_over(quote, reason, heard)
    ended = [each for each in left if each.replaces is None]
    replaced = [each for each in left if each.replaces is not None]
    return [*ended, *judged.facts, *replaced]


def _count_skipped(reading: Reading, heard: Heard) -> None:
    """Count a message in which no sentence was worth reading, by the reason against the first."""
    reasons = [each.reason for each in reading.passed_over]
    if Reason.NOT_UNDERSTOOD not in reasons:
        heard.verdicts.update(reason.value for reason in reasons[:1])


def _note_fault(fault: Exception, text: str, observation_id: str, heard: Heard) -> None:
    """Count what a reader failed on, say so in the answer, and log where. What the store cannot do is no such fault.

    The log has no words of the message: the place in the code, and the id under which the message is kept.
    """
    if isinstance(fault, RecollectError) and not isinstance(fault, InvalidInput):
        raise fault
    at = fault.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = "?" if at is None else f"{at.tb_frame.f_globals.get('__name__')}:{at.tb_lineno}"
    _LOG.error("message %s could not be read: %s at %s", observation_id, type(fault).__name__, place)
    _pass_over(text[:_SHOWN_OF_UNREADABLE], UNREADABLE, heard)


class _KnownByNow:
    """See `Known`: what memory has, as it is once this call is written.

    Where several people speak, what is known of `user` is nothing that one of them could mean by "I"; and what was
    said in another scope is nobody's business here.
    """

    def __init__(self, setting: Circumstances, heard: Heard, speaker: str | None) -> None:
        self._facts, self._scope, self._speaker = heard.known(setting), setting.scope, speaker

    def with_value(self, value: str) -> Sequence[Note]:
        """See `Known.with_value`."""
        return self._ours(self._facts.with_value(value))

    def with_attribute(self, attribute: str) -> Sequence[Note]:
        """See `Known.with_attribute`."""
        return self._ours(self._facts.with_attribute(attribute))

    def of(self, subject: str, attribute: str) -> Iterator[Note]:
        """See `Known.of`."""
        return filter(self._is_ours, self._facts.line(subject, attribute).newest())

    def _ours(self, notes: Iterable[Note]) -> list[Note]:
        return list(filter(self._is_ours, notes))

    def _is_ours(self, note: Note) -> bool:
        return note.scope == self._scope and not (self._speaker and note.subject == USER)


def _pass_over(quote: str, reason: str, heard: Heard) -> None:
    heard.passed_over.append(PassedOver(quote, reason))
    heard.verdicts[reason] += 1


def _finding(statement: Statement, observation: Observation, message: Message, setting: Circumstances) -> FactFinding:
    return FactFinding(
        statement=statement,
        said_at=message.at,
        origin=setting.caller.origin(),
        authority=setting.authority or setting.caller.authority(None),
        source=message.speaker or setting.caller.principal,
        evidence=(observation.id,),
        scope=setting.scope,
        essential=flagged(statement.attribute, Flag.ESSENTIAL),
        **inherited_from(observation),
    )


def inherited_from(observation: Observation) -> dict[str, Any]:
    """The fields that a note has from the message it is read from, but for what the engine keeps for itself."""
    return {"metadata": of_callers(observation.metadata), "erase_at": observation.erase_at}


def _may_be_refiled(statement: Statement) -> bool:
    """Whether memory may know better what a statement is about. Of a person it holds as it was read; of the user, if it
    ends and replaces nothing.
    """
    if statement.subject == USER:
        return statement.polarity is Polarity.ENDED or statement.replaces is not None
    return not is_of_somebody(statement.subject)


def _of_speaker(statement: Statement, message: Message) -> Statement:
    """With several speakers in one space, what each says of themselves is about them and not about `user`."""
    if statement.subject != USER or not message.speaker:
        return statement
    return replace(statement, subject=f"person:{normalised(message.speaker)}")


def _is_echo(statement: Statement, facts: KnownFacts) -> bool:
    """Whether this is our own sentence coming back: a note's text, word for word, is no new evidence for it."""
    if _OUR_WORD.match(statement.quote):
        return True
    return facts.line(statement.subject, statement.attribute).says(statement.quote)


def _write(edit: WriteNote, heard: Heard, facts: KnownFacts) -> None:
    """Put a note among the edits; a second change to the same note in one call replaces the first."""
    note, place = edit.note, heard.notes.get(edit.note.id)
    if place is None:
        heard.notes[note.id] = len(heard.edits)
        heard.edits.append(edit)
    else:
        earlier = heard.edits[place]
        if not isinstance(earlier, WriteNote):
            raise AssertionError("a note is written where another thing stands")
        note = replace(note, version=earlier.note.version)
        heard.edits[place] = WriteNote(note)
    facts.write(note)


# -- what may be believed ----------------------------------------------------------------------------------------------

# What was recalled, quoted or returned by a tool is masked before anything is read from a message, so that memory never
# feeds on itself. Plans, wishes and questions are seen but not believed.

_MASKED = (
    # Everything recalled stands between our own tags; an unclosed one reaches to the end.
    re.compile(rf"<{FENCE}\b[^>]*>.*?(?:</{FENCE}\b[^>]*>|\Z)", re.DOTALL | re.IGNORECASE),
    re.compile(
        r"<(memory|memories|context|system-reminder|tool_result|tool_output|function_results)\b[^>]*>"
        r".*?(?:</\1\s*>|\Z)",
        re.DOTALL | re.IGNORECASE,
    ),
    re.compile(r"^(```|~~~).*?(?:^\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE),
    re.compile(r"^[ \t]*>.*$", re.MULTILINE),
)
_VISIBLE = re.compile(r"[^\n]")


def masked(text: str) -> str:
    """The text with everything that is not the speaker's own word blanked out; as long as before, its lines too."""
    if "<" not in text and ">" not in text and "`" not in text and "~~~" not in text:
        return text
    for pattern in _MASKED:
        text = pattern.sub(lambda found: _VISIBLE.sub(" ", found.group()), text)
    return text


_LEAST_CONFIDENCE = 0.3  # below it a reading is a guess


@dataclass(frozen=True, slots=True)
class Accepted:
    """The statements that may become facts, and the others, each with the reason why it may not."""

    facts: tuple[Statement, ...]
    others: tuple[tuple[Statement, Reason], ...]


def accepted(statements: Iterable[Statement]) -> Accepted:
    """The statements that may become facts, each once, and the others with their reasons."""
    facts: list[Statement] = []
    others: list[tuple[Statement, Reason]] = []
    seen: set[tuple[str, ...]] = set()
    for statement in statements:
        key = (statement.subject, statement.attribute, statement.value.casefold(), statement.polarity, statement.tense)
        reason = _reason_against(statement) or (Reason.DUPLICATE if key in seen else None)
        if reason is None:
            seen.add(key)
            facts.append(statement)
        else:
            others.append((statement, reason))
    return Accepted(tuple(facts), tuple(others))


def _reason_against(statement: Statement) -> Reason | None:
    """Why a statement may not become a fact; `None` if it may."""
    match statement.modality:
        case Modality.ASKED:
            return Reason.QUESTION
        case Modality.SUPPOSED | Modality.WISHED | Modality.PLANNED:
            return Reason.HYPOTHETICAL
        case Modality.DOUBTED:
            return Reason.DOUBTED
        case Modality.ASSERTED:
            pass
    if statement.tense is Tense.FUTURE and not (_is_ahead_by_nature(statement.attribute) or _has_its_day(statement)):
        return Reason.HYPOTHETICAL  # it may come otherwise
    if statement.attribute == UNRESOLVED:
        return Reason.NOT_SELF_CONTAINED
    if statement.confidence < _LEAST_CONFIDENCE or not statement.value.strip():
        return Reason.NOT_DURABLE
    return None


def _is_ahead_by_nature(attribute: str) -> bool:
    """Whether values of an attribute lie in the future: plans, appointments, deadlines."""
    known = attribute_named(attribute)
    return known is not None and (Flag.TO_COME in known.flags or known.value == "date")


def _has_its_day(statement: Statement) -> bool:
    """Whether something to come has a day: "my first day is 15 May" is as good as done, "from summer on" is not."""
    return statement.since is not None and statement.since.precision in (Precision.DAY, Precision.MOMENT)
