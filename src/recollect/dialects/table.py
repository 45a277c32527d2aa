"""The table of HTTP paths that dialects add to the server.

The guard admits a request by its line, before the body is read: who shows which secret where, which space is meant, and
which verb's right that takes. The tests of the guard try every line. A path that is not in the table is not served.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeAlias

from recollect.dialects.tool import Doer
from recollect.domain.dataclass import dataclass, field

JSON = "application/json"

Headers: TypeAlias = Mapping[str, Sequence[str]]  # by their name in lower case, each with all its values
Authenticator: TypeAlias = Callable[[Headers], str | None]  # the secret that was shown; `None` if there is none


class SpaceRule(StrEnum):
    """How a request says which space it is about, as far as its head tells."""

    PATH = "path"  # `{space}` in the path
    TOKEN = "token"  # noqa: S105 - the one that the token is bound to, or else the default one
    EVERY = "every"  # all of them: a token of one space is refused


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was let in, as a dialect reads it: parts of the path, the query, and the object of the body."""

    parts: Mapping[str, str]
    query: Mapping[str, str]
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DialectPath:
    """One path of a dialect. `verb` is the one whose right it takes; `answer` calls it and says it the other way."""

    method: str
    path: str  # `{name}` stands for one part
    verb: str
    space: SpaceRule
    answer: Callable[[Doer, Asked], Any]
    secret_in: Authenticator = field(default_factory=lambda: bearer)
    reads: tuple[str, ...] = (JSON,)  # forms of the body
    says: str = JSON  # form of the answer

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


def lines_at(table: Sequence[DialectPath], path: str) -> list[DialectPath]:
    """The lines of a path, one for each method."""
    return [line for line in table if line.parts_of(path) is not None]


def bearer(headers: Headers) -> str | None:
    """The secret of `Authorization: Bearer`."""
    return authorization(headers, "bearer")


def token_scheme(headers: Headers) -> str | None:
    """The secret of `Authorization: Token`, as some systems have it; their clients may say `Bearer`, too."""
    return authorization(headers, "token", "bearer")


def authorization(headers: Headers, *schemes: str) -> str | None:
    """The secret behind one of these words in `Authorization`; empty behind any other."""
    said = headers.get("authorization", ())
    if not said:
        return None
    kind, _, secret = said[0].partition(" ")
    return secret.strip() if len(said) == 1 and kind.lower() in schemes else ""


# Every dialect adds its lines here. The reference knowledge-graph server has none: it is spoken over MCP.
TABLE: tuple[DialectPath, ...] = ()
