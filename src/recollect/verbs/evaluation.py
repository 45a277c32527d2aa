"""Verbs that try a space with questions about its own notes: made, curated, asked, and asked again of a copy.

Nothing here changes memory. Questions and runs are kept beside it, and a question goes with the note it quotes.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.domain.clock import checked_id
from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput, Misconfigured, NotFound, TooLarge
from recollect.domain.notes import Note, State
from recollect.domain.origin import Caller, Channel
from recollect.domain.selections import Page, Selection
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_text
from recollect.verbs.actor import chapter_alone, checked_limit, operation
from recollect.verbs.search import Searching

if TYPE_CHECKING:
    from recollect.domain.answers.evaluations import EvaluationQuestion, EvaluationRun, Experiment, QuestionsBuilt
    from recollect.domain.answers.recollections import Usage
    from recollect.domain.chat.chat_model import ChatModel

_DELIMITER = 10  # characters of chance around what a model is shown
_LONGEST_QUESTION = 1000  # characters
_FALL = 0.02  # of recall at 10, or of the reciprocal rank, beyond which an experiment is a step back
_TOP = 10
_PAGE = 500  # records that are copied at once
_WHOLE = "Questions are about the space as a whole"


class EvaluationVerbs(Searching):
    """Evaluation: build, questions, edit, drop, run, experiment, history."""

    @operation(Effect.WRITE, name="eval.build")
    def build_questions(self, *, limit: int = 50, space: str | None = None) -> QuestionsBuilt:
        """Make questions about notes that have none yet: worded by a model if there is one, else from the notes."""
        from recollect.domain.answers.evaluations import MOST_QUESTIONS, EvaluationQuestion, QuestionsBuilt
        from recollect.domain.answers.recollections import Usage
        from recollect.domain.chat.chat_model import ModelTask
        from recollect.reflect.questions import question_of

        name, size = self._whole(space, _WHOLE), checked_limit(limit)
        known = self._engine.evaluations.questions(name)
        if len(known) + size > MOST_QUESTIONS:
            raise TooLarge(
                f"`{name}` has {len(known):,} questions; with {size:,} more it would have over {MOST_QUESTIONS:,}.",
                code="too_many_questions",
                hint="Drop some with `recollect eval drop`, or ask for fewer with `--limit`.",
            )
        notes = self._questionable(name, {each.note_id for each in known}, size)
        mind = self._engine.chat_models.for_task(ModelTask.REFLECT, space=name) if self._rehearsed is None else None
        by_model, fallback, usage = self._by_model(mind, notes) if mind is not None else ({}, "", Usage())
        made: list[EvaluationQuestion] = []
        clock = self._engine.clock
        for note in notes:
            text = by_model.get(note.id) or question_of(note) or ""
            by = mind.model_id if mind is not None and note.id in by_model else "template"
            made.append(EvaluationQuestion(clock.new_id(), name, note.id, checked_text(text), by, clock.now()))
        kept = made if self._rehearsed is not None else self._engine.evaluations.keep_questions(made)
        return QuestionsBuilt(tuple(kept), mind.model_id if by_model and mind is not None else "", fallback, usage)

    @operation(Effect.READ, name="eval.questions")
    def questions(self, *, space: str | None = None) -> Page[EvaluationQuestion]:
        """List the questions that a space is tried with, oldest first."""
        return Page(tuple(self._engine.evaluations.questions(self._whole(space, _WHOLE))))

    @operation(Effect.WRITE, name="eval.edit")
    def edit_question(self, question_id: str, question: str, *, space: str | None = None) -> EvaluationQuestion:
        """Put a question in other words; the note that answers it stays the same."""
        name, text = self._whole(space, _WHOLE), checked_text(question, field="question")
        if len(text) > _LONGEST_QUESTION:
            raise TooLarge(f"A question has at most {_LONGEST_QUESTION:,} characters; this one has {len(text):,}.")
        edited = replace(self._question(name, question_id), text=text, made_by="person")
        if self._rehearsed is None and not self._engine.evaluations.keep_questions([edited]):
            raise _no_question(question_id, name)
        return edited

    @operation(Effect.WRITE, name="eval.drop")
    def drop_question(self, question_id: str, *, space: str | None = None) -> EvaluationQuestion:
        """Take a question away that is no good one."""
        name = self._whole(space, _WHOLE)
        dropped = self._question(name, question_id)
        if self._rehearsed is None:
            self._engine.evaluations.drop_question(name, dropped.id)
        return dropped

    @operation(Effect.WRITE, name="eval.run")
    def run_questions(self, *, space: str | None = None) -> EvaluationRun:
        """Ask all questions, and say how well they are answered: recall, reciprocal rank, how much to read."""
        name = self._whole(space, _WHOLE)
        return self._run_kept(name, self._asked(name, self._ready(name), {}))

    @operation(Effect.WRITE, name="eval.experiment")
    def experiment(
        self,
        *,
        embedding: str | None = None,
        judge: str | None = None,
        reranker: str | None = None,
        space: str | None = None,
    ) -> Experiment:
        """Ask all questions of memory and of a copy with other settings; tell which answers would be lost or won."""
        from recollect.domain.answers.evaluations import Experiment

        name = self._whole(space, _WHOLE)
        given = {"embedding": embedding, "judge": judge, "reranker": reranker}
        changed = {setting: value for setting, value in given.items() if value is not None}
        if not changed:
            raise InvalidInput(
                "No setting was given that is to be other than it is.",
                code="nothing_to_do",
                hint="Give `embedding`, `judge` or `reranker`, as in `--reranker off`.",
            )
        if self._is_elsewhere(self._embedding_here() if embedding is None else embedding):
            raise InvalidInput(
                "An experiment sends nothing to a provider: it would read all of memory there, outside of your caps.",
                code="invalid_field",
                hint="Give `embedding` a model of this machine, or change the setting and run the questions again.",
            )
        questions = self._ready(name)
        now = self._asked(name, questions, {})
        try:
            changed_run = self._asked_of_a_copy(name, questions, changed)
        except Misconfigured as problem:  # it is the call that is wrong, and not the settings of this memory
            raise InvalidInput(problem.message, code="invalid_field", hint=problem.hint) from None
        baseline, run = self._run_kept(name, now), self._run_kept(name, changed_run)
        fell = any(baseline.scores[each] - run.scores[each] > _FALL for each in ("recall@10", "mrr"))
        before, after = ({key for key, at in each.places.items() if 0 < at <= _TOP} for each in (baseline, run))
        return Experiment(baseline, run, fell, tuple(sorted(before - after)), tuple(sorted(after - before)))

    @operation(Effect.READ, name="eval.history")
    def evaluation_runs(self, *, limit: int = 20, space: str | None = None) -> Page[EvaluationRun]:
        """List earlier runs, the newest first."""
        return Page(tuple(self._engine.evaluations.runs(self._whole(space, _WHOLE), limit=checked_limit(limit))))

    def _questionable(self, space: str, taken: Collection[str], size: int) -> list[Note]:
        """Some notes that hold, are there to stay and leave something to be asked for, as if by chance."""
        from recollect.reflect.questions import question_of, sampled

        holding = Selection(states=frozenset({State.ACTIVE}), valid_at=self._engine.clock.now())
        order = sampled(self._engine.store.ids(space, holding), taken)
        found: list[Note] = []
        for start in range(0, len(order), _PAGE):
            if len(found) >= size:
                break
            notes = self._engine.store.current(space, order[start : start + _PAGE])
            some = (notes[each] for each in order[start : start + _PAGE] if each in notes)
            found += (note for note in some if note.erase_at is None and question_of(note) is not None)
        return found[:size]

    def _question(self, space: str, question_id: str) -> EvaluationQuestion:
        wanted = checked_id(question_id, what="question")
        found = next((each for each in self._engine.evaluations.questions(space) if each.id == wanted), None)
        if found is None:
            raise _no_question(wanted, space)
        return found

    def _by_model(self, mind: ChatModel, notes: Sequence[Note]) -> tuple[dict[str, str], str, Usage]:
        """The questions of a model by note, why it stopped, if it did, and what it used."""
        from recollect.domain.answers.recollections import Usage
        from recollect.reflect.questions import AT_A_TIME, LONGEST_REPLY, SCHEMA, messages_for, worded

        found: dict[str, str] = {}
        usage = Usage()
        for start in range(0, len(notes), AT_A_TIME):
            some = notes[start : start + AT_A_TIME]
            delimiter = self._engine.clock.new_id()[-_DELIMITER:].lower()
            reply = mind.reply(messages_for(some, delimiter), schema=SCHEMA, max_tokens=LONGEST_REPLY)
            usage += reply.usage
            if reply.refusal is not None:
                return found, reply.refusal.message, usage
            found |= worded(reply.data, some)
        return found, "", usage

    def _embedding_here(self) -> str:
        """The name of the model that serves: the choice of the store comes before the setting, unless that is `off`."""
        setting = self._engine.settings.embedding
        return setting if setting == "off" else self._engine.vectors.choice().serving or setting

    def _is_elsewhere(self, embedding: str) -> bool:
        """Whether vectors under this name would be made by a provider."""
        providers = {each.name for each in self._engine.settings.providers}
        return embedding == "provider" or embedding.partition(":")[0] in providers

    def _ready(self, space: str) -> Sequence[EvaluationQuestion]:
        questions = self._engine.evaluations.questions(space)
        if not questions:
            raise NotFound(
                f"There are no questions for `{space}` yet.",
                code="no_questions",
                hint="`recollect eval build` makes some.",
            )
        return questions

    def _asked(self, space: str, questions: Sequence[EvaluationQuestion], changed: Mapping[str, str]) -> EvaluationRun:
        """Ask questions here. A note that was superseded is answered by the one that holds in its place."""
        from recollect.domain.answers.evaluations import DEPTH, EvaluationRun
        from recollect.reflect.metrics import judged, tokens

        right = self._answers(space, questions)
        scores: list[dict[str, float]] = []
        places: dict[str, int] = {}
        for each in questions:
            if each.id not in right:
                continue
            found = self._search(self._sources(space, {}, wanted=DEPTH), each.text, {}).ranked[:DEPTH]
            names = [
                each.note_id if {hit.id, hit.said.id if hit.said else ""} & right[each.id] else hit.id for hit in found
            ]
            figures = judged(names, [each.note_id])
            shown = {"tokens@10": float(tokens([hit.text for hit in found[:_TOP]]))}
            scores.append({**{key: value for key, value in figures.items() if key in _TOLD}, **shown})
            places[each.id] = names.index(each.note_id) + 1 if each.note_id in names else 0
        means = {key: round(sum(one[key] for one in scores) / len(scores), 4) for key in scores[0]} if scores else _NONE
        clock, stale = self._engine.clock, len(questions) - len(scores)
        return EvaluationRun(clock.new_id(), clock.now(), len(scores), means, stale, dict(changed), places)

    def _answers(self, space: str, questions: Sequence[EvaluationQuestion]) -> dict[str, set[str]]:
        """The records that answer each question: the notes of its chain that hold, and the messages they were read
        from; none for a question whose note no longer holds in any form."""
        now, asked = self._engine.clock.now(), list(dict.fromkeys(each.note_id for each in questions))
        chains = self._engine.lineage.chains(space, asked)
        notes = self._engine.store.current(space, list({*asked, *(one for chain in chains.values() for one in chain)}))
        right: dict[str, set[str]] = {}
        for each in questions:
            chain = {each.note_id, *chains.get(each.note_id, ())}
            holding = [notes[one] for one in chain if one in notes and notes[one].holds_at(now)]
            holding = [note for note in holding if note.state is State.ACTIVE]
            if holding:
                right[each.id] = {record for note in holding for record in (note.id, *note.derived_from)}
        return right

    def _asked_of_a_copy(
        self, space: str, questions: Sequence[EvaluationQuestion], changed: Mapping[str, str]
    ) -> EvaluationRun:
        """Ask questions of a copy of the space in a folder that is gone afterwards, with some settings changed."""
        from tempfile import TemporaryDirectory

        from recollect.assembly import assemble
        from recollect.domain.meanings import EmbeddingChoice
        from recollect.verbs.transport import CarryingVerbs

        with TemporaryDirectory(prefix="recollect-experiment-") as folder:
            values: dict[str, Any] = {"store": f"{folder}/copy.db", "space": space, **changed}
            settings = replace(self._engine.settings, **values)
            engine = assemble(settings, clock=self._engine.clock)
            try:
                if "embedding" not in changed:  # it is served as memory is, whatever the setting says
                    serving = EmbeddingChoice(self._engine.vectors.choice().serving)
                    engine.vectors.choose(serving, instead_of=EmbeddingChoice(), at=engine.clock.now())
                here = chapter_alone(CarryingVerbs, self._engine, self._caller)
                there = chapter_alone(CarryingVerbs, engine, Caller(Channel.LIBRARY, self._caller.principal))
                cursor = None
                while True:
                    page = here.export(space=space, cursor=cursor, limit=_PAGE)
                    there.import_([json.dumps(record) for record in page.records], trust=True, space=space)
                    cursor = page.next_cursor
                    if cursor is None:
                        break
                return chapter_alone(EvaluationVerbs, engine, self._caller)._asked(space, questions, changed)
            finally:
                engine.close()

    def _run_kept(self, space: str, run: EvaluationRun) -> EvaluationRun:
        if self._rehearsed is None:
            self._engine.evaluations.keep_run(space, run)
        return run


def _no_question(question_id: str, space: str) -> NotFound:
    return NotFound(
        f"There is no question {question_id} in `{space}`.",
        code="question_not_found",
        hint="`recollect eval questions` shows them.",
    )


_TOLD = frozenset({"recall@1", "recall@5", "recall@10", "recall@20", "mrr"})
_NONE: dict[str, float] = dict.fromkeys((*sorted(_TOLD), "tokens@10"), 0.0)
