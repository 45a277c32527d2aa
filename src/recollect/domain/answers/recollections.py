"""Answers of memory: hits and why they were found, histories, links, profiles and reports."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

from recollect.domain.changes import AuditEntry
from recollect.domain.dataclass import dataclass, field
from recollect.domain.links.statement_link import StatementLink
from recollect.domain.notes import Note
from recollect.domain.observations import AttachedFile, Observation
from recollect.domain.values import Series, Value

KEPT = "kept"  # what is counted beside the reasons against candidates, so that the share of junk can be told
UNREADABLE = "unreadable"  # counted for a message that a reader failed on; it is kept word for word


class Match(NamedTuple):
    """A note that was found, and the words by which it was (perhaps those of an earlier version)."""

    note: Note
    found_text: str


class Candidate(NamedTuple):
    """Something that may answer: a note or an observation, the words it was found by, and how it was reached.

    A tuple, since a search makes hundreds.
    """

    found_text: str
    note: Note | None = None
    observation: Observation | None = None
    reached: str = ""  # how it was reached, if not by its own words
    found_by: str = ""  # the record whose words or meaning led to it
    likeness: float = 0.0  # how near it is to the question in meaning, if that was measured
    said: Observation | None = None  # of a note: what was said that led to it

    @property
    def key(self) -> str:
        note, observation = self.note, self.observation
        return note.id if note is not None else observation.id if observation is not None else ""


@dataclass(frozen=True, slots=True)
class Turn:
    """Something that was said, beside what it is evidence for: `place` is `before`, `said` or `after`."""

    id: str
    place: str
    at: datetime
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, repr=False)
class Hit(Value):
    """A note that answers, or something said that does; how well, and the reasons for it.

    A note's `evidence` are the observations it was read from, newest first. `said` is the one that answers best, if it
    is still there: its text is the sentence that the note was read from, bounded.
    """

    note: Note | None
    score: float
    why: tuple[str, ...]
    observation: Observation | None = None
    evidence: tuple[str, ...] = ()
    likeness: float = 0.0  # how near it is to the question in meaning, if that was measured
    closeness: float = 0.0  # how close its words are to those of the question, one by one, if that was measured
    said: Turn | None = None

    @property
    def id(self) -> str:
        found = self.note if self.note is not None else self.observation
        return found.id if found is not None else ""

    @property
    def text(self) -> str:
        found = self.note or self.observation
        return found.text if found else ""

    @property
    def sentence(self) -> str:
        """The words a note was read from; nothing for a message, and for a note that was read from none."""
        return self.said.text if self.said else ""

    def as_close_as(self, closeness: float, *, score: float, why: tuple[str, ...]) -> Hit:
        """The same, as close to the question. Spelled out, since a search does it for dozens."""
        return Hit(self.note, score, why, self.observation, self.evidence, self.likeness, closeness, self.said)


class Coverage(StrEnum):
    """How much of what was asked the hits speak of."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of an answer; nothing, if no language model was asked.

    `model_tokens` are all of them: `input_tokens` that were read anew, `cached_tokens` that the provider read from its
    cache, and `output_tokens`. `cost_usd` is `None` where the price of a model is not known.
    """

    model_calls: int = 0
    model_tokens: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0

    def __add__(self, other: Usage) -> Usage:
        costs = (self.cost_usd, other.cost_usd)
        return Usage(
            self.model_calls + other.model_calls,
            self.model_tokens + other.model_tokens,
            self.input_tokens + other.input_tokens,
            self.cached_tokens + other.cached_tokens,
            self.output_tokens + other.output_tokens,
            None if None in costs else sum(each for each in costs if each is not None),
        )


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Value):
    """Why one hit is there. `signals` are the raw scores of the channels that found it, by their names."""

    id: str
    signals: dict[str, float]
    validity: str
    evidence: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Recollection(Series[Hit]):
    """The answer to a query, best first.

    When an explanation is asked for there is one for each hit, in the same order, and `receipt` is the id of the
    receipt; `None` if none could be kept.
    """

    _held: ClassVar[str] = "hits"
    query: str
    hits: tuple[Hit, ...]
    coverage: Coverage
    usage: Usage = Usage()
    explained: tuple[Explanation, ...] = ()
    receipt: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Learned(Value):
    """The outcome of one thing that was said: the note that now says it, and why."""

    action: str
    reason: str
    note: Note | None
    quote: str


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A sentence that did not become a note, and why not. It is kept verbatim all the same."""

    quote: str
    reason: str


@dataclass(frozen=True, slots=True, repr=False)
class Remembered(Series[Learned]):
    """The result of remembering something that came in. `redacted` counts the secrets taken out, by their kind."""

    _held: ClassVar[str] = "learned"
    session_id: str
    observation_ids: tuple[str, ...]
    learned: tuple[Learned, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    redacted: dict[str, int] = field(default_factory=dict)
    usage: Usage = Usage()
    attachments: tuple[AttachedFile, ...] = ()  # files that are kept with the messages


@dataclass(frozen=True, slots=True)
class IngestFailure:
    """A file that could not be taken in, and why."""

    path: str
    code: str
    message: str


@dataclass(frozen=True, slots=True, repr=False)
class Ingested(Value):
    """The result of ingesting files: how many were read, were as before, or are gone; and which could not be read.

    `seconds` is how long it took by the clock on the wall. With `job_id` nothing was read yet: the job does it.
    `session_ids` are those that the passages of the files are in, read now or before; of many files the first hundred.
    """

    read: int
    unchanged: int
    gone: int
    passages: int
    failures: tuple[IngestFailure, ...] = ()
    redacted: dict[str, int] = field(default_factory=dict)
    usage: Usage = Usage()
    seconds: float = 0.0
    job_id: str | None = None
    session_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One note of a chain in which each superseded the one before, with all its versions, oldest first."""

    note: Note
    versions: tuple[Note, ...]


@dataclass(frozen=True, slots=True, repr=False)
class History(Series[Step]):
    """How what we hold came to be: the steps in the order in which they were true.

    `links` are those between the notes and the messages they were read from, and others, as a model judged them.
    """

    _held: ClassVar[str] = "steps"
    steps: tuple[Step, ...]
    links: tuple[StatementLink, ...] = ()


@dataclass(frozen=True, slots=True)
class ProfileField:
    """The known values of one attribute, newest first, and since when the newest holds."""

    attribute: str
    values: tuple[str, ...]
    since: datetime | None
    essential: bool
    note_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Profile(Series[ProfileField]):
    """The attributes known of somebody or something now."""

    _held: ClassVar[str] = "fields"
    subject: str
    fields: tuple[ProfileField, ...]
    prose: str


@dataclass(frozen=True, slots=True, repr=False)
class Erasure(Value):
    """The records that were forgotten: notes, and the messages they were read from; or slots and actions, as `others`.

    `derived` are notes made from them that still stand; `residue` says what is left to clean.
    """

    note_ids: tuple[str, ...]
    derived: tuple[str, ...] = ()
    residue: str | None = None
    observation_ids: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class MassErasure(Value):
    """How much a filter or a reset takes away. Until it is `done`, `confirm` is the token with which it will be.

    `sample` are the ids of the newest notes among them; `passed_over` counts notes that rank above the caller and stay.
    """

    notes: int
    messages: int = 0
    sessions: int = 0
    passed_over: int = 0
    sample: tuple[str, ...] = ()
    confirm: str = ""
    done: bool = False
    residue: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Tidied(Value):
    """The notes that had come to an end: those that reached the end they were given, and those that faded.

    `erased` are notes and messages that were to be kept for a time only, and are gone.
    """

    expired: tuple[str, ...]
    faded: tuple[str, ...]
    erased: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportFailure:
    """A line that could not be taken in, and why."""

    line: int
    code: str
    message: str


@dataclass(frozen=True, slots=True, repr=False)
class ImportReport(Value):
    """The result of an import. Only failures are lost, and they are named."""

    imported: int = 0
    unchanged: int = 0
    erased: int = 0
    failures: tuple[ImportFailure, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class ExportPage(Series[dict[str, Any]]):
    """Records to write as lines, in order. Hand `next_cursor` back to go on."""

    _held: ClassVar[str] = "records"
    records: tuple[dict[str, Any], ...]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class SpaceSummary(Value):
    """A space and what is in it."""

    name: str
    description: str
    created_at: datetime
    changes: int
    notes: int
    versions: int
    erased: int
    by_state: dict[str, int] = field(default_factory=dict)
    by_kind: dict[str, int] = field(default_factory=dict)
    sessions: int = 0
    observations: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)  # how many candidates became notes, and why others did not
    junk_rate: float = 0.0  # share of candidates that did not
    max_notes: int | None = None  # how many it may hold; any number, if not set
    max_messages: int | None = None  # how many it takes in on a day; any number, if not set
    attachment_bytes: int = 0  # of all files that came with messages
    max_attachment_bytes: int | None = None  # how many they may have together; the usual number, if not set


@dataclass(frozen=True, slots=True, repr=False)
class Status(Value):
    """Where memory is kept and how much there is of it.

    `jobs` counts those of all spaces by stage. `unembedded` is how many texts have no vector yet where a job is to make
    them; until then they are found by their words. `unjudged` is how many texts a job has yet to compare with older
    ones, and `judges` are the models whose judgements are kept. `unread` is how many sessions wait for a reading model.
    `vector_search` says where vectors are compared if the store is on a server, and `vector_bytes` how much memory they
    take in the process that answers.
    """

    version: str
    store: str
    location: str
    schema: int
    size_bytes: int | None
    spaces: tuple[SpaceSummary, ...]
    notes: int
    jobs: dict[str, int] = field(default_factory=dict)
    unembedded: int = 0
    unjudged: int = 0
    judges: tuple[str, ...] = ()
    unread: int = 0
    vector_search: str = ""
    vector_bytes: int = 0


@dataclass(frozen=True, slots=True)
class LostRecord:
    """A record that a rescue could not get out, or not whole. `version` is 0 for what has only one."""

    type: str
    space: str
    id: str
    version: int
    why: str


@dataclass(frozen=True, slots=True)
class Rescue:
    """The records got out of a damaged file, by type. `mended` ones have holes in their text."""

    path: str
    records: dict[str, int]
    lost: tuple[LostRecord, ...]
    mended: tuple[LostRecord, ...]
    unreadable_rows: int  # rows of which not even the id is known; most of them are in `lost` by the change log
    unknown_changes: dict[str, int]  # by space: changes that were made, and of which the change log has lost its row


@dataclass(frozen=True, slots=True, repr=False)
class AuditReport(Series[AuditEntry]):
    """A stretch of a space's audit chain, and whether it is whole."""

    _held: ClassVar[str] = "entries"
    whole: bool
    detail: str
    entries: tuple[AuditEntry, ...]


class Relation(StrEnum):
    """The relation in which another record stands to a note."""

    SUPERSEDES = "supersedes"
    SUPERSEDED_BY = "superseded_by"
    DERIVED_FROM = "derived_from"
    SOURCE_OF = "source_of"
    DEPENDS_ON = "depends_on"
    NEEDED_BY = "needed_by"
    RELATED = "related"
    REPLACES = "replaces"  # these six as a model judged them
    REPLACED_BY = "replaced_by"
    ENDS = "ends"
    ENDED_BY = "ended_by"
    SAME_AS = "same_as"
    UNRELATED = "unrelated"  # until a language model was asked


# What a link of a note says of the note it leads to, as seen from there.
SEEN_FROM_THERE = {
    "supersedes": Relation.SUPERSEDED_BY,
    "derived_from": Relation.SOURCE_OF,
    "depends_on": Relation.NEEDED_BY,
    "related": Relation.RELATED,
}


# What a judged link says of the older record to the newer one, and the other way round.
JUDGED_FROM_EITHER_END = {
    "replaces": (Relation.REPLACES, Relation.REPLACED_BY),
    "ends": (Relation.ENDS, Relation.ENDED_BY),
    "same": (Relation.SAME_AS, Relation.SAME_AS),
    "unrelated": (Relation.UNRELATED, Relation.UNRELATED),
}


@dataclass(frozen=True, slots=True)
class Link:
    """Another record and what it is to the note. `text` is empty for one that was forgotten.

    Of what a model judged there are the score and the model, and whether a person said that it is not so; `settled` is
    the word of a language model where the judge was unsure: how they relate, which model said so, and why.
    """

    relation: Relation
    id: str
    text: str
    score: float | None = None
    model: str | None = None
    refuted: bool = False
    settled: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Links(Series[Link]):
    """Everything a note or a message is linked with, by relation and then by id."""

    _held: ClassVar[str] = "links"
    note_id: str
    links: tuple[Link, ...]
