"""Bodies and answers in several forms: JSON, CBOR, Markdown, and text that is no form at all.

An answer goes out in the form that is accepted. Absent keys are left out, and never null.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from recollect.codecs.cwt import cbor_value
from recollect.dialects.shapes import without_nulls
from recollect.dialects.table import JSON, Asked, Headers, Reply
from recollect.dialects.tool import Doer
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.values import to_plain

CBOR, MARKDOWN = "application/cbor", "text/markdown"

_DEEPEST, _MOST_VALUES = 32, 200_000  # of a body


@dataclass(frozen=True, slots=True)
class BodyAnswer:
    """A result, with where the next page begins, and what it is as text; `bare` goes out without an envelope."""

    result: Any
    next_cursor: str | None = None
    text: str | None = None
    bare: bool = False


def spoken(work: Callable[[Doer, Asked, Any], BodyAnswer], *, raw_text: bool = False) -> Callable[[Doer, Asked], Reply]:
    """A line that reads a body in any form, and answers in the one that is accepted. `raw_text` lets a body be text."""

    def answer(doer: Doer, asked: Asked) -> Reply:
        return _reply(work(doer, asked, _body(asked, raw_text=raw_text)), asked.headers)

    return answer


def fields_of(body: Any, *known: str) -> Mapping[str, Any]:
    """The fields of a body that must be an object, and that may be empty; others than the known ones are passed by."""
    if body in (None, ""):
        return {}
    if not isinstance(body, Mapping):
        raise InvalidInput("The body must be an object.", code="invalid_body", hint=f"Its fields: {', '.join(known)}.")
    return {name: body[name] for name in known if body.get(name) is not None}


def _body(asked: Asked, *, raw_text: bool) -> Any:
    kind = _header(asked.headers, "content-type")
    if not asked.raw.strip():
        return None
    if CBOR in kind:
        return _from_cbor(asked.raw)
    try:
        return _sound(json.loads(asked.raw))
    except (ValueError, RecursionError) as problem:
        if raw_text and kind and JSON not in kind:  # Markdown, plain text, or whatever curl calls it
            return _text(asked.raw)
        raise InvalidInput("The body is not JSON.", code="invalid_json", hint=str(problem)[:100]) from None


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise InvalidInput("The body is not text in UTF-8.", code="invalid_body") from None


def _from_cbor(raw: bytes) -> Any:
    try:
        return _sound(cbor_value(raw))
    except ValueError as problem:
        raise InvalidInput("The body is not CBOR.", code="invalid_cbor", hint=str(problem)[:100]) from None


def _sound(value: Any) -> Any:
    """A value of plain types, within bounds: CBOR can say more, such as a list that holds itself."""
    left = _MOST_VALUES

    def walked(each: Any, depth: int) -> Any:
        nonlocal left
        left -= 1
        if left < 0 or depth > _DEEPEST:
            raise TooLarge("The body is nested too deeply, or has too many values.")
        if isinstance(each, Mapping):
            return {_name(key): walked(item, depth + 1) for key, item in each.items()}
        if isinstance(each, list | tuple):
            return [walked(item, depth + 1) for item in each]
        if each is None or isinstance(each, str | bool | int | float):
            return each
        raise InvalidInput(f"A body cannot hold {type(each).__name__}.", code="invalid_body")

    return walked(value, 0)


def _name(key: Any) -> str:
    if not isinstance(key, str):
        raise InvalidInput("Names of fields are text.", code="invalid_body")
    return key


def _reply(outcome: BodyAnswer, headers: Headers) -> Reply:
    plain = without_nulls(to_plain(outcome.result))
    told = (
        plain
        if outcome.bare
        else {"result": plain, **({"next_cursor": outcome.next_cursor} if outcome.next_cursor else {})}
    )
    accepted = _header(headers, "accept")
    if CBOR in accepted:
        import cbor2

        try:
            return Reply(cbor2.dumps(told), says=CBOR)
        except (UnicodeEncodeError, cbor2.CBOREncodeError):  # what is not even Unicode goes out as escapes
            sound = json.loads(json.dumps(told, ensure_ascii=False).encode("utf-8", "backslashreplace"))
            return Reply(cbor2.dumps(sound), says=CBOR)
    if MARKDOWN in accepted and JSON not in accepted:
        text = outcome.text if outcome.text is not None else json.dumps(told, ensure_ascii=False, indent=2)
        return Reply(text, says=f"{MARKDOWN}; charset=utf-8")
    return Reply(told)


def _header(headers: Headers, name: str) -> str:
    return ",".join(headers.get(name, ())).lower()
