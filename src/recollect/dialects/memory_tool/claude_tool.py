"""The memory tool for the runner of Anthropic's SDK, and as one path over HTTP. The SDK is loaded when one is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.dialects.library import InProcess
from recollect.dialects.memory_tool.memory_files import FileRefusal, MemoryFiles
from recollect.dialects.table import Asked, Dialect, DialectPath, SpaceRule
from recollect.dialects.tool import Doer

if TYPE_CHECKING:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool


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
