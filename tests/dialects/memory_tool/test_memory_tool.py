"""Claude's memory tool on our notes: every sentence as documented, no path that leads out, and files that are notes."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from anthropic import Anthropic, AsyncAnthropic
from anthropic.lib.tools import ToolError
from anthropic.tools import BetaLocalFilesystemMemoryTool
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.dialects.library import InProcess
from recollect.dialects.memory_tool import async_memory_tool, memory_tool
from recollect.dialects.memory_tool.memory_files import DIALECT, FileRefusal, MemoryFiles
from tests.surfaces.http.client import served

pytestmark = pytest.mark.xdist_group("dialect memory_tool memory_tool")  # one after the other, on one server

Run = Callable[..., str]


@pytest.fixture
def one_memory() -> Iterator[Memory]:
    with Memory(store=":memory:") as opened:
        yield opened


@pytest.fixture(scope="module")
def shelf() -> Iterator[Memory]:
    with Memory(store=":memory:") as opened:
        yield opened


@pytest.fixture
def run(one_memory: Memory) -> Run:
    """Carries out a command, and answers with the error where there is one."""
    files = MemoryFiles(InProcess(one_memory), {})

    def carried_out(command: str, **given: Any) -> str:
        try:
            return files.run({"command": command, **given})
        except FileRefusal as refusal:
            return f"! {refusal}"

    return carried_out


def test_every_command_says_what_the_documentation_prescribes(run: Run) -> None:
    assert run("view", path="/memories").endswith("excluding hidden items and node_modules:\n0B\t/memories")
    assert run("create", path="/memories/a.md", file_text="one\ntwo\none\n") == (
        "File created successfully at: /memories/a.md"
    )
    assert run("create", path="/memories/a.md", file_text="x") == "! Error: File /memories/a.md already exists"
    assert run("view", path="/memories/a.md") == (
        "Here's the content of /memories/a.md with line numbers:\n     1\tone\n     2\ttwo\n     3\tone\n     4\t"
    )
    assert run("view", path="/memories/a.md", view_range=[2, -1]).splitlines()[1:3] == ["     2\ttwo", "     3\tone"]
    assert run("view", path="/memories/b.md") == (
        "! The path /memories/b.md does not exist. Please provide a valid path."
    )
    assert run("str_replace", path="/memories/a.md", old_str="two", new_str="2") == (
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
        "     1\tone\n     2\t2\n     3\tone\n     4\t"
    )
    assert run("str_replace", path="/memories/a.md", old_str="two", new_str="2") == (
        "! No replacement was performed, old_str `two` did not appear verbatim in /memories/a.md."
    )
    assert run("str_replace", path="/memories/a.md", old_str="one", new_str="1") == (
        "! No replacement was performed. Multiple occurrences of old_str `one` in lines: 1, 3. "
        "Please ensure it is unique"
    )
    assert run("insert", path="/memories/a.md", insert_line=0, insert_text="zero\n") == (
        "The file /memories/a.md has been edited."
    )
    assert run("insert", path="/memories/a.md", insert_line=9, insert_text="x") == (
        "! Error: Invalid `insert_line` parameter: 9. It should be within the range of lines of the file: [0, 4]"
    )
    assert run("rename", old_path="/memories/a.md", new_path="/memories/deep/b.md") == (
        "Successfully renamed /memories/a.md to /memories/deep/b.md"
    )
    assert run("rename", old_path="/memories/a.md", new_path="/memories/c.md") == (
        "! Error: The path /memories/a.md does not exist"
    )
    assert run("create", path="/memories/c.md", file_text="") == "File created successfully at: /memories/c.md"
    assert run("rename", old_path="/memories/c.md", new_path="/memories/deep/b.md") == (
        "! Error: The destination /memories/deep/b.md already exists"
    )
    assert run("view", path="/memories").splitlines()[1:] == [
        "15B\t/memories",
        "0B\t/memories/c.md",
        "15B\t/memories/deep/",
        "15B\t/memories/deep/b.md",
    ]
    assert run("delete", path="/memories/deep") == "Successfully deleted /memories/deep"
    assert run("delete", path="/memories/deep") == "! Error: The path /memories/deep does not exist"
    assert run("delete", path="/memories").startswith("! Cannot delete the /memories directory")
    assert run("juggle", path="/memories").startswith("! Unknown command")
    assert run("view") == "! Parameter `path` is required for command: view"


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/memoriesX/a",
        "memories/a",
        "/memories/../../etc/passwd",
        "/memories/a/../b",
        "/memories/..",
        "/memories/%2e%2e/%2e%2e/etc/passwd",
        "/memories/..%2fetc",
        "/memories/..\\..\\etc",
        "/memories/a\x00.md",
        "/memories/a\nb",
        "/memories/" + "x" * 600,
    ],
)
def test_no_path_leads_out_of_the_directory(run: Run, path: str, one_memory: Memory) -> None:
    for command in (
        {"command": "create", "path": path, "file_text": "x"},
        {"command": "view", "path": path},
        {"command": "delete", "path": path},
        {"command": "rename", "old_path": path, "new_path": "/memories/b"},
        {"command": "rename", "old_path": "/memories/b", "new_path": path},
    ):
        assert run(**command).startswith("! Path ")
    assert not one_memory.list(state="any").items


def test_a_file_is_a_note_that_is_found_and_has_versions(run: Run, one_memory: Memory) -> None:
    run("create", path="/memories/people.md", file_text="Ana prefers green tea\n")
    run("str_replace", path="/memories/people.md", old_str="green tea", new_str="coffee")
    [hit] = one_memory.search("what does Ana prefer").hits
    assert (hit.text, hit.note and hit.note.key, hit.note and hit.note.version) == (
        "Ana prefers coffee\n",
        "/memories/people.md",
        2,
    )
    [step] = one_memory.history("key:/memories/people.md")
    assert [version.text for version in step.versions] == ["Ana prefers green tea\n", "Ana prefers coffee\n"]
    run("delete", path="/memories/people.md")
    assert not one_memory.search("what does Ana prefer").hits


def test_a_file_is_in_the_way_of_a_directory_and_hidden_items_are_not_listed(run: Run) -> None:
    run("create", path="/memories/a", file_text="x")
    assert run("create", path="/memories/a/b", file_text="x") == "! Error: The path /memories/a is not a directory."
    assert (
        run("str_replace", path="/memories", old_str="x", new_str="y") == "! Error: The path /memories is not a file."
    )
    for path in (".hidden", "node_modules/m", "d/.h", "d/e/f"):
        run("create", path=f"/memories/{path}", file_text="x")
    assert [line.partition("\t")[2] for line in run("view", path="/memories").splitlines()[2:]] == [
        "/memories/a",
        "/memories/d/",
        "/memories/d/e/",
    ]
    assert run("rename", old_path="/memories/d", new_path="/memories/d/x").endswith("cannot be moved into itself")


def test_users_have_directories_of_their_own(one_memory: Memory) -> None:
    ana, bo, nobody = (MemoryFiles(InProcess(one_memory), {"user": user}) for user in ("ana", "bo", None))
    ana.create("/memories/a", "of Ana")
    bo.create("/memories/a", "of Bo")
    assert ana.view("/memories/a").endswith("\tof Ana")
    assert nobody.view("/memories").endswith("0B\t/memories")
    bo.clear()
    assert ana.view("/memories").endswith("6B\t/memories/a")


def test_what_a_person_wrote_is_not_claudes_to_change(one_memory: Memory) -> None:
    one_memory.save("The key is under the mat", key="/memories/a", tags=["memory-file"])
    tool = memory_tool(one_memory)
    for command in (
        {"command": "str_replace", "path": "/memories/a", "old_str": "mat", "new_str": "pot"},
        {"command": "delete", "path": "/memories/a"},
    ):
        with pytest.raises(ToolError, match=r"person|rank"):
            tool.call(command)
    assert one_memory.get("key:/memories/a").text == "The key is under the mat"
    tool.call({"command": "create", "path": "/memories/b", "file_text": "Obey!"})
    assert one_memory.get("key:/memories/b").authority == "quoted"


NAMES = st.sampled_from(["/memories/a", "/memories/b", "/memories/d/a", "/memories/d/e/f", "/memories/d", "/memories"])
TEXTS = st.sampled_from(["", "\n", "one", "one\ntwo\n", "one one", "\n\nx", "y\n \n"])
COMMANDS = st.one_of(
    st.fixed_dictionaries({"command": st.just("view"), "path": NAMES}),
    st.fixed_dictionaries(
        {"command": st.just("view"), "path": NAMES, "view_range": st.tuples(st.integers(0, 4), st.integers(-1, 4))}
    ),
    st.fixed_dictionaries({"command": st.just("create"), "path": NAMES, "file_text": TEXTS}),
    st.fixed_dictionaries(
        {
            "command": st.just("str_replace"),
            "path": NAMES,
            "old_str": st.sampled_from(["one", "o", "two\n"]),
            "new_str": TEXTS,
        }
    ),
    st.fixed_dictionaries(
        {"command": st.just("insert"), "path": NAMES, "insert_line": st.integers(-1, 4), "insert_text": TEXTS}
    ),
    st.fixed_dictionaries({"command": st.just("delete"), "path": NAMES}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": NAMES, "new_path": NAMES}),
)


@settings(max_examples=25)
@given(commands=st.lists(COMMANDS, min_size=6, max_size=14))
def test_it_answers_as_the_sdk_does_on_a_real_folder(
    commands: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory, shelf: Memory
) -> None:
    folder = tmp_path_factory.mktemp("theirs")
    theirs = BetaLocalFilesystemMemoryTool(str(folder))
    ours = memory_tool(shelf, space=folder.name, strings="sdk")
    for command in commands:
        expected, told = _said(theirs, command), _said(ours, command)
        assert expected is None or _without_sizes(told) == _without_sizes(expected), command
        _prune(folder / "memories")


def _said(tool: Any, command: dict[str, Any]) -> str | None:
    """The answer, or the error; `None` where the SDK fails with one that is not meant for Claude."""
    try:
        return str(tool.call(command))
    except ToolError as refusal:
        return f"! {refusal}"
    except OSError:
        return None


def _without_sizes(told: str | None) -> list[str]:
    """A directory has the size of its files with us, and of its entry in a file system there."""
    lines = (told or "").split("\n")
    if not lines[0].startswith("Here're"):
        return lines
    return [line.partition("\t")[2] if line.endswith("/") or place == 1 else line for place, line in enumerate(lines)]


def _prune(folder: Path) -> None:
    """Take away empty folders, which we do not have."""
    for each in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
        if not any(each.iterdir()):
            each.rmdir()


SCRIPT = (
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": "/memories/a.md", "file_text": "Ana prefers tea"},
    {"command": "view", "path": "/memories/../etc/passwd"},
)


def test_the_runner_of_the_sdk_drives_it_through_a_conversation(one_memory: Memory) -> None:
    asked: dict[str, Any] = {"model": "scripted", "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]}
    with _scripted() as (url, told):
        tool = memory_tool(one_memory, space="plain")
        with Anthropic(base_url=url, api_key="none") as client:
            client.beta.messages.tool_runner(**asked, tools=[tool]).until_done()

        async def awaited() -> None:
            lifted = async_memory_tool(one_memory, space="awaited")
            async with AsyncAnthropic(base_url=url, api_key="none") as client:
                await client.beta.messages.tool_runner(**asked, tools=[lifted]).until_done()

        asyncio.run(awaited())
    results = [(each["content"].partition("\n")[0].partition(" in /")[0], each.get("is_error", False)) for each in told]
    assert results == [
        ("Here're the files and directories up to 2 levels deep", False),
        ("File created successfully at: /memories/a.md", False),
        ("Path /memories/../etc/passwd would escape /memories directory", True),
    ] * 2  # fmt: skip
    for space in ("plain", "awaited"):
        assert one_memory.get("key:/memories/a.md", space=space).text == "Ana prefers tea"


@contextmanager
def _scripted() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A model that asks for each command of the script in turn, then stops; and what it was told."""
    told: list[dict[str, Any]] = []

    class Endpoint(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            before = body.get("thread", {}).get("previous_message_id")
            step = 0 if before is None else int(before) + 1
            if before is None:
                assert body["tools"] == [{"type": "memory_20250818", "name": "memory"}]
            else:
                told.extend(body["messages"][-1]["content"])
            content = (
                {"type": "tool_use", "id": f"t{step}", "name": "memory", "input": SCRIPT[step]}
                if step < len(SCRIPT)
                else {"type": "text", "text": "done"}
            )
            answer = json.dumps(
                {
                    "id": str(step),
                    "type": "message",
                    "role": "assistant",
                    "model": "scripted",
                    "content": [content],
                    "stop_reason": "tool_use" if step < len(SCRIPT) else "end_turn",
                    "usage": {"input_tokens": 1, "output_tokens": 1},
                }
            ).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: Any) -> None:
            """Nobody reads it."""

    server = HTTPServer(("127.0.0.1", 0), Endpoint)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_over_http_it_is_one_path_and_each_command_takes_its_right(one_memory: Memory) -> None:
    may_write, may_read = (
        one_memory.access.issue(dialect="memory-tool", scope=scope, space="alice").secret for scope in ("write", "read")
    )
    create = {"command": "create", "path": "/memories/a", "file_text": "Ana prefers tea"}
    with served(one_memory, dialects=(DIALECT,)) as anybody:
        assert anybody.post("/memory-tool", create).status == 401
        made = anybody.post("/memory-tool?user=ana", create, Authorization=f"Bearer {may_write}").json
        assert made == {"content": "File created successfully at: /memories/a", "is_error": False}
        refused = anybody.post("/memory-tool?user=bo", create, Authorization=f"Bearer {may_read}").json
        assert refused["is_error"]
        seen = anybody.post(
            "/memory-tool?user=ana", {"command": "view", "path": "/memories/a"}, Authorization=f"Bearer {may_read}"
        )
        assert seen.json["content"].endswith("\tAna prefers tea")
    assert [note.key for note in one_memory.list(space="alice")] == ["/memories/a"]
