"""Arguments as clients of other systems send them: numbers as words, lists as one text, blanks for nothing.

A call can then be one line: the verb of ours, which argument is which, and what the answer is made into.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from recollect.dialects.table import Asked
from recollect.dialects.tool import Doer
from recollect.domain.errors import InvalidInput

Given: TypeAlias = Mapping[str, Any]

TRUE = ("true", "1", "yes", "on")
_MOST_DIGITS = 18
_TOLD = 10**6  # a bound above it is nobody's mistake


def need(given: Given, *names: str) -> list[str]:
    """The texts of these names, all of which must be there."""
    found = [given.get(name) for name in names]
    if not all(isinstance(each, str) and each.strip() for each in found):
        listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])}, and {names[-1]}"
        raise InvalidInput(f"{listed} {'is' if len(names) == 1 else 'are'} required", code="field_missing")
    return [str(each) for each in found]


def count(given: Given, name: str, otherwise: int, most: int = 1000) -> int:
    """A number, which may be a text with one, brought within 0 and `most`."""
    try:
        return max(0, min(int(float(given.get(name) or otherwise)), most))
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput(f"`{name}` must be a number.", code="invalid_number") from None


def whole(given: Given, name: str, otherwise: int, least: int = 0, most: int = 10**_MOST_DIGITS - 1) -> int:
    """A whole number within bounds, or a text with one; nothing is `otherwise`."""
    said = given.get(name)
    if said is None or said == "":
        return otherwise
    if isinstance(said, str) and said.isascii() and said.isdigit() and len(said) <= _MOST_DIGITS:
        said = int(said)
    if isinstance(said, bool) or not isinstance(said, int) or not least <= said <= most:
        bounds = f" from {least:,} to {most:,}" if most <= _TOLD else ""
        raise InvalidInput(f"`{name}` must be a whole number{bounds}.", code="invalid_number")
    return said


def number(given: Given, name: str) -> float:
    """A number that need not be whole; nothing is 0."""
    try:
        return float(given.get(name) or 0)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput(f"`{name}` must be a number.", code="invalid_number") from None


def flag(given: Given, name: str, otherwise: str = "") -> bool:
    """Whether something was asked for, by a truth value or by its word."""
    return str(given.get(name, otherwise)).lower() in TRUE


def text(given: Given, *names: str) -> str:
    """The text under the first of these names that is there; empty for none."""
    found = next((given[name] for name in names if name in given), "")
    if not isinstance(found, str):
        raise InvalidInput(f"`{names[0]}` must be text.", code="invalid_field")
    return found


def sentence(given: Given, name: str) -> str:
    """A text that must be there and not be empty."""
    value = given.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"`{name}` must be text that is not empty.", code="invalid_field")
    return value


def texts(value: Any) -> list[str]:
    """A list of texts, which clients also send as one text with commas."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else ()
    return [part.strip() for part in parts if isinstance(part, str) and part.strip()]


def ids_in(value: Any, name: str) -> list[str]:
    """Ids as texts, or as objects that have one under this name."""
    named = value if isinstance(value, list) else []
    return texts(value) or [str(each[name]) for each in named if isinstance(each, Mapping) and name in each]


def loose_object(asked: Asked) -> dict[str, Any]:
    """The arguments of a request: of its path, its query and its body, which is JSON whatever its head says."""
    try:
        body = json.loads(asked.raw) if asked.raw.strip() else {}
    except (ValueError, RecursionError):
        raise InvalidInput("The body is not JSON.", code="invalid_json") from None
    if not isinstance(body, dict):
        raise InvalidInput("The body must be an object.", code="invalid_json")
    return {**asked.query, **asked.parts, **body}


def arguments_of(given: Given, names: str) -> dict[str, Any]:
    """Arguments of ours by a line that says which are which: `"note_id=lessonId* limit=limit#50 project"`.

    `*` marks a text that must be there, `#` a number from 1 on and what it is otherwise; of the others, those that were
    given are told.
    """
    need(given, *(each.partition("=")[2].strip("*") or each.strip("*") for each in names.split() if each.endswith("*")))
    found: dict[str, Any] = {}
    for each in names.split():
        ours, _, theirs = each.partition("=")
        theirs, _, otherwise = (theirs or ours).strip("*").partition("#")
        if otherwise:
            found[ours.strip("*").partition("#")[0]] = max(1, count(given, theirs, int(otherwise)))
        elif given.get(theirs) not in (None, "", "*"):
            found[ours.strip("*")] = given[theirs]
    return found


Call: TypeAlias = Callable[[Doer, Given], Any]


def call(
    verb: str,
    names: str,
    told: Callable[[Any], Any],
    also: Callable[[Doer, Given], dict[str, Any]] | None = None,
    **fixed: Any,
) -> Call:
    """The function of a caller and of what was given. `names` is as in `arguments_of`; `also` adds arguments that take
    more than a name, and `fixed` are always the same."""

    def answer(doer: Doer, given: Given) -> Any:
        own = arguments_of(given, names)
        return told(doer.do(verb, {**own, **fixed, **(also(doer, given) if also else {})}))

    return answer


def done(**told: Any) -> dict[str, Any]:
    """An answer that says that all went well."""
    return {"success": True, **told}


def counted(name: str, found: Iterable[Any], record: Callable[[Any], Any]) -> dict[str, Any]:
    """An answer with a list of records under a name, and how many they are."""
    told = [record(each) for each in found]
    return done(**{name: told}, total=len(told))


def by_part(work: Callable[[Doer, str], Any], part: str) -> Callable[[Doer, Asked], Any]:
    """The answer of a path that is made from one part of it."""
    return lambda doer, asked: work(doer, asked.parts[part])


def by_body(work: Callable[[Doer, Mapping[str, Any]], Any]) -> Callable[[Doer, Asked], Any]:
    """The answer of a path that is made from its body."""
    return lambda doer, asked: work(doer, asked.body)
