"""Where a note came from, and how far its word goes.

Origin is set once, by the engine, from who is calling; no argument can claim a better one. Authority is a
ladder: a rule a person wrote, a fact a person said, everything else. What is derived stands no higher than
the lowest of its parents, so nothing is laundered by summarising, merging, importing or syncing.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, NotAllowed
from recollect.domain.scopes import ANYWHERE, Scope


class Channel(StrEnum):
    """The door something came through."""

    LIBRARY = "library"
    CLI = "cli"
    DASHBOARD = "dashboard"
    HTTP = "http"
    MCP = "mcp"
    HOOK = "hook"
    TRANSCRIPT = "transcript"
    FILE = "file"
    WEB = "web"
    SYNC = "sync"
    VAULT_EDIT = "vault-edit"
    IMPORT = "import"
    DERIVED = "derived"


class Authority(StrEnum):
    """How far a note's word goes: a rule, a fact, or only a quotation."""

    INSTRUCTION = "instruction"
    FACT = "fact"
    QUOTED = "quoted"


_RANK = {Authority.QUOTED: 0, Authority.FACT: 1, Authority.INSTRUCTION: 2}

# Channels where a person speaks for themselves; only there can a rule be written.
_PERSONAL = frozenset({Channel.LIBRARY, Channel.CLI, Channel.DASHBOARD, Channel.VAULT_EDIT})

# Channels where what is called a prompt is what a person typed; through others, a program or a model may have written
# it. Whatever else hooks and transcripts hand on is only quoted.
TYPED = frozenset({Channel.LIBRARY, Channel.CLI, Channel.DASHBOARD, Channel.HOOK, Channel.TRANSCRIPT})


@dataclass(frozen=True, slots=True)
class Origin:
    """The provenance of a record: who wrote it, through which door, in which session, from which source."""

    channel: Channel = Channel.LIBRARY
    principal: str = ""
    session: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """The person or program that is asking; every verb is done in a caller's name."""

    channel: Channel = Channel.LIBRARY
    principal: str = ""
    session: str | None = None
    reads_only: bool = False  # its token ends at reading
    admin: bool = False  # came with an administrator's token, through a door that asks for one
    within: Scope = ANYWHERE  # the part of a space it is bound to: what does not say whose it is belongs there
    everywhere: bool = False  # its token is an administrator's of all spaces
    fresh: bool = True  # False for a browser that signed in long ago: whoever sits there may be somebody else

    def origin(self, source: str | None = None) -> Origin:
        return Origin(self.channel, self.principal, self.session, source)

    @property
    def ceiling(self) -> Authority:
        """The highest authority this caller can give."""
        if self.channel not in _PERSONAL:
            return Authority.QUOTED
        return Authority.INSTRUCTION if self.fresh else Authority.FACT

    @property
    def may_vouch(self) -> bool:
        """Whether this caller may take over what a file says of its own origin."""
        return self.admin or (self.channel in _PERSONAL and self.fresh)

    @property
    def oversees(self) -> bool:
        """Whether work for the whole store is theirs to see and to stop: they have the store itself, or may do all."""
        here = self.channel in (Channel.LIBRARY, Channel.CLI)
        return self.within == ANYWHERE and (here or self.everywhere)

    @property
    def word(self) -> Authority:
        """The authority of what is learned from a prompt that this caller hands on."""
        return Authority.FACT if self.channel in TYPED else Authority.QUOTED

    def authority(self, asked: Authority | None) -> Authority:
        """The authority a new note gets: a fact unless asked otherwise, never above the ceiling."""
        if asked is None:
            return lowest([Authority.FACT, self.ceiling])
        if rank(asked) > rank(self.ceiling):
            if not self.fresh:
                raise sign_in_again()
            raise InvalidInput(
                f"A note that comes through {self.channel.value} cannot have the authority `{asked.value}`.",
                code="authority_too_high",
                hint=f"Leave it out, or use `{self.ceiling.value}`.",
            )
        return asked


def sign_in_again() -> NotAllowed:
    """The refusal of a browser that signed in too long ago for what it asks."""
    return NotAllowed(
        "This needs somebody who has just signed in.", code="sign_in_again", hint="Sign in again, and repeat it."
    )


def rank(authority: Authority) -> int:
    """The place of an authority on the ladder; the higher outranks the lower."""
    return _RANK[authority]


def lowest(authorities: Iterable[Authority]) -> Authority:
    """The least of several authorities; of none, the least there is."""
    return min(authorities, key=_RANK.__getitem__, default=Authority.QUOTED)
