"""pydantic-ai with our toolset: its test model calls each tool, and a scripted one remembers and recalls."""

from __future__ import annotations

from typing import Any

from pydantic_ai import Agent  # type: ignore[import-not-found]
from pydantic_ai.messages import (  # type: ignore[import-not-found]
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import FunctionModel  # type: ignore[import-not-found]
from pydantic_ai.models.test import TestModel  # type: ignore[import-not-found]

from recollect import Memory
from recollect.adapters.pydantic_toolset import memory_toolset


def test_every_tool_can_be_called_by_its_schema() -> None:
    with Memory(store=":memory:") as memory:
        model = TestModel()
        Agent(model, toolsets=[memory_toolset(memory)]).run_sync("go")
        tools = model.last_model_request_parameters.function_tools
        assert [tool.name for tool in tools] == ["search_memory", "save_memory", "forget_memory"]
        assert all(tool.description for tool in tools)
        assert tools[0].parameters_json_schema["properties"]["query"]["description"]


def test_an_agent_remembers_and_finds_it_in_another_run() -> None:
    def scripted(messages: list[Any], _: Any) -> Any:
        last = messages[-1].parts[-1]
        if isinstance(last, ToolReturnPart):
            return ModelResponse(parts=[TextPart(str(last.content))])
        tool, argument = ("save_memory", "text") if "remember" in last.content else ("search_memory", "query")
        return ModelResponse(parts=[ToolCallPart(tool, {argument: "Ana drinks green tea"})])

    with Memory(store=":memory:") as memory:
        agent = Agent(FunctionModel(scripted), toolsets=[memory_toolset(memory, user="ana")])
        assert agent.run_sync("remember it").output.startswith("Remembered as ")
        assert "green tea" in agent.run_sync("what is it").output
        assert [note.scope.user for note in memory.list()] == ["ana"]
