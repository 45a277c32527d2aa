"""One table per host: what it calls the moments we listen to, and where in its JSON things stand.

Another host is another entry here, and nothing else. Standard library only: every hook loads this.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Moment(StrEnum):
    """The kinds of event a hook can be about. The values are what is typed after `recollect hook`."""

    SESSION_START = "session-start"
    PROMPT = "prompt"
    TOOL_USE = "tool-use"
    TOOL_FAILURE = "tool-failure"
    PRE_COMPACT = "pre-compact"
    STOP = "stop"
    SUBAGENT_STOP = "subagent-stop"
    TASK = "task"
    NOTIFICATION = "notification"
    SESSION_END = "session-end"


class Form(StrEnum):
    """How a host is told something."""

    SPECIFIC = "hookSpecificOutput"  # nested, with the name of its event
    CURSOR = "additional_context"
    PLAIN = "context"  # to a plugin of ours


class Host(NamedTuple):
    """A coding agent.

    `fields` says for each thing of ours where it stands, as dotted paths; the first that is there counts. `told` are
    the moments at which the host takes words from us; at others anything on standard output could be taken for an
    order. `over_http` are those it can tell a server of itself, without a process.
    """

    name: str
    events: Mapping[str, Moment]
    fields: Mapping[str, tuple[str, ...]]
    form: Form = Form.SPECIFIC
    told: frozenset[Moment] = frozenset({Moment.SESSION_START, Moment.PROMPT})
    not_typed: frozenset[str] = frozenset()  # sources of prompts that no person wrote
    passed_over: frozenset[str] = frozenset()  # notifications that say nothing
    over_http: frozenset[Moment] = frozenset()


_USUAL: Mapping[str, tuple[str, ...]] = {
    "event": ("hook_event_name",),
    "session": ("session_id",),
    "folder": ("cwd",),
    "prompt": ("prompt",),
    "source": ("source",),
    "tool": ("tool_name",),
    "arguments": ("tool_input",),
    "output": ("tool_response",),
    "error": ("error",),
    "interrupted": ("is_interrupt",),
    "said": ("last_assistant_message",),
    "message": ("message",),
    "sort": ("notification_type",),
    "task": ("task_subject",),
    "within": ("agent_id",),  # there only inside a subagent
    "tool_id": ("tool_use_id",),
    "prompt_id": ("prompt_id",),
}

_CLAUDE_CODE = Host(
    name="claude-code",
    events={
        "SessionStart": Moment.SESSION_START,
        "UserPromptSubmit": Moment.PROMPT,
        "PostToolUse": Moment.TOOL_USE,
        "PostToolUseFailure": Moment.TOOL_FAILURE,
        "PreCompact": Moment.PRE_COMPACT,
        "Stop": Moment.STOP,
        "SubagentStop": Moment.SUBAGENT_STOP,
        "TaskCompleted": Moment.TASK,
        "Notification": Moment.NOTIFICATION,
        "SessionEnd": Moment.SESSION_END,
    },
    fields=_USUAL,
    not_typed=frozenset({"system", "loop_wakeup", "schedule_wakeup", "poll_event"}),
    passed_over=frozenset({"idle_prompt", "auth_success"}),
    over_http=frozenset(Moment) - {Moment.SESSION_START},
)

_CODEX = Host(
    name="codex",
    events={
        "SessionStart": Moment.SESSION_START,
        "UserPromptSubmit": Moment.PROMPT,
        "PostToolUse": Moment.TOOL_USE,
        "PreCompact": Moment.PRE_COMPACT,
        "Stop": Moment.STOP,
        "SubagentStop": Moment.SUBAGENT_STOP,
        "SessionEnd": Moment.SESSION_END,
    },
    fields={**_USUAL, "prompt_id": ("turn_id",)},
)

_GEMINI = Host(
    name="gemini",
    events={
        "SessionStart": Moment.SESSION_START,
        "BeforeAgent": Moment.PROMPT,
        "AfterTool": Moment.TOOL_USE,
        "PreCompress": Moment.PRE_COMPACT,
        "AfterAgent": Moment.STOP,
        "Notification": Moment.NOTIFICATION,
        "SessionEnd": Moment.SESSION_END,
    },
    fields={
        **_USUAL,
        "output": ("tool_response.llmContent", "tool_response.returnDisplay", "tool_response"),
        "error": ("tool_response.error",),
        "said": ("prompt_response",),
    },
)

_CURSOR = Host(
    name="cursor",
    events={
        "sessionStart": Moment.SESSION_START,
        "beforeSubmitPrompt": Moment.PROMPT,
        "postToolUse": Moment.TOOL_USE,
        "postToolUseFailure": Moment.TOOL_FAILURE,
        "preCompact": Moment.PRE_COMPACT,
        "stop": Moment.STOP,
        "subagentStop": Moment.SUBAGENT_STOP,
        "sessionEnd": Moment.SESSION_END,
    },
    fields={
        **_USUAL,
        "session": ("session_id", "conversation_id"),
        "folder": ("cwd", "workspace_roots.0"),
        "output": ("tool_output",),
        "error": ("error_message", "error"),
        "prompt_id": ("generation_id",),
    },
    form=Form.CURSOR,
    told=frozenset({Moment.SESSION_START}),
)

# These two load a plugin of ours, which speaks the plain form.
_OPENCODE = Host("opencode", events={}, fields=_USUAL, form=Form.PLAIN)
_OPENCLAW = Host("openclaw", events={}, fields=_USUAL, form=Form.PLAIN)

HOSTS: Mapping[str, Host] = {host.name: host for host in (_CLAUDE_CODE, _CODEX, _GEMINI, _OPENCODE, _OPENCLAW, _CURSOR)}


def moment_named(host: Host, name: str) -> Moment | None:
    """The moment that is meant, by the host's word for it or by ours, however it is spelled; `None` for others."""
    ours = {_plain(moment.value): moment for moment in Moment}
    return {**ours, **{_plain(event): moment for event, moment in host.events.items()}}.get(_plain(name))


def event_of(host: Host, moment: Moment) -> str:
    """The host's name for a moment; ours, where it has none."""
    return next((event for event, each in host.events.items() if each is moment), moment.value)


def _plain(name: str) -> str:
    return name.replace("-", "").replace("_", "").replace(".", "").lower()
