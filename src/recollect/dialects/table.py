"""The table of HTTP paths that dialects add to the server.

The guard admits a request by its line, before the body is read: who shows which secret where, which space is meant, and
which verb's right that takes. The tests of the guard try every line. A path that is not in the table is not served.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

from recollect.dialects.tool import Doer
from recollect.domain.access import AccessScope, AccessToken, IssuedToken
from recollect.domain.answers.sessions import Happening
from recollect.domain.clock import Clock, SystemClock
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import RecollectError

JSON = "application/json"
ANY = "*/*"  # of bodies that a dialect reads itself, from `Asked.raw`
LOOSE = (JSON, ANY)  # JSON, whatever it says it is: `curl -d` calls it a form

Headers: TypeAlias = Mapping[str, Sequence[str]]  # by their name in lower case, each with all its values
Authenticator: TypeAlias = Callable[[Headers], str | None]  # the secret that was shown; `None` if there is none


class SpaceRule(StrEnum):
    """How a request says which space it is about, as far as its head tells."""

    PATH = "path"  # `{space}` in the path
    TOKEN = "token"  # noqa: S105 - the one that the token is bound to, or else the default one
    EVERY = "every"  # all of them: a token of one space is refused


@dataclass(frozen=True, slots=True)
class Knock:
    """The head of a request, as a dialect reads it before anybody is let in."""

    method: str
    parts: Mapping[str, str]
    headers: Headers
    query: Mapping[str, str]
    local: bool = False  # from this machine, as far as can be told

    def header(self, name: str) -> str:
        """The value of a header; empty where it is missing or there more than once."""
        values = self.headers.get(name.lower(), ())
        return values[0] if len(values) == 1 else ""


class Keys(Protocol):
    """The tokens of the store, as a dialect looks one up: those that were made for it."""

    def admit(self, secret: str, dialect: str | None = None) -> AccessToken | None:
        """The live token of a dialect that this is the secret of."""
        ...

    def is_there(self, space: str) -> bool:
        """Whether there is such a space, for somebody who was let in to it."""
        ...

    def is_public(self, space: str) -> bool:
        """Whether a space may be read by everybody who asks in a dialect that knows such spaces."""
        ...

    def now(self) -> datetime:
        """The time by which tokens end."""
        ...


class KeyRing(Keys, Protocol):
    """The tokens of the store, for a dialect that hands out keys of its own. Rules are those of `verbs.access`."""

    def issue(
        self,
        *,
        scope: str | None = None,
        scopes: Sequence[str] | None = None,
        space: str | None = None,
        expires: str | None = None,
        user: str | None = None,
        name: str | None = None,
        dialect: str | None = None,
        by: AccessToken | None = None,
    ) -> IssuedToken:
        """Make a token, `by` another one or by the server itself."""
        ...

    def rotate(self, token_id: str, *, by: AccessToken | None = None) -> IssuedToken:
        """Put a new secret in the place of a token."""
        ...

    def revoke(self, token_id: str, *, by: AccessToken | None = None) -> AccessToken:
        """End a token, and all that it made."""
        ...

    def tokens(self, by: AccessToken | None = None) -> Sequence[AccessToken]:
        """All tokens that one may look after."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was let in: parts of the path, the query, the object of the body, and the bytes of the body."""

    parts: Mapping[str, str]
    query: Mapping[str, str]
    body: Mapping[str, Any]
    raw: bytes = b""
    headers: Headers = field(default_factory=dict)
    token: AccessToken | None = None  # `None` in open mode, and where a path is open to everybody
    space: str = ""  # that verbs are about when none is named
    local: bool = False  # as in `Knock`
    keys: KeyRing | None = None
    clock: Clock = field(default_factory=SystemClock)
    spoken: tuple[str, ...] = ()  # names of the dialects that the server speaks


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that is more than a value with status 200. A body of bytes goes out as it is; `None` is no body."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    says: str = JSON


@dataclass(frozen=True, slots=True)
class DialectPath:
    """One path of a dialect. `verb` is the one whose right it takes; `answer` calls it and says it the other way.

    `space` may be a function of the head, for a space that a header names. An `open` path asks nobody for a token.
    `rights` are exactly those that a token must have; by default that of the verb, and the right to read. A path with a
    `profile` speaks MCP with the tools of that name, and what may be done there is decided tool by tool. With `frames`
    it is a WebSocket as well, which is sent what they make of each change of the space.
    """

    method: str
    path: str  # `{name}` stands for one part
    verb: str
    space: SpaceRule | Callable[[Knock], str | None]
    answer: Callable[[Doer, Asked], Any]
    secret_in: Authenticator = field(default_factory=lambda: bearer)
    reads: tuple[str, ...] = (JSON,)  # forms of the body
    says: str = JSON  # form of the answer
    status: int = 200  # of an answer that is no `Reply`
    open: bool = False
    rights: frozenset[AccessScope] | None = None
    profile: str = ""
    frames: Callable[[Happening], list[dict[str, Any]]] | None = None

    @property
    def literal_parts(self) -> tuple[int, tuple[bool, ...]]:
        """How many parts of its path are words, and which. Of two lines that fit a path, the one with more is meant;
        of as many, the one that begins with them."""
        words = tuple(not part.startswith("{") for part in self.path.split("/"))
        return sum(words), words

    def parts_of(self, path: str) -> dict[str, str] | None:
        """The named parts of a path; `None` if it is another one."""
        wanted, given = self.path.split("/"), path.split("/")
        if len(wanted) != len(given):
            return None
        found: dict[str, str] = {}
        for want, give in zip(wanted, given, strict=True):
            if want.startswith("{") and give:
                found[want.strip("{}")] = give
            elif want != give:
                return None
        return found


def _as_we_say_it(problem: RecollectError, status: int) -> Reply | None:  # noqa: ARG001 - the signature of a refusal
    return None


@dataclass(frozen=True, slots=True)
class Dialect:
    """A memory system whose clients are answered: its paths, its credentials, and how it tells an error.

    `admit` finds the token of a request by credentials of the dialect's own; by default the secret of the line is one
    of a token that was made for the dialect (`recollect tokens create --dialect NAME`). `refusal` gives an error in
    the dialect's form, or `None` to give it in ours. `environment` names the variables that its own server reads.
    `figures` is what the names of its own metrics begin with, if it has some. `origins` are those of foreign pages that
    its own settings let ask, each with the variable that names it.
    """

    name: str
    paths: tuple[DialectPath, ...]
    admit: Callable[[Knock, DialectPath, Keys], AccessToken | None] | None = None
    refusal: Callable[[RecollectError, int], Reply | None] = _as_we_say_it
    environment: tuple[str, ...] = ()
    figures: str = ""
    origins: Callable[[], Mapping[str, str]] = dict


@dataclass(frozen=True, slots=True)
class DialectLine:
    """A path of a dialect, beside the dialect it belongs to, and the names of all that the server speaks."""

    dialect: Dialect
    path: DialectPath
    spoken: tuple[str, ...] = ()


def lines_at(dialects: Sequence[Dialect], path: str) -> list[DialectLine]:
    """The lines of a path, one for each method: of those that fit it, the ones whose literal parts say the most."""
    spoken = tuple(each.name for each in dialects)
    fitting = [
        DialectLine(each, line, spoken) for each in dialects for line in each.paths if line.parts_of(path) is not None
    ]
    most = max((line.path.literal_parts for line in fitting), default=None)
    return [line for line in fitting if line.path.literal_parts == most]


def bearer(headers: Headers) -> str | None:
    """The secret of `Authorization: Bearer`."""
    return authorization(headers, "bearer")


def token_scheme(headers: Headers) -> str | None:
    """The secret of `Authorization: Token`, as some systems have it; their clients may say `Bearer`, too."""
    return authorization(headers, "token", "bearer")


def api_key(headers: Headers) -> str | None:
    """The secret of `X-API-Key`."""
    said = headers.get("x-api-key", ())
    return (said[0] if len(said) == 1 else "") if said else None


def authorization(headers: Headers, *schemes: str) -> str | None:
    """The secret behind one of these words in `Authorization`; empty behind any other."""
    said = headers.get("authorization", ())
    if not said:
        return None
    kind, _, secret = said[0].partition(" ")
    return secret.strip() if len(said) == 1 and kind.lower() in schemes else ""
