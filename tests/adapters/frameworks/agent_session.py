"""The OpenAI Agents SDK on our session and on its own: the same history, and a run that goes on where it was."""

from __future__ import annotations

import asyncio
from typing import Any

from agents import Agent, Runner, Session, SQLiteSession, set_tracing_disabled  # type: ignore[import-not-found]
from agents.items import ModelResponse  # type: ignore[import-not-found]
from agents.models.interface import Model  # type: ignore[import-not-found]
from agents.usage import Usage  # type: ignore[import-not-found]
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from recollect import Memory
from recollect.adapters.agents_session import AgentsSession

set_tracing_disabled(True)
ITEMS = st.sampled_from(
    [
        {"role": "user", "content": "I live in Porto"},
        {"role": "assistant", "content": "Noted", "extra": {"deep": [1, {"a": None}]}},
        {"type": "function_call", "name": "f", "call_id": "c", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": "ok"},
    ]
)
STEPS = st.one_of(
    st.tuples(st.just("add_items"), st.lists(ITEMS, max_size=3)),
    st.tuples(st.just("get_items"), st.sampled_from([None, 1, 2])),
    st.tuples(st.just("pop_item")),
    st.tuples(st.just("clear_session")),
)


@settings(max_examples=30, deadline=None)
@given(steps=st.lists(STEPS, max_size=10))
def test_it_answers_as_the_reference_does(steps: list[Any]) -> None:
    async def compared() -> None:
        with Memory(store=":memory:") as memory:
            ours, theirs = AgentsSession("s", memory), SQLiteSession("s")
            assert isinstance(ours, Session)
            for name, *given in steps:
                assert await getattr(ours, name)(*given) == await getattr(theirs, name)(*given), name
            theirs.close()

    asyncio.run(compared())


class Echo(Model):  # type: ignore[misc]
    """Says how many items it was shown."""

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> Any:
        text = ResponseOutputText(text=f"{len(input)} items", type="output_text", annotations=[])
        said = ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def test_a_run_goes_on_where_the_last_one_was_and_the_person_is_known() -> None:
    async def talked() -> None:
        with Memory(store=":memory:") as memory:
            agent, session = Agent(name="a", model=Echo()), AgentsSession("s", memory, user="ana")
            first = await Runner.run(agent, "I live in Porto", session=session)
            second = await Runner.run(agent, "and now?", session=AgentsSession("s", memory, user="ana"))
            assert (first.final_output, second.final_output) == ("1 items", "3 items")
            assert [note.text for note in memory.list(user="ana")] == ["User lives in Porto."]

    asyncio.run(talked())
