"""A call of another system as one line: the verb of ours, which argument is which, and what the answer is made into."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from recollect.dialects.arguments import Given, arguments_of
from recollect.dialects.table import Asked
from recollect.dialects.tool import Doer

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
