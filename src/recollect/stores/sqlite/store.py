"""The SQL store on a file, which can also copy itself while others use it and become a copy again.

A copy is made through SQLite's own calls, never by copying the file. It counts only once it was opened and
checked. Beside it stands a manifest: a digest of its bytes and what is in it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from recollect.domain.clock import Clock
from recollect.domain.errors import Damaged, InvalidInput, NotFound, StoreFailure
from recollect.domain.origin import Channel, Origin
from recollect.stores.migrations import migrate
from recollect.stores.sql_store import SqlStore
from recollect.stores.sqlite.database import SqliteDatabase
from recollect.stores.sqlite.files import make_file, make_folder, not_writable, write_safely

if TYPE_CHECKING:
    from recollect.domain.answers.upkeep import Backup
    from recollect.domain.changes import Edit

_CHUNK = 1 << 20


class SqliteStore(SqlStore):
    """Memory in one SQLite file."""

    def __init__(self, database: SqliteDatabase, schema: int, clock: Clock, busy_timeout: float) -> None:
        super().__init__(database, schema)
        self._sqlite = database
        self._clock = clock
        self._busy_timeout = busy_timeout

    @classmethod
    def open(cls, path: str, *, clock: Clock, busy_timeout: float) -> SqliteStore:
        database = SqliteDatabase(path, clock=clock, busy_timeout=busy_timeout)
        try:
            return cls(database, migrate(database, clock.now()), clock, busy_timeout)
        except BaseException:
            database.close()
            raise

    def backup(self, target: Path, *, compact: bool, at: datetime, space: str | None = None) -> Backup:
        """See `Backups.backup`. A compact copy is written anew and holds no page that was ever freed.

        `space` is for the manifest of a store that was made to carry this space alone.
        """
        from recollect.codecs.plain import manifest_text
        from recollect.disk import sync_folder
        from recollect.domain.answers.upkeep import Backup

        target = require_free(target)
        with _beside(target, self._clock) as draft:
            if compact:
                self._copy_compactly(self._sqlite.connection(), draft)
            else:
                self._copy(self._sqlite.connection(), draft)
            facts = self._inspect(draft)
            backup = Backup(
                path=str(target),
                manifest=str(manifest_of(target)),
                sha256=_digest(draft),
                size_bytes=draft.stat().st_size,
                made_at=at,
                space=space,
                **facts,
            )
            # The manifest is written first: a copy without one is never taken for a backup.
            write_safely(manifest_of(target), manifest_text(backup), draft=manifest_of(draft))
            draft.rename(target)
            sync_folder(target.parent)
        return backup

    def restore(self, source: Path, *, at: datetime, known_as: str | None = None) -> Backup:
        """See `Backups.restore`. Done in one transaction: others see the old state or the new, never a mixture."""
        source = source.expanduser().absolute()
        backup = self.verified(source)
        if backup.space is not None:
            raise InvalidInput(
                f"{known_as or source} is a backup of the space `{backup.space}` alone. Nothing was changed.",
                code="one_space",
                hint=f"`--space {backup.space}` restores it, and leaves every other space as it is.",
            )
        self.become(source, at=at, known_as=known_as)
        return backup

    def become(self, source: Path, *, at: datetime, known_as: str | None = None) -> None:
        """Take the place of a copy that was verified."""
        with _beside(self._sqlite.path or source, self._clock) as draft:
            _copy_file(source, draft)
            with contextlib.closing(
                SqliteStore.open(str(draft), clock=self._clock, busy_timeout=self._busy_timeout)
            ) as copy:
                self._become(copy, at, Origin(Channel.LIBRARY, source=known_as or str(source)))
        self.upkeep.clean_residue()

    def _become(self, copy: SqliteStore, at: datetime, origin: Origin) -> None:
        """Take a copy's place. Nobody else writes between the look at what was erased here and the end."""
        with (
            self._sqlite.translated(),
            contextlib.closing(self._sqlite.connect()) as ours,
            ours.backup("main", copy._sqlite.connection(), "main") as steps,
        ):
            if self._sqlite.path is not None:
                steps.step(1)  # takes the write lock and keeps it; in memory, readers would be locked out as well
            self._carry_over(copy, at, origin)
            steps.step()

    def _carry_over(self, copy: SqliteStore, at: datetime, origin: Origin) -> None:
        """Tell a copy what it must not forget: what was erased, how far the counters had come, who may come in,
        who is told, and what was spent."""
        from recollect.domain.changes import Changes, DeleteSpace, EraseNote, ResumeSpace

        with self._sqlite.reading(None) as transaction:
            here = transaction.query("SELECT name, seq, deleted_at, served_by FROM space")
        # Who may come in is decided here and not by the copy, which may be older than a revocation.
        copy.tokens.become(self.tokens.every())
        copy.sign_ins.accounts.become(self.sign_ins.accounts.every())
        copy.webhooks.become(self.webhooks.every())
        copy.spend.become(self.spend.every())
        copy.provider_keys.become(self.provider_keys.every())
        with copy.database.writing(None) as transaction:  # as is who serves and who reads which space
            transaction.query("UPDATE space SET served_by = NULL WHERE served_by IS NOT NULL")
            transaction.query("UPDATE brain SET public = 0 WHERE public <> 0")
        for name, seq, deleted_at, served_by in here:
            stones = self.log.tombstones(name, after="", limit=-1)
            edits: list[Edit] = [EraseNote(stone.note_id) for stone in stones]
            copy.apply(Changes(name, "restore", at, origin, (*edits, ResumeSpace(seq))))
            if deleted_at is not None:
                # By itself: a space that the copy does not have, or no longer, was made by the lines above.
                copy.apply(Changes(name, "restore", at, origin, (DeleteSpace(),)))
            elif (brain := self.brains.brain(name)) is not None:
                copy.brains.keep(brain)
            if served_by is not None:
                with copy.database.moving(name) as transaction:
                    transaction.rows("hand_over", space=name, address=served_by)

    def _copy(self, source: apsw.Connection, target: Path) -> None:
        with self._sqlite.translated():
            copy = apsw.Connection(str(target))
            try:
                # All at once: readers do not hold up writers, and in pieces a busy database starts it over.
                with copy.backup("main", source, "main") as steps:
                    steps.step()
                copy.pragma("journal_mode", "delete")  # one file, with nothing beside it
            finally:
                copy.close()

    def _copy_compactly(self, source: apsw.Connection, target: Path) -> None:
        # One in memory would make its copy in memory too, unless it is told where files are.
        in_memory = self._sqlite.path is None
        with self._sqlite.translated():
            source.execute(
                "VACUUM INTO ?", (f"{target.as_uri()}?vfs={apsw.vfs_names()[0]}" if in_memory else str(target),)
            )

    def verified(self, source: Path) -> Backup:
        """The backup that a file is, after comparing every byte with its manifest; see `Backups.restore`."""
        from recollect.codecs.plain import manifest_read

        manifest = manifest_of(source)
        if not source.is_file() or not manifest.is_file():
            missing = source if not source.is_file() else manifest
            raise NotFound(
                f"There is no {missing}.",
                code="backup_not_found",
                hint="A backup is two files: the copy, and its manifest with `.json` added to the name.",
            )
        if self._sqlite.path is not None and source.samefile(self._sqlite.path):
            # Reading it as a file would drop the locks of every connection this process has.
            raise InvalidInput(f"{source} is the database itself, not a backup of it.", code="not_a_backup")
        try:
            backup = manifest_read(manifest.read_text(encoding="utf-8"))
        except (ValueError, TypeError, KeyError):
            raise Damaged(f"The manifest {manifest} cannot be read.", code="backup_damaged", hint=_OLDER) from None
        except OSError as problem:
            raise _not_readable(manifest, problem) from problem
        try:
            digest = _digest(source)
        except OSError as problem:
            raise _not_readable(source, problem) from problem
        if digest != backup.sha256:
            raise Damaged(f"{source} is not what its manifest says.", code="backup_damaged", hint=_OLDER)
        facts = self._inspect(source)
        if (facts["notes"], facts["changes"]) != (backup.notes, backup.changes):
            raise Damaged(f"{source} does not hold what its manifest says.", code="backup_damaged", hint=_OLDER)
        return backup

    def _inspect(self, file: Path) -> dict[str, Any]:
        """Open a copy by itself, check every page of it, and count what is in it."""
        with self._sqlite.translated():
            copy = apsw.Connection(
                f"{file.as_uri()}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
            )
            try:
                if copy.pragma("integrity_check") != "ok":
                    raise Damaged(f"{file} is damaged.", code="backup_damaged", hint=_OLDER)
                return {
                    "schema": copy.execute("SELECT max(number) FROM migration").get,
                    "notes": copy.execute("SELECT count(*) FROM note WHERE replaced_at IS NULL").get,
                    "changes": {row[0]: row[1] for row in copy.execute("SELECT name, seq FROM space ORDER BY name")},
                }
            except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError):
                # It says that of the copy, and not of the database that is in use.
                raise Damaged(f"{file} is damaged.", code="backup_damaged", hint=_OLDER) from None
            finally:
                copy.close()


_OLDER = "Use an older backup."


def manifest_of(backup: Path) -> Path:
    """The file beside a backup that says what is in it."""
    return backup.with_name(backup.name + ".json")


@contextlib.contextmanager
def _beside(target: Path, clock: Clock) -> Iterator[Path]:
    """A file that is made in the target's folder under a name of its own, and is gone afterwards."""
    draft = target.with_name(f".{target.name}.{clock.new_id()}")
    try:
        make_folder(target.parent)
        make_file(draft)
        yield draft
    except OSError as problem:
        raise not_writable(target, problem, hint="Choose another place.") from problem
    finally:
        for leftover in (draft, *(Path(f"{draft}{end}") for end in ("-wal", "-shm", "-journal", ".json"))):
            # What was asked for is done or has failed by now; a leftover changes nothing about that.
            with contextlib.suppress(OSError):
                leftover.unlink(missing_ok=True)


def require_free(target: Path) -> Path:
    """Where a backup is written, if nothing is there yet; `file_exists` otherwise."""
    target = target.expanduser().absolute()
    if target.exists():
        raise InvalidInput(
            f"{target} is there already.", code="file_exists", hint="Choose another name; backups are kept."
        )
    return target


def _not_readable(path: Path, problem: OSError) -> StoreFailure:
    return StoreFailure(
        f"{path} cannot be read: {problem.strerror}.", code="not_readable", hint="Check who owns it, and the disk."
    )


def _copy_file(source: Path, target: Path) -> None:
    with source.open("rb") as reader, target.open("wb") as writer:
        while chunk := reader.read(_CHUNK):
            writer.write(chunk)


def _digest(file: Path) -> str:
    with file.open("rb") as reader:
        import hashlib

        return hashlib.file_digest(reader, "sha256").hexdigest()
