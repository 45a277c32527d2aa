"""KIP: commands are read and planned by `dialects/kip`; here they get the graph of a space, and edits are written.

A command that writes makes one commit, whole or not at all, on the state that it was planned on; when somebody else
wrote meanwhile, it is planned anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.domain.changes import Changes
from recollect.domain.errors import Conflict, InvalidInput, QuotaReached, RecollectError, TooLarge
from recollect.domain.origin import Channel
from recollect.operations import Effect
from recollect.verbs.actor import Moment, operation
from recollect.verbs.entities.graph_verbs import GraphReading
from recollect.verbs.writing import MARKED_BY, Writing, decided_anew

if TYPE_CHECKING:
    from recollect.dialects.kip.errors import KipError
    from recollect.dialects.kip.interpreter import Interpreter, Plan
    from recollect.dialects.kip.nexus import Nexus, NexusEdit, NexusElement
    from recollect.dialects.kip.note_nexus import NoteNexus
    from recollect.domain.answers.kip import KipAnswer

# Doors at which somebody has the store itself. Every other one only reads: what an agent or a program elsewhere writes
# goes through verbs that weigh it against what is known.
_WRITING = (Channel.LIBRARY, Channel.CLI)


class KipVerbs(GraphReading, Writing):
    """The Knowledge Interaction Protocol: kip."""

    @operation(Effect.READ)
    def kip(
        self,
        statement: str,
        *,
        statements: Sequence[str] = (),
        parameters: Mapping[str, Any] | None = None,
        dry_run: bool = False,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        space: str | None = None,
    ) -> KipAnswer:
        """Carry out a KIP command: FIND, DESCRIBE, SEARCH and EXPORT read; UPSERT, UPDATE, MERGE and DELETE write.

        Writing is for the library and the command line. With further `statements` each has an answer of its own, and a
        write that fails ends them.
        """
        from recollect.domain.answers.kip import KipAnswer

        writes = self._caller.channel in _WRITING and not self._caller.reads_only and not (as_of or known_at)
        name = self._named(space) if writes else self._readable(space)
        session = _KipSession(self, name, as_of, known_at, dry_run=dry_run)
        interpreter = session.interpreter(writes=writes)
        given = _checked_parameters(parameters)
        if not statements:
            return KipAnswer(*interpreter.run(_checked_command(statement), given))
        commands = [_checked_command(each) for each in (statement, *statements)]
        return KipAnswer(interpreter.batch([(each, given) for each in commands]))

    def _kip_nexus(self, space: str, as_of: Moment | None, known_at: Moment | None) -> NoteNexus:
        from recollect.dialects.kip.note_nexus import NoteNexus

        return NoteNexus(self._graph(space, as_of, known_at), self._engine.entities, space)

    def _kip_written(
        self, space: str, notes: NoteNexus, edits: Sequence[NexusEdit], seq: int, *, dry_run: bool
    ) -> None:
        from recollect.dialects.kip.note_writer import NoteWriter
        from recollect.domain.changes import Basis
        from recollect.redaction.clean_records import clean_changes

        written = NoteWriter(notes, lambda: self._occasion(space)).notes(edits)
        if not written:
            return
        basis = Basis(seq, MARKED_BY)
        changes = Changes(space, "kip", self._engine.clock.now(), self._caller.origin(), tuple(written), None, basis)
        if dry_run:
            self._engine.store.apply(clean_changes(changes), rehearse=True)
        else:
            self._apply_reviewed(changes)

    def _kip_transact(self, space: str, plan: Plan, *, dry_run: bool) -> dict[str, Any]:
        from recollect.dialects.kip.genesis import NexusWithGenesis

        def attempt() -> dict[str, Any]:
            found = self._engine.store.space(space)
            notes = self._kip_nexus(space, None, None)
            result, edits = plan(NexusWithGenesis(notes))
            self._kip_written(space, notes, edits, found.seq if found else 0, dry_run=dry_run)
            return result

        from recollect.dialects.kip.errors import KipError

        try:
            return decided_anew(attempt)
        except KipError:
            raise
        except (InvalidInput, Conflict, QuotaReached) as problem:
            raise _as_kip(problem) from problem


class _KipSession:
    """The commands of one call, on one space."""

    def __init__(
        self, verbs: KipVerbs, space: str, as_of: Moment | None, known_at: Moment | None, *, dry_run: bool
    ) -> None:
        self._verbs, self._space, self._dry_run = verbs, space, dry_run
        self._moments = (as_of, known_at)
        self._notes: NoteNexus | None = None

    def interpreter(self, *, writes: bool) -> Interpreter:
        import time

        from recollect.dialects.kip.interpreter import Interpreter
        from recollect.dialects.kip.work_budget import WorkBudget

        def transact(plan: Plan) -> dict[str, Any]:
            self._notes = None
            return self._verbs._kip_transact(self._space, plan, dry_run=self._dry_run)

        return Interpreter(
            self._opened,
            self._search,
            new_budget=lambda: WorkBudget(time.monotonic),
            draft=self._draft,
            transact=transact if writes else None,
            dry_run=self._dry_run,
        )

    def _opened(self) -> Nexus:
        from recollect.dialects.kip.genesis import NexusWithGenesis

        if self._notes is None:
            self._notes = self._verbs._kip_nexus(self._space, *self._moments)
        return NexusWithGenesis(self._notes)

    def _search(self, nexus: Nexus) -> Any:
        from recollect.verbs.kip.element_search import NoteSearch

        self._opened()
        assert self._notes is not None  # noqa: S101
        return NoteSearch(self._verbs._engine, self._space, nexus, self._notes)

    def _draft(self, nexus: Nexus) -> Any:
        from recollect.dialects.kip.nexus import Concept, NexusDraft, concept_id
        from recollect.domain.clock import format_time

        clock = self._verbs._engine.clock

        def new_id(element: NexusElement) -> str:
            if isinstance(element, Concept):
                return concept_id(element.type, element.name)
            return f"P:{clock.new_id()}"

        return NexusDraft(nexus, new_id=new_id, now=format_time(clock.now()))


def _as_kip(problem: RecollectError) -> KipError:
    """A refusal of the store or of a check, by the code that KIP has for it."""
    from recollect.dialects.kip.errors import CONSTRAINT, EXHAUSTED, IMMUTABLE, VERSION, KipError

    code = CONSTRAINT
    if isinstance(problem, Conflict):
        code = VERSION
    elif isinstance(problem, TooLarge | QuotaReached):
        code = EXHAUSTED
    elif problem.code == "authority_too_low":
        code = IMMUTABLE
    return KipError(code, problem.message, hint=problem.hint)


def _checked_command(command: str) -> str:
    if not isinstance(command, str) or not command.strip():
        raise InvalidInput("The KIP command is empty.", code="field_missing", hint="Try `DESCRIBE PRIMER`.")
    return command


def _checked_parameters(parameters: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if parameters is not None and not isinstance(parameters, Mapping):
        raise InvalidInput("`parameters` must be an object.", code="invalid_field")
    return dict(parameters or {})
