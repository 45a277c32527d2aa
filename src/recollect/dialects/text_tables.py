"""Paths and tools of a dialect as tables beside its code: `paths.tsv`, `tools.json`, `tools.tsv`.

A line of `paths.tsv` has a method, a path, the verb whose right it takes, and the name of the function that answers;
marks of the dialect's own may follow. In the place of a function may stand `!` and a sentence, for a path that is known
and not taken, where the sentence says what is done here instead; `=` and JSON, which is always the answer; or `@` and
the name of a Markdown file beside the table.

`tools.json` is for our MCP door. A line of `tools.tsv`, for HTTP, has a name, arguments (`*` marks those that must be
there, `#` numbers), the function that answers, and the words for the agent. With `!` and a sentence a tool is not
listed, and calling it says so.
`resources.tsv` has addresses with `{name}` for a part, and the arguments of a function; `prompts.tsv` has one argument
for each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from recollect.dialects.shapes import pairs
from recollect.dialects.table import Reply
from recollect.dialects.tool import Doer, Tool, ToolAnswer
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, NotFound, RecollectError, Unsupported
from recollect.domain.values import to_plain
from recollect.operations import Effect


def tools_in(package: str, *parts: Any, answered: Callable[[Any, str], ToolAnswer]) -> tuple[Tool, ...]:
    """The tools of `tools.json`. `answered` makes an answer of what a function gives and the field with its text."""
    rows = json.loads(files(package).joinpath("tools.json").read_text(encoding="utf-8"))
    return tuple(_tool(each, named_in(parts, each["call"]), answered) for each in rows)


def _tool(row: Mapping[str, Any], call: Callable[..., Any], answered: Callable[[Any, str], ToolAnswer]) -> Tool:
    def work(doer: Any, given: dict[str, Any]) -> ToolAnswer:
        return answered(call(doer, given), row.get("text", ""))

    schema, effect = row["inputSchema"], Effect(row["effect"])
    words = (row["name"], row["title"], row["description"])
    return Tool(
        *words,
        schema,
        effect,
        tuple(row["verbs"]),
        work,
        idempotent=row.get("idempotent", False),
        output=row.get("outputSchema"),
        open_world=row.get("openWorld", False),
    )


@dataclass(frozen=True, slots=True)
class RemoteTool:
    """A tool that the shim of an agent lists: its words, its schema, and the name of the function that answers."""

    name: str
    call: str
    description: str
    schema: dict[str, Any]


@cache
def remote_tools(package: str) -> dict[str, RemoteTool]:
    """The tools of `tools.tsv`, by their names."""
    return {each.name: each for each in map(_remote, table_lines(package, "tools.tsv"))}


def _remote(line: str) -> RemoteTool:
    name, given, call, words = line.split("\t")
    fields = {
        field.strip("*#"): {"type": "number" if "#" in field else "string"} for field in given.split() if field != "-"
    }
    required = [field.strip("*#") for field in given.split() if "*" in field]
    schema = {"type": "object", "properties": fields, **({"required": required} if required else {})}
    return RemoteTool(name, call, words, schema)


def remote_list(package: str) -> list[dict[str, Any]]:
    """The tools as an agent is shown them."""
    shown = (each for each in remote_tools(package).values() if not each.call.startswith("!"))
    return [{"name": each.name, "description": each.description, "inputSchema": each.schema} for each in shown]


def remote_call(doer: Doer, package: str, name: str, arguments: Any, *parts: Any) -> dict[str, Any]:
    """Have a tool do its work. An error is its answer, which a model can read."""
    if not isinstance(arguments, dict):
        raise InvalidInput("arguments must be an object", code="invalid_field")
    tool = remote_tools(package).get(name)
    if tool is None:
        raise InvalidInput(f"unknown tool: {name[:60]}", code="unknown_tool")
    if tool.call.startswith("!"):
        return content_of({"error": tool.call[1:]}, is_error=True)
    missing = [field for field in tool.schema.get("required", ()) if arguments.get(field) in (None, "")]
    try:
        if missing:
            raise InvalidInput(f"{', '.join(missing)} is required", code="field_missing")
        answer = named_in(parts, tool.call)(doer, arguments)
    except RecollectError as problem:
        if problem.retryable:
            raise
        return content_of({"error": problem.message, "code": problem.code, "hint": problem.hint}, is_error=True)
    return content_of(answer.body if isinstance(answer, Reply) else answer)


def content_of(answer: Any, *, is_error: bool = False) -> dict[str, Any]:
    """An answer as the content of a tool's."""
    text = json.dumps(to_plain(answer), ensure_ascii=False)
    return {"content": [{"type": "text", "text": text}], **({"isError": True} if is_error else {})}


def remote_resources(package: str) -> list[dict[str, str]]:
    """The resources that can be read."""
    rows = (line.split("\t") for line in table_lines(package, "resources.tsv"))
    return [
        {"uri": uri, "name": name, "description": words, "mimeType": "application/json"}
        for uri, name, words, *_ in rows
    ]


def remote_resource(doer: Doer, package: str, uri: str, *parts: Any) -> dict[str, Any]:
    """Read one resource: the answer of its function, as JSON."""
    for line in table_lines(package, "resources.tsv"):
        address, _, _, call, given = line.split("\t")
        found = re.fullmatch(re.sub(r"\\{(\w{1,20})\\}", r"(?P<\1>[^/]{1,500})", re.escape(address)), uri)
        if found:
            told = {} if given == "-" else pairs(given)
            arguments = {each: value.format(**found.groupdict()) for each, value in told.items()}
            text = json.dumps(to_plain(named_in(parts, call)(doer, arguments)), ensure_ascii=False)
            return {"contents": [{"uri": uri, "mimeType": "application/json", "text": text}]}
    raise NotFound(f"unknown resource: {uri[:200]}", code="resource_not_found")


def remote_prompts(package: str) -> list[dict[str, Any]]:
    """The prompts, each with its one argument."""
    rows = (line.split("\t") for line in table_lines(package, "prompts.tsv"))
    return [
        {"name": name, "description": words, "arguments": [{"name": field.strip("*"), "required": field.endswith("*")}]}
        for name, field, words, _ in rows
    ]


def remote_prompt(doer: Doer, package: str, name: str, arguments: Any, *parts: Any) -> dict[str, Any]:
    """One prompt, filled with the text that its function gives."""
    for line in table_lines(package, "prompts.tsv"):
        known, _, _, call = line.split("\t")
        if known == name:
            text = named_in(parts, call)(doer, arguments if isinstance(arguments, dict) else {})
            return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
    raise NotFound(f"unknown prompt: {name[:60]}", code="prompt_not_found")


@dataclass(frozen=True, slots=True)
class PathRow:
    """A line of the table, with the function that answers."""

    method: str
    path: str
    verb: str
    call: Callable[..., Any]
    marks: tuple[str, ...] = ()


def path_rows(package: str, *parts: Any, hint: str = "") -> Iterator[PathRow]:
    """The lines of a package's table; functions are looked for in its `parts`, in their order."""
    for line in table_lines(package, "paths.tsv"):
        method, path, verb, call, *marks = line.split("\t")
        yield PathRow(method, path, verb, _answer(package, parts, call, hint), tuple(marks))


def _answer(package: str, parts: tuple[Any, ...], call: str, hint: str) -> Callable[..., Any]:
    said = call[1:].strip()
    match call[0]:
        case "!":
            return not_taken(said, hint)
        case "=":
            constant = json.loads(said)
            return lambda *_: constant
        case "@":
            page = files(package).joinpath(said)
            return lambda *_: Reply(page.read_text(encoding="utf-8"), says="text/markdown; charset=utf-8")
        case _:
            return named_in(parts, call)


def table_lines(package: str, name: str) -> list[str]:
    """The lines of a table beside the code; `#` begins a remark."""
    lines = files(package).joinpath(name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def named_in(parts: tuple[Any, ...], name: str) -> Callable[..., Any]:
    """The function of this name in the first part that has one."""
    found: Callable[..., Any] = next(getattr(part, name) for part in parts if hasattr(part, name))
    return found


def not_taken(sentence: str, hint: str = "") -> Callable[..., Any]:
    """The answer of a path that is known and not taken: a refusal that says so."""

    def answer(*_: Any) -> Any:
        raise Unsupported(sentence, code="not_taken", hint=hint)

    return answer
