"""Play a data set into a memory the way it happened, ask its questions, and keep what was found for each.

Everything is told twice, to the space of its own corpus and to one space for all, and beside both to the plain
baselines. The clock shows the time of what is told, and of what is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from datetime import datetime
from heapq import merge
from pathlib import Path

from bench.baselines import Plain
from bench.material import Corpus, DataSet, Item, Question
from bench.measuring import say, timed
from bench.playing import WorldClock, fresh_memory
from recollect import Memory, Settings
from recollect.domain.answers.recollections import Coverage, Hit
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.meanings import Embedder, Vector
from recollect.reflect.metrics import TOP, tokens

OURS = "recollect"
ALONE, TOGETHER = "alone", "together"  # one space per corpus, and one for all
HITS = 50  # per question
ELSEWHERE = "of another corpus"  # questions that were meant for another one

_OF_ANOTHER = 30  # questions that each corpus is asked of the next one

_WORD_EVERY = 200  # things told and questions asked between two words on how far it is


@dataclass(frozen=True, slots=True)
class Found:
    """A question, the ids found for it, best first, and the tokens of the first ten hits.

    `coverage` is what was told of how much is known; `None` of a baseline, which says nothing of it.
    """

    question: Question
    ids: tuple[str, ...]
    sessions: tuple[str, ...]
    gold_sessions: tuple[str, ...]
    tokens: int
    coverage: Coverage | None = None


@dataclass(slots=True)
class Retold:
    """What came of a set: by where it was told and by who answered. Times are in seconds.

    For peers, if they are wanted: the vectors of all texts, how long each question took once its own was known, and
    how long telling took the second time, when every vector was. `None`: it was told only once. `unanswered` is what
    questions without any answer were told of how much is known, by their sort.
    """

    found: dict[tuple[str, str], list[Found]] = field(default_factory=dict)
    vectors: dict[str, Vector] = field(default_factory=dict)
    asked_again_in: list[float] = field(default_factory=list)
    told_again_in: float | None = None
    unanswered: dict[str, list[Coverage]] = field(default_factory=dict)
    items: int = 0
    told_in: float = 0.0
    asked_in: float = 0.0


def retell(
    given: DataSet, settings: Settings, folder: Path, *, all_in_one: bool = True, for_peers: bool = False
) -> Retold:
    """Play a whole set. Its store is a file in the folder, made for it."""
    clock = WorldClock()
    place = Settings(
        home=folder,
        store=str(folder / f"{given.name}.db"),
        principal="bench",
        models=settings.models,
        embedding=settings.embedding,
    )
    retold = Retold()
    with ExitStack() as stack:
        memory = stack.enter_context(closing(Memory(settings=place, clock=clock)))
        # The very embedder of the memory: it still knows the vectors of what it was told last, so that the plain
        # baseline gets the same ones, and no text is embedded twice.
        embedder = memory._engine.embedder

        def listener(name: str) -> _Listener:
            return _Listener(memory, name, stack.enter_context(closing(Plain(embedder))))

        alone = {corpus.name: listener(f"alone-{number}") for number, corpus in enumerate(given.corpora)}
        as_one = listener(TOGETHER) if all_in_one and len(given.corpora) > 1 else None
        questions = sum(len(corpus.questions) for corpus in given.corpora)
        said = 0
        for step in _steps(given):
            clock.moment = step.at
            _take(step, ALONE, alone[step.corpus.name], retold)
            if step.question is not None and for_peers:
                retold.asked_again_in.append(alone[step.corpus.name].asked_again_in(step.question))
            if as_one is not None:
                clock.moment = step.at_for_all
                _take(step, TOGETHER, as_one, retold)
            if embedder is not None and for_peers:
                retold.vectors |= _vectors(embedder, step)
            asked = len(retold.found.get((ALONE, OURS), ()))
            if retold.items + asked >= said + _WORD_EVERY:
                said = retold.items + asked
                say(f"{given.name}: {retold.items:,} things told, {asked:,} of {questions:,} questions asked")
        retold.told_in = sum(one.told_in for one in alone.values())
        retold.asked_in = sum(one.asked_in for one in alone.values())
        retold.told_again_in = as_one.told_in if as_one is not None else None
        clock.moment = max(clock.moment, *(corpus.items[-1].at for corpus in given.corpora))
        for corpus in given.corpora:
            for sort, question in _without_answer(given, corpus):
                told = alone[corpus.name].coverage_of(question)
                retold.unanswered.setdefault(sort, []).append(told)
    return retold


def retell_as(
    given: DataSet, corpus: Corpus, settings: Settings, views: Callable[[Memory], Mapping[str, Memory]]
) -> dict[str, list[Found]]:
    """Tell one corpus once, and ask its questions of several views of that memory: what each found, by view.

    They are asked for as few hits as people ask for: whoever wants more has more candidates gathered.
    """
    clock = WorldClock()
    with ExitStack() as stack:
        memory = stack.enter_context(closing(fresh_memory(clock, ALONE, settings.embedding, settings.models)))
        listener = _Listener(memory, ALONE, stack.enter_context(closing(Plain(None))))
        found: dict[str, list[Found]] = {name: [] for name in views(memory)}
        for step in _steps(replace(given, corpora=[corpus])):
            clock.moment = step.at
            if step.question is None:
                listener.tell(corpus, step.items)
                continue
            for name, view in views(memory).items():
                found[name].append(listener.seen_by(view).ask(corpus, step.question, hits=TOP)[OURS])
        return found


def _take(step: _Step, where: str, listener: _Listener, retold: Retold) -> None:
    """One step in one place."""
    if step.question is None:
        listener.tell(step.corpus, step.items)
        retold.items += len(step.items) if where == ALONE else 0
        return
    for who, found in listener.ask(step.corpus, step.question).items():
        retold.found.setdefault((where, who), []).append(found)


@dataclass(frozen=True, slots=True)
class _Step:
    """Either something that is told or a question that is asked, and when that is in one space and in the other."""

    at: datetime
    at_for_all: datetime
    corpus: Corpus
    items: Sequence[Item] = ()
    question: Question | None = None


def _steps(given: DataSet) -> Iterator[_Step]:
    """All corpora side by side, in the order of time; questions among them, or at the end."""
    told = [
        [_Step(piece[-1].at, piece[-1].at, corpus, piece) for piece in corpus.sessions()] for corpus in given.corpora
    ]
    if given.along_the_way:
        asked = [
            [_Step(each.now, each.now, corpus, question=each) for each in sorted(corpus.questions, key=_asked)]
            for corpus in given.corpora
        ]
        yield from merge(*told, *asked, key=lambda step: step.at)
        return
    yield from merge(*told, key=lambda step: step.at)
    # Where all corpora are, it is at least as late as the last thing that was said in any of them.
    end = max(corpus.items[-1].at for corpus in given.corpora)
    for corpus in given.corpora:
        yield from (_Step(each.now, max(each.now, end), corpus, question=each) for each in corpus.questions)


def _asked(question: Question) -> datetime:
    return question.now


def _without_answer(given: DataSet, corpus: Corpus) -> Iterator[tuple[str, Question]]:
    """Questions that a corpus cannot answer, by their sort: its own, and some of the one after it in the set."""
    for question in corpus.unanswered:
        yield question.category, question
    place = given.corpora.index(corpus)
    another = given.corpora[(place + 1) % len(given.corpora)]
    if another is not corpus:
        yield from ((ELSEWHERE, question) for question in another.questions[:_OF_ANOTHER])


def _vectors(embedder: Embedder, step: _Step) -> dict[str, Vector]:
    """By their texts; the embedder has just made them and still knows them."""
    words = [item.words for item in step.items]
    told = dict(zip(words, embedder.passages(words), strict=True))
    return told if step.question is None else {step.question.text: embedder.query(step.question.text)}


class _Listener:
    """One space of the memory and the plain baselines beside it: they are told and asked the same."""

    def __init__(self, memory: Memory, space: str, plain: Plain) -> None:
        self._memory, self._space, self._plain = memory, space, plain
        self._items: dict[str, tuple[str, Item]] = {}  # what the memory calls a thing, to its corpus and item
        self._sessions: dict[tuple[str, str], str] = {}  # corpus and item id to session
        self.told_in = self.asked_in = 0.0  # seconds of the memory, without the baselines

    def seen_by(self, view: Memory) -> _Listener:
        """The same things told, asked of another view of the memory."""
        other = _Listener(view, self._space, self._plain)
        other._items, other._sessions = self._items, self._sessions
        return other

    def tell(self, corpus: Corpus, items: Sequence[Item]) -> None:
        seconds, names = timed(self._saved if items[0].is_note else self._said, corpus, items)
        self.told_in += seconds
        for name, item in zip(names, items, strict=True):
            self._items[name] = corpus.name, item
            self._sessions[corpus.name, item.id] = item.session
        embedder = self._memory._engine.embedder
        told = [_within(corpus, item) for item in items]
        self._plain.tell(told, embedder.passages([item.words for item in told]) if embedder else ())

    def ask(self, corpus: Corpus, question: Question, *, hits: int = HITS) -> dict[str, Found]:
        seconds, answer = timed(self._memory.search, question.text, limit=hits, space=self._space)
        self.asked_in += seconds
        told = answer.hits
        ours = self._found(corpus, question, self._behind(told), [hit.text for hit in told[:TOP]])
        found = {OURS: replace(ours, coverage=answer.coverage)}
        for who, items in self._plain.ask(question.text, limit=HITS).items():
            ids = [tuple(item.id.split(_OF, 1)) for item in items]
            found[who] = self._found(corpus, question, ids, [item.words for item in items[:TOP]])
        return found

    def coverage_of(self, question: Question) -> Coverage:
        """How much is said to be known of a question."""
        return self._memory.search(question.text, limit=HITS, space=self._space).coverage

    def asked_again_in(self, question: Question) -> float:
        """Seconds of the same search once more, when the vector of the question is known."""
        return timed(self._memory.search, question.text, limit=HITS, space=self._space)[0]

    def _saved(self, corpus: Corpus, items: Sequence[Item]) -> Sequence[str]:
        [item] = items
        note = self._memory.save(
            item.text,
            kind="semantic" if not item.tags else "episodic",
            title=item.title,
            tags=item.tags or None,
            session=_session(corpus, item),
            valid_from=item.at,
            occurred_at=item.at if item.tags else None,
            space=self._space,
        )
        return [note.id]

    def _said(self, corpus: Corpus, items: Sequence[Item]) -> Sequence[str]:
        messages = [
            {"role": item.role, "name": item.speaker, "content": item.text, "at": item.at.isoformat()} for item in items
        ]
        session = _session(corpus, items[0])
        return self._memory.add(messages, at=items[0].at, session=session, space=self._space).observation_ids

    def _behind(self, hits: Sequence[Hit]) -> list[tuple[str, ...]]:
        """What stands behind hits: for what was told the thing itself, for what was learned what it was read from."""
        known: list[tuple[str, ...]] = []
        for hit in hits:
            names = [name for name in (hit.id, *hit.evidence) if name in self._items]
            known += [(self._items[name][0], self._items[name][1].id) for name in names]
            if not names:
                known.append(("", hit.id))  # it keeps its place
        return known

    def _found(
        self, corpus: Corpus, question: Question, found: Sequence[tuple[str, ...]], texts: Sequence[str]
    ) -> Found:
        """Ids of the corpus that is asked about; what is another's keeps its place under a name that is never right."""
        ids = dict.fromkeys(name if owner == corpus.name else f"{owner}{_OF}{name}" for owner, name in found)
        sessions = dict.fromkeys(
            self._sessions.get((owner, name), "") + ("" if owner == corpus.name else f"{_OF}{owner}")
            for owner, name in found
        )
        gold_sessions = dict.fromkeys(self._sessions[corpus.name, name] for name in question.gold)
        return Found(question, tuple(ids), tuple(sessions), tuple(gold_sessions), tokens(texts))


_OF = "\x1f"  # between a corpus and an id: in neither of them


def _within(corpus: Corpus, item: Item) -> Item:
    """The item as the baselines keep it, with whose it is in its id."""
    return replace(item, id=f"{corpus.name}{_OF}{item.id}")


def _session(corpus: Corpus, item: Item) -> str | None:
    return f"{corpus.name} {item.session}" if item.session else None


def scored_by(retold: Retold, where: str) -> Mapping[str, list[Found]]:
    """The answers of everyone who was asked in one place."""
    return {who: found for (place, who), found in retold.found.items() if place == where}
