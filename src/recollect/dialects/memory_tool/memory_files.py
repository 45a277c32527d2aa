"""Files of a memory directory, each a note whose key is its path: found, versioned and synced like any other.

There are no folders: one is there as long as a file lies in it, and `/memories` always. No file of a machine is opened
by a path, so none can lead out of the directory, and what looks as if it should is refused all the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from recollect.dialects.library import InProcess
from recollect.dialects.pages import every
from recollect.dialects.table import Asked, Dialect, DialectPath, SpaceRule
from recollect.dialects.tool import Doer
from recollect.domain.errors import Conflict, Erased, NotFound, RecollectError
from recollect.domain.notes import Note
from recollect.domain.scopes import BOUND_BY
from recollect.domain.text import without_control_characters

if TYPE_CHECKING:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool


ROOT = "/memories"
TAG = "memory-file"
BLANK = "memory_file"  # the key of the metadata that holds a content without words, which no note can have as its text

_MOST_LINES = 999_999
_WIDTH = len(str(_MOST_LINES))
_LONGEST = 512  # bytes of a path, which is a key
_ODD = re.compile(r"[\x00-\x1f\x7f-\x9f\\]|%(?:2e|2f|5c|00)", re.IGNORECASE)  # encoded dots and slashes among them

# The sentences that Anthropic's documentation prescribes, and those of its SDK's own implementation.
_DOCUMENTED = {
    "listed": "hidden items and node_modules",
    "error": "Error: ",
    "line": "It should be within the range of lines of the file: [0, {most}]",
}
_OF_SDK = {
    "listed": "hidden items",
    "error": "",
    "line": "It should be within the range [0, {most}].",
}
WORDINGS = {"docs": _DOCUMENTED, "sdk": _OF_SDK}


class FileRefusal(Exception):
    """A command that cannot be carried out, in the sentence that Claude is told."""


class MemoryFiles:
    """The memory directory of a space, or in it of the user, the agent or the project that `whose` names.

    `strings` chooses the sentences: those of the documentation (`docs`), or those of the SDK (`sdk`).
    """

    def __init__(self, doer: Doer, whose: Mapping[str, str | None], *, strings: str = "docs") -> None:
        self._doer, self._said = doer, WORDINGS[strings]
        self._whose = {name: whose.get(name) for name in BOUND_BY}
        self._hidden = ("node_modules",) if strings == "docs" else ()

    def run(self, command: Mapping[str, Any]) -> str:
        """Carry out a command as Claude sends it; `FileRefusal` if it cannot be."""
        calls: dict[str, tuple[Callable[..., str], tuple[str, ...], tuple[str, ...]]] = {
            "view": (self.view, ("path",), ("view_range",)),
            "create": (self.create, ("path", "file_text"), ()),
            "str_replace": (self.str_replace, ("path", "old_str"), ("new_str",)),
            "insert": (self.insert, ("path", "insert_line", "insert_text"), ()),
            "delete": (self.delete, ("path",), ()),
            "rename": (self.rename, ("old_path", "new_path"), ()),
        }
        name = command.get("command")
        if not isinstance(name, str) or name not in calls:
            raise FileRefusal(f"Unknown command: {str(name)[:60]}")
        call, needed, others = calls[name]
        for each in needed:
            if command.get(each) is None:
                raise FileRefusal(f"Parameter `{each}` is required for command: {name}")
        try:
            return call(**{each: command[each] for each in (*needed, *others) if command.get(each) is not None})
        except RecollectError as problem:
            raise FileRefusal(f"{self._said['error']}{problem.message}") from problem

    def view(self, path: str, view_range: Any = None) -> str:
        """The numbered lines of a file, or what lies in a directory, two levels deep."""
        at = _checked(path)
        note = self._file(at)
        if note is not None:
            return self._numbered(path, content_of(note), view_range)
        below = self._below(at)
        if not below and at != ROOT:
            raise FileRefusal(f"The path {path} does not exist. Please provide a valid path.")
        sizes = {each: len(content_of(note).encode("utf-8", "surrogatepass")) for each, note in below.items()}
        head = f"Here're the files and directories up to 2 levels deep in {at}, excluding {self._said['listed']}:"
        return "\n".join((head, f"{_size(sum(sizes.values()))}\t{at}", *self._listed(at, sizes)))

    def create(self, path: str, file_text: str) -> str:
        """Write a new file."""
        at = _checked(path)
        if at == ROOT or self._file(at) is not None or self._below(at):
            self._refuse(f"File {path} already exists")
        self._require_folder(at)
        self._doer.do("save", {**_fields(file_text), "key": at, "title": at, "tags": [TAG], **self._whose})
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old_str: str, new_str: str = "") -> str:
        """Replace a text that is there exactly once."""
        note = self._existing(path)
        content = content_of(note)
        places = _places(content, _text(old_str, "old_str"))
        if not places:
            raise FileRefusal(f"No replacement was performed, old_str `{old_str}` did not appear verbatim in {path}.")
        if len(places) > 1:
            lines = ", ".join(str(content.count("\n", 0, place) + 1) for place in places)
            raise FileRefusal(
                f"No replacement was performed. Multiple occurrences of old_str `{old_str}` in lines: {lines}. "
                "Please ensure it is unique"
            )
        [place] = places
        changed = content[:place] + _text(new_str, "new_str") + content[place + len(old_str) :]
        self._rewrite(note, changed)
        lines_now, line = changed.split("\n"), content.count("\n", 0, place)
        shown = range(max(0, line - 2), min(len(lines_now), line + 3))
        snippet = "\n".join(f"{number + 1:>{_WIDTH}}\t{lines_now[number]}" for number in shown)
        return (
            f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"
        )

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        """Insert lines behind a line; behind line 0 is the beginning."""
        note = self._existing(path)
        lines = content_of(note).split("\n")
        if lines[-1] == "":
            lines.pop()
        if isinstance(insert_line, bool) or not isinstance(insert_line, int) or not 0 <= insert_line <= len(lines):
            rest = self._said["line"].format(most=len(lines))
            self._refuse(f"Invalid `insert_line` parameter: {insert_line}. {rest}")
        lines.insert(insert_line, _text(insert_text, "insert_text").rstrip("\n"))
        content = "\n".join(lines)
        self._rewrite(note, content if content.endswith("\n") else content + "\n")
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        """Erase a file, or a directory with all that is in it."""
        at = _checked(path)
        if at == ROOT:
            raise FileRefusal(f"Cannot delete the {ROOT} directory itself")
        doomed = self._at_or_below(at)
        if not doomed:
            self._refuse(f"The path {path} does not exist")
        for note in doomed.values():
            self._doer.do("forget", {"note_id": note.id})
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        """Move a file, or a directory with all that is in it."""
        old, new = _checked(old_path), _checked(new_path)
        if old == ROOT:
            raise FileRefusal(f"Cannot rename the {ROOT} directory itself")
        if new == ROOT or self._at_or_below(new):
            self._refuse(f"The destination {new_path} already exists")
        moved = self._at_or_below(old)
        if not moved:
            self._refuse(f"The path {old_path} does not exist")
        if new.startswith(f"{old}/"):
            self._refuse(f"The path {old_path} cannot be moved into itself")
        self._require_folder(new)
        for at in moved:
            _checked(new + at[len(old) :])  # all of them can be, before the first is
        for at, note in moved.items():
            place = new + at[len(old) :]
            self._changed(note, {"key": place, "title": place})
        return f"Successfully renamed {old_path} to {new_path}"

    def clear(self) -> str:
        """Erase every file."""
        for note in self._below(ROOT).values():
            self._doer.do("forget", {"note_id": note.id})
        return "All memory cleared"

    def _existing(self, path: str) -> Note:
        at = _checked(path)
        note = self._file(at)
        if note is None and (at == ROOT or self._below(at)):
            self._refuse(f"The path {path} is not a file.")
        if note is None:
            self._refuse(f"The path {path} does not exist. Please provide a valid path.")
        return note

    def _file(self, at: str) -> Note | None:
        if at == ROOT:
            return None
        try:
            note: Note = self._doer.do("get", {"note_id": f"key:{at}", **self._whose})
        except (NotFound, Erased):
            return None
        return note

    def _below(self, at: str) -> dict[str, Note]:
        """The files in a directory, however deep, by their paths in order."""
        mine = [{name: value if value is not None else {"exists": False}} for name, value in self._whose.items()]
        where = {"and": [{"tag": TAG}, {"key": {"contains": f"{at}/"}}, *mine]}
        found = {note.key: note for note in every(self._doer, "list", {"where": where})}
        inside = [(path, note) for path, note in found.items() if path.startswith(f"{at}/")]
        return dict(sorted(inside, key=lambda each: each[0].split("/")))

    def _at_or_below(self, at: str) -> dict[str, Note]:
        note = self._file(at)
        return self._below(at) if note is None else {at: note}

    def _require_folder(self, at: str) -> None:
        """Nothing above a new file is a file itself."""
        parts = at.split("/")
        for end in range(3, len(parts)):
            above = "/".join(parts[:end])
            if self._file(above) is not None:
                self._refuse(f"The path {above} is not a directory.")

    def _listed(self, at: str, sizes: Mapping[str, int]) -> list[str]:
        """The lines of a directory: each folder before what is in it."""
        shown: dict[str, int] = {}
        for path, size in sizes.items():
            names = path[len(at) + 1 :].split("/")
            if any(name.startswith(".") or name in self._hidden for name in names[:2]):
                continue
            for depth in range(1, min(2, len(names)) + 1):
                entry = "/".join(names[:depth]) + ("/" if depth < len(names) else "")
                shown[entry] = shown.get(entry, 0) + size
        return [f"{_size(size)}\t{at}/{entry}" for entry, size in shown.items()]

    def _numbered(self, path: str, content: str, view_range: Any) -> str:
        lines = content.split("\n")
        if len(lines) > _MOST_LINES:
            raise FileRefusal(f"File {path} exceeds maximum line limit of 999,999 lines.")
        first, last = 1, len(lines)
        if isinstance(view_range, list | tuple) and len(view_range) == 2:
            if not all(isinstance(each, int) and not isinstance(each, bool) for each in view_range):
                raise FileRefusal("`view_range` must be two whole numbers.")
            first = max(1, view_range[0])
            last = len(lines) if view_range[1] == -1 else view_range[1]
        shown = enumerate(lines[first - 1 : last], start=first)
        numbered = "\n".join(f"{number:>{_WIDTH}}\t{line}" for number, line in shown)
        return f"Here's the content of {path} with line numbers:\n{numbered}"

    def _rewrite(self, note: Note, content: str) -> None:
        self._changed(note, {"expected_version": note.version, **_fields(content, note)})

    def _changed(self, note: Note, fields: Mapping[str, Any]) -> None:
        """Change a file; what a person wrote is not an agent's to change, which becomes a proposal for that person."""
        try:
            now: Note = self._doer.do("update", {"note_id": note.id, **fields})
        except Conflict:
            self._refuse(f"The file {note.key} was changed by somebody else meanwhile. View it and try again.")
        if now.id != note.id or now.version == note.version:
            self._refuse(f"The file {note.key} was written by a person. The change waits for their review.")

    def _refuse(self, sentence: str) -> NoReturn:
        raise FileRefusal(f"{self._said['error']}{sentence}")


def content_of(note: Note) -> str:
    """The content of the file that a note is."""
    blank = note.metadata.get(BLANK)
    return blank if isinstance(blank, str) else note.text


def _fields(content: Any, before: Note | None = None) -> dict[str, Any]:
    """The fields of a note that hold a content, which may have no words."""
    text = _text(content, "file_text")
    kept = {name: value for name, value in before.metadata.items() if name != BLANK} if before else {}
    if not text.strip():
        return {"text": "(an empty file)", "metadata": {**kept, BLANK: text}}
    return {"text": text, **({"metadata": kept} if before and BLANK in before.metadata else {})}


def _checked(path: Any) -> str:
    """A path in its one spelling: within the directory, without empty parts."""
    if not isinstance(path, str) or not (path == ROOT or path.startswith(f"{ROOT}/")):
        raise FileRefusal(f"Path must start with {ROOT}, got: {str(path)[:200]}")
    parts = [part for part in path[len(ROOT) :].split("/") if part not in ("", ".")]
    if ".." in parts or _ODD.search(path):
        raise FileRefusal(f"Path {without_control_characters(path[:200])} would escape {ROOT} directory")
    at = "/".join((ROOT, *parts))
    if len(at.encode("utf-8", "surrogatepass")) > _LONGEST or at != at.strip():
        raise FileRefusal(f"Path {path[:60]}… is longer than {_LONGEST} bytes, or ends with a space.")
    return at


def _places(content: str, wanted: str) -> list[int]:
    """Where a text begins, which may overlap itself; an empty one is nowhere."""
    found: list[int] = []
    place = content.find(wanted) if wanted else -1
    while place != -1:
        found.append(place)
        place = content.find(wanted, place + 1)
    return found


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise FileRefusal(f"Parameter `{name}` must be text.")
    return value.replace("\r\n", "\n").replace("\r", "\n")


def _size(size: int) -> str:
    """A size for people: 0B, 14B, 4K, 1.5K."""
    for unit in ("B", "K", "M"):
        if size < 1024 or unit == "M":
            return f"{size:.0f}{unit}" if float(size).is_integer() else f"{size:.1f}{unit}"
        size = size / 1024  # type: ignore[assignment]
    raise AssertionError("the loop ends")


def memory_tool(
    memory: Any,
    *,
    user: str | None = None,
    agent: str | None = None,
    project: str | None = None,
    space: str | None = None,
    strings: str = "docs",
) -> BetaAbstractMemoryTool:
    """A tool for `client.beta.messages.tool_runner(tools=[…])`, on the memory directory of a space.

    With `user`, `agent` or `project` it is the directory of that one alone.
    """
    from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError

    whose = {"user": user, "agent": agent, "project": project}
    files = MemoryFiles(InProcess.of_agent(memory, "claude", space), whose, strings=strings)

    class ClaudeMemoryTool(BetaAbstractMemoryTool):
        """See `memory_tool`."""

        def execute(self, command: Any) -> str:
            """Carry out one command; what cannot be is told as an error."""
            try:
                return files.run(command.to_dict() if hasattr(command, "to_dict") else dict(command))
            except FileRefusal as refusal:
                raise ToolError(str(refusal)) from refusal

        def clear_all_memory(self) -> str:
            """Erase every file of the directory."""
            return files.clear()

        view = create = str_replace = insert = delete = rename = execute

    return ClaudeMemoryTool()


def async_memory_tool(memory: Any, **options: Any) -> BetaAsyncAbstractMemoryTool:
    """The same for an asynchronous client. Each command runs on a thread."""
    from asyncio import to_thread

    from anthropic.lib.tools import BetaAsyncAbstractMemoryTool

    plain = memory_tool(memory, **options)

    class AsyncClaudeMemoryTool(BetaAsyncAbstractMemoryTool):
        """See `async_memory_tool`."""

        async def execute(self, command: Any) -> Any:
            """See `ClaudeMemoryTool.execute`."""
            return await to_thread(plain.execute, command)

        async def clear_all_memory(self) -> Any:
            """See `ClaudeMemoryTool.clear_all_memory`."""
            return await to_thread(plain.clear_all_memory)

        view = create = str_replace = insert = delete = rename = execute

    return AsyncClaudeMemoryTool()


def _answered(doer: Doer, asked: Asked) -> dict[str, Any]:
    """A block `tool_result` without its id: the input of the tool comes as the body."""
    try:
        return {"content": MemoryFiles(doer, asked.query).run(asked.body), "is_error": False}
    except FileRefusal as refusal:
        return {"content": str(refusal), "is_error": True}


# A token that may only look has no files to change; the right of each verb is asked for again when it is called.
DIALECT = Dialect("memory-tool", (DialectPath("POST", "/memory-tool", "list", SpaceRule.TOKEN, _answered),))
