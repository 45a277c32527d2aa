"""Three prompts that a person can pick: recall something, remember something, hand over to the next session.

Their words are fixed. What memory adds is a fenced block, which says of itself that it is data.
"""

from __future__ import annotations

from collections.abc import Mapping

import mcp_types as protocol

from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.suggestions import unknown_field
from recollect.surfaces.reception.visitor import Visitor

PROMPTS = (
    protocol.Prompt(
        name="recall",
        title="Recall",
        description="Bring what memory knows about a topic into the conversation.",
        arguments=[protocol.PromptArgument(name="topic", description="what to recall", required=True)],
    ),
    protocol.Prompt(
        name="remember",
        title="Remember",
        description="Have something remembered for later sessions.",
        arguments=[protocol.PromptArgument(name="text", description="what to remember", required=True)],
    ),
    protocol.Prompt(
        name="handoff",
        title="Hand over",
        description="Write down where the work stands, for whoever goes on with it.",
        arguments=[protocol.PromptArgument(name="topic", description="what the work is about", required=False)],
    ),
)

_NOTHING = "Memory has nothing to say about it."
_REMEMBER = (
    "Remember the following for later sessions. Keep it as one or more self-contained notes with the `remember` tool; "
    "where it says something new about a known subject, give subject, attribute and value, so that the old value is "
    "taken over from. Then say in one sentence what was kept.\n\n{text}"
)
_HANDOFF = (
    "Hand this work over. Write one note of the kind `episodic` with the `remember` tool that says what was done, "
    "what was decided and why, what is open, and what to do next{about}; name files, commands and people. Keep "
    "lessons that will hold beyond this work as notes of the kind `lesson`. Correct with `update` or `feedback` "
    "whatever turned out to be wrong."
)


def written(visitor: Visitor, name: str, arguments: Mapping[str, str]) -> protocol.GetPromptResult:
    """A prompt with its arguments in their places."""
    prompt = next((each for each in PROMPTS if each.name == name), None)
    if prompt is None:
        raise NotFound(f"There is no prompt `{name[:60]}`.", code="prompt_not_found", hint="List the prompts.")
    known = {each.name: each for each in prompt.arguments or ()}
    for given in arguments:
        if given not in known:
            raise unknown_field(given, of=name, known=known)
    for each in known.values():
        if each.required and not arguments.get(each.name, "").strip():
            raise InvalidInput(f"`{each.name}` is missing.", code="field_missing", hint=f"It is {each.description}.")
    match name:
        case "recall":
            found = visitor.do("recall", {"query": arguments["topic"]})
            text = f"What memory has on the topic `{arguments['topic']}`:\n\n{found.block or _NOTHING}"
        case "remember":
            text = _REMEMBER.format(text=arguments["text"])
        case _:
            topic = arguments.get("topic")
            text = _HANDOFF.format(about=f", about {topic}" if topic else "")
    message = protocol.PromptMessage(role="user", content=protocol.TextContent(type="text", text=text))
    return protocol.GetPromptResult(description=prompt.description, messages=[message])
