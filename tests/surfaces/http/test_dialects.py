"""Every path that a dialect adds goes through the whole guard, by its line of the table; nothing else is served."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from recollect import Memory, RecollectError
from recollect.dialects import registry
from recollect.dialects.table import Asked, Dialect, DialectPath, Headers, Reply, SpaceRule, lines_at, token_scheme
from recollect.dialects.tool import Doer
from recollect.surfaces.catalogue.routes import routes_of
from recollect.surfaces.reception.guard import Guard
from recollect.surfaces.server.application import application
from tests.surfaces.http.client import UNLIMITED, served
from tests.surfaces.http.test_guard import ask, everything


def _api_key(headers: Headers) -> str | None:
    return next(iter(headers.get("x-api-key", ())), None)


def _added(doer: Doer, asked: Asked) -> Any:
    note = doer.do("save", {"text": asked.body["memory"]})
    return {"memory_id": note.id}


def _all(doer: Doer, asked: Asked) -> Any:
    page = doer.do("list", dict(asked.parts))
    return {"results": [{"memory_id": note.id, "memory": note.text} for note in page.items]}


def _removed(doer: Doer, asked: Asked) -> Any:
    doer.do("forget", {"note_id": asked.parts["memory_id"]})
    return {"message": "gone"}


# A memory system that nobody has: each way to say who asks, which space is meant, and what is wanted, once.
OTHER = (
    DialectPath("POST", "/other/memories", "save", SpaceRule.TOKEN, _added, token_scheme),
    DialectPath("GET", "/other/memories", "list", SpaceRule.TOKEN, _all, token_scheme),
    DialectPath("DELETE", "/other/memories/{memory_id}", "forget", SpaceRule.TOKEN, _removed, token_scheme),
    DialectPath("GET", "/other/of/{space}/memories", "list", SpaceRule.PATH, _all, _api_key),
    DialectPath(
        "GET", "/other/users", "spaces.list", SpaceRule.EVERY, lambda doer, _: doer.do("spaces.list"), _api_key
    ),
)


def _told(problem: RecollectError, status: int) -> Reply:
    return Reply({"oops": problem.code}, status)


DIALECT = Dialect("other", OTHER)
LINES = OTHER


@pytest.fixture(autouse=True)
def other_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens can be made for the dialect of these tests."""
    monkeypatch.setitem(registry.MODULES, "other", __name__)


def _shown(line: DialectPath, secret: str) -> dict[str, str]:
    """The headers in which a client of the line shows its secret."""
    ways: tuple[Callable[[str], dict[str, str]], ...] = (
        lambda shown: {"Authorization": f"Token {shown}"},
        lambda shown: {"Authorization": f"Bearer {shown}"},
        lambda shown: {"X-Api-Key": shown},
    )
    for way in ways:
        headers = way(secret)
        if line.secret_in({name.lower(): (value,) for name, value in headers.items()}) == secret:
            return headers
    raise AssertionError(f"no way to show a secret at {line.path} is known here")


def _path(line: DialectPath, space: str = "alice") -> str:
    return line.path.replace("{space}", space).replace("{memory_id}", "01K3ZQ5V7N8M2R4T6W8Y0A2C4E")


@pytest.fixture
def guard(memory: Memory) -> Guard:
    return application(memory, limits=UNLIMITED, dialects=(DIALECT,))


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.method} {line.path}")
def test_without_a_live_token_no_line_answers_and_no_body_is_read(
    guard: Guard, memory: Memory, line: DialectPath
) -> None:
    revoked = memory.access.issue(dialect="other", scope="admin")
    memory.access.revoke(revoked.token.id)
    before = everything(memory)
    for headers in ({}, _shown(line, "nonsense"), _shown(line, revoked.secret)):
        status, told, read = ask(guard, line.method, _path(line), headers)
        assert (status, told["code"], read) == (401, "token_invalid" if headers else "token_missing", 0)
    assert everything(memory) == before


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.method} {line.path}")
def test_a_token_that_may_too_little_is_refused_before_a_body_is_read(
    guard: Guard, memory: Memory, line: DialectPath
) -> None:
    needed = routes_of(line.verb)[0].scope
    for scope in ("read", "write"):
        issued = memory.access.issue(dialect="other", scope=scope)
        if issued.token.reaches(needed):
            continue
        status, told, read = ask(guard, line.method, _path(line), _shown(line, issued.secret))
        assert (status, told["code"], read) == (403, "scope_too_small", 0)


def test_what_cannot_be_tried_is_not_done_in_place_of_it(guard: Guard, memory: Memory) -> None:
    secret, before = memory.access.issue(dialect="other", scope="admin").secret, everything(memory)
    for line in LINES:
        status, told, read = ask(guard, line.method, _path(line), {**_shown(line, secret), "Dry-Run": "true"})
        assert (status, told["code"], read) == (400, "header_not_supported", 0)
    assert everything(memory) == before


def test_of_two_lines_that_fit_a_path_the_one_whose_words_come_first_is_meant() -> None:
    lines = lines_at(registry.loaded(["anda", "memoire"]), "/v1/facts/status")
    assert {line.dialect.name for line in lines} == {"memoire"}


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.method} {line.path}")
def test_a_token_of_one_space_reaches_no_other(guard: Guard, memory: Memory, line: DialectPath) -> None:
    memory.save("Alice drinks tea", space="alice")
    bound = memory.access.issue(dialect="other", scope="admin", space="bob").secret
    status, told, read = ask(guard, line.method, _path(line), _shown(line, bound))
    match line.space:
        case SpaceRule.PATH:
            assert (status, told["code"], read) == (404, "space_not_found", 0)
        case SpaceRule.EVERY:
            assert (status, told["code"], read) == (403, "token_bound", 0)
        case _:
            assert "Alice" not in str(told)


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.method} {line.path}")
def test_no_page_of_another_origin_and_no_other_method_comes_in(
    guard: Guard, memory: Memory, line: DialectPath
) -> None:
    shown = _shown(line, memory.access.issue(dialect="other", scope="admin").secret)
    status, _, read = ask(guard, line.method, _path(line), {**shown, "Origin": "https://evil.example"})
    assert (status, read) == (403, 0)
    status, _, read = ask(guard, "PATCH", _path(line), shown)
    assert (status, read) == (405, 0)


def test_a_dialect_writes_reads_and_erases_by_our_verbs_in_the_space_of_the_token(memory: Memory) -> None:
    secret = memory.access.issue(dialect="other", scope="write", space="alice").secret
    with served(memory, dialects=(DIALECT,)) as anybody:
        shown = {"Authorization": f"Token {secret}"}
        made = anybody.post("/other/memories", {"memory": "Alice drinks tea"}, **shown)
        assert made.status == 200
        [kept] = anybody.get("/other/memories", **shown).json["results"]
        assert kept == {"memory_id": made.json["memory_id"], "memory": "Alice drinks tea"}
        assert anybody.get("/other/of/alice/memories", **{"X-Api-Key": secret}).json["results"] == [kept]
        assert anybody.get("/other/nothing", Authorization=f"Bearer {secret}").status == 401
    assert [note.text for note in memory.list(space="alice")] == ["Alice drinks tea"]
    assert not memory.list().items


def test_a_credential_opens_its_own_family_of_paths_and_no_other(memory: Memory) -> None:
    memory.save("Alice drinks tea", space="alice")
    ours, theirs = (memory.access.issue(scope="admin", dialect=each).secret for each in (None, "other"))
    with served(memory, dialects=(DIALECT,)) as anybody:
        assert anybody.get("/other/memories", Authorization=f"Token {theirs}").status == 200
        assert anybody.get("/other/memories", Authorization=f"Token {ours}").status == 401
        assert anybody.get("/v1/spaces/alice/list", Authorization=f"Bearer {ours}").status == 200
        assert anybody.get("/v1/spaces/alice/list", Authorization=f"Bearer {theirs}").status == 401
    with pytest.raises(RecollectError, match="speak other"):
        memory.access.link(memory.access.tokens()[-1].id)


def test_a_dialect_tells_errors_and_answers_in_its_own_form(memory: Memory) -> None:
    def missing(doer: Doer, asked: Asked) -> Any:
        return doer.do("get", {"note_id": asked.parts["memory_id"]})

    def plain(doer: Doer, asked: Asked) -> Reply:
        return Reply(f"{asked.raw.decode()} for {asked.headers['x-user'][0]}", 201, says="text/plain")

    lines = (
        DialectPath("GET", "/own/{memory_id}", "get", lambda knock: knock.header("x-user"), missing),
        DialectPath("POST", "/own/said", "search", SpaceRule.TOKEN, plain, reads=("*/*",)),
        DialectPath("GET", "/own/health", "search", SpaceRule.TOKEN, lambda doer, _: {"status": "ok"}, open=True),
        DialectPath("GET", "/own/open", "search", SpaceRule.TOKEN, lambda doer, _: doer.do("list"), open=True),
    )
    secret = memory.access.issue(scope="admin", dialect="other").secret
    with served(memory, dialects=(Dialect("other", lines, refusal=_told),)) as anybody:
        shown = {"Authorization": f"Bearer {secret}", "X-User": "alice"}
        assert anybody.get("/own/health").json == {"status": "ok"}
        assert anybody.get("/own/open").status == 403  # open to everybody is not open to everything
        found = anybody.get("/own/01K3ZQ5V7N8M2R4T6W8Y0A2C4E", **shown)
        assert (found.status, found.json) == (404, {"oops": "note_not_found"})
        refused = anybody.get("/own/01K3ZQ5V7N8M2R4T6W8Y0A2C4E")
        assert (refused.status, refused.json) == (401, {"oops": "token_missing"})
        said = anybody.post("/own/said", b"tea", **shown, Content_Type="text/markdown")
        assert (said.status, said.body) == (201, b"tea for alice")
