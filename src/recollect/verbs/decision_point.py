"""The verb for the moment before an act: what is known about the files and commands that a tool is about to touch.

The rule of a context holds and not that of a search: only records that a person wrote or confirmed are told, and of
what tools did only the commands themselves. Each record is told once in a session.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from typing import TYPE_CHECKING, Unpack

from recollect.domain.answers.bounds import REMINDER_BUDGET
from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput, StoreFailure, TooLarge
from recollect.domain.notes import Kind, State
from recollect.domain.origin import Authority
from recollect.domain.selections import Selection
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name, checked_text
from recollect.verbs.actor import MOST_PER_PAGE, Where, operation
from recollect.verbs.contexts import REFLECTED, TRUSTED, is_meant
from recollect.verbs.recall import checked_budget
from recollect.verbs.selection import Selecting

if TYPE_CHECKING:
    from datetime import datetime

    from recollect.domain.answers.contexts import Line
    from recollect.domain.answers.reminders import Reminded, Reminder, ReminderReason
    from recollect.domain.notes import Note
    from recollect.domain.observations import Observation
    from recollect.recall.reminders.act import Act
    from recollect.recall.reminders.failures import PastFailure
    from recollect.recall.reminders.guidance import Guided
    from recollect.recall.reminders.prior_acts import PriorAct, Repetition
    from recollect.recall.reminders.shared_terms import ActTerms

_MOST = 50  # files, and terms, of one act
_LOOKED_AT = 60  # notes that have a word of the act
_RUNS = 200  # observations that have a word of a command
_COMPARED = 100  # lessons, and rules, without a word of the act that are compared by meaning
_LONGEST_ASKED = 500  # characters of an act that are compared
_LOOKED_UP = 40  # notes whose acts are looked up at once, the newest first; a later call finds those of the others
_DEEP = 3  # last parts of a path by one of which an anchor is looked up: a file, or a folder it lies in
_NEWLY_ENCODED = 2  # acts of earlier sessions in one call: a warm process has encoded all that matter after some calls
_YOUNG_SECONDS, _OLD_SECONDS = 600.0, 86_400.0  # for which the acts before a note are kept in a process
_DELIMITER = 10  # characters of chance; `recall` has the reason


class DecisionVerbs(Selecting):
    """The point of decision: remind."""

    @operation(Effect.READ, for_agents=True)
    def remind(
        self,
        *,
        files: Sequence[str] = (),
        command: str | None = None,
        terms: Sequence[str] = (),
        budget: int = REMINDER_BUDGET,
        space: str | None = None,
        **where: Unpack[Where],
    ) -> Reminder:
        """Say what is known about what a tool is about to touch: lessons, rules, past failures. Often nothing."""
        from recollect.domain.answers.reminders import Reminder
        from recollect.recall.reminders.act import act_of
        from recollect.recall.reminders.reminder import packed

        name, room = self._readable(space), checked_budget(budget)
        line = "" if command is None or not command.strip() else checked_text(command, field="command")
        act = act_of(_checked_names(files, "files"), line, _checked_names(terms, "terms"))
        session = checked_name(where.get("session"), field="session")
        before = self._engine.reminders.told(name, session) if session else frozenset[str]()
        with self._engine.store.reading(name):
            found = list(self._about(name, act, where, before)) if act.files or act.commands or act.terms else []
        fresh = [each for each in found if each.line.id not in before]
        delimiter = self._engine.clock.new_id()[-_DELIMITER:].lower()
        told = packed(fresh, budget=room, delimiter=delimiter)
        if session and told.lines:
            mine = self._claimed(name, session, [each.line.id for each in told.lines])
            if len(mine) < len(told.lines):
                told = packed([each for each in told.lines if each.line.id in mine], budget=room, delimiter=delimiter)
        known = len({each.line.id for each in found if each.line.id in before})
        return Reminder(told.block, told.lines, told.tokens, room, known)

    def _claimed(self, space: str, session: str, record_ids: Sequence[str]) -> frozenset[str]:
        """The records that nobody told the session before. Where that cannot be written down, all of them."""
        if self._rehearsed is None:
            with suppress(StoreFailure):
                return self._engine.reminders.claim(space, session, record_ids, self._engine.clock.now())
        return frozenset(record_ids)

    def _about(self, space: str, act: Act, where: Where, before: Set[str]) -> Iterator[Reminded]:
        """All that is tied to an act, each as it would be told; `before` are the records that were told already."""
        from recollect.domain.answers.reminders import Reminded, ReminderReason
        from recollect.recall.reminders.guidance import guidance
        from recollect.recall.reminders.likely_ties import was_done
        from recollect.recall.reminders.reminder import told_failure, told_note
        from recollect.recall.reminders.shared_terms import only_looks, terms_of

        terms = terms_of(act)
        now, project = self._engine.clock.now(), checked_name(where.get("project"), field="project")
        holding = Selection(states=frozenset({State.ACTIVE}), valid_at=now, within=project or "", authorities=TRUSTED)
        tied = self._tied(space, holding, act)
        certain = [told_note(note, why, named) for note, why, named in tied if _may_be_told(note, where, now)]
        certain += map(told_failure, self._failures(space, act, where))
        open_notes: list[Note] = []
        open_lines: list[tuple[datetime, Line]] = []
        worded = [note for note in self._worded(space, holding, terms.words) if _may_be_told(note, where, now)]
        runs = self._runs(space, terms.words, where)
        for note, tie in _sorted_out(worded, act, self._prior_acts(space, worded, where), was_done(act, runs)):
            if tie is None:
                open_notes.append(note)
            else:
                certain.append(told_note(note, _reason(note), tie.named))
        for since, line in self._rules(space, project):
            tie = guidance(line.text, act, is_guidance=False)
            if tie is not None:
                certain.append(Reminded(ReminderReason.RULE, tie.named, line))
            else:
                open_lines.append((since, line))
        yield from certain
        if not only_looks(act):
            others = self._unworded(space, holding, {note.id for note in worded})
            open_notes += [note for note in others if _may_be_told(note, where, now)]
            is_told = any(each.line.id not in before for each in certain)
            yield from self._likely(space, act, terms, open_notes, open_lines, runs, where, is_told)

    def _likely(
        self,
        space: str,
        act: Act,
        terms: ActTerms,
        notes: Sequence[Note],
        lines: Sequence[tuple[datetime, Line]],
        runs: Sequence[Observation],
        where: Where,
        certain: bool,
    ) -> Iterator[Reminded]:
        """Notes and lines that are likely about an act, unless they were there when it was last done.

        `certain` says that something else is told for certain now: then a guess has to be a good one.
        """
        from recollect.domain.answers.reminders import Reminded, ReminderReason
        from recollect.recall.reminders.guidance import gives_guidance, is_followed
        from recollect.recall.reminders.likely_ties import Advice, likely_ties, was_done
        from recollect.recall.reminders.reminder import told_note

        if not notes and not lines:
            return
        done = was_done(act, runs)
        alike = self._likenesses(space, act, [note.id for note in notes])
        prior = self._prior_acts(space, notes, where)
        repeated = self._repeated(act, notes, runs, prior)
        given = [
            Advice(note.text, is_advice, alike.get(note.id), repeated.get(note.id), not (is_advice or says_what_to_do))
            for note in notes
            for is_advice, says_what_to_do in [(_is_guidance(note), gives_guidance(note.text))]
        ]
        given += [Advice(line.text, is_guidance=False) for _, line in lines]
        since = [*(note.updated_at for note in notes), *(moment for moment, _ in lines)]
        for place, term in likely_ties(given, terms, certain=certain).items():
            before = [] if place >= len(notes) else [each.act for each in prior.get(notes[place].id, ())]
            if is_followed(given[place].text, act, before) or (done is not None and since[place] <= done.observed_at):
                continue
            if place >= len(notes):
                yield Reminded(ReminderReason.RULE, term, lines[place - len(notes)][1])
            else:
                yield told_note(notes[place], _reason(notes[place]), term)

    def _repeated(
        self, act: Act, notes: Sequence[Note], runs: Sequence[Observation], prior: Mapping[str, Sequence[PriorAct]]
    ) -> dict[str, Repetition]:
        """How far an act repeats what was done shortly before each of some notes was learned."""
        from recollect.recall.reminders.prior_acts import Repetition, repetitions, sessions_of, unusual

        sessions = sessions_of(runs)
        left = {note_id: unusual(acts, sessions) for note_id, acts in prior.items() if acts}
        spelled = sorted({each.act.spelled for acts in left.values() for each in acts})
        texts = {note.id: note.text for note in notes}
        found = repetitions(act, left, texts, self._act_likenesses(act, spelled))
        rules = {note.id for note in notes if note.authority is Authority.INSTRUCTION}  # they are about what is to come
        unlike = {note_id: Repetition(is_rule=note_id in rules) for note_id in left}
        return unlike | {note_id: replace(each, is_rule=note_id in rules) for note_id, each in found.items()}

    def _prior_acts(self, space: str, notes: Sequence[Note], where: Where) -> dict[str, tuple[PriorAct, ...]]:
        """The acts that each note was likely learned from. They are looked up and not written down."""
        from recollect.recall.reminders.prior_acts import owned

        now, within = self._engine.clock.now(), self._caller.within
        bound = [part or "" for part in (within.user, within.agent, within.project)]
        known = {note.id: self._engine.prior_acts.get((space, *bound, note.id)) for note in notes}
        in_order = sorted(notes, key=lambda each: (each.recorded_at, each.id))
        new = [note for note in in_order if known[note.id] is None][-_LOOKED_UP:]
        known |= {note.id: self._looked_up(space, note, bound, now) for note in new}
        ids = {note.id: some for note in in_order if (some := known[note.id]) is not None}
        acts = self._acts_of(space, sorted({each for some in ids.values() for each in some}), where, now)
        found = ((note_id, [acts[each] for each in some if each in acts]) for note_id, some in ids.items())
        return owned(found, {note.id for note in notes if _is_guidance(note)})

    def _acts_of(self, space: str, ids: Sequence[str], where: Where, now: datetime) -> dict[str, PriorAct]:
        """Acts by their ids, but for those of other projects, users and agents than the caller's."""
        from recollect.recall.reminders.prior_acts import prior_act

        acts: dict[str, PriorAct] = {}
        for each in self._callers_own(self._engine.archive.those(space, ids).values(), where, now) if ids else ():
            act = prior_act(each)
            if act is not None:
                acts[each.id] = act
        return acts

    def _callers_own(self, some: Iterable[Observation], where: Where, now: datetime) -> Iterator[Observation]:
        """Observations whose time is not over, but for those of other projects, users and agents than the caller's."""
        within = self._caller.within
        mine = {name: (None, where.get(name) or getattr(within, name)) for name in ("user", "agent", "project")}
        for each in some:
            if not each.is_due(now) and all(getattr(each.scope, name) in allowed for name, allowed in mine.items()):
                yield each

    def _looked_up(self, space: str, note: Note, bound: Sequence[str], now: datetime) -> tuple[str, ...]:
        """The ids of the acts before a note, kept in this process. Acts may still come in while the note is young.

        Where there are none, they may come in later as well: with an import, or as an agent's hook catches up.
        """
        from recollect.recall.reminders.prior_acts import WITHIN, chosen_acts

        found = tuple(each.id for each in chosen_acts(note.text, self._before(space, note)))
        seconds = _OLD_SECONDS if found and now - note.recorded_at >= WITHIN else _YOUNG_SECONDS
        self._engine.prior_acts.keep((space, *bound, note.id), found, seconds=seconds)
        return found

    def _before(self, space: str, note: Note) -> Sequence[Observation]:
        """Observations before a note was learned, of its session, the nearest first.

        Unless the note says which session that was, it is the one of its project that was at work last; without a
        project, the last one of its user that has none either. A note that came after the end of that session was
        learned elsewhere, and so was one that names a session of which nothing is known.
        """
        from recollect.domain.clock import format_time
        from recollect.recall.reminders.prior_acts import REACH, WITHIN

        archive = self._engine.archive
        said = list(archive.those(space, note.derived_from[:1]).values()) if note.derived_from else []
        session_id = said[0].session_id if said else note.scope.session or note.origin.session
        if session_id and archive.session(space, session_id) is None:
            return ()
        learned, mark = (said[0].observed_at, said[0].id) if said else (note.recorded_at, "")
        near = archive.shortly_before(
            space,
            (format_time(learned), mark),
            since=format_time(learned - WITHIN),
            limit=REACH,
            session_id=session_id or None,
            scope=note.scope,
        )
        held = archive.session(space, near[0].session_id) if near else None
        if held is None or (held.ended_at is not None and held.ended_at <= learned):
            return ()
        return [each for each in near if each.session_id == held.id]

    def _act_likenesses(self, act: Act, spelled: Sequence[str]) -> dict[str, float]:
        """How alike acts are to an act. A few are encoded at each call and kept in this process."""
        from recollect.domain.meanings import RemoteModel
        from recollect.recall.reminders.prior_acts import likenesses
        from recollect.recall.reminders.shared_terms import stems_of

        embedder, memo = self._engine.embedder, self._engine.act_vectors
        asked = act.spelled[:_LONGEST_ASKED]
        if embedder is None or isinstance(embedder, RemoteModel) or not spelled or not asked:
            return {}
        keys = {each: (embedder.model_id, _digest(each)) for each in spelled}
        vectors = {each: memo.get(key) for each, key in keys.items()}
        mine = stems_of(asked)
        lacking = sorted(
            (each for each, vector in vectors.items() if vector is None),
            key=lambda each: (-len(mine & stems_of(each)), each),
        )[:_NEWLY_ENCODED]
        for each, vector in zip(lacking, embedder.passages(lacking) if lacking else (), strict=True):
            memo.keep(keys[each], vector, seconds=_OLD_SECONDS)
            vectors[each] = vector
        known = {each: vector for each, vector in vectors.items() if vector is not None}
        return likenesses(embedder.query(asked), known)

    def _likenesses(self, space: str, act: Act, record_ids: Sequence[str]) -> dict[str, float]:
        """How alike notes are to an act, where a model of this machine can tell; no call goes to another one."""
        from recollect.domain.meanings import RemoteModel

        nearness, embedder = self._engine.nearness, self._engine.embedder
        if nearness is None or embedder is None or isinstance(embedder, RemoteModel) or not record_ids:
            return {}
        asked = act.spelled[:_LONGEST_ASKED]
        found = nearness.nearest(space, asked, limit=len(record_ids), among=record_ids) if asked else ()
        return {each.record_id: each.likeness for each in found}

    def _unworded(self, space: str, holding: Selection, known: Set[str]) -> Iterator[Note]:
        """The newest lessons, procedures and rules that have no word of the act."""
        from recollect.domain.triggers import triggers_of

        kinds = replace(holding, kinds=frozenset({Kind.LESSON, Kind.PROCEDURAL}))
        rules = replace(holding, authorities=frozenset({Authority.INSTRUCTION}))
        found: dict[str, Note] = {}
        for wanted in (kinds, rules):
            for note in self._engine.store.notes(space, wanted, before=None, limit=_COMPARED):
                found[note.id] = note
        yield from (note for note in found.values() if note.id not in known and not triggers_of(note))

    def _tied(self, space: str, holding: Selection, act: Act) -> Iterator[tuple[Note, ReminderReason, str]]:
        """Notes that say themselves what they are about: by a trigger, or fastened to a file."""
        from recollect.domain.answers.reminders import ReminderReason
        from recollect.domain.filters.conditions import METADATA, AnyOf, Comparison
        from recollect.domain.graph.mentions import AnchorKind, anchors_of
        from recollect.domain.triggers import WHEN, triggers_of
        from recollect.recall.reminders.act import meets, path_fits, touched
        from recollect.recall.reminders.shared_terms import only_looks

        paths = act.files if only_looks(act) else touched(act)
        store = self._engine.store
        told = replace(holding, where=Comparison(f"{METADATA}{WHEN}", "exists", True))
        for note in store.notes(space, told, before=None, limit=MOST_PER_PAGE):
            trigger = next((each for each in triggers_of(note) if meets(act, each)), None)
            if trigger is not None:
                yield note, ReminderReason.TRIGGER, trigger.spelled
        names = sorted({part for path in paths for part in path.split("/")[-_DEEP:] if part})
        if not names:
            return
        fastened = AnyOf(tuple(Comparison(f"{METADATA}anchors.anchor", "contains", each) for each in names))
        for note in store.notes(space, replace(holding, where=fastened), before=None, limit=MOST_PER_PAGE):
            for anchor in anchors_of(note):
                if anchor.kind is AnchorKind.FILE and any(path_fits(path, anchor.target) for path in paths):
                    yield note, ReminderReason.ANCHOR, anchor.spelled

    def _worded(self, space: str, holding: Selection, words: Sequence[str]) -> Iterator[Note]:
        """Notes that have words of the act. One that says when to tell it is not told at other times."""
        from recollect.domain.triggers import triggers_of

        if words:
            found = self._engine.store.matching(space, list(words), holding, limit=_LOOKED_AT)
            yield from (match.note for match in found if not triggers_of(match.note))

    def _rules(self, space: str, project: str | None) -> Iterator[tuple[datetime, Line]]:
        """Lines of slots that a person wrote, and when each slot was last written."""
        from recollect.domain.answers.contexts import Line
        from recollect.domain.desk import in_view
        from recollect.recall.fence import seen

        for slot in in_view(self._engine.desk.slots(space), project):
            if slot.pinned and slot.authority in TRUSTED:
                day, label = f"{slot.updated_at:%Y-%m-%d}", f"slot {slot.label}"
                for text in filter(str.strip, slot.text.splitlines()):
                    line = Line(_line_id(slot.id, text), slot.version, day, label, seen(text.strip()))
                    yield slot.updated_at, line

    def _failures(self, space: str, act: Act, where: Where) -> Sequence[PastFailure]:
        """Commands of the act that failed in earlier sessions of the caller's."""
        from recollect.domain.observations import ObservationKind
        from recollect.recall.reminders.failures import REACH, asked_of, past_failures
        from recollect.recall.reminders.guidance import is_sought
        from recollect.recall.words import words_of

        asked = [each for each in asked_of(act.commands) if is_sought(each.command)]
        words = [word for each in asked for word in words_of(" ".join(each.command.typed[:4]))]
        if not words:
            return ()
        archive, now = self._engine.archive, self._engine.clock.now()
        runs = self._runs(space, words, where)
        failed = [each for each in runs if each.kind is ObservationKind.TOOL_FAILURE]
        around: dict[str, list[Observation]] = {}
        near = archive.around(space, [each.id for each in failed], reach=REACH) if failed else ()
        for each in self._callers_own(near, where, now):
            around.setdefault(each.session_id, []).append(each)
        return past_failures(asked, runs, around)

    def _runs(self, space: str, words: Sequence[str], where: Where) -> Sequence[Observation]:
        """Observations of other sessions of the caller's that have some words."""
        now = self._engine.clock.now()
        found = self._engine.archive.matching(space, list(dict.fromkeys(words)), until=None, limit=_RUNS)
        session = where.get("session")
        return [each for each in self._callers_own(found, where, now) if each.session_id != session]


def _sorted_out(
    notes: Sequence[Note], act: Act, prior: Mapping[str, Sequence[PriorAct]], last: Observation | None
) -> Iterator[tuple[Note, Guided | None]]:
    """The notes that may be about an act, each with its tie if that is certain; `last` is when it was last done."""
    from recollect.recall.reminders.guidance import guidance
    from recollect.recall.reminders.prior_acts import is_borne_out, is_of_another, is_put_right
    from recollect.recall.reminders.shared_terms import only_looks

    is_look = only_looks(act)
    for note in notes:
        is_rule, done = note.authority is Authority.INSTRUCTION, prior.get(note.id, ())
        if is_put_right(note.text, act, done, is_rule=is_rule):
            continue
        tie = guidance(note.text, act, is_guidance=_is_guidance(note))
        if tie is None or not is_borne_out(tie, act, done, is_rule=is_rule):
            yield note, None
            continue
        is_harmless = is_look and tie.is_program
        if last is not None and note.updated_at <= last.observed_at:
            is_harmless = is_harmless or is_of_another(note.text, tie, act, done)
        if is_rule or not is_harmless:
            yield note, tie


def _is_guidance(note: Note) -> bool:
    return note.authority is Authority.INSTRUCTION or note.kind in (Kind.LESSON, Kind.PROCEDURAL)


def _reason(note: Note) -> ReminderReason:
    from recollect.domain.answers.reminders import ReminderReason

    if note.authority is Authority.INSTRUCTION:
        return ReminderReason.RULE
    return ReminderReason.LESSON if note.kind is Kind.LESSON else ReminderReason.NOTE


def _may_be_told(note: Note, where: Where, now: datetime) -> bool:
    from recollect.domain.desk import is_retired
    from recollect.domain.trust.disputes import is_unsupported

    return (
        REFLECTED not in note.tags
        and is_meant(note, where)
        and not is_unsupported(note)
        and not (note.kind is Kind.LESSON and is_retired(note, now))
    )


def _line_id(slot_id: str, text: str) -> str:
    """A line of a slot, as long as it says the same: one that was rewritten is told again."""
    return f"{slot_id}#{_digest(text.strip())[:8]}"


def _digest(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _checked_names(given: Sequence[str], field: str) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else given
    if not isinstance(names, Sequence):
        raise InvalidInput(f"`{field}` must be a list of texts.", code="invalid_field")
    if len(names) > _MOST:
        raise TooLarge(f"`{field}` has {len(names)} members; at most {_MOST} are looked at.")
    return tuple(name for each in names if (name := checked_name(each, field=field)))
