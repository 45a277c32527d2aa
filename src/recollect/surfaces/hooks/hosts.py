"""One table per host: what it calls the moments we listen to, and where in its JSON things stand.

Another host is another entry here, and nothing else. Standard library only: every hook loads this.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class HookMoment(StrEnum):
    """The kinds of event a hook can be about. The values are what is typed after `recollect hook`."""

    SESSION_START = "session-start"
    PROMPT = "prompt"
    BEFORE_TOOL = "before-tool"
    TOOL_USE = "tool-use"
    TOOL_FAILURE = "tool-failure"
    PRE_COMPACT = "pre-compact"
    STOP = "stop"
    SUBAGENT_STOP = "subagent-stop"
    TASK = "task"
    NOTIFICATION = "notification"
    SESSION_END = "session-end"


class HookForm(StrEnum):
    """How a host is told something."""

    SPECIFIC = "hookSpecificOutput"  # nested, with the name of its event
    CURSOR = "additional_context"
    PLAIN = "context"  # to a plugin of ours


class HookHost(NamedTuple):
    """A coding agent.

    `fields` says for each thing of ours where it stands, as dotted paths; the first that is there counts. `told` are
    the moments at which the host takes words from us; at others anything on standard output could be taken for an
    order. `over_http` are those it can tell a server of itself, without a process.
    """

    name: str
    events: Mapping[str, HookMoment]
    fields: Mapping[str, tuple[str, ...]]
    form: HookForm = HookForm.SPECIFIC
    told: frozenset[HookMoment] = frozenset({HookMoment.SESSION_START, HookMoment.PROMPT})
    not_typed: frozenset[str] = frozenset()  # sources of prompts that no person wrote
    passed_over: frozenset[str] = frozenset()  # notifications that say nothing
    over_http: frozenset[HookMoment] = frozenset()


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

# Of hosts that hand words on to the model before a tool runs. Others take a veto there and nothing else: they tell us
# nothing at that moment.
_TOLD_BEFORE_TOOLS = frozenset({HookMoment.SESSION_START, HookMoment.PROMPT, HookMoment.BEFORE_TOOL})

_CLAUDE_CODE = HookHost(
    name="claude-code",
    events={
        "SessionStart": HookMoment.SESSION_START,
        "UserPromptSubmit": HookMoment.PROMPT,
        "PreToolUse": HookMoment.BEFORE_TOOL,
        "PostToolUse": HookMoment.TOOL_USE,
        "PostToolUseFailure": HookMoment.TOOL_FAILURE,
        "PreCompact": HookMoment.PRE_COMPACT,
        "Stop": HookMoment.STOP,
        "SubagentStop": HookMoment.SUBAGENT_STOP,
        "TaskCompleted": HookMoment.TASK,
        "Notification": HookMoment.NOTIFICATION,
        "SessionEnd": HookMoment.SESSION_END,
    },
    fields=_USUAL,
    told=_TOLD_BEFORE_TOOLS,
    not_typed=frozenset({"system", "loop_wakeup", "schedule_wakeup", "poll_event"}),
    passed_over=frozenset({"idle_prompt", "auth_success"}),
    over_http=frozenset(HookMoment) - {HookMoment.SESSION_START},
)

_CODEX = HookHost(
    name="codex",
    events={
        "SessionStart": HookMoment.SESSION_START,
        "UserPromptSubmit": HookMoment.PROMPT,
        "PreToolUse": HookMoment.BEFORE_TOOL,
        "PostToolUse": HookMoment.TOOL_USE,
        "PreCompact": HookMoment.PRE_COMPACT,
        "Stop": HookMoment.STOP,
        "SubagentStop": HookMoment.SUBAGENT_STOP,
        "SessionEnd": HookMoment.SESSION_END,
    },
    fields={**_USUAL, "prompt_id": ("turn_id",)},
    told=_TOLD_BEFORE_TOOLS,
)

_GEMINI = HookHost(
    name="gemini",
    events={
        "SessionStart": HookMoment.SESSION_START,
        "BeforeAgent": HookMoment.PROMPT,
        "AfterTool": HookMoment.TOOL_USE,
        "PreCompress": HookMoment.PRE_COMPACT,
        "AfterAgent": HookMoment.STOP,
        "Notification": HookMoment.NOTIFICATION,
        "SessionEnd": HookMoment.SESSION_END,
    },
    fields={
        **_USUAL,
        "output": ("tool_response.llmContent", "tool_response.returnDisplay", "tool_response"),
        "error": ("tool_response.error",),
        "said": ("prompt_response",),
    },
)

_CURSOR = HookHost(
    name="cursor",
    events={
        "sessionStart": HookMoment.SESSION_START,
        "beforeSubmitPrompt": HookMoment.PROMPT,
        "postToolUse": HookMoment.TOOL_USE,
        "postToolUseFailure": HookMoment.TOOL_FAILURE,
        "preCompact": HookMoment.PRE_COMPACT,
        "stop": HookMoment.STOP,
        "subagentStop": HookMoment.SUBAGENT_STOP,
        "sessionEnd": HookMoment.SESSION_END,
    },
    fields={
        **_USUAL,
        "session": ("session_id", "conversation_id"),
        "folder": ("cwd", "workspace_roots.0"),
        "output": ("tool_output",),
        "error": ("error_message", "error"),
        "prompt_id": ("generation_id",),
    },
    form=HookForm.CURSOR,
    told=frozenset({HookMoment.SESSION_START}),
)

# These two load a plugin of ours, which speaks the plain form.
_OPENCODE = HookHost("opencode", events={}, fields=_USUAL, form=HookForm.PLAIN, told=_TOLD_BEFORE_TOOLS)
_OPENCLAW = HookHost("openclaw", events={}, fields=_USUAL, form=HookForm.PLAIN)

HOSTS: Mapping[str, HookHost] = {
    host.name: host for host in (_CLAUDE_CODE, _CODEX, _GEMINI, _OPENCODE, _OPENCLAW, _CURSOR)
}


def moment_named(host: HookHost, name: str) -> HookMoment | None:
    """The moment that is meant, by the host's word for it or by ours, however it is spelled; `None` for others."""
    ours = {_plain(moment.value): moment for moment in HookMoment}
    return {**ours, **{_plain(event): moment for event, moment in host.events.items()}}.get(_plain(name))


def event_of(host: HookHost, moment: HookMoment) -> str:
    """The host's name for a moment; ours, where it has none."""
    return next((event for event, each in host.events.items() if each is moment), moment.value)


def _plain(name: str) -> str:
    return name.replace("-", "").replace("_", "").replace(".", "").lower()
