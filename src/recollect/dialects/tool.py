"""A tool: static words and a schema for the agent, and what it does for its caller.

The words are written down, and never made of anything that was remembered. No protocol is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from recollect.domain.attachments.attachment import AttachmentContent
from recollect.domain.dataclass import dataclass
from recollect.operations import Effect


class Doer(Protocol):
    """Somebody who was let in, and calls verbs as far as they may. Their `space` is meant when none is named."""

    @property
    def space(self) -> str: ...

    def do(self, verb: str, given: Mapping[str, Any] | None = None) -> Any:
        """Call a verb, with arguments that have the right shapes."""
        ...


class SpaceMaker(Doer, Protocol):
    """Somebody for whom a space can be made that is not there."""

    def make_space(self, *, tier: int) -> None:
        """Make their own space, where the settings of the server let whoever may write to it do so."""
        ...


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The answer of a tool: a compact object for programs, and the same or something better to read as text.

    Without an object there is only the text: clients show a model the one or the other, and prefer the object.
    """

    object: Mapping[str, Any] | None
    text: str = ""
    file: AttachmentContent | None = None  # a file that was asked for, whose bytes no object holds


Work: TypeAlias = Callable[[Any, dict[str, Any]], ToolAnswer]  # of a `Doer`, or of what more a door knows of one


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `verbs` are all that it may call: whoever may not call them does not see it."""

    name: str
    title: str
    description: str
    schema: dict[str, Any]
    effect: Effect
    verbs: tuple[str, ...]
    work: Work
    idempotent: bool = False
    always_load: bool = False
    output: dict[str, Any] | None = None
    open_world: bool = False  # whether it reaches beyond this memory
    page: str = ""  # the address of a page on which a host can show its answer
