"""Writing: how a verb changes memory, in whose name, on which version, and exactly once."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.domain.changes import (
    AddObservation,
    AdoptNote,
    Basis,
    ChangeKind,
    Changes,
    Edit,
    EraseNote,
    Idempotency,
    QueueJob,
    Receipt,
    WriteNote,
    WriteVector,
)
from recollect.domain.dataclass import replace
from recollect.domain.errors import Conflict, RecollectError
from recollect.domain.jobs.job import EMBED, JUDGE, REDERIVE, SETTLE, UPKEEP, Job
from recollect.domain.notes import Note, State, revised
from recollect.domain.origin import Channel
from recollect.domain.scopes import ANYWHERE
from recollect.domain.text import sound_name
from recollect.domain.trust.authority_table import Outcome, outcome, too_low
from recollect.domain.trust.disputes import dispute_of, is_unsupported, unsupported, why_stale, with_mark, without_marks
from recollect.domain.values import to_plain
from recollect.redaction.clean_records import clean_changes, without_secrets
from recollect.remember.decisions import Occasion
from recollect.verbs.actor import Acting

if TYPE_CHECKING:  # files are not loaded by whoever has none: see the cold start
    from recollect.domain.chat.chat_model import ChatModel, ModelTask
    from recollect.domain.meanings import Embedder
    from recollect.vault.open_vault import Vault
    from recollect.vault.place import Place

R = TypeVar("R")
S = TypeVar("S", bound=Edit)

# Whether something was made from what is taken back is decided by all notes: none may be written meanwhile.
MARKED_BY = frozenset({ChangeKind.WRITTEN, ChangeKind.ADOPTED, ChangeKind.ERASED})
MOST_TEXTS_IN_A_WRITE = 64  # that are embedded before a write, if a job could do so after it
_REDERIVED_TOGETHER = 20  # notes of one job: their messages go to a model together, by user and project
_TRIES = 50  # at a change with no stated base, while others are faster


class Writing(Acting):
    """The ground of every chapter of verbs that writes."""

    def _parents(self, space: str, record_ids: Sequence[str]) -> list[Note]:
        """The notes among what something is made from. The rest was said, and ranks with whoever hands it on."""
        said = self._engine.archive.those(space, record_ids)
        return [self._current(space, each) for each in record_ids if each not in said]

    def _vault(self, space: str, place: Place) -> Vault:
        """The vault of a space, with this memory behind it."""
        from recollect.vault.open_vault import Vault

        engine = self._engine
        return Vault(
            place,
            space,
            engine.store,
            engine.log,
            engine.upkeep,
            engine.clock,
            self._caller.principal,
            self._apply_reviewed,
            rehearsed=self._rehearsed is not None,
            attachments=engine.attachments,
            archive=engine.archive,
        )

    def _with_reviews(self, space: str, edits: Sequence[Edit]) -> list[Edit]:
        """The edits, a mark on every note that rests on one that is about to change or to go, and jobs for them.

        A record that is retracted or erased takes the support from everything made from it, at any remove; another
        change is told only to what rests on it directly.
        """
        store, lineage, now = self._engine.store, self._engine.lineage, self._engine.clock.now()
        # Of an import the newest version of each note counts, which comes last.
        written = {edit.note.id: edit.note for edit in edits if isinstance(edit, WriteNote | AdoptNote)}
        adopted = {edit.note.id for edit in edits if isinstance(edit, AdoptNote)}
        revised_ids = [each.id for each in written.values() if each.version > 1]
        before = store.current(space, revised_ids) if revised_ids else {}
        gone = {edit.note_id: "was forgotten" for edit in edits if isinstance(edit, EraseNote)}
        lost, changed = _lost_and_changed(written, before, adopted)
        gone |= lost | self._taken_back(space, lost, edits)
        marked: dict[str, Note] = {}
        if gone:
            resting = store.current(space, lineage.resting_on(space, sorted(gone)))
            marked = {note.id: note for note in unsupported(gone, {**resting, **written}, now)}
        for note_id in changed:
            for note in self._resting_directly_on(space, note_id):
                if note.id not in written and note.id not in marked:
                    stale = with_mark(why_stale(note_id), without_marks(note.review))
                    marked[note.id] = revised(note, now, review=stale)
        added = (WriteNote(note) for note_id, note in marked.items() if note_id not in written)
        told = (_marked(edit, marked, written) for edit in edits)
        ids, step = sorted(marked), _REDERIVED_TOGETHER
        jobs = (self._rederiving_of(space, ids[start : start + step]) for start in range(0, len(ids), step))
        return [*added, *told, *map(QueueJob, jobs)]

    def _taken_back(self, space: str, lost: Collection[str], edits: Sequence[Edit]) -> dict[str, str]:
        """The messages that lost notes take back, which may be written together with them."""
        if not lost:
            return {}
        from recollect.domain.trust.disputes import named_by, taken_back

        notes = [edit.note for edit in edits if isinstance(edit, WriteNote | AdoptNote) and edit.note.id in lost]
        named = [message_id for message_id in map(named_by, notes) if message_id is not None]
        said = self._engine.archive.those(space, named) if named else {}
        said |= {edit.observation.id: edit.observation for edit in edits if isinstance(edit, AddObservation)}
        return dict.fromkeys(taken_back(said, notes), "was retracted")

    def _resting_directly_on(self, space: str, note_id: str) -> list[Note]:
        """The notes that say themselves that they depend on one, and do not wait for review already."""
        near = [each for relation, each in self._engine.lineage.links_to(space, note_id) if relation == "depends_on"]
        found = self._engine.store.current(space, near).values()
        return [note for note in found if note_id in note.depends_on and not is_unsupported(note)]

    def _rederiving_of(self, space: str, note_ids: Sequence[str]) -> Job:
        """The job that derives notes anew which one write has marked: they share what a model is asked."""
        from hashlib import sha256

        key = f"{REDERIVE}:{sha256(' '.join(note_ids).encode()).hexdigest()}"
        return self._new_job(REDERIVE, space, payload={"notes": list(note_ids)}, key=key, lane=REDERIVE)

    def _occasion(self, space: str) -> Occasion:
        clock = self._engine.clock
        return Occasion(space, clock.now(), self._caller, clock.new_id())

    def _apply(self, changes: Changes) -> Receipt:
        """The only way in which a verb writes. Texts are turned into vectors first, outside the transaction.

        The store takes secrets out of whatever it is given. Where vectors are made they go before, so that none is made
        of a secret.
        """
        if self._fence is not None:
            changes = replace(changes, edits=(*changes.edits, *self._fence(changes.space)))
        made = self._engine.inference.get()
        if self._rehearsed is None and made.embedder is None and made.beside is None and made.judge is None:
            return self._applied(changes)
        clean = clean_changes(changes)
        if self._rehearsed is None:
            return self._applied(self._with_judgements(self._with_vectors(clean)))
        receipt = self._engine.store.apply(clean, rehearse=True)
        self._rehearsed.append(clean)
        return receipt

    def _applied(self, changes: Changes) -> Receipt:
        receipt = self._engine.store.apply(changes)
        if receipt.changes:
            has_job = any(change.kind is ChangeKind.JOB_QUEUED for change in receipt.changes)
            if has_job or self._engine.bell.bus is not None:
                self._engine.bell.tell(changes.space, has_job=has_job)
        if self._engine.settings.maintain_after:
            self._maintain_sometimes(changes.space, receipt)
        return receipt

    def _maintain_sometimes(self, space: str, receipt: Receipt) -> None:
        """Queue maintenance with each so many changes of a space, where a runner is at hand. No write fails by it."""
        every, numbers = self._engine.settings.maintain_after, [change.seq for change in receipt.changes]
        if not numbers or receipt.replayed or not self._engine.bell.is_attended or self._caller.within != ANYWHERE:
            return
        if max(numbers) // every > (min(numbers) - 1) // every:
            job = self._maintenance_of(space, "quick")
            edits, now = (QueueJob(job),), self._engine.clock.now()
            with suppress(RecollectError):  # the next so many changes ask again
                self._engine.store.apply(Changes(job.space, "maintain", now, job.origin, edits))
                self._engine.bell.ring()

    def _with_vectors(self, changes: Changes) -> Changes:
        """The changes with vectors for each new text, so that one commit covers both; or with a job that makes them.

        It is put off where the write would wait for another machine, or for a large batch while a runner is at hand.
        """
        embedders, beside = self._engine.embedders, self._engine.inference.get().beside
        if not embedders and beside is None:
            return changes
        texts: list[tuple[str, int, str]] = []
        written: dict[tuple[str, int], Note] = {}
        for edit in changes.edits:
            if isinstance(edit, AddObservation):
                texts.append((edit.observation.id, 0, edit.observation.words))
            elif isinstance(edit, WriteNote | AdoptNote):
                note = edit.note
                written[note.id, note.version] = note
                if self._has_new_words(note, written.get((note.id, note.version - 1))):
                    texts.append((note.id, note.version, f"{note.title}. {note.text}" if note.title else note.text))
        from recollect.domain.meanings import some_at_a_time

        if texts and puts_off_embedding(embedders, len(texts), attended=self._engine.bell.is_attended):
            return replace(changes, edits=(*changes.edits, QueueJob(self._embedding_of(changes.space))))
        edits = (
            WriteVector(record_id, version, embedder.model_id, vector)
            for some in some_at_a_time(texts)
            for embedder in embedders
            for (record_id, version, _), vector in zip(
                some, embedder.passages([text for _, _, text in some]), strict=True
            )
        )
        # Of a model that serves nobody yet, or no longer, they can wait.
        later = (QueueJob(self._embedding_of(changes.space)),) if texts and beside is not None else ()
        return replace(changes, edits=(*changes.edits, *edits, *later))

    def _with_judgements(self, changes: Changes) -> Changes:
        """The changes with links between their texts and older ones, if there is a judge."""
        judge = self._engine.judge
        if judge is None:
            return changes
        from recollect.verbs.models.judged_writes import may_have_doubts, with_judgements

        judged = with_judgements(
            self._engine,
            judge,
            changes,
            within=self._caller.within,
            has_new_words=lambda note: self._has_new_words(note, None),
            new_job=self._judging_of,
        )
        if not may_have_doubts(judged) or not self._engine.settings.providers:
            return judged
        from recollect.domain.chat.chat_model import ModelTask

        if self._working_model(ModelTask.SETTLE, changes.space) is None:
            return judged
        return replace(judged, edits=(*judged.edits, QueueJob(self._settling_of(changes.space))))

    def _settling_of(self, space: str) -> Job:
        """The job that puts pairs in doubt to a model, a minute later and for all writes until then."""
        job = self._new_job(SETTLE, space, key=SETTLE, lane=SETTLE, max_attempts=20)
        return replace(job, due_at=job.due_at + timedelta(seconds=60))

    def _working_model(self, task: ModelTask, space: str, session: str = "") -> ChatModel | None:
        """The model of work after a write, if there is one. Without a provider nothing of models is loaded."""
        if not self._engine.settings.providers:
            return None
        return self._engine.chat_models.for_task(task, space=space, session=session)

    def _judging_of(self, space: str) -> Job:
        """The job that judges what waits. It stands in one lane with the job that makes the vectors it needs."""
        return self._new_job(JUDGE, space, key=JUDGE, lane=EMBED, max_attempts=20)

    def _embedding_of(self, space: str) -> Job:
        """The job that makes the vectors which a space lacks. Many writes before its first try are one job."""
        return self._new_job(EMBED, space, key=EMBED, lane=EMBED, max_attempts=20)

    def _maintenance_of(self, space: str, scope: str) -> Job:
        """The job that puts a space in order. Of one space only one runs at a time."""
        return self._new_job(UPKEEP, space, payload={"scope": str(scope)}, key=f"{UPKEEP}:{scope}", lane=UPKEEP)

    def _new_job(self, kind: str, space: str, **fields: Any) -> Job:
        """A job in the caller's name that is due at once."""
        clock, now = self._engine.clock, self._engine.clock.now()
        return Job(clock.new_id(), space, kind, now, now, origin=self._caller.origin(), **fields)

    def _queue(self, reason: str, job: Job) -> Job:
        """Queue a job; the one with its key that waits already, if there is one."""
        receipt = self._carry_out(reason, job.space, QueueJob(job))
        if job.key is None or any(change.record_id == job.id for change in receipt.changes):
            return job
        return self._engine.jobs.waiting(job.space, job.key) or job

    def _has_new_words(self, note: Note, before: Note | None) -> bool:
        if before is None and note.version > 1:
            before = self._engine.store.version(note.space, note.id, note.version - 1)
        return before is None or before.words != note.words

    def _carry_out(self, reason: str, space: str, *edits: Edit) -> Receipt:
        return self._apply_reviewed(Changes(space, reason, self._engine.clock.now(), self._caller.origin(), edits))

    def _apply_reviewed(self, changes: Changes) -> Receipt:
        """Apply changes with the marks they call for. What comes by sync has been marked where it was changed."""
        if changes.origin.channel is not Channel.SYNC:
            changes = replace(changes, edits=tuple(self._with_reviews(changes.space, changes.edits)))
        return self._apply(changes)

    def _write(
        self,
        reason: str,
        space: str,
        decide: Callable[[], tuple[WriteNote, ...] | Note],
        *,
        asked: Mapping[str, Any],
        key: str | None,
        may_retry: bool = True,
        rests_on: frozenset[ChangeKind] = frozenset(),
        before: Sequence[Edit] = (),
    ) -> Note:
        """Decide and apply, deciding anew when another process was faster. Under a key it is done only once.

        A decision that comes to a note has nothing to write: the note says it already. `rests_on` is what must not have
        changed anywhere in the space, where the decision is about more than one note. `before` is looked at after each
        decision, and goes first in the same commit.
        """
        request = request_for(reason, asked, key)
        if request is not None:
            earlier = self._engine.store.replay(space, request)
            if earlier is not None:
                return self._written(space, earlier)

        def attempt() -> Note:
            basis = self._basis(space, rests_on)
            decided = decide()
            if isinstance(decided, Note):
                return decided
            edits = without_secrets(decided)
            now = self._engine.clock.now()
            reviewed = tuple(self._with_reviews(space, (*before, *edits)))
            changes = Changes(space, reason, now, self._caller.origin(), reviewed, request, basis)
            receipt = self._apply(changes)
            return self._written(space, receipt) if receipt.replayed else edits[-1].note

        return decided_anew(attempt) if may_retry else attempt()

    def _settle(
        self,
        reason: str,
        space: str,
        decide: Callable[[], S],
        *,
        asked: Mapping[str, Any],
        key: str | None,
        rests_on: frozenset[ChangeKind] = frozenset(),
    ) -> tuple[S | None, Receipt]:
        """Decide on one edit that is no note's, and apply it; anew when another process was faster.

        The edit is `None` when it had been done before, under the same key. `rests_on`: see `_write`.
        """
        request = request_for(reason, asked, key)

        def attempt() -> tuple[S | None, Receipt]:
            earlier = self._engine.store.replay(space, request) if request else None
            if earlier is not None:
                return None, earlier
            basis = self._basis(space, rests_on)
            edit = without_secrets(decide())
            now = self._engine.clock.now()
            receipt = self._apply(Changes(space, reason, now, self._caller.origin(), (edit,), request, basis))
            return (None if receipt.replayed else edit), receipt

        return decided_anew(attempt)

    def _basis(self, space: str, kinds: frozenset[ChangeKind]) -> Basis | None:
        """The number of the space's last change, read before anything else is."""
        if not kinds:
            return None
        found = self._engine.store.space(space)
        return Basis(found.seq if found else 0, kinds)

    def _revise(
        self,
        reason: str,
        space: str | None,
        note_id: str,
        decide: Callable[[Occasion, Note], tuple[WriteNote, ...]],
        *,
        asked: Mapping[str, Any],
        expected_version: int | None,
        key: str | None = None,
    ) -> Note:
        """Change a note, on the version the caller saw or else on the newest."""
        name = self._known(space)
        note_id = self._note_id(name, note_id)

        verb = reason.partition(":")[0]

        def decide_on_base() -> tuple[WriteNote, ...]:
            occasion, note = self._occasion(name), self._base(name, note_id, expected_version)
            return self._as_ranked(verb, occasion, note, lambda: decide(occasion, note), asked)

        return self._write(
            reason,
            name,
            decide_on_base,
            asked={"note_id": note_id, "expected_version": expected_version, **asked},
            key=key,
            may_retry=expected_version is None,
            # What a note is to rest on must not be taken back meanwhile; nor may anything come to rest on what is.
            rests_on=MARKED_BY if verb in ("retract", "settle") or asked.get("depends_on") else frozenset(),
        )

    def _as_ranked(
        self,
        verb: str,
        occasion: Occasion,
        note: Note,
        decide: Callable[[], tuple[WriteNote, ...]],
        asked: Mapping[str, Any],
    ) -> tuple[WriteNote, ...]:
        """The change that is decided on, or what becomes of it where the caller ranks below the note."""
        from recollect.remember.proposals import proposed

        match outcome(self._caller, note.authority, verb):
            case None | Outcome.NOTED:
                return decide()
            case Outcome.PROPOSED:
                decided = decide()
                kind, waiting = "update" if verb == "save" else verb, self._proposals_on(occasion.space, note.id)
                return proposed(occasion, note, decided[-1].note, kind, sorted(asked), waiting) if decided else ()
            case _:
                raise too_low(self._caller, note.authority, verb, what=f"Note {note.id}")

    def _proposals_on(self, space: str, note_id: str) -> list[Note]:
        """The proposals that contradict a note and wait."""
        near = [each for relation, each in self._engine.lineage.links_to(space, note_id) if relation == "related"]
        found = self._engine.store.current(space, near).values()
        return [note for note in found if (dispute := dispute_of(note)) and dispute.note_id == note_id]

    def _base(self, space: str, note_id: str, expected_version: int | None) -> Note:
        current = self._current(space, note_id)
        if expected_version is not None and expected_version != current.version:
            raise Conflict(
                f"Note {note_id} is at version {current.version} now; you expected version {expected_version}.",
                code="stale_version",
            )
        return current

    def _written(self, space: str, receipt: Receipt) -> Note:
        """The note that a request wrote when it was first made."""
        written = [change for change in receipt.changes if change.kind is ChangeKind.WRITTEN]
        note = self._engine.store.version(space, written[-1].record_id, written[-1].version)
        if note is None:
            raise self._absent(space, written[-1].record_id)
        return note


def _lost_and_changed(
    written: Mapping[str, Note], before: Mapping[str, Note], adopted: Collection[str]
) -> tuple[dict[str, str], list[str]]:
    """The notes that nothing can rest on once they are written, with the reason; and those that only say otherwise."""
    lost = {note_id: why for note_id, after in written.items() if (why := _why_lost(before.get(note_id), after))}
    kept = [(note_id, after) for note_id, after in written.items() if note_id not in lost and note_id not in adopted]
    return lost, [note_id for note_id, after in kept if _says_otherwise(before.get(note_id), after)]


def _why_lost(before: Note | None, after: Note) -> str | None:
    """Why nothing can rest on a note any more, once it is written so; `None` if that is no news."""
    if after.state is State.RETRACTED and (before is None or before.state is not State.RETRACTED):
        return "was retracted"
    if before is not None and is_unsupported(after) and not is_unsupported(before):
        return "waits for review itself"
    return None


def _says_otherwise(before: Note | None, after: Note) -> bool:
    return before is not None and (before.state, before.words, before.value) != (after.state, after.words, after.value)


def _marked(edit: Edit, marked: Mapping[str, Note], written: Mapping[str, Note]) -> Edit:
    """An edit of a note that has lost its support anyway, with the mark on the version that is written last."""
    if not isinstance(edit, WriteNote | AdoptNote) or edit.note.id not in marked or written[edit.note.id] != edit.note:
        return edit
    return replace(edit, note=replace(edit.note, review=marked[edit.note.id].review))


def puts_off_embedding(embedders: Sequence[Embedder], texts: int, *, attended: bool) -> bool:
    """Whether vectors are made by a job after the write: always by a remote model, and of large batches if a runner
    is at hand."""
    from recollect.domain.meanings import RemoteModel

    if any(isinstance(each, RemoteModel) for each in embedders):
        return True
    return attended and texts > MOST_TEXTS_IN_A_WRITE


def decided_anew(attempt: Callable[[], R], *, on: str = "stale_version") -> R:
    """Run an attempt to change something; again, from reading on, a few times while other processes are faster.

    `on` is the code of the conflict that says so.
    """
    for tries_left in reversed(range(_TRIES)):
        try:
            return attempt()
        except Conflict as conflict:
            if conflict.code != on or not tries_left:
                raise
    raise AssertionError("unreachable")


def request_for(reason: str, asked: Mapping[str, Any], key: str | None) -> Idempotency | None:
    """The caller's key together with a fingerprint of what was asked; `None` without a key."""
    name = None if key is None else sound_name(key, field="idempotency_key")
    if name is None:
        return None
    plain = json.loads(json.dumps(to_plain(asked), default=str))
    # Without secrets, because the same request may come again from where they were taken out already.
    body = json.dumps([reason, without_secrets(plain)], sort_keys=True)
    import hashlib

    return Idempotency(name, hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest())
