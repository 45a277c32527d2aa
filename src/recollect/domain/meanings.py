"""Ports for comparing texts by meaning: vectors at rest, models that make them, and what is near to what.

They are ports as those in `ports` are. Vectors of two models are never compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias, TypeGuard, TypeVar, runtime_checkable

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Damaged

T = TypeVar("T")
Vector: TypeAlias = bytes  # 32-bit floats, little end first, of length one


@dataclass(frozen=True, slots=True)
class StoredVector:
    """The vector of one text: of a note's words as that version had them, or of an observation (version 0)."""

    record_id: str
    version: int
    vector: Vector


@dataclass(frozen=True, slots=True)
class EmbeddingChoice:
    """The embedding model that serves a store, and the one beside it: made ready for it, or kept for a way back.

    Names are those of the setting `embedding`; an empty `serving` leaves it to that setting, an empty `beside` is none.
    """

    serving: str = ""
    beside: str = ""


def damaged_vector(record_id: str = "") -> Damaged:
    """The error for stored bytes that cannot be a vector of their model."""
    return Damaged(f"The vector of {record_id or 'a record'} is damaged.", code="damaged_record")


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A text that has no vector yet."""

    record_id: str
    version: int
    text: str


class Cache(Protocol):
    """Files of what can always be made anew, beside the store. They go when anything is erased from it."""

    def path(self, name: str) -> Path:
        """Where a file of that name is, or would be."""
        ...

    def put(self, name: str, pieces: Iterable[bytes | memoryview]) -> None:
        """Write a file whole or not at all, for its owner only. Raises `OSError`."""
        ...

    def drop(self, name: str) -> None:
        """Take a file away, if it is there."""
        ...


class Vectors(Protocol):
    """Texts as vectors, beside the texts themselves and written by the same `Store.apply`."""

    @property
    def cache(self) -> Cache | None:
        """Where an index of them may be kept; `None` if there is no such place."""
        ...

    @property
    def where_compared(self) -> str:
        """Where vectors are compared, in words; empty where it can only be in this process."""
        ...

    def served(self, model_id: str, dimension: int) -> ServedVectors | None:
        """The same vectors where the server of the store compares them; `None` where each process does."""
        ...

    def every(self, space: str, model_id: str) -> Iterator[StoredVector]:
        """All vectors of a model in a space."""
        ...

    def of(self, space: str, model_id: str, record_ids: Sequence[str]) -> Sequence[StoredVector]:
        """The vectors of some records."""
        ...

    def missing(self, space: str, model_id: str, *, limit: int) -> Sequence[Unembedded]:
        """Texts that the model has not turned into a vector yet."""
        ...

    def lacking(self, space: str, model_id: str, *, written_before: datetime | None = None) -> int:
        """How many such texts there are; without those written since a moment and since the models were chosen."""
        ...

    def choice(self) -> EmbeddingChoice:
        """The models that were chosen for the whole store."""
        ...

    def choose(self, choice: EmbeddingChoice, *, instead_of: EmbeddingChoice, at: datetime) -> bool:
        """Choose them, if those that were read are still the ones; whether that was done. One row says it all."""
        ...

    def drop(self, space: str, model_id: str) -> None:
        """Drop all vectors of a model in a space."""
        ...


class Near(NamedTuple):
    """A text near a question: whose, of which version, and how near, at most 1. A tuple: a search has hundreds."""

    record_id: str
    version: int
    likeness: float


class ServedVectors(Protocol):
    """The vectors of one model in a store whose server compares them, so that no process has to hold them."""

    def nearest(self, space: str, question: Vector, *, limit: int, among: Collection[str] | None) -> Sequence[Near]:
        """The nearest texts of a space, nearest first; of equals that of the older record."""
        ...

    def place(self, space: str) -> None:
        """Make ready what other processes wrote, and the index of a space that has become large."""
        ...

    def drop_index(self, space: str) -> None:
        """Drop the index of a space, if it has one: its vectors are gone."""
        ...


class Nearness(Protocol):
    """Which texts are near a question in meaning."""

    def nearest(self, space: str, question: str, *, limit: int, among: Collection[str] | None = None) -> Sequence[Near]:
        """The nearest texts of a space, nearest first; of the records `among` only, if they are named.

        What has no vector yet is not among them, and nothing is while vectors are still being read for the first time.
        """
        ...

    def alike(self, space: str, text: str, *, limit: int, among: Collection[str] | None = None) -> Sequence[Near]:
        """The texts of a space most like a text that is no question, which may be one of them; as above otherwise."""
        ...

    def behind(self) -> int:
        """How many changes have not been caught up with, in the spaces whose vectors are at hand."""
        ...

    def held_bytes(self) -> int:
        """How much memory the vectors take in this process; a mapped file is none of it."""
        ...

    def begin(self, space: str) -> None:
        """Begin to read, in the background, what the first question to a space needs. Nothing, if it was read."""
        ...

    def close(self) -> None:
        """End what is done in the background; the store can be closed then."""
        ...


class AnswerKind(StrEnum):
    """The kind of answer that a text put to memory wants."""

    NOW = "now"  # one value that holds, and may have been another before
    SEVERAL = "several"  # all values that hold side by side
    PAST = "past"  # a value of another time, or the one before
    HISTORY = "history"  # all values there have been
    CHANGE = "change"  # when, or since when, a value changed
    ONCE = "once"  # something that happened, was done or was said
    TASK = "task"  # something to be made or explained: memory is only its background
    TALK = "talk"  # none: somebody tells something


class Meaning(Protocol):
    """The meaning of a question, whatever its words: which attributes, and which kind of answer."""

    def meant_by(self, question: str) -> Mapping[str, float]:
        """Attributes, and how surely each is meant, up to 1; those that are not are left out."""
        ...

    def kinds_of(self, question: str) -> Mapping[AnswerKind, float]:
        """How likely each kind of answer is wanted, together 1; nothing where no model tells."""
        ...


class Closeness(Protocol):
    """How close texts are to a question when they are compared word by word."""

    def prepare(self) -> None:
        """Begin to get ready in the background: a question is coming."""
        ...

    def to(self, question: str, space: str, versions: Mapping[str, int]) -> Mapping[str, float]:
        """Of each record that has vectors how close its words are to those of a question, at most 1.

        A record is named with its version: it had other words before, and may have others since.
        """
        ...


@dataclass(frozen=True, slots=True)
class Listed:
    """A hit among others of one question, as a model that orders them sees it.

    `age` is in days before the asked time. `signs` are numbers of the hit, `beside` has a row of them for each of the
    listed hits, itself included; what they mean is said in `recall/evidence/listing.py`.
    """

    text: str
    age: float
    signs: tuple[float, ...]
    beside: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Ordered:
    """How far up each of the listed hits belongs, in their order, and how likely none of them answers."""

    scores: tuple[float, ...]
    nothing: float


class Relevance(Protocol):
    """A model that reads a question and a text side by side. The same two give the same number."""

    @property
    def model_id(self) -> str: ...

    def prepare(self) -> None:
        """Begin to get ready in the background: a question is coming."""
        ...

    def answers(self, question: str, texts: Sequence[str]) -> Sequence[float | None]:
        """How likely each text answers the question; `None` of one that is too long to be read whole."""
        ...

    def ordered(self, question: str, listed: Sequence[Listed], *, several: bool = False) -> Ordered | None:
        """Hits in view of each other; `None` from a model that knows them one by one only. `several` says that more
        than one of them may be right, so that what is like the first is not held back.
        """
        ...


class Embedder(Protocol):
    """Texts as vectors. Vectors of two models are never compared, so each says which it is of."""

    @property
    def model_id(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Vectors of things to be found."""
        ...

    def query(self, text: str) -> Vector:
        """The vector of a question."""
        ...


@runtime_checkable
class RemoteModel(Protocol):
    """The ability of an embedder that is on another machine. No write waits for it: a job asks it afterwards."""

    @property
    def address(self) -> str:
        """Where it is asked, without any key."""
        ...


@runtime_checkable
class BilledModel(Protocol):
    """The ability of an embedder whose calls cost something: they are booked on the space that they are for."""

    def billed_to(self, space: str) -> Embedder:
        """The same model, asked for a space."""
        ...


TOGETHER = 64  # texts that one embedder is given after another: a model that serves two has read them once


def some_at_a_time(texts: Sequence[T]) -> Iterator[Sequence[T]]:
    """Texts in the portions in which embedders take turns."""
    return (texts[start : start + TOGETHER] for start in range(0, len(texts), TOGETHER))


def embedder_for(space: str, embedder: Embedder) -> Embedder:
    """The embedder as it is asked for a space."""
    return embedder.billed_to(space) if _is_billed(embedder) else embedder


def _is_billed(embedder: Embedder) -> TypeGuard[BilledModel]:
    """By its name: `isinstance` of a protocol looks at every class, twice in each search."""
    return hasattr(embedder, "billed_to")


def likeness_of(embedder: Embedder, one: str, other: str) -> float:
    """How alike two texts are in meaning, at most 1."""
    first, second = (memoryview(vector).cast("f") for vector in embedder.passages([one, other]))
    return float(sum(map(float.__mul__, first, second)))
