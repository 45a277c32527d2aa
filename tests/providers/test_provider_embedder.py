"""Embeddings by a provider: made by the job after a write, on the ledger, and never in the way of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import InvalidInput, Memory, Misconfigured
from recollect.domain.chat.spend import SpendCaps, SpendSettings
from recollect.domain.dataclass import replace
from recollect.domain.jobs.job import JobsRun
from recollect.settings import Settings
from tests.support.clock import SteadyClock
from tests.support.model_server import ModelServer, Says
from tests.support.raw import store_of


@pytest.fixture(params=["openai", "gemini"])
def elsewhere(request: pytest.FixtureRequest, server: ModelServer, tmp_path: Path) -> Iterator[Memory]:
    settings = Settings(tmp_path, ":memory:", embedding="provider", providers=(server.provider(request.param),))
    with Memory(settings=replace(settings, judge="off"), clock=SteadyClock()) as memory:
        yield memory


def test_vectors_come_after_the_write_and_are_paid_for(elsewhere: Memory, server: ModelServer) -> None:
    secret = "ghp_" + "a1B2" * 9
    elsewhere.save(f"Ana lives in Lisbon; her token is {secret}")
    assert server.asked == [] and elsewhere.status().unembedded == 1
    assert elsewhere.run_jobs() == JobsRun(done=1)
    assert elsewhere.status().unembedded == 0
    [vector] = store_of(elsewhere).vectors.every("default", f"{elsewhere.providers()[0].name}:little/4")
    assert len(vector.vector) == 16
    assert elsewhere.search("Lisbon").hits
    assert secret not in str(server.asked)
    [line] = elsewhere.spend(by=["task", "model"])
    assert (line.task, line.model, line.calls) == ("embed", "little", len(server.asked))


def test_maintenance_leaves_a_provider_to_the_job(elsewhere: Memory, server: ModelServer) -> None:
    elsewhere.save("Ana lives in Lisbon")
    elsewhere.cancel_job(elsewhere.jobs()[0].id)
    done = {each.phase.value: each.detail for each in elsewhere.maintain(scope="full").phases}
    assert done["embed"] == "1 wait for a provider" and "crystallize" in done and server.asked == []
    elsewhere.run_jobs()
    assert elsewhere.status().unembedded == 0 and server.asked


def test_an_experiment_sends_no_copy_to_a_provider(elsewhere: Memory, server: ModelServer) -> None:
    elsewhere.save("The invoice for March 2026 was paid by Ana")
    elsewhere.build_questions()
    before = len(server.asked)
    for changed in ({"reranker": "off"}, {"embedding": f"{elsewhere.providers()[0].name}:little/4"}):
        with pytest.raises(InvalidInput, match="sends nothing"):
            elsewhere.experiment(**changed)
    assert len(server.asked) == before


def test_each_space_pays_for_its_own_vectors_up_to_its_own_cap(server: ModelServer, tmp_path: Path) -> None:
    caps = SpendSettings(SpendCaps(space_tokens=60))
    settings = Settings(tmp_path, ":memory:", embedding="provider", providers=(server.provider(),), spend=caps)
    with Memory(settings=replace(settings, judge="off"), clock=SteadyClock()) as memory:
        memory.save("Ana lives in Lisbon.", space="small")
        memory.save("Ben lives in Porto. " * 20, space="large")
        assert memory.run_jobs(limit=2) == JobsRun(done=1, failed=1)
        assert [job.failure for job in memory.jobs(space="large")] == ["spend_cap"]
        assert [line.space for line in memory.spend(by=["space"])] == ["small"]
        assert memory.search("Porto", space="large").hits  # by its words
        memory.delete_space("small")
        assert {line.space: line.calls for line in memory.spend(by=["space"])} == {"": 1, "large": 1}


def test_a_provider_that_fails_for_vectors_is_left_alone_by_answers_too(elsewhere: Memory, server: ModelServer) -> None:
    elsewhere.save("Ana lives in Lisbon.")
    server.script = [Says(status=503)] * 5
    for question in "abcde":
        elsewhere.search(f"Lisbon {question}")
    asked = len(server.asked)
    assert elsewhere.answer("Where does Ana live?").fallback.endswith("is left alone.")
    assert len(server.asked) == asked == 5


def test_words_answer_while_the_provider_fails(elsewhere: Memory, server: ModelServer) -> None:
    elsewhere.save("Ana lives in Lisbon.")
    server.script = [Says(status=503)]
    assert elsewhere.run_jobs() == JobsRun(done=0, failed=1)
    [job] = elsewhere.jobs()
    assert elsewhere.job(job.id).failure == "provider_unreachable"
    assert elsewhere.search("Lisbon").hits[0].text == "Ana lives in Lisbon."


def test_vectors_that_are_not_as_long_as_was_said_are_not_kept(server: ModelServer, tmp_path: Path) -> None:
    settings = Settings(tmp_path, ":memory:", embedding="provider", providers=(server.provider(dimension=5),))
    with Memory(settings=replace(settings, judge="off"), clock=SteadyClock()) as memory:
        memory.save("Ana lives in Lisbon.")
        assert memory.run_jobs() == JobsRun(done=0, failed=1)
        assert memory.jobs()[0].failure == "malformed_reply"


def test_a_provider_without_a_model_for_it_is_told_at_once(server: ModelServer, tmp_path: Path) -> None:
    provider = server.provider(embedding_model="")
    with pytest.raises(Misconfigured, match="no provider has a model for embeddings"):
        Memory(settings=Settings(tmp_path, ":memory:", embedding="provider", providers=(provider,)))
