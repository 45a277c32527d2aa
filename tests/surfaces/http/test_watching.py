"""What those who run a server see of it: metrics, a line for each request, traces. Nothing of what is remembered."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags
from prometheus_client.parser import text_string_to_metric_families

from recollect import Memory
from recollect.surfaces.reception import tracing
from recollect.surfaces.reception.records import REQUESTS
from tests.surfaces.http.client import Client, served
from tests.surfaces.mcp.speaking import called, said

CANARY = "canary-4711"


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """The log of requests."""
    kept: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            kept.append(record.getMessage())

    log, listener = logging.getLogger(REQUESTS), Kept()
    log.addHandler(listener)
    before = log.level
    log.setLevel(logging.INFO)
    yield kept
    log.setLevel(before)
    log.removeHandler(listener)


def measured(client: Client) -> dict[tuple[str, ...], float]:
    """Each sample by its name and the values of its labels, in the order of the labels' names."""
    page = client.get("/metrics").body.decode()
    families = text_string_to_metric_families(page)
    return {
        (each.name, *(said for _, said in sorted(each.labels.items()))): each.value
        for family in families
        for each in family.samples
    }


def busy_life(client: Client) -> None:
    client.post("/v1/spaces/alice/save", {"text": f"We deploy with make release, {CANARY}", "tags": [CANARY]})
    client.post("/v1/spaces/alice/add", {"messages": f"I moved to Berlin. I might buy a bike. {CANARY}"})
    client.get(f"/v1/spaces/alice/search?query=deploy+{CANARY}")
    client.get("/v1/spaces/alice/recall?query=zebra")
    client.get(f"/v1/spaces/alice/get?note_id={CANARY}")
    client.get(f"/v1/{CANARY}?q={CANARY}")
    client.get(f"/v1/spaces/alice/search?query={CANARY}", Accept="image/png")


def test_requests_are_counted_by_verb_and_never_by_path(one_client: Client) -> None:
    busy_life(one_client)
    found = measured(one_client)
    assert found["recollect_requests_total", "200", "save"] == 1
    assert found["recollect_requests_total", "200", "search"] == 1
    assert found["recollect_requests_total", "400", "get"] == 1
    assert found["recollect_requests_total", "404", "none"] == 1
    assert found["recollect_request_seconds_count", "search"] == 1
    assert found["recollect_refused_total", "route_not_found"] == 1
    assert found["recollect_refused_total", "not_acceptable"] == 1
    assert found["recollect_hits_total", "words"] >= 1
    assert found["recollect_answers_total", "none", "recall"] == 1
    assert found["recollect_gate_total", "kept"] == 1
    assert found["recollect_gate_total", "hypothetical"] == 1
    assert found["recollect_spaces",] == 1
    assert found["recollect_index_behind_changes",] == 0
    assert found["recollect_requests_waiting",] == 0
    assert found["process_resident_memory_bytes",] > 1_000_000


def test_what_found_a_hit_is_counted_for_every_verb_that_finds_and_through_every_door(one_memory: Memory) -> None:
    one_memory.save("We deploy with make release", space="alice")
    with served(one_memory) as anybody:
        client = anybody.with_token(one_memory.access.issue(scope="admin", name="tester").secret)
        for path in ("search?query=deploy+release", "recall?query=deploy+release", "brief?topic=deploy+release"):
            before = measured(client).get(("recollect_hits_total", "words"), 0)
            assert client.get(f"/v1/spaces/alice/{path}").status == 200
            assert measured(client)["recollect_hits_total", "words"] == before + 1
        called(client, "search", {"query": "deploy release"}, query="?space=alice")
        found = measured(client)
        assert found["recollect_hits_total", "words"] == 4
        assert found["recollect_answers_total", "full", "search"] == 2
        assert found["recollect_answers_total", "full", "recall"] == 1


def test_what_a_language_model_cost_is_told_and_is_nothing_without_one(one_client: Client) -> None:
    busy_life(one_client)
    found = measured(one_client)
    assert (found["recollect_model_calls_total",], found["recollect_model_tokens_total",]) == (0, 0)


def test_the_size_of_the_write_ahead_log_is_told(tmp_path: Any) -> None:
    with Memory(store=str(tmp_path / "memory.db"), principal="tester") as memory, served(memory) as anybody:
        client = anybody.with_token(memory.access.issue(scope="write").secret)
        client.post("/v1/spaces/alice/save", {"text": "something"})
        found = measured(client)
        assert found["recollect_wal_bytes",] == (tmp_path / "memory.db-wal").stat().st_size > 0
        assert found["recollect_store_bytes",] > 0


def test_metrics_need_a_token_that_is_not_bound_to_a_space(one_memory: Memory) -> None:
    one_memory.save("something", space="alice")
    with served(one_memory) as anybody:
        assert anybody.get("/metrics").status == 401
        bound = anybody.with_token(one_memory.access.issue(scope="admin", space="alice").secret)
        assert (bound.get("/metrics").status, bound.get("/metrics").json["code"]) == (403, "token_bound")
        assert anybody.with_token(one_memory.access.issue().secret).get("/metrics").status == 200
    with served(one_memory, insecure=True) as anybody:
        assert anybody.get("/metrics").status == 200


def test_nothing_that_is_remembered_or_asked_is_in_metrics_or_logs(one_client: Client, lines: list[str]) -> None:
    busy_life(one_client)
    assert CANARY not in one_client.get("/metrics").body.decode()
    assert len(lines) == 8
    assert CANARY not in "".join(lines)


def test_a_request_is_one_line_of_json(one_client: Client, lines: list[str]) -> None:
    one_client.post("/v1/spaces/alice/save", {"text": "something"}, X_Request_Id="mine-1")
    one_client.get("/v1/spaces/nobody/audit")
    one_client.get("/v1/info", Authorization="Bearer nonsense")
    saved, missing, stranger = map(json.loads, lines)
    token = one_client.headers["Authorization"].split("_")[1]
    assert {name: saved[name] for name in ("request_id", "verb", "space", "status", "method", "token")} == {
        "request_id": "mine-1",
        "verb": "save",
        "space": "alice",
        "status": 200,
        "method": "POST",
        "token": token,
    }
    assert saved["ms"] > 0 and saved["bytes"] > 100 and saved["at"].endswith("Z")
    assert (missing["status"], missing["code"], missing["verb"]) == (404, "space_not_found", "audit")
    assert (stranger["status"], stranger["code"]) == (401, "token_invalid")
    assert "token" not in stranger


class Spans(trace.Tracer):
    """Keeps what it is asked to trace."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, dict[str, Any], Any]] = []

    def start_span(self, name: str, *given: Any, **named: Any) -> trace.Span:
        parent = trace.get_current_span(named.get("context")).get_span_context()
        self.begun.append((name, dict(named.get("attributes") or {}), parent.trace_id))
        return NonRecordingSpan(SpanContext(1, 1, False, TraceFlags(1)))

    def start_as_current_span(self, name: str, *given: Any, **named: Any) -> Any:
        return trace.use_span(self.start_span(name, *given, **named))


class Provider(trace.TracerProvider):
    def __init__(self, spans: Spans) -> None:
        self._spans = spans

    def get_tracer(self, *given: Any, **named: Any) -> trace.Tracer:
        return self._spans


def test_who_has_set_up_traces_gets_a_span_for_each_verb(one_memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    spans = Spans()
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: Provider(spans))
    with served(one_memory) as anybody:
        client = anybody.with_token(one_memory.access.issue(scope="write").secret)
        upstream = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        client.post("/v1/spaces/alice/save", {"text": CANARY}, X_Request_Id="mine-1", traceparent=upstream)
        client.get(f"/v1/spaces/nobody/list?subject={CANARY}")
    assert CANARY not in repr(spans.begun)
    (name, facts, parent), (second, _, _) = spans.begun
    assert (name, second) == ("recollect save", "recollect list")
    assert facts == {"recollect.verb": "save", "recollect.space": "alice", "recollect.request_id": "mine-1"}
    assert parent == 0x0AF7651916CD43DD8448EB211C80319C


def test_a_span_of_mcp_holds_the_names_of_our_tools_and_nothing_that_was_sent(
    one_memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    spans = Spans()
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", Provider(spans))  # which the SDK asks as well
    with served(one_memory) as anybody:
        client = anybody.with_token(one_memory.access.issue(scope="write").secret)
        called(client, "remember", {"text": CANARY})
        called(client, "get", {"note_id": CANARY})
        for method, params in (
            ("tools/call", {"name": CANARY}),
            ("prompts/get", {"name": CANARY}),
            ("prompts/get", {"name": "recall", "arguments": {"topic": CANARY}}),
            ("resources/read", {"uri": f"memory://profile/{CANARY}"}),
        ):
            assert said(client, method, params).status == 200
    assert CANARY not in repr(spans.begun)
    assert [name for name, _, _ in spans.begun] == [
        "recollect mcp tool remember",
        "recollect mcp tool get",
        "recollect mcp prompt",
        "recollect mcp prompt",
        "recollect mcp resource",
    ]


def test_without_traces_set_up_there_are_none() -> None:
    assert tracing.traced_if_configured() is tracing._untraced
