"""Programs that speak to Anima speak to us: its HTTP API, its tools and its Python class, without its known bugs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.dialects.anima import Config, Episode, MemoryExport, MemoryItem, SearchResult, UserProfile
from recollect.dialects.anima import Memory as Anima
from recollect.dialects.registry import loaded
from recollect.surfaces.cli.main import main
from tests.surfaces.http.client import Answer, Client, served
from tests.surfaces.mcp.speaking import over_http

pytestmark = pytest.mark.xdist_group("dialect dialects anima")  # one after the other, on one server

NOWHERE = "00000000-0000-4000-8000-000000000000"
SERVICE = "a service key of sixteen and more"
ITEM = {
    "id", "content", "user_id", "agent_id", "session_id", "created_at", "valid_from", "valid_until", "superseded_by",
    "expires_at", "confidence", "metadata",
}  # fmt: skip
_NOT_SAID = {"user_id": "alice", "agent_id": None, "expires_at": None, "confidence": 1.0}
# As `anima-mem` 0.1.1 wrote it.
THEIRS: dict[str, Any] = {
    "version": 1,
    "user_id": "alice",
    "exported_at": "2026-11-17T03:13:18.013219Z",
    "memories": [
        {
            **_NOT_SAID,
            "id": "b396cc54-99f3-4743-b414-b3cb3ce87f96",
            "content": "I live in Berlin",
            "session_id": None,
            "created_at": "2026-11-17T03:13:17.471951Z",
            "valid_from": "2026-11-17T03:13:17.471957Z",
            "valid_until": "2026-11-17T03:13:17.674397Z",
            "superseded_by": "4a184e27-fb0d-4a73-87ab-8edd8dda1de1",
            "metadata": {},
        },
        {
            **_NOT_SAID,
            "id": "4a184e27-fb0d-4a73-87ab-8edd8dda1de1",
            "content": "I now live in Paris",
            "session_id": None,
            "created_at": "2026-11-17T03:13:17.666408Z",
            "valid_from": "2026-11-17T03:13:17.666415Z",
            "valid_until": None,
            "superseded_by": None,
            "metadata": {"source": "chat"},
        },
        {
            **_NOT_SAID,
            "id": "2eec0cf9-3c28-4cb7-803a-3e1cec077c2d",
            "content": "My dog is called Rex",
            "session_id": "s1",
            "created_at": "2026-11-17T03:13:17.793011Z",
            "valid_from": "2026-11-17T03:13:17.793014Z",
            "valid_until": None,
            "superseded_by": None,
            "metadata": {"pinned": True},
        },
    ],
    "profile": None,
}
STATS = {"total", "current", "superseded", "pinned", "by_kind", "by_attribute", "timeline"}


@dataclass(frozen=True)
class Service:
    """A service that asks in the name of a user."""

    client: Client
    user: str

    def send(self, method: str, path: str, body: Any = None) -> Answer:
        return self.client.send(method, path, body, X_Api_Key=SERVICE, X_User_Id=self.user)

    def says(self, text: str) -> Answer:
        return self.send("POST", "/api/messages", {"content": text})

    def memories(self, query: str = "") -> Any:
        return self.send("GET", f"/api/memories{query}").json


@pytest.fixture(scope="module", autouse=True)
def configured() -> Iterator[None]:
    """The service key of the environment, as Anima's server has it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INTERNAL_API_KEY", SERVICE)
        yield


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Memory, Client]]:
    """One server for the whole file: every test has users of its own."""
    home = tmp_path_factory.mktemp("anima")
    with Memory(store=":memory:", home=home) as memory, served(memory, dialects=loaded(["anima"])) as client:
        yield memory, client


@pytest.fixture
def alice(behind: tuple[Memory, Client], request: pytest.FixtureRequest) -> Service:
    return Service(behind[1], f"alice of {request.node.name}")


@pytest.fixture
def anima(tmp_path: Path) -> Iterator[Any]:
    opened = Anima(Config(database_url="sqlite://"), settings={"home": tmp_path})
    yield opened
    opened.close()


# Method, path, body, status, and the fields of the answer: one line for each row of the contract.
CONTRACT: tuple[tuple[str, str, Any, int, set[str]], ...] = (
    ("GET", "/health", None, 200, {"status", "version"}),
    ("GET", "/api/quota", None, 200, {"used", "limit", "remaining"}),
    ("POST", "/api/messages", {"content": "I moved to Oslo."}, 201, {"saved_count", "memories", "message"}),
    ("POST", "/api/messages", {"content": " "}, 422, {"detail"}),
    ("POST", "/api/messages", {}, 422, {"detail"}),
    ("POST", "/api/messages", b"[", 422, {"detail"}),
    ("GET", "/api/memories?offset=0&limit=5", None, 200, {"items", "total", "offset", "limit", "has_more"}),
    ("GET", "/api/memories?limit=0", None, 422, {"detail"}),
    ("GET", "/api/memories?offset=-1", None, 422, {"detail"}),
    ("GET", "/api/memories/{id}", None, 200, ITEM),
    ("GET", f"/api/memories/{NOWHERE}", None, 404, {"detail"}),
    ("GET", "/api/memories/nonsense", None, 404, {"detail"}),
    ("POST", "/api/memories/{id}/pin", None, 200, ITEM),
    ("POST", f"/api/memories/{NOWHERE}/pin", None, 404, {"detail"}),
    ("GET", "/api/search?q=where", None, 200, {"facts", "episodes", "chunks", "injected_prompt", "count"}),
    ("GET", "/api/search", None, 422, {"detail"}),
    ("GET", "/api/search?q=where&top_k=0", None, 422, {"detail"}),
    ("GET", "/api/stats", None, 200, STATS),
    ("DELETE", "/api/memories/{id}", None, 200, {"deleted", "memory_id"}),
    ("DELETE", "/api/memories/{id}", None, 404, {"detail"}),
)  # fmt: skip


@pytest.fixture(scope="module")
def carol(behind: tuple[Memory, Client]) -> tuple[Service, str]:
    """A user with a memory."""
    service = Service(behind[1], "carol")
    return service, service.says("I live in Lyon.").json["memories"][0]["id"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "fields"),
    CONTRACT,
    ids=lambda each: str(sorted(each) if isinstance(each, set) else each)[:40],
)
def test_each_row_of_the_contract_is_answered(
    carol: tuple[Service, str], method: str, path: str, body: Any, status: int, fields: set[str]
) -> None:
    service, memory_id = carol
    answer = service.send(method, path.replace("{id}", memory_id), body)
    assert (answer.status, set(answer.json)) == (status, fields)


def test_a_service_shows_its_key_and_says_in_whose_name_it_asks(behind: tuple[Memory, Client]) -> None:
    memory, client = behind
    asked = {"X_User_Id": "dan"}
    token = memory.access.issue(dialect="anima", scope="write").secret
    for shown in ({"X_Api_Key": SERVICE}, {"Authorization": f"Bearer {SERVICE}"}, {"X_Api_Key": token}):
        assert client.get("/api/quota", **asked, **shown).status == 200
    ours = memory.access.issue(scope="admin").secret
    for shown in ({}, {"X_Api_Key": "wrong"}, {"X_Api_Key": ours}, {"X_Dev_User_Id": "dan"}):
        refused = client.get("/api/quota", **asked, **shown)
        assert (refused.status, refused.json) == (401, {"detail": "Missing or invalid API key"})
    assert client.get("/api/quota", X_Api_Key=SERVICE).status == 422
    bound = memory.access.issue(dialect="anima", scope="write", space="default", user="eve").secret
    assert client.get("/api/quota", X_Api_Key=bound).status == 200
    assert client.get("/api/quota", X_Api_Key=bound, X_User_Id="dan").status == 403


def test_the_dev_header_counts_only_without_a_key_when_allowed_and_on_this_machine(
    behind: tuple[Memory, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, client = behind
    monkeypatch.delenv("INTERNAL_API_KEY")
    assert client.get("/api/quota", X_Dev_User_Id="dan").status == 401
    monkeypatch.setenv("ALLOW_DEV_USER_HEADER", "true")
    assert client.get("/api/quota", X_Dev_User_Id="dan").status == 200
    assert client.get("/api/quota", X_User_Id="dan").status == 401
    assert client.get("/api/quota", X_Dev_User_Id="dan", X_Forwarded_For="203.0.113.9").status == 401
    monkeypatch.setenv("INTERNAL_API_KEY", SERVICE)
    assert client.get("/api/quota", X_Dev_User_Id="dan").status == 401


def test_messages_are_counted_for_each_user_and_end_at_the_limit(
    alice: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert alice.send("GET", "/api/quota").json == {"used": 0, "limit": None, "remaining": None}
    monkeypatch.setenv("MESSAGE_LIMIT", "2")
    assert [alice.says(f"I have {number} cats.").status for number in (1, 2, 3)] == [201, 201, 429]
    assert alice.send("GET", "/api/quota").json == {"used": 2, "limit": 2, "remaining": 0}
    assert Service(alice.client, "somebody else").says("I have a dog.").status == 201


def test_a_message_from_which_no_fact_is_read_is_a_fact_itself_and_a_question_is_none(alice: Service) -> None:
    first = alice.says("The vibe of that meetup was electric.").json
    again = alice.says("the vibe of that meetup was electric.").json
    assert first["saved_count"] == again["saved_count"] == 1
    assert first["memories"][0]["id"] == again["memories"][0]["id"]
    assert alice.says("What was the vibe of the meetup?").json == {
        "saved_count": 0,
        "memories": [],
        "message": "Stored 0 fact(s)",
    }
    assert alice.memories()["total"] == 1


def test_pages_go_from_the_oldest_to_the_newest(alice: Service) -> None:
    for animal in ("cat", "dog", "hen", "cow", "pig"):
        alice.says(f"The {animal} was at the fair in the old town.")
    whole = alice.memories()
    assert (whole["total"], whole["has_more"]) == (5, False)
    pages = [alice.memories(f"?offset={offset}&limit=2") for offset in (0, 2, 4, 6)]
    assert [each for page in pages for each in page["items"]] == whole["items"]
    assert [page["has_more"] for page in pages] == [True, True, False, False]
    assert ["cat" in each["content"] for each in whole["items"]] == [True, False, False, False, False]


def test_a_new_value_closes_the_old_one_and_names_itself(alice: Service) -> None:
    alice.says("I live in Berlin.")
    alice.says("I live in Paris now.")
    old, new = alice.memories()["items"]
    assert (old["superseded_by"], new["superseded_by"], new["valid_until"]) == (new["id"], None, None)
    assert old["valid_until"] is not None
    assert [each["id"] for each in alice.memories("?include_superseded=false")["items"]] == [new["id"]]
    found = alice.send("GET", "/api/search?q=Where+do+I+live").json
    assert found["injected_prompt"].splitlines()[0] == "Relevant facts:"
    assert [each["id"] for each in found["facts"]] == [new["id"]]
    both = alice.send("GET", "/api/search?q=Where+do+I+live&include_history=true").json["facts"]
    assert {each["content"].startswith("[historical] ") for each in both} == {True, False}


def test_what_is_said_of_a_sister_ends_nothing_of_the_user(alice: Service) -> None:
    """There, any two sentences with `lives in` closed each other."""
    alice.says("I live in Berlin.")
    alice.says("My sister lives in Paris.")
    assert [each["valid_until"] for each in alice.memories()["items"]] == [None, None]


def test_an_old_answer_is_still_the_first_one(behind: tuple[Memory, Client]) -> None:
    """There, a fact of a month ago was worth a thirtieth of whatever was said today."""
    memory, client = behind
    memory.save("Rex is the name of the dog.", user="old", valid_from="2020-01-01", occurred_at="2020-01-01")
    memory.save("The dishes are done.", user="old")
    found = Service(client, "old").send("GET", "/api/search?q=the+name+of+the+dog&top_k=1").json
    assert "Rex" in found["facts"][0]["content"]


def test_memories_of_another_user_are_as_if_not_there(alice: Service) -> None:
    memory_id = alice.says("I live in Berlin.").json["memories"][0]["id"]
    mallory = Service(alice.client, "mallory")
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/pin")):
        assert mallory.send(method, f"/api/memories/{memory_id}{path}").status == 404
    assert mallory.send("GET", "/api/search?q=Berlin").json["count"] == 0
    assert alice.send("GET", f"/api/memories/{memory_id}").status == 200


def test_a_profile_has_what_is_known_and_the_same_as_a_prompt(alice: Service) -> None:
    assert alice.send("GET", "/api/profile").json == {"profile": None, "prompt": ""}
    alice.says("I live in Oslo. I like jazz. I work as a data engineer.")
    told = alice.send("GET", "/api/profile").json
    assert told["prompt"] == ("User Profile:\n- Expertise: data engineer\n- Preferences: jazz\n- Location: Oslo")
    assert told["profile"]["location"] == told["location"] == "Oslo"


def test_users_are_kept_apart_by_every_store(memory: Memory) -> None:
    with served(memory, dialects=loaded(["anima"])) as client:
        ana, bo = Service(client, "ana"), Service(client, "bo")
        memory_id = ana.says("I live in Austin.").json["memories"][0]["id"]
        assert bo.says("I live in Rome.").status == 201
        assert [("Rome" in each["content"]) for each in bo.memories()["items"]] == [True]
        assert bo.send("DELETE", f"/api/memories/{memory_id}").status == 404
        assert ana.send("GET", "/api/stats").json["total"] == 1
        assert ana.send("DELETE", f"/api/memories/{memory_id}").status == 200
        assert ana.memories()["total"] == 0


def test_its_six_tools_answer_as_theirs_do(behind: tuple[Memory, Client], tmp_path: Path) -> None:
    memory, client = behind
    (tmp_path / "guide.md").write_text("# Guide\n\nDeploy with make release.\n")
    file = {"file_path": str(tmp_path / "guide.md"), "namespace": "docs"}
    with over_http(client.port, memory.access.issue(scope="admin").secret, "?profile=anima") as theirs:
        added = theirs.told("memory_add", content="I live in Berlin.", user_id="tess", session_id="first")
        assert (added["saved_count"], added["memories"][0]["session_id"]) == (1, "first")
        found = theirs.told("memory_search", query="Where do I live?", user_id="tess")
        assert (found["count"], found["injected_prompt"]) == (1, "Relevant facts:\n- User lives in Berlin.")
        assert theirs.told("memory_profile", user_id="tess")["profile"]["location"] == "Berlin"
        assert theirs.told("memory_profile", user_id="nobody") == {"profile": None}
        for _ in range(2):  # the same file again brings no second copy
            taken = theirs.told("memory_ingest_file", **file, user_id="tess")
            assert (taken["chunks_saved"], taken["memories"][0]["metadata"]["namespace"]) == (1, "docs")
        assert theirs.call("memory_ingest_file", **file, user_id="other").is_error
        told = theirs.told("memory_search", query="How is it deployed?", user_id="tess")
        assert "Relevant document context:\n- # Guide" in told["injected_prompt"]
        listed = theirs.told("memory_list", user_id="tess", limit=1)
        assert (listed["total"], listed["has_more"]) == (1, False)
        memory_id = listed["items"][0]["id"]
        assert theirs.call("memory_delete", memory_id=memory_id, user_id="mallory").is_error
        assert theirs.told("memory_delete", memory_id=memory_id) == {"deleted": True, "memory_id": memory_id}
        assert theirs.call("memory_delete", memory_id=memory_id).is_error


def test_its_python_class_adds_searches_lists_and_pins(anima: Any) -> None:
    talk = "User: I moved to Berlin last week.\nAssistant: How nice!"
    [item] = asyncio.run(anima.add(talk, "alice", session_id="first", ttl_days=30))
    assert isinstance(item, MemoryItem) and item.is_current and item.session_id == "first" and item.expires_at
    result = anima.search("Where does Alice live?", "alice")
    assert isinstance(result, SearchResult) and len(result) == 1 and result[0].id == item.id
    assert result.injected_prompt.startswith("Relevant facts:\n- User lives in Berlin")
    pinned = anima.pin(item.id)
    assert (pinned.is_pinned, pinned.expires_at) == (True, None)
    assert anima.get(item.id).content == item.content and anima.get(NOWHERE) is None
    assert anima.list("alice").total == 1 and anima.history("alice")[0].id == item.id
    assert [type(each) for each in anima.episodes("alice")] == [Episode, Episode]
    assert anima.graph_search("Berlin") == ["user (location)"]
    anima.delete(item.id)
    assert anima.list("alice").total == 0


def test_a_time_without_a_zone_in_its_records_is_utc() -> None:
    item = MemoryItem(content="x", user_id="alice", valid_from=datetime(2026, 1, 1), valid_until="2026-02-01")
    assert (item.valid_from, item.valid_until) == (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC))
    assert item.model_copy(update={"valid_until": datetime(2026, 3, 1)}).valid_until == datetime(2026, 3, 1, tzinfo=UTC)


def test_its_python_class_refuses_what_theirs_refuses(anima: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="embed_fn is required"):
        Anima(auto_embedder=False)
    with pytest.raises(ValueError, match="not found"):
        anima.pin(NOWHERE)
    with pytest.raises(ValueError, match="offset"):
        anima.list("alice", offset=-1)
    with pytest.raises(FileNotFoundError):
        anima.ingest_file(str(tmp_path / "nothing.md"), "docs", "alice")
    with pytest.raises(ValueError, match="valid_until"):
        MemoryItem(content="x", user_id="alice", valid_from="2026-02-01", valid_until="2026-01-01")
    assert asyncio.run(anima.add("  ", "alice")) == []


def test_a_wish_to_remember_is_heard_and_other_words_are_let_go_by(anima: Any) -> None:
    assert asyncio.run(anima.watch("Remember that the staging server is called heron.", "alice"))
    assert not asyncio.run(anima.watch("The weather is nice.", "alice"))
    [kept] = anima.history("alice")
    assert "heron" in kept.content and not kept.content.lower().startswith("remember")


def test_an_export_comes_back_whole_with_its_ids_and_its_history(anima: Any, tmp_path: Path) -> None:
    for text in ("I live in Berlin.", "I live in Paris now.", "The vibe of that meetup was electric."):
        asyncio.run(anima.add(text, "alice"))
    anima.pin(anima.history("alice")[-1].id)
    export = anima.export("alice")
    assert isinstance(export, MemoryExport) and isinstance(export.profile, UserProfile)
    plain = json.loads(export.model_dump_json())
    other = Anima(Config(database_url="sqlite://"), settings={"home": tmp_path / "other"})
    try:
        assert other.import_memories(plain) == 3
        assert other.import_memories(plain) == 0
        wanted = {item.id: item for item in export.memories}
        found = {item.id: item for item in other.export("alice").memories}
        assert set(found) == set(wanted)
        for memory_id, item in wanted.items():
            again = found[memory_id]
            for name in ITEM - {"metadata"}:
                assert getattr(again, name) == getattr(item, name), name
            assert again.is_pinned == item.is_pinned
        assert other.search("Where do I live?", "alice").facts[0].content.startswith("User lives in Paris")
    finally:
        other.close()


def test_an_export_that_anima_wrote_itself_comes_back_as_it_was(anima: Any) -> None:
    assert anima.import_memories(THEIRS) == 3
    back = anima.export("alice").model_dump(mode="json")
    assert back["memories"] == THEIRS["memories"]
    assert anima.search("What is my dog called?", "alice").facts[0].content == "My dog is called Rex"


def test_an_export_is_taken_in_at_the_command_line(
    anima: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in ("I live in Berlin.", "I live in Paris now."):
        asyncio.run(anima.add(text, "alice"))
    old, new = anima.history("alice")
    (tmp_path / "alice.json").write_text(anima.export("alice").model_dump_json())
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    assert main(["import", "anima", str(tmp_path / "alice.json"), "--yes"]) == 0
    with Memory(home=tmp_path / "home") as memory:
        assert memory.get(new.id).supersedes == (memory.get(old.id).id,)
        assert [note.text for note in memory.list(user="alice")] == [new.content]
    (tmp_path / "other.json").write_text("[1]")
    assert main(["import", "anima", str(tmp_path / "other.json"), "--yes"]) != 0
    assert "no export of Anima" in capsys.readouterr().err


def test_settings_are_read_from_its_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:////tmp/x/anima.db")
    monkeypatch.setenv("WATCH_KEYWORDS", "Merke dir, note")
    monkeypatch.setenv("DECAY_RATE_PER_WEEK", "0.1")
    config = Config.from_env()
    assert (config.database_url, config.decay_rate_per_week) == ("sqlite:////tmp/x/anima.db", 0.1)
    assert config.watch_keywords == ["merke dir", "note"]
