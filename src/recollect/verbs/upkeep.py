"""Verbs about memory itself: how much there is, whether it is sound, who did what, and what happens in it now.

They are no verb: they speak of a process and its files, and mean something only when they are taken again and again.

It is no verb: whoever follows does not ask once and get an answer. A door makes of it whatever it calls a stream.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from recollect.domain.changes import Change, ChangeKind, RejudgeSpace, WriteJudgement, WriteVector
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.errors import InvalidInput, StoreFailure
from recollect.domain.jobs.job import EMBED, JUDGE, OPEN_STAGES, READ
from recollect.domain.notes import Note, State
from recollect.domain.scopes import DEFAULT_SPACE, WHOLE_STORE
from recollect.domain.selections import Selection
from recollect.engine import Engine
from recollect.operations import Effect
from recollect.remember.decisions import expire
from recollect.verbs.actor import chapter_alone, checked_limit, no_space, operation
from recollect.verbs.writing import Writing, decided_anew
from recollect.version import __version__

if TYPE_CHECKING:
    from recollect.domain.answers.recollections import AuditReport, Coverage, Hit, Status, Tidied, Usage
    from recollect.domain.answers.sessions import Happening
    from recollect.domain.answers.upkeep import Check, Diagnosis
    from recollect.domain.ports import ChangeLog
    from recollect.signal_bus import SignalBus


_AT_A_TIME = 1000  # records read, or texts embedded for one commit
_JUDGED_AT_A_TIME = 25  # notes, and as many messages: a second of work


class UpkeepVerbs(Writing):
    """How it is: status, doctor, audit, reindex, tidy."""

    @operation(Effect.READ)
    def status(self) -> Status:
        """Say where memory is kept and how much there is of it."""
        from recollect.domain.answers.recollections import Status

        store = self._engine.store
        spaces = tuple(store.summary(space) for space in store.spaces())
        jobs, stages = self._engine.jobs.counts(), Counter[str]()
        for (_, _, stage), many in jobs.items():
            stages[stage] += many
        return Status(
            version=__version__,
            store=store.kind,
            location=store.location,
            schema=store.schema,
            size_bytes=self._engine.upkeep.size(),
            spaces=spaces,
            notes=sum(space.notes for space in spaces),
            jobs=dict(sorted(stages.items())),
            unembedded=self._unembedded(jobs),
            unjudged=self._unjudged(jobs),
            judges=tuple(sorted({model for space in spaces for model in self._engine.links.models(space.name)})),
            unread=sum(many for (_, kind, stage), many in jobs.items() if kind == READ and stage in OPEN_STAGES),
            vector_search=self._engine.vectors.where_compared,
            vector_bytes=self._held_bytes(),
        )

    def _held_bytes(self) -> int:
        """How much memory vectors take here. Nothing is loaded to find out."""
        made = self._engine.inference.all_made()
        return sum(each.nearness.held_bytes() for each in made if each.nearness is not None)

    def _unembedded(self, counts: Mapping[tuple[str, str, str], int]) -> int:
        """Counted only where a job is to make vectors: elsewhere each text got its own with the write."""
        lagging = {space for space, kind, stage in counts if kind == EMBED and stage in OPEN_STAGES}
        models = [embedder.model_id for embedder in self._engine.embedders] if lagging else []
        lacking = self._engine.vectors.lacking
        return sum(max(lacking(space, model) for model in models) for space in lagging if models)

    def _unjudged(self, counts: Mapping[tuple[str, str, str], int]) -> int:
        """Counted only where a job is to judge: elsewhere each text was judged with the write."""
        lagging = {space for space, kind, stage in counts if kind == JUDGE and stage in OPEN_STAGES}
        judge = self._engine.judge if lagging else None
        return sum(self._engine.links.waiting(space, judge.model_id) for space in lagging) if judge else 0

    @operation(Effect.READ)
    def doctor(self) -> Diagnosis:
        """Look whether everything is sound: the database, the text index, the audit chain of every space."""
        from recollect.domain.answers.upkeep import Check, Diagnosis

        store = self._engine.store
        checks = list(self._engine.upkeep.check())
        try:
            spaces = store.spaces()
        except StoreFailure as problem:
            checks.append(Check.failed("spaces", problem))
            spaces = ()
        for space in spaces:
            checks.append(_check_audit(self._engine.log, space.name))
            checks.extend(self._check_records(space.name))
            checks.extend(self._unread(space.name))
        with suppress(StoreFailure):  # told above already
            checks.extend(replace(each, ok=True) for each in self._check_vectors() if not each.ok)  # words find them
        return Diagnosis(all(check.ok for check in checks), tuple(checks))

    def _check_records(self, space: str) -> Iterator[Check]:
        """Read every record once, as an export does."""
        from recollect.domain.answers.upkeep import Check
        from recollect.recall.export import export_page

        try:
            cursor = None
            while True:
                page = export_page(
                    self._engine.store,
                    self._engine.log,
                    self._engine.archive,
                    self._engine.desk,
                    self._engine.attachments,
                    self._engine.links,
                    [space],
                    only=space,
                    cursor=cursor,
                    limit=_AT_A_TIME,
                )
                cursor = page.next_cursor
                if cursor is None:
                    return
        except StoreFailure as problem:
            yield Check.failed(f"records of {space}", problem)

    def _unread(self, space: str) -> Iterator[Check]:
        """Messages that a reader failed on. Nothing is lost with them, so memory is sound all the same."""
        from recollect.domain.answers.recollections import UNREADABLE
        from recollect.domain.answers.upkeep import Check

        try:
            many = self._engine.archive.verdicts(space).get(UNREADABLE, 0)
        except StoreFailure as problem:
            yield Check.failed(f"reading of {space}", problem)
            return
        if many:
            detail = (
                f"{many:,} {'time' if many == 1 else 'times'} a message could not be read; all are kept word for word"
            )
            yield Check(f"reading of {space}", True, detail, "The log of the server says where in the code it failed.")

    @operation(Effect.READ)
    def audit(self, *, limit: int = 50, space: str | None = None) -> AuditReport:
        """Show who changed what, newest last, and whether the record of it is whole."""
        from recollect.recall.export import audit_report

        return audit_report(self._engine.log, self._known(space), newest=checked_limit(limit))

    @operation(Effect.WRITE)
    def reindex(self, *, check: bool = False, from_vault: bool = False, background: bool = False) -> Diagnosis:
        """Make everything derived anew from what it is derived from; memory itself from the files of its vaults."""
        from recollect.domain.answers.upkeep import Diagnosis

        if background:
            return self._reindex_later(beside=check or from_vault)
        if from_vault and not check:
            self._take_in_every_file()
        if not check and self._rehearsed is None:
            self._engine.upkeep.rebuild()
            for space in self._engine.store.spaces():
                self._embed_what_is_missing(space.name)
                if self._engine.judge is not None:
                    self._carry_out("reindex", space.name, RejudgeSpace())
                    self._judge_what_waits(space.name)
        checks = (*self._engine.upkeep.check(), *self._check_vectors())
        return Diagnosis(all(each.ok for each in checks), checks)

    def _reindex_later(self, *, beside: bool) -> Diagnosis:
        from recollect.domain.answers.upkeep import Check, Diagnosis

        if beside:
            raise InvalidInput("`background` goes with neither `check` nor `from_vault`.", code="usage")
        job = self._queue("reindex", self._new_job("reindex", WHOLE_STORE, key="reindex"))
        return Diagnosis(True, (Check("reindex", True, f"queued as job {job.id}"),))

    @operation(Effect.WRITE)
    def tidy(self, *, space: str | None = None) -> Tidied:
        """Mark as expired what has reached its end or has faded, and erase what was told to be kept no longer."""
        from recollect.domain.answers.recollections import Tidied
        from recollect.verbs.erasure import DueEraser

        name = self._known(space)
        eraser = chapter_alone(DueEraser, self._engine, self._caller)
        eraser._rehearsed, eraser._fence = self._rehearsed, self._fence
        tidied = Tidied((), (), eraser.erased(name))
        for page in self._pages_of_active(name):
            some = self._tidied(name, page)
            tidied = replace(tidied, expired=tidied.expired + some.expired, faded=tidied.faded + some.faded)
        return tidied

    def _take_in_every_file(self) -> None:
        """Every file of every vault, as if it were seen for the first time."""
        from recollect.vault.place import locked, place_of, spaces_with_vaults
        from recollect.vault.projection import in_step

        settings = self._engine.settings
        for space in spaces_with_vaults(settings.home):
            place = place_of(settings.home, space)
            with locked(place, patience=settings.busy_timeout):
                in_step(self._vault(space, place), anew=True)

    def _tidied(self, space: str, notes: Sequence[Note]) -> Tidied:
        """End some notes, as they are when they are looked at: what another process touched meanwhile may hold now."""
        from recollect.attributes.lifecycle import has_faded, is_over
        from recollect.domain.answers.recollections import Tidied

        def attempt() -> Tidied:
            occasion = self._occasion(space)
            known = self._engine.store.current(space, [note.id for note in notes])
            active = [note for note in known.values() if note.state is State.ACTIVE]
            over = [note for note in active if is_over(note, occasion.at)]
            faded = [note for note in active if not is_over(note, occasion.at) and has_faded(note, occasion.at)]
            if ended := [expire(occasion, note) for note in (*over, *faded)]:
                self._carry_out("tidy", space, *ended)
            return Tidied(tuple(note.id for note in over), tuple(note.id for note in faded))

        return decided_anew(attempt)

    def _pages_of_active(self, space: str) -> Iterator[list[Note]]:
        """All notes that hold, newest first, some at a time."""
        holding = Selection(states=frozenset({State.ACTIVE}))
        before = None
        while page := list(self._engine.store.notes(space, holding, before=before, limit=_AT_A_TIME)):
            yield page
            before = page[-1].id

    def _embed_what_is_missing(self, space: str, tell: Callable[[str, int, int], None] = lambda *_: None) -> None:
        """Turn every text that has no vector of a model in use into one. Those of other models stay as they are."""
        from recollect.domain.meanings import embedder_for, some_at_a_time

        beside = self._engine.inference.get().beside
        embedders = (*self._engine.embedders, *(() if beside is None else (beside,)))
        for place, embedder in enumerate(embedders):
            done, total = 0, self._engine.vectors.lacking(space, embedder.model_id)
            while missing := self._engine.vectors.missing(space, embedder.model_id, limit=_AT_A_TIME):
                tell(embedder.model_id, done, max(total, done + len(missing)))
                done += len(missing)
                edits = (
                    WriteVector(each.record_id, each.version, other.model_id, vector)
                    for some in some_at_a_time(missing)
                    for other in self._engine.embedders[place:] or (embedder,)  # what one lacks the next mostly lacks
                    for each, vector in zip(
                        some, embedder_for(space, other).passages([each.text for each in some]), strict=True
                    )
                )
                self._carry_out("reindex", space, *edits)

    def _judge_what_waits(self, space: str, tell: Callable[[str, int, int], None] = lambda *_: None) -> None:
        """Judge every text that the judge in use has not judged, some at a time; each commit is whole by itself."""
        judge = self._engine.judge
        if judge is None:
            return
        from recollect.remember.link_decision import DatedText, text_of_message, text_of_note
        from recollect.remember.linker import judged_late
        from recollect.verbs.models.judged_writes import sources_of

        links, sources = self._engine.links, sources_of(self._engine, judge, space)
        done, total, before = 0, links.waiting(space, judge.model_id), list[DatedText]()
        while True:
            tell(judge.model_id, done, max(total, done))
            notes = links.unjudged_notes(space, judge.model_id, limit=_JUDGED_AT_A_TIME)
            messages = links.unjudged_messages(space, judge.model_id, limit=_JUDGED_AT_A_TIME)
            found = [text_of_note(*each) for each in notes] + [text_of_message(each) for each in messages]
            waiting = [each for each in found if each is not None]
            if not waiting or waiting == before:
                return
            judgements = judged_late(sources, waiting, self._engine.clock.now())
            self._carry_out("judge", space, *(WriteJudgement(each) for each in judgements))
            done, before = done + len(waiting), waiting

    def _check_vectors(self) -> Iterator[Check]:
        from recollect.domain.answers.upkeep import Check

        if not self._engine.embedders:
            return
        for space in self._engine.store.spaces():
            lacking = [
                f"{many:,} {'or more ' if many == _AT_A_TIME else ''}texts have none of {embedder.model_id}"
                for embedder in self._engine.embedders
                if (many := len(self._engine.vectors.missing(space.name, embedder.model_id, limit=_AT_A_TIME)))
            ]
            detail = "; ".join(lacking) or "every text has one"
            yield Check(f"vectors of {space.name}", not lacking, detail, "Run `recollect reindex`." if lacking else "")


def diagnosis_of(problem: StoreFailure) -> Diagnosis:
    """The report about a store that could not even be opened."""
    from recollect.domain.answers.upkeep import Check, Diagnosis

    return Diagnosis(False, (Check.failed("database", problem),))


def _check_audit(log: ChangeLog, space: str) -> Check:
    from recollect.domain.answers.upkeep import Check
    from recollect.recall.export import audit_report

    name = f"audit of {space}"
    try:
        report = audit_report(log, space, newest=1)
    except StoreFailure as problem:
        return Check.failed(name, problem)
    return Check(name, report.whole, report.detail)


HITS, ANSWERS, MODEL, JOBS = "hits", "answers", "model", "jobs"  # what is tallied, each with labels of its own

# How the reasons of a hit begin, and the channel each speaks of. The rest of a reason are words of the question.
_CHANNELS = {
    "words": "words",
    "meaning": "meaning",
    "attribute": "attribute",
    "found by what was said": "said",
    "found by an earlier wording": "chain",
    "of the time asked about": "time",
}


@dataclass(frozen=True, slots=True)
class Measures:
    """Bytes are `None` where there is no such file; `index_behind` counts changes that no search has caught up with."""

    spaces: int
    store_bytes: int | None
    wal_bytes: int | None
    index_behind: int
    vector_bytes: int = 0  # that vectors take in memory
    verdicts: dict[str, int] = field(default_factory=dict)  # what became of candidates in all spaces, by reason
    jobs: dict[tuple[str, str], int] = field(default_factory=dict)  # in all spaces, by kind and stage


class Measuring:
    """Takes the measures of one memory."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def tally(self) -> dict[tuple[str, ...], int]:
        """How often each happened since the process began.

        `(HITS, channel)`, `(ANSWERS, verb, coverage)`, `(MODEL, "calls" | "tokens")`, `(JOBS, kind, outcome)`.
        """
        return self._engine.tally.counts()

    def checks(self) -> tuple[Check, ...]:
        """Checks of the database as a whole; no record is read."""
        return tuple(self._engine.upkeep.check())

    def measures(self) -> Measures:
        engine = self._engine
        spaces = engine.store.spaces()
        verdicts: Counter[str] = Counter()
        for space in spaces:
            verdicts.update(engine.archive.verdicts(space.name))
        jobs: Counter[tuple[str, str]] = Counter()
        for (_, kind, stage), many in engine.jobs.counts().items():
            jobs[kind, stage] += many
        return Measures(
            spaces=len(spaces),
            store_bytes=engine.upkeep.size(),
            wal_bytes=_wal_bytes(engine.store.location) if engine.store.kind == "sqlite" else None,
            index_behind=engine.nearness.behind() if engine.nearness else 0,
            vector_bytes=engine.nearness.held_bytes() if engine.nearness else 0,
            verdicts=dict(verdicts),
            jobs=dict(jobs),
        )


def tally_answer(engine: Engine, verb: str, hits: Iterable[Hit], coverage: Coverage, usage: Usage) -> None:
    """Something was asked and answered with these hits, through whichever door."""
    counts: Counter[tuple[str, ...]] = Counter((HITS, channel) for hit in hits for channel in _channels_of(hit))
    counts[ANSWERS, verb, coverage.value] = 1
    counts[MODEL, "calls"] = usage.model_calls
    counts[MODEL, "tokens"] = usage.model_tokens
    engine.tally.add(counts)


def _channels_of(hit: Hit) -> set[str]:
    """The channels that the reasons of a hit speak of."""
    beginnings = {reason.partition(":")[0] for reason in hit.why}
    return {_CHANNELS[each] for each in beginnings if each in _CHANNELS}


def _wal_bytes(location: str) -> int | None:
    # Its size is asked for and it is never opened: closing it would let go of SQLite's locks.
    from pathlib import Path

    try:
        return Path(f"{location}-wal").stat().st_size
    except OSError:
        return None


_WITH_A_NOTE = (ChangeKind.WRITTEN, ChangeKind.ADOPTED)
_WITH_A_JOB = (
    ChangeKind.JOB_QUEUED,
    ChangeKind.JOB_PROGRESSED,
    ChangeKind.JOB_DONE,
    ChangeKind.JOB_FAILED,
    ChangeKind.JOB_DEAD,
    ChangeKind.JOB_CANCELLED,
)


class Following:
    """The change logs of one store, read from the outside."""

    def __init__(self, engine: Engine) -> None:
        self._store, self._log, self._archive, self._engine = engine.store, engine.log, engine.archive, engine

    @property
    def bus(self) -> SignalBus | None:
        """The way by which other processes say that something has changed, if there is one."""
        return self._engine.bell.bus

    def newest(self, space: str) -> int:
        """The number of the newest change; 0 for the default space before its first."""
        found = self._store.space(space)
        if found is None and space != DEFAULT_SPACE:
            raise no_space(space)
        return found.seq if found else 0

    def last(self, space: str) -> int:
        """The number of the newest change, also of a space that is deleted: that it was is a change like any other."""
        found = self._store.space(space)
        return found.seq if found else self._log.newest(space)

    def start(self, space: str, after: int | None) -> int:
        """The number to follow from: the one given, or the newest. One that has not come yet is refused."""
        newest = self.newest(space)
        if after is None:
            return newest
        if not 0 <= after <= newest:
            raise InvalidInput(
                f"There is no change {after} in `{space}`; the newest is {newest}.",
                code="invalid_cursor",
                hint="Follow from 0 for everything, or from nothing for what comes.",
            )
        return after

    def after(self, space: str, seq: int, *, limit: int) -> Sequence[Happening]:
        """The changes after a number, in order."""
        from recollect.domain.answers.sessions import Happening

        changes, now = self._log.changes_after(space, seq, limit=limit), self._engine.clock.now()
        said = self._archive.those(space, [each.record_id for each in changes if each.kind is ChangeKind.OBSERVED])
        said = {name: each for name, each in said.items() if not each.is_due(now)}
        return [
            Happening(
                change.seq,
                change.kind,
                change.record_id,
                change.version,
                self._note(space, change),
                said.get(change.record_id) if change.kind is ChangeKind.OBSERVED else None,
                self._engine.jobs.job(space, change.record_id) if change.kind in _WITH_A_JOB else None,
            )
            for change in changes
        ]

    def _note(self, space: str, change: Change) -> Note | None:
        if change.kind not in _WITH_A_NOTE:
            return None
        note = self._store.version(space, change.record_id, change.version)
        return None if note is None or note.is_due(self._engine.clock.now()) else note
