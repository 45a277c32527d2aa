"""Changes with what a judge says of their new texts, so that one commit covers both; or with a job that judges them.

One or two messages are judged before the write. More of them, texts whose vectors are still to be made and texts older
than something near to them are left to a job. A judge that fails never keeps anything from being written.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from recollect.domain.changes import AddObservation, AdoptNote, Changes, QueueJob, WriteJudgement, WriteNote
from recollect.domain.dataclass import replace
from recollect.domain.jobs.job import EMBED, JUDGE
from recollect.domain.links.statement_link import CHANGES
from recollect.domain.meanings import embedder_for, likeness_of
from recollect.domain.scopes import ANYWHERE

if TYPE_CHECKING:
    from recollect.domain.jobs.job import Job
    from recollect.domain.links.statement_link import Judge, StatementLink
    from recollect.domain.notes import Note
    from recollect.domain.scopes import Scope
    from recollect.engine import Engine
    from recollect.remember.link_decision import DatedText
    from recollect.remember.linker import LinkSources

MOST_JUDGED_IN_A_WRITE = 2  # texts: a message and its answer

_LOG = logging.getLogger("recollect.links")
_LOG.addHandler(logging.NullHandler())


def with_judgements(
    engine: Engine,
    judge: Judge,
    changes: Changes,
    *,
    within: Scope,
    has_new_words: Callable[[Note], bool],
    new_job: Callable[[str], Job],
) -> Changes:
    """The changes with judgements of their texts, or with the job that makes them. `within` is the writer's part."""
    fresh = _new_texts(changes, within, has_new_words)
    edits = changes.edits
    if fresh:
        judgements = None if _puts_off(changes, fresh) else _judged(engine, judge, changes, fresh)
        if judgements is None:
            return replace(changes, edits=(*edits, QueueJob(new_job(changes.space))))
        edits = (*edits, *judgements)
        if within == ANYWHERE and _others_wait(engine, judge, changes.space):
            edits = (*edits, QueueJob(new_job(changes.space)))
    return changes if edits is changes.edits else replace(changes, edits=edits)


def may_have_doubts(changes: Changes) -> bool:
    """Whether a pair of the changes may be in doubt; the job that is queued for them looks closer.

    A fact takes the place of another, the judge sees a change or is unsure, or judgements come after the facts.
    """
    if changes.reason == JUDGE:
        return True
    for edit in changes.edits:
        match edit:
            case WriteNote(note) if note.supersedes and note.derived_from and note.version == 1:
                return True
            case WriteJudgement(judgement) if any(_may_be_doubtful(link) for link in judgement.links):
                return True
            case _:
                pass
    return False


def _may_be_doubtful(link: StatementLink) -> bool:
    from recollect.remember.link_decision import UNSURE

    return not link.is_faint and (link.relation in CHANGES or link.score < UNSURE[1])


def sources_of(engine: Engine, judge: Judge, space: str) -> LinkSources:
    """Where the neighbours of a text are read."""
    from recollect.language.english.small_words import STOP_WORDS
    from recollect.recall.coverage import on_our_scale, scale_of
    from recollect.recall.words import words_of
    from recollect.remember.linker import LinkSources

    def words(text: str) -> Sequence[str]:
        return [word for word in words_of(text) if word not in STOP_WORDS]

    likeness = None if engine.nearness is None else _likeness(engine, space)
    scale = None if engine.embedder is None else scale_of(engine.embedder.model_id)
    return LinkSources(
        space,
        engine.store,
        engine.archive,
        engine.links,
        judge,
        words,
        engine.nearness,
        likeness,
        None if scale is None else lambda measured: on_our_scale(measured, scale),
    )


def _likeness(engine: Engine, space: str) -> Callable[[str, str], float]:
    def likeness(one: str, other: str) -> float:
        embedder = engine.embedder
        return 0.0 if embedder is None else likeness_of(embedder_for(space, embedder), one, other)

    return likeness


def _new_texts(changes: Changes, within: Scope, has_new_words: Callable[[Note], bool]) -> list[DatedText]:
    """The texts that are written and can have links."""
    from recollect.remember.link_decision import text_of_message, text_of_note

    found: dict[str, DatedText] = {}
    for edit in changes.edits:
        text = None
        match edit:
            case AddObservation(said):
                text = text_of_message(replace(said, scope=said.scope.placed_in(within)))
            case WriteNote(note) | AdoptNote(note) if not note.derived_from and has_new_words(note):
                text = text_of_note(replace(note, scope=note.scope.placed_in(within)), note.version)
            case _:
                pass
        if text is not None:
            found[text.record_id] = text
    return list(found.values())


def _puts_off(changes: Changes, fresh: Sequence[DatedText]) -> bool:
    """Whether a job judges after the write: many texts, or such whose vectors are made by a job themselves."""
    if len(fresh) > MOST_JUDGED_IN_A_WRITE:
        return True
    return any(
        isinstance(edit, AdoptNote) or (isinstance(edit, QueueJob) and edit.job.kind == EMBED) for edit in changes.edits
    )


def _judged(engine: Engine, judge: Judge, changes: Changes, fresh: Sequence[DatedText]) -> list[WriteJudgement] | None:
    from recollect.remember.linker import judged_at_once

    try:
        found = judged_at_once(sources_of(engine, judge, changes.space), fresh, changes.at)
    except Exception as fault:  # whatever it is, the message is kept, and a job tries again
        _LOG.warning("judging is put off: %s", type(fault).__name__)
        return None
    return None if found is None else [WriteJudgement(each) for each in found]


def _others_wait(engine: Engine, judge: Judge, space: str) -> bool:
    """Whether texts of the space wait for this judge: it is another one than before. Looked at once in a process."""
    key = (JUDGE, space, judge.model_id)
    if key in engine.looked_at:
        return False
    engine.looked_at.add(key)
    return engine.links.waiting(space, judge.model_id) > 0
