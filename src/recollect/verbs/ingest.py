"""Verbs that take files in: documents become passages, chats and whole sessions are listened to.

What reads files is imported when the first one is taken in.

It is no verb: only an import knows which prompts of a session are new here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Unpack

from recollect.domain.changes import DropSession, Edit, OpenSession, RecordFile
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import NotFound
from recollect.domain.observations import Message, Observation, ObservationKind
from recollect.domain.origin import Caller, Channel, Origin
from recollect.engine import Engine
from recollect.operations import Effect
from recollect.redaction.clean_records import clean
from recollect.verbs.actor import WhereTold, operation
from recollect.verbs.listening import RememberingVerbs
from recollect.verbs.sessions import SessionVerbs
from recollect.verbs.writing import decided_anew

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.domain.answers.recollections import Ingested, Learned
    from recollect.remember.files.chunks import Chunk, FileDocument


_LARGEST = 100_000_000  # bytes of one file: exports of chats are large
_LONGEST_TITLE = 160  # characters
_MOST_TOLD = 100  # sessions of files
_BATCH = 200  # passages written at once, so that the write lock is held for milliseconds


@dataclass(slots=True)
class _Tally:
    """The counts so far: files read, passages kept, secrets redacted."""

    read: int = 0
    passages: int = 0
    redacted: Counter[str] = field(default_factory=Counter)
    sessions: list[str] = field(default_factory=list)


class IngestingVerbs(RememberingVerbs):
    """Files: ingest."""

    @operation(Effect.WRITE)
    def ingest(
        self,
        path: str | Path,
        *,
        ignore: Sequence[str] = (),
        background: bool = False,
        space: str | None = None,
        **where: Unpack[WhereTold],
    ) -> Ingested:
        """Take a file or a folder in. Doing it again touches only what has changed."""
        from pathlib import Path

        from recollect.domain.answers.recollections import Ingested, IngestFailure
        from recollect.redaction.redactor import redact
        from recollect.remember.files.chunks import Unreadable
        from recollect.remember.files.file_reader import changed, read_document
        from recollect.remember.files.folder import walk
        from recollect.remember.files.opened_file import fingerprint, relative_name
        from recollect.workspace.anchors import identity_of

        began = perf_counter()
        name, root = self._named(space), Path(path).expanduser().absolute()
        if not root.exists():
            raise NotFound(f"There is no {root}.", code="file_not_found", hint="Name a file or a folder.")
        if background:
            given = {name: value for name, value in where.items() if value is not None}
            payload = {"path": str(root), "ignore": list(ignore), "where": given}
            job = self._queue("ingest", self._new_job("ingest", name, payload=payload, lane="ingest"))
            return Ingested(0, 0, 0, 0, job_id=job.id)
        known = self._engine.archive.files(name, clean(str(root)))
        tally, found, refused = _Tally(), dict[str, str](), list[Unreadable]()
        places: dict[str, str] = {}  # for each name without secrets, the file's own
        own = files_of(self._engine.store.location)
        for each in walk(root, ignore=ignore, max_bytes=_LARGEST) if root.is_dir() else [root]:
            if isinstance(each, Path) and identity_of(each) in own:
                # Not even looked into: closing the file would drop the locks this process has on it.
                shown = relative_name(each, root)
                refused.append(Unreadable(shown, "own_database", f"`{shown}` is this memory's own database."))
                continue
            mark = each if isinstance(each, Unreadable) else fingerprint(each, root=root, max_bytes=_LARGEST)
            if isinstance(mark, Unreadable):
                refused.append(mark)
            elif places.setdefault(clean(mark[0]), mark[0]) != mark[0]:
                told = f"The names of two files hold a secret and are the same without it: `{clean(mark[0])}`."
                refused.append(Unreadable(clean(mark[0]), "secret_in_name", told))
            else:
                found[clean(mark[0])] = mark[1]
        difference = changed(
            found, {path: sha256 for path, (sha256, _) in known.items()}, [each.path for each in refused]
        )

        def counted(text: str) -> str:
            cleaned = redact(text)
            tally.redacted.update(each.kind for each in cleaned.redactions)
            return cleaned.text

        due = sorted((*difference.added, *difference.changed))
        for place_in_line, path_below in enumerate(due):
            tell = partial(self._tell_files, done=place_in_line, total=len(due))
            tell(path_below)
            place = root / places[path_below] if root.is_dir() else root
            read = read_document(place, root=root, redact=counted, max_bytes=_LARGEST)
            if isinstance(read, Unreadable):
                refused.append(read)
            else:
                self._take_in(name, root, read, known.get(path_below), where, tally, tell)
        self._tell_files(clean(root.name), len(due), len(due))
        for gone in difference.vanished:
            self._carry_out("ingest", name, DropSession(known[gone][1]), RecordFile(str(root), gone, "", None))
        return Ingested(
            read=tally.read,
            unchanged=len(difference.unchanged),
            gone=len(difference.vanished),
            passages=tally.passages,
            failures=tuple(IngestFailure(clean(each.path), each.code, clean(each.message)) for each in refused),
            redacted=dict(sorted(tally.redacted.items())),
            seconds=round(perf_counter() - began, 3),
            session_ids=tuple(
                [*tally.sessions, *(known[each][1] for each in sorted(difference.unchanged))][:_MOST_TOLD]
            ),
        )

    def _tell_files(self, path: str, done: int, total: int) -> None:
        from recollect.domain.answers.upkeep import Progress

        if self._tell is not None:
            self._tell(Progress(path, done, total, unit="files"))

    def _take_in(
        self,
        space: str,
        folder: Path,
        document: FileDocument,
        before: tuple[str, str] | None,
        where: WhereTold,
        tally: _Tally,
        tell: Callable[[str], None],
    ) -> None:
        """Write one document, passage by passage; the manifest last, so that a crash makes it be read again."""
        from recollect.remember.pipeline import Heard, keep

        session_id = _session_of(folder, document)
        origin = Origin(Channel.FILE, self._caller.principal, source=str(folder / document.path))
        setting = self._setting(space, {**where, "session": session_id}, "UTC", self._engine.clock.now())
        dropped = {session_id, *((before[1],) if before else ())}
        edits: list[Edit] = [*(DropSession(each) for each in sorted(dropped)), OpenSession(setting.session)]
        chunks_written = 0
        for chunks in _in_batches(document.chunks):
            if chunks_written:
                tell(f"{clean(document.path)}, {chunks_written:,} of {len(document.chunks):,} passages")
            heard = Heard()
            for chunk in chunks:
                title = clean(" > ".join((clean(document.path), *chunk.title_path)))[:_LONGEST_TITLE]
                keep(chunk.text, setting, heard, kind=ObservationKind.PASSAGE, title=title, origin=origin)
            self._carry_out("ingest", space, *edits, *heard.edits)
            edits, chunks_written = [], chunks_written + len(chunks)
        if edits:
            self._carry_out("ingest", space, *edits)
        from recollect.verbs.listening import IncomingMessages

        for conversation in document.conversations:
            turns = [
                Message(turn.role, turn.text, turn.at or self._engine.clock.now(), turn.speaker)
                for turn in conversation.turns
            ]
            for batch in _in_batches(turns):
                there: WhereTold = {**where, "session": f"{session_id}/{conversation.id}"}
                self._hear("ingest", space, IncomingMessages(batch), there, "UTC", {}, None, read=True)
                tally.passages += len(batch)
        self._carry_out("ingest", space, RecordFile(str(folder), document.path, document.sha256, session_id))
        tally.read += 1
        tally.sessions.append(session_id)
        tally.passages += len(document.chunks)


def files_of(location: str) -> frozenset[tuple[int, int]]:
    """The files of the store, if it is one of files; nobody else may open them."""
    from pathlib import Path

    from recollect.workspace.anchors import identity_of

    found = (identity_of(Path(location + ending)) for ending in ("", "-wal", "-shm", "-journal"))
    return frozenset(each for each in found if each is not None)


def _session_of(folder: Path, document: FileDocument) -> str:
    """The session of a file's passages: always the same for the same bytes at the same place."""
    import hashlib

    place = hashlib.sha256(f"{folder}\0{document.path}".encode("utf-8", "surrogateescape")).hexdigest()
    return f"file-{place[:24]}-{document.sha256[:16]}"


def _in_batches(items: Sequence[Chunk] | Sequence[Message]) -> Iterator[Sequence]:  # type: ignore[type-arg]
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]


class Transcripts(SessionVerbs):
    """Learns from the transcripts of sessions, on one memory."""

    def __init__(self, engine: Engine, caller: Caller) -> None:
        self._engine, self._caller, self._rehearsed = engine, caller, None

    def read(self, session_id: str, prompts: Sequence[Observation], *, space: str) -> Sequence[Learned]:
        """Read prompts that are kept already, in the order they were typed; what was learned from them."""
        from recollect.remember.pipeline import Heard

        session = self._session(space, session_id)
        where: WhereTold = {"session": session.id, "project": session.scope.project, "user": session.scope.user}

        def attempt() -> Sequence[Learned]:
            heard = Heard()
            self._read_prompts(prompts, self._setting(space, where, "UTC", session.started_at), heard)
            if heard.edits:
                self._carry_out("learn", space, *heard.edits)
            return heard.learned

        return decided_anew(attempt)
