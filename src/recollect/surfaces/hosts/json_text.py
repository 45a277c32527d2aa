"""JSON as people write it, changed without being written anew: comments, order and blanks stay as they are.

Pure. Every change is checked against what it was meant to do before it is handed out: the text is read again, and must
say exactly what the old one said but for the change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from recollect.domain.dataclass import dataclass

_DEEPEST = 100  # levels; settings have five
_BLANK = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*.*?\*/)*+", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*+"')
_QUOTED = re.compile(r"'(?:[^'\\\n]|\\.)*+'", re.DOTALL)
_WORD = re.compile(r"[-+\w.$]+")
_PLAIN = json.JSONDecoder()
_INDENTED = re.compile(r"\n([ \t]+)\S")

Place: TypeAlias = tuple[str | int, ...]  # the way from the root to a value


class BrokenJson(ValueError):
    """The text is not JSON, or is not shaped as it must be to be added to. The message says where."""


@dataclass(frozen=True, slots=True)
class Member:
    """Something in an object or a list. `start` is that of its key, if it has one; `comma` follows it."""

    key: str | None
    start: int
    node: JsonNode
    comma: int | None


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value and where it stands; the end is not included."""

    start: int
    end: int
    value: Any
    reader: _Reader

    @property
    def members(self) -> tuple[Member, ...]:
        """The members of an object or a list; looked for only when somebody asks, because settings can be large."""
        return self.reader.members(self.start) if isinstance(self.value, dict | list) else ()

    def at(self, step: str | int) -> Member | None:
        """A member by its key or its place. Of several with one key the last counts, as it does for every reader."""
        if isinstance(step, int):
            return self.members[step] if isinstance(self.value, list) and step < len(self.members) else None
        return next((each for each in reversed(self.members) if each.key == step), None)


def parse(text: str, *, json5: bool = False) -> JsonNode:
    """Parse a text, with positions. Comments and trailing commas are understood; names without quotes if `json5`."""
    root = _Reader(text, json5).value(0, 0)
    end = _blanks(text, root.end)
    if end != len(text):
        raise BrokenJson(_where(text, end, "there is more after the end"))
    return root


def value_at(text: str, place: Place, *, json5: bool = False) -> Any:
    """The value at a place; `None` if there is none."""
    node = _node_at(parse(text, json5=json5), place)
    return None if node is None else node.value


def with_value(text: str, place: Place, value: Any, *, json5: bool = False) -> str:
    """The text with a value at a place; objects on the way are made where they are missing."""
    root = parse(text, json5=json5)
    found = _node_at(root, place)
    if found is not None:
        changed = text[: found.start] + _written(text, found.start, value) + text[found.end :]
        return _meant(changed, _put(root.value, place, value), json5)
    depth = max(depth for depth in range(len(place)) if _node_at(root, place[:depth]) is not None)
    holder = _node_at(root, place[:depth])
    if holder is None or not isinstance(holder.value, dict):
        raise BrokenJson(f"`{_spelled(place[:depth])}` is not an object")
    for step in reversed(place[depth + 1 :]):
        value = {step: value}
    return _meant(_added(text, holder, str(place[depth]), value), _put(root.value, place[: depth + 1], value), json5)


def with_item(text: str, place: Place, item: Any, *, json5: bool = False) -> str:
    """The text with one more item at the end of the list at a place, which is made where it is missing."""
    root = parse(text, json5=json5)
    found = _node_at(root, place)
    if found is None:
        return with_value(text, place, [item], json5=json5)
    if not isinstance(found.value, list):
        raise BrokenJson(f"`{_spelled(place)}` is not a list")
    return _meant(_added(text, found, None, item), _put(root.value, place, [*found.value, item]), json5)


def without(text: str, place: Place, *, json5: bool = False) -> str:
    """The text without what is at a place, and without whatever that leaves empty around it, but for the root."""
    root = parse(text, json5=json5)
    while len(place) > 1:
        holder = _node_at(root, place[:-1])
        if holder is None or len(holder.members) > 1:
            break
        place = place[:-1]
    holder = _node_at(root, place[:-1])
    member = holder.at(place[-1]) if holder else None
    if holder is None or member is None:
        return text
    expected = _put(root.value, place, _GONE)
    for keeps_blanks in (False, True):  # a comment before it may need the end of its line
        changed = _cut(text, holder, member, keeps_blanks=keeps_blanks)
        try:
            return _meant(changed, expected, json5)
        except BrokenJson:
            continue
    raise BrokenJson(f"`{_spelled(place)}` cannot be taken out")


_GONE: Any = object()


class _Reader:
    """Reads one text."""

    def __init__(self, text: str, json5: bool) -> None:
        self._text, self._json5 = text, json5

    def value(self, place: int, depth: int) -> JsonNode:
        place = _blanks(self._text, place)
        if depth > _DEEPEST:
            raise BrokenJson(_where(self._text, place, "it is nested too deeply"))
        if not self._text.startswith(("{", "["), place):
            end, value = self._scalar(place)
            return JsonNode(place, end, value, self)
        try:  # what is plain JSON is read many times faster by whoever reads nothing else
            value, end = _PLAIN.raw_decode(self._text, place)
        except (ValueError, RecursionError):
            members, end = self._walked(place, depth)
            value = [each.node.value for each in members]
            if self._text.startswith("{", place):
                value = {each.key: each.node.value for each in members}
        return JsonNode(place, end, value, self)

    def members(self, start: int) -> tuple[Member, ...]:
        """The members of the object or list that starts there."""
        return self._walked(start, 0)[0]

    def _walked(self, start: int, depth: int) -> tuple[tuple[Member, ...], int]:
        close = "}" if self._text.startswith("{", start) else "]"
        members: list[Member] = []
        place = _blanks(self._text, start + 1)
        while not self._text.startswith(close, place):
            if members and members[-1].comma is None:
                raise BrokenJson(_where(self._text, place, f"`,` or `{close}` is missing"))
            begin, key = place, None
            if close == "}":
                place, key = self._key(place)
            node = self.value(place, depth + 1)
            place = _blanks(self._text, node.end)
            comma = place if self._text.startswith(",", place) else None
            members.append(Member(key, begin, node, comma))
            if comma is not None:
                place = _blanks(self._text, comma + 1)
        return tuple(members), place + 1

    def _key(self, place: int) -> tuple[int, str]:
        if not self._json5 and not self._text.startswith('"', place):
            raise BrokenJson(_where(self._text, place, "a name in quotes is missing"))
        end, key = self._scalar(place)
        colon = _blanks(self._text, end)
        if not self._text.startswith(":", colon):
            raise BrokenJson(_where(self._text, colon, "`:` is missing"))
        return colon + 1, key if isinstance(key, str) else self._text[place:end]

    def _scalar(self, place: int) -> tuple[int, Any]:
        string = _STRING.match(self._text, place)
        try:
            if string:
                return string.end(), json.loads(string.group())
            word = _WORD.match(self._text, place)
            if word and not self._json5:
                return word.end(), json.loads(word.group())
        except ValueError:
            raise BrokenJson(_where(self._text, place, "this is no value")) from None
        quoted = _QUOTED.match(self._text, place) if self._json5 else None
        if quoted:
            return quoted.end(), re.sub(r"\\(.)", r"\1", quoted.group()[1:-1], flags=re.DOTALL)
        if word:
            return word.end(), _plain(word.group())
        raise BrokenJson(_where(self._text, place, "a value is missing"))


def _plain(word: str) -> Any:
    try:
        return json.loads(word)
    except ValueError:
        return word


def _blanks(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place


def _where(text: str, place: int, what: str) -> str:
    line = text.count("\n", 0, place) + 1
    return f"line {line}, column {place - text.rfind(chr(10), 0, place)}: {what}"


def _spelled(place: Place) -> str:
    return ".".join(map(str, place)) or "it"


def _node_at(root: JsonNode, place: Place) -> JsonNode | None:
    node = root
    for step in place:
        member = node.at(step)
        if member is None:
            return None
        node = member.node
    return node


def _put(value: Any, place: Place, new: Any) -> Any:
    """A value with another one at a place within it, or without it."""
    if not place:
        return new
    step, rest = place[0], place[1:]
    copy: Any = list(value) if isinstance(value, list) else dict(value)
    if new is _GONE and not rest:
        del copy[step]
        return copy
    known = isinstance(step, int) or step in copy
    copy[step] = _put(copy[step] if known else {}, rest, new)
    return copy


def _meant(text: str, expected: Any, json5: bool) -> str:
    """The text, if it says what it should."""
    said = parse(text, json5=json5).value
    if said != expected or json.dumps(said) != json.dumps(expected):
        raise BrokenJson("the change does not fit into this file")
    return text


def _added(text: str, holder: JsonNode, key: str | None, value: Any) -> str:
    """The text with one more member at the end of an object or a list, laid out like those before it."""
    close = holder.end - 1
    newline = "\r\n" if "\r\n" in text else "\n"
    inside = text[holder.start + 1 : close]
    members = holder.members
    last = members[-1] if members else None
    in_lines = "\n" in inside if last or "\n" in inside else "\n" in text or holder.start == _blanks(text, 0)
    point = holder.start + 1 + len(inside.rstrip())
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    if not in_lines:
        lead = "" if last is None else " " if last.comma is not None else ", "
        return text[:point] + lead + name + json.dumps(value, ensure_ascii=False) + text[point:]
    indent = _indent_of(text, last.start) if last and _begins_line(text, last.start) else ""
    indent = indent or _indent_of(text, holder.start) + _unit(text)
    words = newline + indent + name + _laid_out(value, indent, _unit(text), newline)
    if last is None:
        tail = text[point:close]
        end = tail if "\n" in tail else newline + _indent_of(text, holder.start)
        return text[:point] + words + end + text[close:]
    if last.comma is not None:
        return text[:point] + words + "," + text[point:]
    return text[: last.node.end] + "," + text[last.node.end : point] + words + text[point:]


def _cut(text: str, holder: JsonNode, member: Member, *, keeps_blanks: bool) -> str:
    """The text without a member, its comma, and the blanks before it."""
    end = member.node.end if member.comma is None else member.comma + 1
    start = member.start if keeps_blanks else len(text[: member.start].rstrip())
    members = holder.members
    before = [each for each in members if each.start < member.start]
    if len(members) == 1 and not text[holder.start + 1 : start].strip() and not text[end : holder.end - 1].strip():
        return text[: holder.start + 1] + text[holder.end - 1 :]
    changed = text[:start] + text[end:]
    orphan = before[-1].comma if before and member.comma is None else None
    return changed if orphan is None else changed[:orphan] + changed[orphan + 1 :]


def _written(text: str, start: int, value: Any) -> str:
    """A value as it is written in the place of another."""
    if "\n" not in text:
        return json.dumps(value, ensure_ascii=False)
    return _laid_out(value, _indent_of(text, start), _unit(text), "\r\n" if "\r\n" in text else "\n")


def _laid_out(value: Any, indent: str, unit: str, newline: str) -> str:
    if _is_plain_list(value):
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", newline + indent)


def _is_plain_list(value: Any) -> bool:
    return isinstance(value, Sequence) and all(isinstance(each, str) for each in value)


def _unit(text: str) -> str:
    """By how much the text indents."""
    found = _INDENTED.search(text)
    return found.group(1) if found else "  "


def _indent_of(text: str, place: int) -> str:
    """The blanks that the line of a place begins with."""
    start = text.rfind("\n", 0, place) + 1
    line = text[start:place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _begins_line(text: str, place: int) -> bool:
    return not text[text.rfind("\n", 0, place) + 1 : place].strip()
