"""Verbs that carry memory out and in: export, import, backup, backups, restore."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from recollect.domain.changes import AdoptNote, ChangeKind, Changes, DropTimer, Receipt, SetTimer, WriteNote
from recollect.domain.dataclass import replace
from recollect.domain.errors import Erased, InvalidInput, NotFound, Unsupported
from recollect.domain.jobs.job import BACKUP, BACKUP_SPACE, Timer, checked_timer, period_in
from recollect.domain.origin import Channel
from recollect.domain.scopes import WHOLE_STORE, checked_space
from recollect.domain.trust.claims import importer_of
from recollect.operations import Effect
from recollect.remember import decisions
from recollect.remember.fields import checked_fields
from recollect.verbs.actor import checked_limit, operation
from recollect.verbs.writing import Writing

if TYPE_CHECKING:  # whoever sends nothing elsewhere does not pay for it
    from pathlib import Path

    from recollect.backups.addresses import Address
    from recollect.backups.transfer import Sender
    from recollect.domain.answers.recollections import ExportPage, ImportReport
    from recollect.domain.answers.upkeep import Backup, BackupList
    from recollect.domain.ports import Backups


class CarryingVerbs(Writing):
    """All of it: export, import, backup, backups, restore."""

    @operation(Effect.READ)
    def export(self, *, cursor: str | None = None, limit: int = 500, space: str | None = None) -> ExportPage:
        """Hand out everything, version by version, a page at a time: one space, or all of them."""
        engine = self._engine
        only = self._known(space) if space else None
        names = [only] if only else [each.name for each in engine.store.spaces()]
        from recollect.recall.export import export_page

        return export_page(
            engine.store,
            engine.log,
            engine.archive,
            engine.desk,
            engine.attachments,
            engine.links,
            names,
            only=only,
            cursor=cursor,
            limit=checked_limit(limit),
        )

    @operation(Effect.WRITE, name="import")
    def import_(
        self, lines: Sequence[str], *, first_line: int = 1, trust: bool = False, space: str | None = None
    ) -> ImportReport:
        """Take lines of an export in. Doing it twice changes nothing; what was forgotten stays forgotten.

        What a file says of its own origin is kept as a claim, unless you vouch for it. The lines of the reference
        knowledge-graph memory server are understood, too.
        """
        from recollect.dialects.server_memory.graph import import_graph, merged, parted
        from recollect.remember.imports import ImportScreen, import_lines

        if trust and not self._caller.may_vouch:
            raise InvalidInput(
                f"What comes through {self._caller.channel.value} cannot vouch for a file. Nothing was written.",
                code="authority_too_low",
                hint="Leave `trust` out, or import it at the command line or with an administrator's token.",
            )
        engine = self._engine
        kinds: set[ChangeKind] = set()
        brought: set[str] = set()

        def apply(changes: Changes) -> Receipt:
            if trust:  # a file that is believed brings its own marks; what was here already gets those it calls for
                brought.update(edit.note.id for edit in changes.edits if isinstance(edit, AdoptNote))
                wanted = self._with_reviews(changes.space, changes.edits)
                marks = [each for each in wanted if isinstance(each, WriteNote) and each.note.id not in brought]
                receipt = self._apply(replace(changes, edits=(*marks, *changes.edits)))
            else:
                receipt = self._apply_reviewed(changes)
            kinds.update(change.kind for change in receipt.changes)
            return receipt

        own, graph = parted(lines, first_line)
        foreign = import_graph(graph, lambda fields, note_id: self._take_in_once(space, fields, note_id))
        report = import_lines(
            own,
            first_line=first_line,
            into=None if space is None else checked_space(space),
            screen=ImportScreen(
                engine.store,
                engine.lineage,
                engine.log,
                engine.archive,
                engine.desk,
                engine.links,
                self._caller,
                engine.clock.now(),
                trust,
            ),
            apply=apply,
        )
        if ChangeKind.ERASED in kinds and self._rehearsed is None:
            self._engine.upkeep.clean_residue()
        return merged(report, foreign)

    def _take_in_once(self, space: str | None, fields: dict[str, Any], note_id: str) -> bool:
        """Save what a line of somebody else's file says, under an id made of its words; false if it is here already."""
        name = self._named(space)
        if self._engine.store.note(name, note_id) is not None:
            return False
        if self._was_erased(name, note_id):
            raise Erased(f"Note {note_id} was forgotten.")
        occasion = replace(self._occasion(name), new_id=note_id, caller=importer_of(self._caller))
        self._carry_out("import", name, *decisions.save(occasion, checked_fields(fields)))
        return True

    @operation(Effect.READ)
    def backup(
        self,
        path: str | Path | None = None,
        *,
        target: str | Path | None = None,
        keep: int | None = None,
        compact: bool = False,
        every: str | None = None,
        space: str | None = None,
    ) -> Backup:
        """Copy the whole store, or one space, to a file or a target elsewhere, while others go on using it."""
        from pathlib import Path

        name = None if space is None else checked_space(space)
        if target is None:
            if path is None or keep is not None or every is not None:
                raise _no_place(
                    "Name a file for the backup, or a target; `keep` and `every` are for targets.", "backup", "to"
                )
            store = self._backups(name and self._known(name))
            return store.backup(Path(path), compact=compact, at=self._engine.clock.now())
        if path is not None:
            raise _no_place("A backup goes to a file or to a target, not to both.", "backup", "to")
        if keep is not None and keep < 1:
            raise InvalidInput(f"`keep` is {keep}; the newest backup is always kept.", hint="Give 1 or more.")
        address = self._target(target)
        if every == "never":
            self._carry_out("backup", WHOLE_STORE, DropTimer(_timer_name(target, name)))
            name = name and self._still_known(name)
        name = name and self._known(name)
        timer = None if every in (None, "never") else self._backup_timer(str(target), keep, str(every), name)
        made = self._sender().send(self._backups(name), address, keep=keep)
        if timer is not None:  # set only once a first backup has arrived there
            self._carry_out("backup", WHOLE_STORE, SetTimer(timer))
        return made

    def _still_known(self, space: str) -> str:
        """The space whose backups by timer were just ended, if there still is one to copy."""
        try:
            return self._known(space)
        except NotFound:
            said = (
                f"The backups of `{space}` by timer were ended. There is no such space any more, so none was made now."
            )
            raise NotFound(said, code="not_found", hint="Nothing more is to be done.") from None

    def _backup_timer(self, target: str, keep: int | None, every: str, space: str | None) -> Timer:
        """The timer that has a backup made in every period."""
        period = period_in(every)
        timer = Timer(
            space=WHOLE_STORE,
            name=_timer_name(target, space),
            kind=BACKUP if space is None else BACKUP_SPACE,
            every_seconds=period,
            next_at=self._engine.clock.now(),
            payload={"target": target, "keep": keep, **({} if space is None else {"space": space})},
            origin=self._caller.origin(),
        )
        return replace(checked_timer(timer), next_at=timer.next_at + timedelta(seconds=period))

    @operation(Effect.READ)
    def backups(self, *, target: str | Path) -> BackupList:
        """List the backups that a target holds, newest first."""
        return self._sender().held(self._target(target))

    @operation(Effect.DESTROY)
    def restore(
        self,
        path: str | Path | None = None,
        *,
        target: str | Path | None = None,
        backup: str | None = None,
        space: str | None = None,
    ) -> Backup:
        """Become a backup again, or let one space do so, after checking it. What was forgotten stays forgotten."""
        from pathlib import Path

        if self._rehearsed is not None:
            raise Unsupported("A restore has no dry run.", hint="Restore it into another RECOLLECT_HOME and look.")
        if target is None:
            if path is None or backup is not None:
                raise _no_place("Name the file of the backup, or a target that holds it.", "restore", "from")
            return self._backups(space).restore(Path(path), at=self._engine.clock.now())
        if path is not None:
            raise _no_place("A backup comes from a file or from a target, not from both.", "restore", "from")
        return self._sender().restore(self._backups(space), self._target(target), backup, space)

    def _target(self, named: str | Path) -> Address:
        """The target that is meant. From elsewhere only those that are in the settings can be."""
        from recollect.backups.addresses import resolved

        here = self._caller.channel in (Channel.LIBRARY, Channel.CLI)
        return resolved(str(named), self._engine.settings.targets, only_by_name=not here)

    def _sender(self) -> Sender:
        from recollect.backups.transfer import Sender

        return Sender(self._engine.settings.home, self._engine.clock, self._tell or (lambda _: None))

    def _backups(self, space: str | None) -> Backups:
        from recollect.domain.ports import Backups

        if space is not None:
            from recollect.assembly import copies_of

            engine = self._engine
            return copies_of(engine.store, checked_space(space), engine.clock, engine.settings.home)
        store = self._engine.store
        if isinstance(store, Backups):
            return store
        raise Unsupported(
            f"A {store.kind} store is backed up with the server's own tools.",
            hint="Use pg_dump, or `recollect backup --space NAME`, which any store can take back.",
        )


def _timer_name(target: str | Path, space: str | None) -> str:
    return f"backup:{target}" if space is None else f"backup_space:{space}/{target}"  # no space has a slash


def _no_place(message: str, verb: str, spelled: str) -> InvalidInput:
    return InvalidInput(
        message, code="usage", hint=f"`recollect {verb} FILE`, or `recollect {verb} --{spelled} TARGET`."
    )
