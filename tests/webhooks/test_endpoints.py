"""Who is told is decided by administrators: at the command line, over HTTP within their rights, and in the settings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect import Conflict, InvalidInput, Memory, Misconfigured, NotAllowed, NotFound, RecollectError, TooLarge
from recollect.domain.jobs.webhook import MOST_WEBHOOKS
from recollect.sealing import new_key
from recollect.settings import load_settings
from recollect.webhooks.signature import is_genuine
from tests.support.clock import SteadyClock
from tests.support.receiver import receiving, says
from tests.surfaces.http.client import Client, served

URL = "https://hooks.example/in"
SECRET = "a-secret-that-is-long-enough"
SLACK = "https://hooks.slack.com/services/T024BE7LD/B024BE7LE/" + "aBcDeFgHiJkLmNoPqRsTuVwX"


def test_a_secret_is_shown_once_and_an_address_never(memory: Memory) -> None:
    made = memory.add_webhook("ops", "https://hooks.example/in/the/cellar")
    told = json.dumps([memory.webhooks().to_dict(), memory.remove_webhook("ops").to_dict()])
    assert made.secret not in told and made.secret not in repr(made)
    assert "cellar" not in told and "https://hooks.example" in told


def test_a_copy_of_the_store_holds_no_secret_that_could_be_used(tmp_path: Path, clock: SteadyClock) -> None:
    def opened(store: str) -> Memory:
        """The memory of another machine each time, with its own key."""
        settings, _ = load_settings({"store": str(tmp_path / store), "sealing_key": new_key()})
        return Memory(settings=settings, clock=clock)

    with receiving() as receiver:
        with opened("m.db") as memory:
            made = receiver.added_to(memory)
            memory.backup(tmp_path / "copy.db")
        for file in (*tmp_path.glob("m.db*"), tmp_path / "copy.db"):
            assert made.secret.removeprefix("whsec_").encode() not in file.read_bytes(), file

        with opened("copy.db") as copied:
            with pytest.raises(Misconfigured) as refused:
                copied.test_webhook("ops")
            assert refused.value.code == "seal_key_missing"
            assert "`ops`" in refused.value.message and "Add the webhook again" in refused.value.hint
            copied.save("Alice prefers tea")
            copied.run_jobs()
            assert [job.failure for job in copied.jobs()] == ["seal_key_missing"]  # and tried again: others may have it

            again = receiver.added_to(copied)
            told = copied.test_webhook("ops")
    [(headers, body)] = receiver.came
    assert is_genuine(again.secret, headers, body, told.at)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://hooks.example/in", "invalid_url"),
        ("ftp://hooks.example", "invalid_url"),
        ("https://user:pass@hooks.example", "invalid_url"),
        ("https://hooks.example:port", "invalid_url"),
        ("https://hooks.example/\r\nX: y", "invalid_url"),
        ("https://", "invalid_url"),
        ("https://hooks.example/#there", "invalid_url"),
        (f"https://hooks.example/{'x' * 2000}", "invalid_url"),
        (SLACK, "secret_in_url"),
    ],
)
def test_an_address_that_cannot_be_sent_to_is_refused(url: str, code: str) -> None:
    with Memory(store=":memory:") as memory:
        with pytest.raises(RecollectError) as refused:
            memory.add_webhook("ops", url)
        assert (refused.value.code, memory.webhooks().items) == (code, ())


def test_names_and_events_are_checked_and_there_are_not_too_many(memory: Memory) -> None:
    for wrong in ("", "a b", "x" * 65):
        with pytest.raises(InvalidInput):
            memory.add_webhook(wrong, URL)
    with pytest.raises(InvalidInput) as refused:
        memory.add_webhook("ops", URL, events=["written", "job-done"])
    assert refused.value.code == "unknown_event"
    with pytest.raises(NotFound):
        memory.remove_webhook("nobody")
    for number in range(MOST_WEBHOOKS):
        memory.add_webhook(f"number-{number}", URL)
    with pytest.raises(TooLarge):
        memory.add_webhook("one-more", URL)
    memory.add_webhook("number-0", URL, events=["erased"])


def test_a_test_is_sent_at_once_and_its_answer_told(memory: Memory) -> None:
    with receiving(says(418)) as receiver:
        made = receiver.added_to(memory)
        told = memory.test_webhook("ops")
    assert (told.event, told.status, told.code) == ("test", 418, "webhook_refused")
    [(headers, body)] = receiver.came
    assert is_genuine(made.secret, headers, body, told.at)
    assert memory.deliveries().items == (told,)


@pytest.fixture
def plain() -> Iterator[Memory]:
    with Memory(store=":memory:", principal="tester", clock=SteadyClock()) as opened:
        opened.create_space("alice")
        opened.create_space("bob")
        yield opened


@pytest.fixture
def anybody(plain: Memory) -> Iterator[Client]:
    with served(plain) as client:
        yield client


@pytest.mark.parametrize("scope", ["read", "write"])
def test_whoever_does_not_administer_a_space_learns_nothing_and_adds_nothing(
    plain: Memory, anybody: Client, scope: str
) -> None:
    plain.add_webhook("ops", URL, space="alice")
    visitor = anybody.with_token(plain.access.issue(scope=scope, space="alice").secret)
    for path, body in {
        "add": {"webhook": "mine", "url": URL},
        "remove": {"webhook": "ops"},
        "test": {"webhook": "ops"},
        "list": {},
        "deliveries": {},
    }.items():
        answer = visitor.post(f"/v1/spaces/alice/webhooks/{path}", body)
        assert (answer.status, answer.json["code"]) == (403, "scope_too_small"), path
    assert [each.name for each in plain.webhooks(space="alice")] == ["ops"]


def test_an_administrator_of_one_space_adds_webhooks_there_and_nowhere_else(plain: Memory, anybody: Client) -> None:
    admin = anybody.with_token(plain.access.issue(scope="admin", space="alice", name="root").secret)
    made = admin.post("/v1/spaces/alice/webhooks/add", {"webhook": "ops", "url": URL}).json
    assert made["secret"].startswith("whsec_") and made["webhook"]["origin"]["principal"] == "root"
    assert "secret" not in admin.get("/v1/spaces/alice/webhooks/list").json["items"][0]
    assert admin.post("/v1/spaces/bob/webhooks/add", {"webhook": "ops", "url": URL}).status == 404
    assert plain.webhooks(space="bob").items == ()


@pytest.mark.parametrize("asked", [{"allow_private": True}, {"allow_http": True}])
def test_the_way_behind_the_walls_is_not_opened_from_elsewhere(
    plain: Memory, anybody: Client, asked: dict[str, Any]
) -> None:
    admin = anybody.with_token(plain.access.issue(scope="admin").secret)
    body = {"webhook": "ops", "url": "https://127.0.0.1/", **asked}
    answer = admin.post("/v1/spaces/alice/webhooks/add", body)
    assert (answer.status, answer.json["code"]) == (403, "webhook_address")
    assert plain.webhooks(space="alice").items == ()


def test_an_inner_address_that_was_added_from_elsewhere_is_never_connected_to(plain: Memory, anybody: Client) -> None:
    admin = anybody.with_token(plain.access.issue(scope="admin").secret)
    with receiving() as inner:
        url = f"https://127.0.0.1:{inner.server_port}/"
        assert admin.post("/v1/spaces/alice/webhooks/add", {"webhook": "ops", "url": url}).status == 200
        told = admin.post("/v1/spaces/alice/webhooks/test", {"webhook": "ops"}).json
    assert (told["status"], told["code"], inner.came) == (0, "webhook_address", [])


def test_somebody_bound_to_a_part_of_a_space_has_no_webhooks(plain: Memory) -> None:
    bound = plain.bound_to(user="ana")
    with pytest.raises(NotAllowed) as refused:
        bound.add_webhook("ops", URL, space="alice")
    assert refused.value.code == "scope_bound"


def test_what_somebody_bound_writes_is_told_as_well(plain: Memory) -> None:
    with receiving() as receiver:
        receiver.added_to(plain, space="alice")
        note = plain.bound_to(user="ana").save("Ana prefers tea", space="alice")
        plain.run_jobs()
    assert [told["record_id"] for told in receiver.told] == [note.id]


def configured(home: Path, text: str) -> None:
    home.mkdir(exist_ok=True)
    (home / "recollect.toml").write_text(text)


def test_a_webhook_of_the_settings_is_told_and_its_secret_is_not_in_the_store(tmp_path: Path) -> None:
    with receiving() as receiver:
        configured(
            tmp_path,
            f'[webhooks.ops]\nurl = "{receiver.url}"\nsecret = "{SECRET}"\nevents = ["written"]\n'
            "allow_private = true\nallow_http = true\n",
        )
        with Memory(home=tmp_path) as memory:
            memory.save("Before any runner knew of it")
            memory.run_jobs()
            note = memory.save("Alice prefers tea")
            memory.run_jobs()
            assert [(each.name, each.configured) for each in memory.webhooks()] == [("ops", True)]
            with pytest.raises(Conflict) as refused:
                memory.add_webhook("ops", URL)
            assert refused.value.code == "webhook_configured"
            [delivery] = memory.deliveries()
        [(headers, body)] = receiver.came
        assert json.loads(body)["record_id"] == note.id
        assert is_genuine(SECRET, headers, body, delivery.at)
    kept = b"".join(each.read_bytes() for each in tmp_path.glob("recollect.db*"))
    assert SECRET.encode() not in kept and b"/in?x=1" not in kept


def test_a_webhook_of_the_settings_that_is_one_too_many_keeps_no_server_from_its_work(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    configured(tmp_path, f'[webhooks.late]\nurl = "{URL}"\nsecret = "{SECRET}"\n')
    with Memory(home=tmp_path) as memory:
        for number in range(MOST_WEBHOOKS):
            memory.add_webhook(f"number-{number}", URL, events=["erased"])
        with served(memory) as anybody:
            client = anybody.with_token(memory.access.issue(scope="write").secret)
            assert client.post("/v1/spaces/default/save", {"text": "Alice prefers tea"}).status == 200
        memory.run_jobs()
        assert "late" not in {each.name for each in memory.webhooks()}
        assert "`late`" in caplog.text and "too_many_webhooks" in caplog.text and SECRET not in caplog.text
        memory.remove_webhook("number-0")
        memory.run_jobs()
        assert "late" in {each.name for each in memory.webhooks()}


def test_a_webhook_that_left_the_settings_waits_and_loses_nothing(tmp_path: Path) -> None:
    with receiving() as receiver:
        said = f'[webhooks.ops]\nurl = "{receiver.url}"\nsecret = "{SECRET}"\nallow_private = true\nallow_http = true\n'
        configured(tmp_path, said)
        clock = SteadyClock()
        with Memory(home=tmp_path, clock=clock) as memory:
            memory.save("Before")
            memory.run_jobs()
        configured(tmp_path, "")
        with Memory(home=tmp_path, clock=clock) as memory:
            note = memory.save("Alice prefers tea")
            assert memory.run_jobs().failed == 1
            assert memory.jobs()[0].failure == "webhook_not_configured"
        configured(tmp_path, said)
        clock.advance(hours=1)
        with Memory(home=tmp_path, clock=clock) as memory:
            memory.run_jobs()
    assert [told["record_id"] for told in receiver.told] == [note.id]


@pytest.mark.parametrize(
    "wrong",
    [
        'webhooks = "https://hooks.example"',
        '[webhooks]\nops = "https://hooks.example"',
        f'[webhooks.ops]\nurl = "ftp://hooks.example"\nsecret = "{SECRET}"',
        f'[webhooks.ops]\nurl = "http://hooks.example"\nsecret = "{SECRET}"',
        '[webhooks.ops]\nurl = "https://hooks.example"\nsecret = "short"',
        '[webhooks.ops]\nurl = "https://hooks.example"',
        f'[webhooks.ops]\nsecret = "{SECRET}"',
        f'[webhooks.ops]\nurl = "https://hooks.example"\nsecret = "{SECRET}"\nevents = "written"',
        f'[webhooks.ops]\nurl = "https://hooks.example"\nsecret = "{SECRET}"\nevents = ["nonsense"]',
        f'[webhooks.ops]\nurl = "https://hooks.example"\nsecret = "{SECRET}"\nallow_private = "yes"',
        f'[webhooks.ops]\nurl = "https://hooks.example"\nsecret = "{SECRET}"\nheader = "x"',
        f'[webhooks."a b"]\nurl = "https://hooks.example"\nsecret = "{SECRET}"',
    ],
)
def test_settings_that_make_no_sense_are_refused_without_their_secrets(tmp_path: Path, wrong: str) -> None:
    configured(tmp_path, wrong)
    with pytest.raises(Misconfigured) as refused:
        load_settings({"home": tmp_path})
    assert SECRET not in str(refused.value)


def test_the_settings_are_shown_without_addresses_and_secrets(tmp_path: Path) -> None:
    configured(tmp_path, f'[webhooks.ops]\nurl = "{SLACK}"\nsecret = "{SECRET}"')
    settings, shown = load_settings({"home": tmp_path})
    assert settings.webhooks[0].url == SLACK
    assert [each.value for each in shown if each.name == "webhooks"] == ["ops"]
    assert SECRET not in repr(settings) and "T024BE7LD" not in repr(settings)
