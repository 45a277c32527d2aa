"""Spaces and scopes, which say whose memory and where: the space isolates, the scope only filters."""

from __future__ import annotations

from datetime import datetime

from recollect.domain.dataclass import dataclass, names_of
from recollect.domain.errors import Conflict, InvalidInput
from recollect.domain.late import Late

DEFAULT_SPACE = "default"
WHOLE_STORE = "@store"  # where work for all spaces stands; no space can be named so, and none is listed so

_SPACE = Late(r"[A-Za-z0-9][A-Za-z0-9._@:+-]{0,126}")


@dataclass(frozen=True, slots=True)
class Space:
    """An isolated memory: a user, a team, a bot. Nothing crosses it.

    `seq` counts the changes made in it. A deleted space keeps its row, so that its counters never start over.
    """

    name: str
    description: str
    created_at: datetime
    seq: int
    deleted_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """The owner and the place of a record, inside one space. `None` means: not said."""

    user: str | None = None
    agent: str | None = None
    project: str | None = None
    session: str | None = None
    machine: str | None = None

    def includes(self, other: Scope) -> bool:
        """Whether something of another scope is within this one; each part that is not said lets everything pass."""
        return (
            (self.user is None or self.user == other.user)
            and (self.agent is None or self.agent == other.agent)
            and (self.project is None or self.project == other.project)
            and (self.session is None or self.session == other.session)
            and (self.machine is None or self.machine == other.machine)
        )

    def placed_in(self, other: Scope) -> Scope:
        """This scope, with the parts that it does not say from another."""
        return Scope(
            self.user or other.user,
            self.agent or other.agent,
            self.project or other.project,
            self.session or other.session,
            self.machine or other.machine,
        )


SCOPE_FIELDS = names_of(Scope)
BOUND_BY = ("user", "agent", "project")  # those that a reader or writer can be bound to
ANYWHERE = Scope()


def checked_space(name: str) -> str:
    """The space's name, or a clear error."""
    if not isinstance(name, str) or not _SPACE.fullmatch(name):
        shown = name if isinstance(name, str) and len(name) <= 60 else repr(name)[:60]
        raise InvalidInput(
            f"`{shown}` cannot be the name of a space.",
            code="invalid_space",
            hint="Use 1 to 127 of a-z, A-Z, 0-9 and . _ @ : + -, starting with a letter or digit.",
        )
    return name


def moved_away(name: str) -> Conflict:
    """The error for a space that another store serves. Where that is, is not told to everybody who may ask for it."""
    return Conflict(
        f"The space `{name}` is served by another store.",
        code="space_moved",
        hint="It was moved, or is about to arrive: `recollect store check` says where it is.",
    )
