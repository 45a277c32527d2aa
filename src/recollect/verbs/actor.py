"""The ground that verbs stand on: their mark, an engine, the caller that uses it, and the arguments many of them share.

Annotations are evaluated here, unlike elsewhere: a `TypedDict` compiles each one that is a text, at every start.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, TypeVar, cast

from recollect.domain.clock import checked_id, parse_time
from recollect.domain.errors import Erased, InvalidInput, NotAllowed, NotFound, RecollectError
from recollect.domain.notes import Note
from recollect.domain.origin import Caller, rank
from recollect.domain.scopes import ANYWHERE, BOUND_BY, DEFAULT_SPACE, Scope, checked_space
from recollect.engine import Engine
from recollect.operations import Effect, Operation

if TYPE_CHECKING:
    from recollect.domain.answers.upkeep import Tell
    from recollect.domain.changes import Changes, Edit
    from recollect.domain.chat.chat_model import ChatModel, ModelTask
    from recollect.recall.weights import Scale


MOST_PER_PAGE = 1000
READERS_SPEND_NOTHING = "A token that may only read has no model asked: that costs something."
BY_KEY = "key:"  # before a key that stands where an id is asked for
_VARARGS, _VARKEYWORDS = 0x04, 0x08  # flags of a code object; `inspect` has them too, and is slow to load

A = TypeVar("A", bound="Acting")
F = TypeVar("F", bound=Callable[..., Any])
Moment: TypeAlias = str | datetime


def operation(effect: Effect, *, name: str | None = None, for_agents: bool = False) -> Callable[[F], F]:
    """Mark a method as a verb of the product. A verb refuses keywords that it does not have."""

    def mark(function: F) -> F:
        spelled = name or function.__name__.rstrip("_")
        verb = strict(spelled)(function)
        verb.__operation__ = Operation(spelled, effect, for_agents, function.__name__)  # type: ignore[attr-defined]
        return verb

    return mark


def strict(spelled: str) -> Callable[[F], F]:
    """Have a function refuse unknown keywords with a suggestion, before anything is done.

    A `**bundle: Unpack[...]` would otherwise take any name and drop it. The names are looked up at the first call
    with keywords: most verbs of a process are never called.
    """

    def guard(function: F) -> F:
        known: frozenset[str] = frozenset()

        @functools.wraps(function)
        def checked(*given: Any, **named: Any) -> Any:
            nonlocal known
            if not known.issuperset(named):
                known = frozenset(_keywords_of(function))
                for each in named:
                    if each not in known:
                        from recollect.domain.suggestions import unknown_field

                        raise unknown_field(each, of=spelled, known=_keywords_of(function))
            return function(*given, **named)

        return cast("F", checked)

    return guard


def _keywords_of(function: Callable[..., Any]) -> list[str]:
    """The names that a call may use, read from the code object: a tenth of the time of `inspect.signature`."""
    code = function.__code__
    named = code.co_argcount + code.co_kwonlyargcount
    keywords = [each for each in code.co_varnames[:named] if each != "self"]
    if code.co_flags & _VARKEYWORDS:
        bundle = function.__annotations__[code.co_varnames[named + bool(code.co_flags & _VARARGS)]]
        kind = bundle.removeprefix("Unpack[").removesuffix("]")  # annotations are texts: see the top of each module
        keywords += function.__globals__[kind].__annotations__
    return keywords


class Acting:
    """An engine and whoever is using it; every chapter of verbs stands on this."""

    _engine: Engine
    _caller: Caller
    _rehearsed: "list[Changes] | None"  # what a dry run would have written; None means: write
    _tell: "Tell | None" = None  # who wants to know how far something long has come
    _fence: "Callable[[str], tuple[Edit, ...]] | None" = None  # of a job: what goes with each change of a space

    def _named(self, space: str | None) -> str:
        """A space to write to; it need not be there yet."""
        name = self._engine.settings.space if space is None else checked_space(space)
        if not self._engine.store.serves(name):  # one that is here needs no look, which would load the whole scanner
            from recollect.redaction.clean_records import refuse_secret

            refuse_secret(name, "space")
        return name

    def _readable(self, space: str | None) -> str:
        """A space to read from. One that is not there yet is empty for a caller who may write to it.

        For any other caller it is as a space of somebody else: the answer must not tell whether it is there.
        """
        return self._known(space) if self._caller.reads_only else self._named(space)

    def _known(self, space: str | None) -> str:
        """A space that is there, to change it or to tell of the space itself. The default one always is."""
        name = self._named(space)
        if not self._is_there(name):
            raise no_space(name)
        return name

    def _whole(self, space: str | None, claim: str) -> str:
        """A space that is there, for a caller who is bound to no part of it; `claim` says why it takes the whole."""
        if self._caller.within != ANYWHERE:
            raise NotAllowed(
                f"{claim}, and you are bound to a part of it.", code="scope_bound", hint="Use another token."
            )
        return self._known(space)

    def _is_there(self, name: str) -> bool:
        return name == DEFAULT_SPACE or self._engine.store.space(name) is not None

    def _current(self, space: str, note_id: str, *, known_at: datetime | None = None) -> Note:
        note = self._engine.store.note(space, note_id, known_at=known_at)
        if note is None:
            raise self._absent(space, note_id)
        if note.is_due(self._engine.clock.now()):
            raise Erased(f"Note {note_id} was kept until {note.erase_at:%Y-%m-%d %H:%M}.")
        return note

    def _note_id(self, space: str, note_id: str, scope: Scope = ANYWHERE) -> str:
        """The id of a note, given as such or by its key: `key:` and the key, in a scope."""
        from recollect.domain.text import sound_name

        by_key = isinstance(note_id, str) and note_id.startswith(BY_KEY)
        key = sound_name(note_id.removeprefix(BY_KEY), field="key") if by_key else None
        if key is None:
            return checked_id(note_id)
        found = self._keyed(space, key, scope)
        if found is None:
            raise NotFound(
                f"There is no note with the key `{key[:60]}` in `{space}`.",
                code="note_not_found",
                hint="A key is one of its user, agent and project: say those that it was saved with.",
            )
        return found.id

    def _keyed(self, space: str, key: str, scope: Scope) -> Note | None:
        """The note that has a key in that very scope, if there is one. A part that is not said is none: the key
        `profile` of one user is another note than that of the next, and than that of nobody.
        """
        from recollect.domain.filters.conditions import AllOf, Comparison
        from recollect.domain.selections import Selection

        told = scope.placed_in(self._caller.within)
        parts = ((name, getattr(told, name)) for name in BOUND_BY)
        of_scope = (Comparison(name, *(("exists", False) if said is None else ("eq", said))) for name, said in parts)
        where = AllOf((Comparison("key", "eq", key), *of_scope))
        found = self._engine.store.notes(space, Selection(where=where), before=None, limit=MOST_PER_PAGE)
        # Sync can bring several: the one of the highest authority is meant, then the oldest.
        return min(found, key=lambda note: (-rank(note.authority), note.id), default=None)

    def _absent(self, space: str, note_id: str) -> RecollectError:
        """Why a note cannot be had: it was forgotten, or it never was here."""
        if self._was_erased(space, note_id):
            return Erased(f"Note {note_id} was forgotten.")
        return NotFound(
            f"There is no note {note_id} in `{space}`.",
            code="note_not_found",
            hint="`recollect list` shows the notes of a space; `--space` names another one.",
        )

    def _was_erased(self, space: str, note_id: str) -> bool:
        return self._engine.log.tombstone(space, note_id) is not None

    def _model_for(self, task: "ModelTask", space: str) -> "tuple[ChatModel | None, str]":
        """The model of a task in a space; none where none is configured, or where it is not the caller's to spend."""
        found, spend = self._engine.chat_models.for_task(task, space=space), self._engine.settings.spend
        if found is None or not self._caller.reads_only or (spend is not None and spend.readers):
            return found, ""
        return None, READERS_SPEND_NOTHING

    def _scale(self) -> "Scale | None":
        """By which likeness is judged: that of the model in use, if there is one."""
        from recollect.recall.coverage import scale_of

        embedder = self._engine.embedder
        return scale_of(embedder.model_id) if embedder else None


def moment(value: Moment | None, field: str) -> datetime | None:
    return None if value is None else parse_time(value, field=field)


def zone_named(name: str) -> tzinfo:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(
            f"`{name}` is not a time zone.", code="unknown_zone", hint="Name one as in Europe/Berlin."
        ) from None


def checked_limit(limit: int) -> int:
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST_PER_PAGE:
        raise InvalidInput(
            f"`limit` is {limit!r}; it must be a whole number from 1 to {MOST_PER_PAGE}.",
            code="invalid_number",
        )
    return limit


def key_scope(user: str | None, agent: str | None, project: str | None) -> Scope:
    """The scope in which a key is meant."""
    from recollect.redaction.clean_records import checked_name

    given = {"user": user, "agent": agent, "project": project}
    return Scope(**{name: checked_name(value, field=name) for name, value in given.items()})


def checked_binding(user: str | None, agent: str | None, project: str | None) -> Scope:
    """The part that somebody is bound to, which must be one."""
    within = key_scope(user, agent, project)
    if within == ANYWHERE:
        raise InvalidInput(
            "Nothing was said that it is bound to.", code="invalid_field", hint="Name a user, an agent or a project."
        )
    return within


def chapter_alone(kind: type[A], engine: Engine, caller: Caller) -> A:
    """One chapter of verbs by itself, for a door that needs no other."""
    chapter = kind()
    chapter._engine, chapter._caller, chapter._rehearsed = engine, caller, None
    return chapter


def no_space(name: str) -> NotFound:
    return NotFound(
        f"There is no space `{name}`.",
        code="space_not_found",
        hint="`recollect spaces list` shows them. Saving a first note makes one.",
    )


def no_session(session_id: str, space: str) -> NotFound:
    return NotFound(
        f"There is no session {session_id} in `{space}`.",
        code="session_not_found",
        hint="`recollect sessions` shows them; `--space` names another one.",
    )


class SpaceInQuestion(TypedDict, total=False):
    """The fields of a note that can be given besides its text."""

    title: str | None
    subject: str | None
    attribute: str | None
    value: str | None
    tags: Sequence[str] | None
    user: str | None
    agent: str | None
    project: str | None
    session: str | None
    machine: str | None
    confidence: float | None
    importance: float | None
    authority: str | None
    valid_from: Moment | None
    valid_until: Moment | None
    occurred_at: Moment | None
    expires_at: Moment | None
    depends_on: Sequence[str] | None
    when: Sequence[str] | None
    metadata: Mapping[str, Any] | None
    key: str | None
    ttl: str | None


class Which(TypedDict, total=False):
    """Which notes are meant."""

    kind: str | None
    state: str | None
    subject: str | None
    attribute: str | None
    tag: str | None
    user: str | None
    agent: str | None
    project: str | None
    session: str | None
    machine: str | None
    pinned: bool | None
    where: Mapping[str, Any] | None
    as_of: Moment | None
    known_at: Moment | None


class Where(TypedDict, total=False):
    """The scope of something: its user, agent, project, session and machine."""

    user: str | None
    agent: str | None
    project: str | None
    session: str | None
    machine: str | None


class WhereTold(Where, total=False):
    """Where something was told, what belongs to it, and how long it is kept."""

    metadata: Mapping[str, Any] | None
    ttl: str | None
