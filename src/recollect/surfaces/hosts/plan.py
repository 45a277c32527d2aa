"""Pure: the text of a file comes in, the text with our part comes out, and the text without it.

Ours is told by how it reads, not by where it stands: a hook whose command is `… hook EVENT --agent NAME`, or which goes
to `/v1/hook?agent=NAME&event=EVENT`; a server whose command is `… mcp`; a permit in our very words; what stands between
our marks; a file that says we wrote it. All else is somebody else's.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, assert_never

from recollect.domain.dataclass import dataclass
from recollect.surfaces.hosts import json_text, toml_text
from recollect.surfaces.hosts.json_text import BrokenJson
from recollect.surfaces.hosts.known import BEGIN, END, Hooks, HostFile, Paragraph, Part, Permit, Server, Table, Whole

_HOOK_LINE = re.compile(r"\shook \S+ --agent \S+(?: --home .+)?$")
_HOOK_URL = re.compile(r"https?://\S+/v1/hook\?agent=\S+&event=\S+$")
_MARKED = re.compile(rf"{re.escape(BEGIN)}(?:(?!{re.escape(BEGIN)}).)*?{re.escape(END)}(?:\r?\n)?", re.DOTALL)
_NAMED = "recollect"


class HostStanding(StrEnum):
    """How our part stands in a file."""

    MISSING = "missing"
    STALE = "stale"  # it is there, but not as it would be written now
    CURRENT = "current"
    FOREIGN = "foreign"  # somebody else has put something of their own there, which is left alone


@dataclass(frozen=True, slots=True)
class Ours:
    """How ours is told from others': by our name, or by a command that is known to have been ours."""

    commands: tuple[tuple[str, ...], ...] = ()

    def is_hook(self, handler: Any) -> bool:
        """Whether a hook is one of ours."""
        if is_request(handler):
            return True
        line = handler.get("command") if isinstance(handler, dict) else None
        if not isinstance(line, str) or not _HOOK_LINE.search(line):
            return False
        return _NAMED in line or any(line.startswith(shlex.join(each) + " ") for each in self.commands)

    def is_server(self, entry: Any) -> bool:
        """Whether a server is one of ours, with nothing said to it that we do not say."""
        if not isinstance(entry, Mapping):
            return False
        command, arguments = entry.get("command"), entry.get("args", [])
        words = [*([command] if isinstance(command, str) else command or []), *(arguments or [])]
        if not all(isinstance(word, str) for word in words):
            return False
        if len(words) > 2 and words[-2] == "--home":
            words = words[:-2]
        if len(words) < 2 or words[-1] != "mcp":
            return False
        return _NAMED in " ".join(words) or tuple(words[:-1]) in self.commands


def is_request(handler: Any) -> bool:
    """Whether a hook is one of ours that tells a server, without a process."""
    address = handler.get("url") if isinstance(handler, dict) else None
    return isinstance(address, str) and _HOOK_URL.match(address) is not None


def standing(text: str | None, target: HostFile, ours: Ours) -> HostStanding:
    """How our part of a target stands in the text of its file. Raises `Broken` for a text that cannot be read."""
    part = target.part
    if text is None:
        return HostStanding.MISSING
    if isinstance(part, Whole):
        if part.mark not in text:
            return HostStanding.FOREIGN
        return HostStanding.CURRENT if text == part.text else HostStanding.STALE
    if isinstance(part, Paragraph):
        found = _MARKED.search(text)
        if not found:
            return HostStanding.MISSING
        return HostStanding.CURRENT if found.group().splitlines() == part.text.splitlines() else HostStanding.STALE
    if isinstance(part, Hooks):
        return _standing_of_hooks(text, target, part, ours)
    if isinstance(part, Permit):
        return _standing_of_permit(text, target, part)
    known = _server_in(text, target, part)
    if known is None:
        return HostStanding.MISSING
    if not ours.is_server(known):
        return HostStanding.FOREIGN
    current = all(known.get(key) == value for key, value in part.entry.items())
    return HostStanding.CURRENT if current else HostStanding.STALE


def joined(text: str | None, target: HostFile, ours: Ours) -> str | None:
    """The text with our part in it as it should be; the same text if it is, or if it is not ours to change."""
    how = standing(text, target, ours)
    if how in (HostStanding.CURRENT, HostStanding.FOREIGN):
        return text
    part = target.part
    match part:
        case Whole():
            return part.text
        case Paragraph():
            return _with_paragraph(text or "", part)
        case Table():
            return toml_text.with_table(text or "", (part.place, part.name), part.entry)
        case Server():
            return _with_server(_begun(text), target, part)
        case Hooks():
            return _with_hooks(_begun(text), target, part, ours)
        case Permit():
            return _with_permit(_begun(text), target, part)
        case _:
            assert_never(part)


def parted(text: str | None, target: HostFile, ours: Ours) -> str | None:
    """The text without our part; `None` if nothing is left of a file that was ours alone."""
    if text is None or not text.strip():
        return text
    part = target.part
    match part:
        case Whole():
            return None if part.mark in text else text
        case Paragraph():
            return _without_paragraph(text)
        case Table():
            known = _server_in(text, target, part)
            return toml_text.without_table(text, (part.place, part.name)) if ours.is_server(known) else text
        case Server():
            known = _server_in(text, target, part)
            place = (*part.place, part.name)
            return json_text.without(text, place, json5=target.json5) if ours.is_server(known) else text
        case Hooks():
            return _without_hooks(text, target, ours)
        case Permit():
            return _without_permit(text, target, part)
        case _:
            assert_never(part)


def is_bare(text: str | None, parts: Iterable[Part]) -> bool:
    """Whether nothing is left in a file but what such a file begins with."""
    if text is None or not text.strip():
        return True
    openings = [dict(part.opening) for part in parts if isinstance(part, Hooks)]
    try:
        return json_text.parse(text).value in ({}, *openings)
    except BrokenJson:
        return False


def _begun(text: str | None) -> str:
    """The text of a JSON file; an empty object if there is none yet."""
    return text if text and text.strip("\ufeff \t\r\n") else "{}\n"


def _server_in(text: str, target: HostFile, part: Server | Table) -> dict[str, Any] | None:
    """The entry of the server of that name; `None` if there is none."""
    if isinstance(part, Table):
        outer: Any = toml_text.parse(text).get(part.place)
    else:
        outer = _object_at(text, target, part.place)
    known = outer.get(part.name) if isinstance(outer, dict) else None
    if outer is not None and not isinstance(outer, dict):
        raise BrokenJson(f"`{part.place if isinstance(part.place, str) else '.'.join(part.place)}` is not an object")
    return known if known is None or isinstance(known, dict) else {"": known}


def _object_at(text: str, target: HostFile, place: tuple[str, ...]) -> Any:
    begun = _begun(text)
    if not isinstance(json_text.value_at(begun, (), json5=target.json5), dict):
        raise BrokenJson("the whole of it is not an object")
    for depth in range(1, len(place) + 1):
        found = json_text.value_at(begun, place[:depth], json5=target.json5)
        if found is not None and not isinstance(found, dict):
            raise BrokenJson(f"`{'.'.join(place[:depth])}` is not an object")
    return json_text.value_at(begun, place, json5=target.json5)


def _with_server(text: str, target: HostFile, part: Server) -> str:
    """The server added, or brought up to date key by key: whatever somebody added to it stays."""
    place = (*part.place, part.name)
    known = json_text.value_at(text, place, json5=target.json5)
    if known is None:
        return json_text.with_value(text, place, dict(part.entry), json5=target.json5)
    for key, value in part.entry.items():
        if known.get(key) != value:
            text = json_text.with_value(text, (*place, key), value, json5=target.json5)
    return text


def _standing_of_hooks(text: str, target: HostFile, part: Hooks, ours: Ours) -> HostStanding:
    lists = _object_at(text, target, ("hooks",)) or {}
    found: dict[str, list[Any]] = {}
    for event, groups in lists.items():
        if event in part.groups and not isinstance(groups, list):
            raise BrokenJson(f"`hooks.{event}` is not a list")
        for handler in _handlers(groups):
            if ours.is_hook(handler):
                found.setdefault(event, []).append(handler)
    wanted = {event: list(_handlers([group])) for event, group in part.groups.items()}
    # Somebody chose to have a server told. Whoever does not ask for one does not ask for another either.
    chosen = {event: handlers for event, handlers in found.items() if all(map(is_request, handlers))}
    if chosen and not any(is_request(handler) for handlers in wanted.values() for handler in handlers):
        wanted |= chosen
    if found == wanted:
        return HostStanding.CURRENT
    return HostStanding.STALE if found else HostStanding.MISSING


def _with_hooks(text: str, target: HostFile, part: Hooks, ours: Ours) -> str:
    for key, value in part.opening.items():
        if json_text.value_at(text, (key,), json5=target.json5) is None:
            text = json_text.with_value(text, (key,), value, json5=target.json5)
    text = _without_hooks(text, target, ours)
    for event, group in part.groups.items():
        text = json_text.with_item(text, ("hooks", event), dict(group), json5=target.json5)
    return text


def _without_hooks(text: str, target: HostFile, ours: Ours) -> str:
    """Ours are looked for anew after each one that is taken out: places move."""
    while (place := next(_places(_object_at(text, target, ("hooks",)), ours), None)) is not None:
        text = json_text.without(text, ("hooks", *place), json5=target.json5)
    return text


def _places(lists: Any, ours: Ours) -> Iterator[json_text.Place]:
    """Where our hooks are, below `hooks`."""
    for event, groups in lists.items() if isinstance(lists, dict) else ():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            if ours.is_hook(group):
                yield (event, number)
            inner = group.get("hooks") if isinstance(group, dict) else None
            for place, handler in enumerate(inner if isinstance(inner, list) else ()):
                if not ours.is_hook(handler):
                    continue
                alone = len(inner or ()) == 1
                yield (event, number) if alone else (event, number, "hooks", place)


def _handlers(groups: Any) -> Iterator[Any]:
    """The hooks in a list of groups, or of hooks that stand there by themselves, as Cursor has them."""
    for group in groups if isinstance(groups, list) else ():
        inner = group.get("hooks") if isinstance(group, dict) else None
        yield from inner if isinstance(inner, list) else [group]


def _standing_of_permit(text: str, target: HostFile, part: Permit) -> HostStanding:
    """The standing of our plugin's permit. A different one, such as that it may not run, is somebody else's."""
    known = (_object_at(text, target, part.place) or {}).get(part.name)
    if known is None:
        return HostStanding.MISSING
    if known != part.entry:
        return HostStanding.FOREIGN
    return HostStanding.CURRENT if _is_among(text, target, part) else HostStanding.STALE


def _is_among(text: str, target: HostFile, part: Permit) -> bool:
    """Whether our plugin is let in; it is where nobody keeps a list."""
    _object_at(text, target, part.among[:-1])
    listed = json_text.value_at(_begun(text), part.among, json5=target.json5)
    return not listed or not isinstance(listed, list) or part.name in listed


def _with_permit(text: str, target: HostFile, part: Permit) -> str:
    if not _is_among(text, target, part):
        text = json_text.with_item(text, part.among, part.name, json5=target.json5)
    return json_text.with_value(text, (*part.place, part.name), dict(part.entry), json5=target.json5)


def _without_permit(text: str, target: HostFile, part: Permit) -> str:
    if _standing_of_permit(text, target, part) in (HostStanding.MISSING, HostStanding.FOREIGN):
        return text
    text = json_text.without(text, (*part.place, part.name), json5=target.json5)
    listed = json_text.value_at(text, part.among, json5=target.json5)
    if isinstance(listed, list) and part.name in listed and len(listed) > 1:
        text = json_text.without(text, (*part.among, listed.index(part.name)), json5=target.json5)
    return text


def _with_paragraph(text: str, part: Paragraph) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    words = part.text.replace("\n", newline)
    if _MARKED.search(text):
        return _MARKED.sub(lambda _: words, text, count=1)
    if not text.strip():
        return text + words
    return text + (newline if text.endswith("\n") else newline * 2) + words


def _without_paragraph(text: str) -> str:
    found = _MARKED.search(text)
    if not found:
        return text
    before, after = text[: found.start()], text[found.end() :]
    if not after.strip():
        before = before.rstrip() + ("\n" if before.strip() else "")
    return before + after
