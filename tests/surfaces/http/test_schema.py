"""Requests made up from the description of the server: none is a bug of ours, and every answer is what is described.

A few hundred in the usual run; `make fuzz` makes as many thousands.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cbor2
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from recollect import Memory
from tests.surfaces.http.client import LIMIT, served

EACH = int(os.environ.get("RECOLLECT_FUZZ_EACH", "3"))  # requests of each sort, for each path and method

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
FORMS = ["application/json", "application/cbor", "text/markdown", "*/*"]


@schemathesis.serializer("application/cbor")
def as_cbor(_: Any, value: Any) -> bytes:
    return cbor2.dumps(value)


@schemathesis.deserializer("application/cbor")
def from_cbor(_: Any, response: Any) -> Any:
    return cbor2.loads(response.content)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a server with a little in it, and the head that opens everything."""
    with Memory(store=str(tmp_path / "memory.db"), principal="tester", embedding="off") as memory:
        memory.add("I moved to Berlin last week. My manager is Priya.", space="default")
        memory.save("We deploy with make release", tags=["deploy"], space="default")
        secret = memory.access.issue(scope="admin", name="tester").secret
        with served(memory) as anybody:
            yield f"http://127.0.0.1:{anybody.port}", {"Authorization": f"Bearer {secret}"}


def test_no_request_is_a_bug_of_ours_and_every_answer_is_as_described(
    server: tuple[str, dict[str, str]], tmp_path: Path
) -> None:
    address, opens = server
    described = requests.get(f"{address}/v1/openapi.json", headers=opens, timeout=LIMIT).json()
    described.pop("security")  # who may come in is tried elsewhere; here everybody is an administrator
    schema = schemathesis.openapi.from_dict(described).exclude(path="/v1/spaces/{space}/stream")  # it has no end
    statuses: Counter[int] = Counter()
    listed = requests.get(f"{address}/v1/spaces/default/list", headers=opens, timeout=LIMIT).json()
    note_id = listed["items"][0]["id"]
    with requests.Session() as session:
        for found in schema.get_all_operations():
            operation = found.ok()  # type: ignore[union-attr]
            for mode in schemathesis.GenerationMode:
                cases = operation.as_strategy(generation_mode=mode)
                with contextlib.suppress(Unsatisfiable):  # what takes nothing cannot be asked wrongly
                    _try(cases, address, opens, session, tmp_path, note_id, statuses)
    sys.stderr.write(f"\n{statuses.total():,} requests: {dict(sorted(statuses.items()))}\n")
    assert statuses.total() >= 80 * EACH
    assert not [status for status in statuses if status >= 500 and status != 501]
    assert statuses[200] > 0 and statuses[400] > 0


def _try(
    cases: st.SearchStrategy[schemathesis.Case[Any]],
    address: str,
    opens: dict[str, str],
    session: requests.Session,
    files: Path,
    note_id: str,
    statuses: Counter[int],
) -> None:
    @settings(
        max_examples=EACH,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )
    @given(case=cases, form=st.sampled_from(FORMS), here=st.booleans())
    def tried(case: schemathesis.Case[Any], form: str, here: bool) -> None:
        if here:  # about something that is there
            for told, name, real in (
                (case.path_parameters, "space", "default"),
                (case.query, "note_id", note_id),
                (case.body, "note_id", note_id),
            ):
                if isinstance(told, dict) and name in told:
                    told[name] = real
        if isinstance(case.body, dict) and isinstance(case.body.get("path"), str):
            # What it names is a file of this machine; only ours may be touched.
            case.body["path"] = str(files / f"{abs(hash(case.body['path']))}")
        answer = case.call(base_url=address, session=session, headers={**opens, "Accept": form}, timeout=LIMIT)
        statuses[answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)

    tried()
