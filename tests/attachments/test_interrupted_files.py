"""A file is there whole, with its message, or not at all: after a kill, a dropped connection, or damage to the disk."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory, RecollectError
from recollect.assembly import rescue_from
from tests.support.raw import rows, store_of
from tests.support.small_files import PNG, picture
from tests.surfaces.http.client import LIMIT, served

WRITER = """
import sys
from recollect import Memory
from tests.support.small_files import picture
with Memory(home=sys.argv[1], embedding="off") as memory:
    for number in range(10_000):
        kept = memory.add(f"Picture {number}", attachments=[picture(seed=f"{number} " * 20_000)])
        print(kept.attachments[0].digest, flush=True)
"""


def _broken(memory: Memory) -> tuple[set[str], set[str]]:
    """Bytes without a message that holds them, and messages that hold what is not there."""
    store = store_of(memory)
    kept = {digest for (digest,) in rows(store, "SELECT digest FROM attachment")}
    held = {digest for (digest,) in rows(store, "SELECT digest FROM attachment_reference WHERE held = 1")}
    named = {
        each[0] for (spelled,) in rows(store, "SELECT attachments FROM observation") for each in json.loads(spelled)
    }
    return kept - (held & named), (held | named) - kept


@pytest.mark.parametrize("acknowledged", [1, 4, 9])
def test_a_killed_writer_leaves_no_half_of_a_file(tmp_path: Path, acknowledged: int) -> None:
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    with writer, writer.stdout as said:
        digests = [next(said).strip() for _ in range(acknowledged)]
        writer.kill()
    with Memory(home=tmp_path, embedding="off") as memory:
        assert [memory.attachment(digest).digest for digest in digests] == digests
        assert _broken(memory) == (set(), set())


def test_a_connection_that_drops_in_the_middle_leaves_nothing() -> None:
    body = json.dumps({"messages": "Look", "attachments": [{"name": "a.png", "data": "iVBORw0KGgo" * 10_000}]}).encode()
    with Memory(store=":memory:") as memory, served(memory) as client:
        secret = memory.access.issue(scope="write").secret
        head = f"POST /v1/spaces/default/add HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", client.port), timeout=LIMIT) as sent:
            sent.sendall(head.encode() + body[: len(body) // 2])
        known = client.with_token(secret)
        assert known.get("/v1/spaces/default/list").status == 200
        assert memory.describe_space("default").observations == 0


def test_a_file_whose_bytes_changed_on_disk_is_told_and_never_handed_out(tmp_path: Path) -> None:
    with Memory(home=tmp_path, embedding="off") as memory:
        whole = memory.add("The garden", attachments=[picture(seed="garden")]).attachments[0].digest
        digest = memory.add("The kitchen", attachments=[picture(seed="kitchen " * 100)]).attachments[0].digest
    database = tmp_path / "recollect.db"
    content = database.read_bytes()
    assert content.count(b"kitchen kitchen") > 0
    database.write_bytes(content.replace(b"kitchen kitchen", b"kitchen kitcHen", 1))
    with Memory(home=tmp_path, embedding="off") as memory:
        with pytest.raises(RecollectError) as refused:
            memory.attachment(digest)
        assert refused.value.code == "damaged_record"
        assert not memory.doctor().healthy
        assert memory.attachment(whole).size
        rescued: list[dict[str, Any]] = []
        rescue_from(memory.settings, None, rescued.append)
    assert [each["digest"] for each in rescued if each["type"] == "attachment"] == [whole]


def test_a_rescued_memory_has_its_files(tmp_path: Path) -> None:
    with Memory(home=tmp_path / "here", embedding="off") as memory:
        digest = memory.add("The kitchen", attachments=[picture()]).attachments[0].digest
        lines: list[str] = []
        rescue_from(memory.settings, None, lambda record: lines.append(json.dumps(record)))
    with Memory(home=tmp_path / "there", embedding="off") as memory:
        assert not memory.import_(lines).failures
        assert memory.attachment(digest).content == PNG
