"""Files through the doors: bytes in and out, and headers that let no browser take them for a page."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp_types import BlobResourceContents, ImageContent

from recollect import Attachment, Memory
from tests.support.small_files import GIF, PDF, PNG, ZIP, picture
from tests.surfaces.http.client import Client, served
from tests.surfaces.mcp.speaking import over_http
from tests.surfaces.shell import Shell


@pytest.fixture
def one_memory() -> Iterator[Memory]:
    with Memory(store=":memory:", principal="tester") as opened:
        yield opened


@pytest.fixture
def client(one_memory: Memory) -> Iterator[Client]:
    with served(one_memory) as opened:
        yield opened.with_token(one_memory.access.issue(scope="write").secret)


def _given(name: str, content: bytes, **more: str) -> dict[str, str]:
    return {"name": name, "data": base64.b64encode(content).decode(), **more}


def test_a_picture_goes_in_as_base64_and_comes_out_as_bytes(client: Client) -> None:
    body = {"messages": "The kitchen", "attachments": [_given("Küche „1“.png", PNG, alt="a stove")]}
    kept = client.post("/v1/spaces/default/add", body)
    assert kept.status == 200
    [file] = kept.json["attachments"]
    found = client.get(f"/v1/spaces/default/attachment?digest={file['digest']}")
    assert (found.status, found.body) == (200, PNG)
    assert found.headers["content-type"] == "image/png"
    assert found.headers["x-content-type-options"] == "nosniff"
    assert found.headers["content-disposition"] == (
        "attachment; filename=\"K_che _1_.png\"; filename*=UTF-8''K%C3%BCche%20%E2%80%9E1%E2%80%9C.png"
    )
    policy = found.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "sandbox" in policy
    assert found.headers["cache-control"] == "no-store"
    same = client.get(f"/v1/spaces/default/attachment?digest={file['digest']}", If_None_Match=found.headers["etag"])
    assert (same.status, same.body) == (304, b"")


def test_a_file_that_is_a_page_as_well_is_no_page(client: Client, one_memory: Memory) -> None:
    script = b"<script>alert(document.cookie)</script>"
    both = [Attachment("a.html", GIF + script), Attachment("b.html", b"<!doctype html>" + script)]
    files = one_memory.add("Two of them", attachments=both).attachments
    kinds = [client.get(f"/v1/spaces/default/attachment?digest={file.digest}").headers for file in files]
    assert [each["content-type"] for each in kinds] == ["image/gif", "text/plain; charset=utf-8"]
    assert all(
        "attachment; filename=" in each["content-disposition"] and ".html." in each["content-disposition"]
        for each in kinds
    )


def test_whoever_may_not_see_a_file_is_told_nothing_of_it(client: Client, one_memory: Memory) -> None:
    [file] = one_memory.add("The kitchen", attachments=[picture()], user="bob").attachments
    path = f"/v1/spaces/default/attachment?digest={file.digest}"
    issue = one_memory.access.issue
    nobody = Client(client.port, {})
    assert nobody.get(path).status == 401
    assert nobody.with_token(issue(scopes=["write"]).secret).get(path).status == 403
    assert nobody.with_token(issue(scope="read", space="elsewhere").secret).get(path).status == 404
    ana = nobody.with_token(issue(scope="write", space="default", user="ana").secret)
    absent = ana.get(path.replace(file.digest, "0" * 64))
    there = ana.get(path)
    assert (there.status, there.json["code"]) == (absent.status, absent.json["code"]) == (404, "attachment_not_found")
    bob = nobody.with_token(issue(scope="read", space="default", user="bob").secret)
    assert bob.get(path).body == PNG


def test_what_is_refused_leaves_nothing(client: Client, one_memory: Memory) -> None:
    for attachments, code in (
        ([_given("a.png", ZIP)], "attachment_type"),
        ([{"name": "a.png", "data": "%%%"}], "invalid_attachments"),
        ({"name": "a.png"}, "invalid_attachments"),
        ([_given(f"{each}.gif", GIF) for each in range(9)], "too_many_attachments"),
    ):
        refused = client.post("/v1/spaces/default/add", {"messages": "Look", "attachments": attachments})
        assert (refused.status, refused.json["code"]) == (400 if "too" not in code else refused.status, code)
    half = client.post(
        "/v1/spaces/default/add", b'{"messages": "Look", "attachments": [{"name": "a.png", "data": "iVBORw0'
    )
    assert half.status == 400
    assert one_memory.describe_space("default").observations == 0


def test_a_picture_goes_through_mcp_and_can_be_seen_or_read_there(client: Client, one_memory: Memory) -> None:
    secret = one_memory.access.issue(scope="write").secret
    with over_http(client.port, secret, "?toolset=full") as speaker:
        part = {"type": "image", "data": base64.b64encode(PNG).decode(), "mimeType": "image/png"}
        said = [{"role": "user", "content": [{"type": "text", "text": "The kitchen"}, part]}]
        [file] = speaker.told("add", messages=said)["attachments"]
        told = speaker.call("attachment", digest=file["digest"])
        [picture] = [block for block in told.content if isinstance(block, ImageContent)]
        assert base64.b64decode(picture.data) == PNG
        assert told.structured_content is not None
        assert told.structured_content["content"] == f"memory://attachment/{file['digest']}"
        document = speaker.told("add", messages="The lease", attachments=[_given("lease.pdf", PDF)])["attachments"][0]
        held = speaker.contents(f"memory://attachment/{document['digest']}")
        assert isinstance(held, BlobResourceContents)
        assert (base64.b64decode(held.blob), held.mime_type) == (PDF, "application/pdf")
    with over_http(client.port, secret) as speaker:
        [hit] = speaker.told("search", query="lease")["hits"]
        assert hit["attachments"] == [{"digest": document["digest"], "name": "lease.pdf"}]


def test_files_are_attached_and_written_out_at_the_command_line(tmp_path: Path) -> None:
    shell = Shell(tmp_path, tmp_path / "bytecode")
    (tmp_path / "kitchen.png").write_bytes(PNG)
    (tmp_path / "archive.png").write_bytes(ZIP)
    kept = shell.run("add", "The kitchen", "--attach", "kitchen.png", "--json").json
    [file] = kept["attachments"]
    written = shell.run("attachment", file["digest"], "--output", "out.png")
    assert written.code == 0 and "kitchen.png" in written.err
    assert (tmp_path / "out.png").read_bytes() == PNG
    refused = shell.run("add", "The rest", "--attach", "archive.png", "--json")
    assert refused.error["code"] == "attachment_type"
    missing = shell.run("add", "The rest", "--attach", "nowhere.png", "--json")
    assert missing.error["code"] == "file_not_found"
