"""Verbs about the same memory as files: a vault, kept in step with memory and across machines.

What they stand on is imported where it is used: whoever has no vault does not pay for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.domain.errors import NotFound, Unsupported
from recollect.domain.notes import Note, State
from recollect.domain.trust.disputes import dispute_of, effect_of, is_unsettled
from recollect.domain.values import choice
from recollect.engine import Engine
from recollect.operations import Effect
from recollect.verbs.actor import chapter_alone, checked_limit, operation
from recollect.verbs.writing import Writing

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.domain.answers.vaults import (
        Blame,
        Difference,
        DoubtfulChange,
        Log,
        Machines,
        Problem,
        Reverted,
        Review,
        RevisionDetail,
        SyncReport,
        VaultReport,
    )
    from recollect.domain.ports import Store
    from recollect.vault.open_vault import Vault, VaultOutcome
    from recollect.vault.place import Place


class Vaults:
    """The vaults of this machine, for a watcher such as the server: which there are, and whether anything changed."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def spaces(self) -> Sequence[str]:
        """The spaces for which a vault was opened on this machine."""
        from recollect.vault.place import spaces_with_vaults

        return spaces_with_vaults(self._engine.settings.home)

    def signature(self, space: str) -> tuple[int, ...]:
        """Something that changes whenever a space or a file of its vault does; cheap enough to ask every second."""
        from recollect.vault.folder import signature
        from recollect.vault.place import place_of

        here = self._engine.store.space(space)
        return (here.seq if here else 0, *signature(place_of(self._engine.settings.home, space).folder))


class VaultVerbs(Writing):
    """As files: vault open, vault scan, sync, review, log, show, diff, blame, revert, machines."""

    @operation(Effect.WRITE, name="vault.open")
    def open_vault(
        self,
        path: str | Path | None = None,
        *,
        remote: str | Path | None = None,
        pages: str | None = None,
        space: str | None = None,
    ) -> VaultReport:
        """Keep the notes of a space as markdown files in a folder, both ways; markdown that is there becomes notes.

        Pages of your own are tracked beside them; `marked` writes the id of its note into each.
        """
        from pathlib import Path

        from recollect.domain.answers.vaults import Pages
        from recollect.vault.git import named_remote
        from recollect.vault.place import locked, opened_place
        from recollect.vault.projection import in_step

        name = self._named(space)
        self._only_for_real("Opening a vault")
        place = opened_place(
            self._engine.settings.home,
            name,
            folder=None if path is None else Path(path).expanduser().absolute(),
            remote=None if remote is None else named_remote(str(remote)),
            chance=self._engine.clock.new_id(),
            pages=None if pages is None else choice(Pages, pages, field="pages"),
        )
        vault = self._vault(name, place)
        with locked(place, patience=self._engine.settings.busy_timeout):
            return _report(place, in_step(vault))

    @operation(Effect.WRITE, name="vault.scan")
    def scan_vault(self, *, accept: bool = False, put_back: bool = False, space: str | None = None) -> VaultReport:
        """Take in what was edited in the folder of the vault, and write what is not in it yet."""
        from recollect.vault.place import locked, place_of
        from recollect.vault.projection import in_step

        name = self._named(space)
        place = place_of(self._engine.settings.home, name)
        with locked(place, patience=self._engine.settings.busy_timeout):
            return _report(place, in_step(self._vault(name, place), accept=accept, put_back=put_back))

    @operation(Effect.WRITE)
    def sync(self, *, remote: str | Path | None = None, space: str | None = None) -> SyncReport:
        """Bring memory, vault and the other machines in step, through an ordinary git remote."""
        from recollect.domain.answers.vaults import SyncReport
        from recollect.vault.git import named_remote
        from recollect.vault.place import locked, opened_place, place_of
        from recollect.vault.rounds import synced

        name = self._named(space)
        self._only_for_real("A sync")
        home = self._engine.settings.home
        if remote is not None:
            opened_place(home, name, folder=None, remote=named_remote(str(remote)), chance=self._engine.clock.new_id())
        place = place_of(home, name)
        with locked(place, patience=self._engine.settings.busy_timeout):
            outcome, files, head = synced(self._vault(name, place), place.remote)
        return SyncReport(
            machine=place.machine,
            remote=place.remote,
            received=tuple(sorted({*outcome.received, *files.taken_in})),
            sent=tuple(sorted(outcome.sent)),
            erased=tuple(sorted(outcome.erased)),
            head=head,
            held=files.held,
            problems=(*dict.fromkeys(outcome.problems), *files.problems),
            left_out=tuple(files.left_out),
        )

    @operation(Effect.READ)
    def review(self, *, doubts: bool = False, space: str | None = None) -> Review:
        """List what needs a person: disputes, lost sources, texts meant for models, clashing edits, held deletions."""
        from recollect.domain.answers.vaults import Problem, Review
        from recollect.vault.place import place_of, recorded

        name = self._readable(space)
        items: list[Problem] = []
        try:
            known = recorded(place_of(self._engine.settings.home, name))
        except NotFound:
            pass
        else:
            items += (Problem(path, "held_deletion", f"{path} is gone{_HELD}") for path in known.held)
            items += known.problems
        for note in _in_question(self._engine.store, name):
            why = note.review or ("It is disputed: settle it." if is_unsettled(note) else None)
            if why:
                dispute = dispute_of(note)
                items.append(Problem(note.id, *_told(note, f"{why} {effect_of(dispute)}" if dispute else why)))
        return Review(tuple(items), self._doubted(name) if doubts else ())

    def _doubted(self, space: str) -> tuple[DoubtfulChange, ...]:
        from recollect.domain.answers.vaults import DoubtfulChange
        from recollect.verbs.models.settled_pairs import PairSettling

        pairs = chapter_alone(PairSettling, self._engine, self._caller).doubtful_pairs(space, limit=_MOST_DOUBTS)
        return tuple(
            DoubtfulChange(
                each.older.record_id,
                each.older.text,
                each.newer.record_id,
                each.newer.text,
                each.link.relation,
                each.link.score,
            )
            for each in pairs
        )

    @operation(Effect.READ)
    def log(self, *, limit: int = 20, space: str | None = None) -> Log:
        """Show what changed on which machine, newest first."""
        from recollect.vault import provenance

        return provenance.log(self._opened(space), limit=checked_limit(limit))

    @operation(Effect.READ)
    def show(self, revision: str, *, space: str | None = None) -> RevisionDetail:
        """Show what one revision changed, note by note."""
        from recollect.vault import provenance

        return provenance.detail(self._opened(space), revision)

    @operation(Effect.READ)
    def diff(self, note_id: str, *, since_version: int | None = None, space: str | None = None) -> Difference:
        """Show what the newest version of a note changed, or what changed since an earlier one."""
        from recollect.vault import provenance

        name, versions = self._versions(space, note_id)
        return provenance.difference(versions, self._machine(name), since_version)

    @operation(Effect.READ)
    def blame(self, note_id: str, *, space: str | None = None) -> Blame:
        """Show who wrote each line of a note, and when."""
        from recollect.vault import provenance

        name, versions = self._versions(space, note_id)
        return provenance.blame(versions, self._machine(name))

    @operation(Effect.WRITE)
    def revert(self, revision: str, *, space: str | None = None) -> Reverted:
        """Take one revision back, as a new edit: what was changed since stays, and history keeps both."""
        from recollect.vault.revisions import reverted

        return reverted(self._opened(space), revision, self._caller)

    @operation(Effect.READ)
    def machines(self, *, space: str | None = None) -> Machines:
        """Show which machines share this memory, and when each was last heard of."""
        from recollect.vault import provenance

        return provenance.machines(self._opened(space))

    def _opened(self, space: str | None) -> Vault:
        from recollect.vault.place import place_of

        name = self._known(space)
        return self._vault(name, place_of(self._engine.settings.home, name))

    def _machine(self, space: str) -> str:
        """The name of this machine; `this machine` where it has no vault yet."""
        from recollect.vault.place import place_of

        try:
            return place_of(self._engine.settings.home, space).machine
        except NotFound:
            return "this machine"

    def _versions(self, space: str | None, note_id: str) -> tuple[str, Sequence[Note]]:
        name = self._readable(space)
        checked = self._note_id(name, note_id)
        versions = self._engine.store.versions(name, [checked])
        if not versions:
            raise self._absent(name, checked)
        self._current(name, checked)  # refused once its time is over
        return name, versions

    def _only_for_real(self, what: str) -> None:
        if self._rehearsed is not None:
            raise Unsupported(f"{what} has no dry run.", hint="Try it with another RECOLLECT_HOME.")


_MOST_DOUBTS = 50  # changes in doubt that are told at once
_HELD = ", with many others; `vault scan --accept` takes that for meant, `vault scan --put-back` writes them again."


def _in_question(store: Store, space: str) -> list[Note]:
    """The notes that are disputed or wait for review, the newest id first."""
    from recollect.domain.filters.conditions import Comparison
    from recollect.domain.selections import current_notes

    marked = current_notes(store, space, where=Comparison("review", "exists", True))
    found = {note.id: note for note in (*marked, *current_notes(store, space, [State.DISPUTED]))}
    return [found[each] for each in sorted(found, reverse=True)]


def _told(note: Note, why: str) -> tuple[str, str]:
    """The code and the message under which a note waits; one that nobody has read yet is quoted."""
    from recollect.domain.answers.sessions import REFLECTION
    from recollect.remember.suspicion import is_suspected

    if is_suspected(note):
        return "suspected_injection", why
    return (REFLECTION, f"{why} “{note.text}”") if note.origin.source == REFLECTION else ("note", why)


def _report(place: Place, outcome: VaultOutcome) -> VaultReport:
    from recollect.domain.answers.vaults import VaultReport

    return VaultReport(
        folder=str(place.folder),
        machine=place.machine,
        taken_in=tuple(sorted(outcome.taken_in)),
        retracted=tuple(sorted(outcome.retracted)),
        written=outcome.written,
        removed=outcome.removed,
        held=outcome.held,
        problems=tuple(outcome.problems),
        left_out=tuple(outcome.left_out),
    )
