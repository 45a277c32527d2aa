"""The embedding model of a store is changed while it is asked: nothing stops, and nothing is compared across models."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from recollect import Conflict, Memory
from recollect.domain.dataclass import replace
from recollect.domain.errors import NotAllowed
from recollect.domain.meanings import EmbeddingChoice
from recollect.domain.origin import Caller, Channel
from recollect.engine import Inference, ServedModels
from recollect.inference.choice import model_in
from recollect.inference.static import StaticEmbedder
from recollect.stores.sql_store import SqlStore
from recollect.verbs import upkeep
from tests.chaos.effort import FULL
from tests.inference.making import a_folder
from tests.inference.test_static import PIECES, a_table
from tests.support.clock import SteadyClock

# Stores that several processes can open.
shared = pytest.mark.parametrize(
    "store_address", ["sqlite-file", pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True
)
KILLS = 100 if FULL else 15
TEXTS = 3 * KILLS
BATCH = 2


class Killed(BaseException):
    """The end of a process: nothing catches it."""


@pytest.fixture
def models(tmp_path: Path) -> tuple[str, str]:
    """Two models with vectors of one length, each the opposite of the other: a mixed comparison gives minus one."""
    vocabulary = "".join(f"{piece}\n" for piece in PIECES).encode()
    tables = {"old": np.eye(len(PIECES), 12), "new": -np.eye(len(PIECES), 12)}
    for name, table in tables.items():
        a_folder(tmp_path / name, {"model.safetensors": a_table(table), "vocab.txt": vocabulary})
    return str(tmp_path / "old"), str(tmp_path / "new")


@pytest.fixture
def opened(
    store_address: str, tmp_path: Path, clock: SteadyClock, models: tuple[str, str]
) -> Iterator[Callable[[], Memory]]:
    """Opens the store anew, as another process would."""
    memories: list[Memory] = []

    def open_store() -> Memory:
        memories.append(Memory(store=store_address, home=tmp_path / "home", embedding=models[0], clock=clock))
        return memories[-1]

    yield open_store
    for each in memories:
        each.close()


def nearest(memory: Memory, text: str = "tea") -> list[float]:
    nearness = memory._engine.nearness
    assert nearness is not None
    return [round(each.likeness, 3) for each in nearness.nearest("default", text, limit=3)]


@shared
def test_the_next_model_is_made_ready_compared_switched_to_and_left_again(
    opened: Callable[[], Memory], models: tuple[str, str]
) -> None:
    memory, (old, new) = opened(), models
    other = opened()
    memory.save("tea")
    memory.save("coffee at the moon")
    memory.recall("tea")
    with pytest.raises(Conflict, match="No model stands beside"):
        memory.switch_embeddings()
    begun = memory.prepare_embeddings(new)
    assert (begun.serving, begun.beside, begun.lacking, begun.beside_lacking) == (old, new, 0, 2)
    with pytest.raises(Conflict) as incomplete:
        memory.switch_embeddings()
    assert incomplete.value.code == "embedding_incomplete"
    memory.run_jobs()
    compared = memory.compare_embeddings()
    assert (compared.questions, compared.overlap) == (1, 1.0)
    assert memory.switch_embeddings().serving == new
    other._engine.inference.look()  # type: ignore[attr-defined]
    for each in (memory, other, opened()):
        assert (each.embeddings().serving, nearest(each)[0]) == (new, 1.0)
        assert each.search("tea").hits[0].text == "tea"
    later = memory.save("tea and coffee")
    memory.run_jobs()
    assert memory.switch_embeddings().serving == old, "the same again leads back"
    assert later.id in {hit.note.id for hit in memory.search("tea").hits if hit.note}
    assert memory.embeddings().lacking == 0, "vectors for the way back are kept up"
    alone = memory.drop_embeddings()
    assert (alone.serving, alone.beside) == (old, "")
    assert list(memory._engine.vectors.every("default", begun.beside_id)) == []
    assert memory._engine.vectors.choice() == EmbeddingChoice(), "the setting says again what serves"


def test_an_experiment_is_served_by_the_model_that_serves(
    tmp_path: Path, clock: SteadyClock, models: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    used: set[str] = set()
    passages = StaticEmbedder.passages

    def noticed(embedder: StaticEmbedder, texts: Sequence[str]) -> Sequence[bytes]:
        used.add(embedder.model_id)
        return passages(embedder, texts)

    with Memory(store=":memory:", home=tmp_path / "home", embedding=models[0], judge="off", clock=clock) as memory:
        memory.save("coffee at the moon and tea")
        memory.build_questions()
        new = memory.prepare_embeddings(models[1]).beside_id
        memory.run_jobs()
        memory.switch_embeddings()
        monkeypatch.setattr(StaticEmbedder, "passages", noticed)
        memory.experiment(reranker="off")
    assert used == {new}


@shared
def test_a_fill_that_is_killed_again_and_again_goes_on_where_it_was(
    store_address: str, tmp_path: Path, clock: SteadyClock, models: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "_AT_A_TIME", BATCH)
    left = [10**9]  # points until the next kill

    def killing(kind: type, name: str) -> None:
        plain = getattr(kind, name)

        def point() -> None:
            left[0] -= 1
            if left[0] == 0:
                raise Killed

        def counted(*given: object, **named: object) -> object:
            point()
            found = plain(*given, **named)
            point()
            return found

        monkeypatch.setattr(kind, name, counted)

    def process() -> Memory:
        return Memory(store=store_address, home=tmp_path / "home", embedding=models[0], clock=clock)

    with process() as memory:
        memory.add([{"role": "user", "content": f"tea coffee {each}"} for each in range(TEXTS)], extract=False)
        beside = memory.prepare_embeddings(models[1]).beside_id
    killing(StaticEmbedder, "passages")
    killing(SqlStore, "apply")
    kills, lacking = 0, TEXTS
    while kills < KILLS:
        with process() as memory:
            for job in memory.jobs(stage="dead"):
                memory.retry_job(job.id)
            left[0] = 3 + kills % 7
            try:
                memory.run_jobs()
            except Killed:
                kills += 1
            left[0] = 10**9
            now = memory._engine.vectors.lacking("default", beside)
            assert now <= lacking, "what was made is kept"
            lacking = now
            assert set(nearest(memory, "tea coffee")) == {1.0}, "by the model that serves, and by no other"
            assert memory.search("coffee").hits
        clock.advance(hours=2)
    assert lacking > 0, "it was killed on the way"
    with process() as memory:
        for job in memory.jobs(stage="dead"):
            memory.retry_job(job.id)
        memory.run_jobs()
        assert memory.switch_embeddings().lacking == 0
        assert set(nearest(memory, "tea coffee")) == {1.0}


@pytest.mark.parametrize("store_address", ["sqlite-file"], indirect=True)
def test_a_folder_is_kept_with_its_whole_path(
    opened: Callable[[], Memory], models: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(models[1]).parent)
    assert opened().prepare_embeddings("new").beside == models[1]
    monkeypatch.chdir("/")
    assert opened().embeddings().beside_id, "whoever works elsewhere finds it, too"


@pytest.mark.parametrize("store_address", ["sqlite-file"], indirect=True)
def test_no_model_that_serves_stands_beside_itself(opened: Callable[[], Memory], models: tuple[str, str]) -> None:
    memory = opened()
    engine = memory._engine
    engine.inference.made = replace(  # as where a second model compares word by word
        engine.inference.get(), pieces=StaticEmbedder(model_in(Path(models[1])), Path(models[1]))
    )
    for serving in models:
        with pytest.raises(Conflict) as serves:
            memory.prepare_embeddings(serving)
        assert serves.value.code == "embedding_serves"


@pytest.mark.parametrize("store_address", ["sqlite-file"], indirect=True)
def test_a_model_in_a_folder_is_chosen_at_the_machine_only(
    opened: Callable[[], Memory], models: tuple[str, str]
) -> None:
    far = opened().acting_as(Caller(Channel.HTTP, admin=True, everywhere=True))
    with pytest.raises(NotAllowed):
        far.prepare_embeddings(models[1])


@shared
def test_a_switch_does_not_wait_for_what_was_written_a_moment_ago(
    opened: Callable[[], Memory], models: tuple[str, str], clock: SteadyClock
) -> None:
    memory = opened()
    memory.save("tea")
    memory.prepare_embeddings(models[1])
    memory.run_jobs()
    memory.save("coffee")
    memory.add([{"role": "user", "content": "moon"}], extract=False)
    assert memory.embeddings().beside_lacking == 2
    clock.advance(minutes=2)
    with pytest.raises(Conflict, match="2 texts"):
        memory.switch_embeddings()
    memory.run_jobs()
    memory.save("the tea of the moon")
    assert memory.switch_embeddings().lacking == 1
    assert memory.search("moon").hits, "words find it meanwhile"
    shown = memory.embeddings()
    assert (shown.setting, shown.serving) == models


@shared
def test_a_model_that_is_not_here_is_not_dropped(opened: Callable[[], Memory], models: tuple[str, str]) -> None:
    memory = opened()
    memory.save("tea")
    model_id = memory.prepare_embeddings(models[1]).beside_id
    memory.run_jobs()
    Path(models[1], "model.safetensors").rename(Path(models[1], "hidden"))
    elsewhere = opened()
    for verb in (elsewhere.drop_embeddings, elsewhere.switch_embeddings, elsewhere.compare_embeddings):
        with pytest.raises(Conflict) as absent:
            verb()
        assert absent.value.code == "embedding_not_here"
    assert elsewhere.embeddings().beside == models[1]
    assert list(elsewhere._engine.vectors.every("default", model_id))


class _Closable:
    """What is near, as far as it is closed."""

    closed = False

    def close(self) -> None:
        self.closed = True


def test_models_that_were_left_twice_are_let_go_of() -> None:
    chosen = [EmbeddingChoice()]
    models = ServedModels(lambda _: Inference(nearness=_Closable()), lambda: chosen[0])  # type: ignore[arg-type]
    made = []
    for name in ("first", "second", "third"):
        chosen[0] = EmbeddingChoice(name)
        models.look()
        made.append(models.get())
    assert [each.nearness.closed for each in made] == [True, False, False]  # type: ignore[union-attr]
    assert list(models.all_made()) == made[1:]


def test_many_who_come_at_once_ask_the_store_once() -> None:
    asked, together = [], threading.Barrier(8)

    def chosen() -> EmbeddingChoice:
        asked.append(1)
        threading.Event().wait(0.05)  # a store that takes its time, so that the others come meanwhile
        return EmbeddingChoice("chosen")

    models = ServedModels(lambda choice: Inference(embedder=choice.serving), chosen)  # type: ignore[arg-type]

    def come() -> object:
        together.wait()
        return models.get().embedder

    with ThreadPoolExecutor(8) as threads:
        found = [each.result() for each in [threads.submit(come) for _ in range(8)]]
    assert (set(found), len(asked)) == ({"chosen"}, 1)


@shared
def test_a_machine_without_the_model_that_serves_answers_by_words(
    opened: Callable[[], Memory], models: tuple[str, str]
) -> None:
    memory = opened()
    memory.save("tea at the moon")
    memory.prepare_embeddings(models[1])
    memory.run_jobs()
    memory.switch_embeddings()
    Path(models[1], "model.safetensors").unlink()
    assert opened().search("tea").hits[0].text == "tea at the moon"


@pytest.mark.parametrize("store_address", ["sqlite-file"], indirect=True)
def test_where_vectors_are_off_no_model_is_chosen(store_address: str, tmp_path: Path) -> None:
    with (
        Memory(store=store_address, home=tmp_path / "home", embedding="off") as memory,
        pytest.raises(Conflict) as off,
    ):
        memory.prepare_embeddings("hashed")
    assert off.value.code == "embedding_off"
