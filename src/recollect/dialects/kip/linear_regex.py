"""Regular expressions in time that grows with the text only, however the pattern is made.

Python's own engine goes back over the text, and a pattern from outside can keep it busy for hours. Here its parser is
used and its engine is not: the pattern becomes a small machine, and all of its states walk over the text together.
Groups that are referred to, and looks ahead and behind, are refused.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable
from typing import Any, TypeAlias

from recollect.dialects.kip.errors import EXHAUSTED, SYNTAX, KipError

MOST_STATES = 2_000

Test: TypeAlias = Callable[[str], bool]
_CATEGORIES: dict[str, Test] = {
    "CATEGORY_DIGIT": str.isdigit,
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_WORD": lambda sign: sign.isalnum() or sign == "_",
}
_UNSUPPORTED = "REGEX takes no references to groups and no looks ahead or behind."


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern is found anywhere in the text."""
    machine = _machine(pattern)
    states = machine.reached({machine.start}, text, 0)
    for place, sign in enumerate(text):
        if machine.final in states:
            return True
        moved = {target for state in states for test, target in machine.moves[state] if test(sign)}
        states = machine.reached(moved | {machine.start}, text, place + 1)
    return machine.final in states


class _Machine:
    """States with moves on a sign, and moves for nothing under a condition on the place."""

    def __init__(self) -> None:
        self.moves: list[list[tuple[Test, int]]] = []
        self.free: list[list[tuple[str, int]]] = []
        self.start = self.final = 0
        self.any_case = False

    def state(self) -> int:
        if len(self.moves) >= MOST_STATES:
            raise KipError(EXHAUSTED, "The pattern of REGEX is too large.", hint="Shorten it, or lower its counts.")
        self.moves.append([])
        self.free.append([])
        return len(self.moves) - 1

    def reached(self, states: set[int], text: str, place: int) -> set[int]:
        found, left = set(states), list(states)
        while left:
            for condition, target in self.free[left.pop()]:
                if target not in found and (not condition or _at(condition, text, place)):
                    found.add(target)
                    left.append(target)
        return found

    def add(self, parsed: Any, begin: int) -> int:
        """Build what is parsed from a state on; the state where it ends."""
        for name, value in parsed:
            begin = self._part(str(name), value, begin)
        return begin

    def _part(self, name: str, value: Any, begin: int) -> int:
        match name:
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                end = self.state()
                self.moves[begin].append((_test(name, value, any_case=self.any_case), end))
                return end
            case "BRANCH":
                end = self.state()
                for branch in value[1]:
                    self.free[self.add(branch, begin)].append(("", end))
                return end
            case "SUBPATTERN" if not value[1] and not value[2]:
                return self.add(value[3], begin)
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self._repeat(value[0], int(value[1]), value[2], begin)
            case "AT":
                end = self.state()
                self.free[begin].append((str(value), end))
                return end
            case _:
                raise KipError(SYNTAX, _UNSUPPORTED)

    def _repeat(self, fewest: int, most: int, parsed: Any, begin: int) -> int:
        for _ in range(fewest):
            begin = self.add(parsed, begin)
        end = self.state()
        self.free[begin].append(("", end))
        if most > 2**30:  # without end
            loop = self.state()
            self.free[begin].append(("", loop))
            last = self.add(parsed, loop)
            self.free[last] += (("", loop), ("", end))
            return end
        for _ in range(most - fewest):
            begin = self.add(parsed, begin)
            self.free[begin].append(("", end))
        return end


@functools.lru_cache(maxsize=64)
def _machine(pattern: str) -> _Machine:
    parser: Any = importlib.import_module("re._parser")
    try:
        parsed = parser.parse(pattern)
    except (re.error, OverflowError, RecursionError) as problem:
        raise KipError(SYNTAX, f"REGEX cannot read its pattern: {problem}.") from None
    flags = parsed.state.flags
    if flags & ~(re.UNICODE | re.IGNORECASE):
        raise KipError(SYNTAX, "REGEX takes no flag but `(?i)`.")
    machine = _Machine()
    machine.any_case = bool(flags & re.IGNORECASE)
    machine.start = machine.state()
    machine.final = machine.add(parsed, machine.start)
    return machine


def _test(name: str, value: Any, *, any_case: bool) -> Test:
    if name == "ANY":
        return lambda sign: sign != "\n"
    members = value if name == "IN" else [("LITERAL", value)]
    denied = name == "NOT_LITERAL" or str(members[0][0]) == "NEGATE"
    parts = [_member(str(kind), each) for kind, each in members if str(kind) != "NEGATE"]

    def test(sign: str) -> bool:
        found = any(part(sign) for part in parts)
        if any_case and not found and len(other := sign.swapcase()) == 1:
            found = any(part(other) for part in parts)
        return found != denied

    return test


def _member(kind: str, value: Any) -> Test:
    if kind == "LITERAL":
        return lambda sign: ord(sign) == value
    if kind == "RANGE":
        low, high = value
        return lambda sign: low <= ord(sign) <= high
    name = str(value)
    if "NOT_" in name:
        denied = _CATEGORIES[name.replace("NOT_", "")]
        return lambda sign: not denied(sign)
    return _CATEGORIES[name]


def _at(condition: str, text: str, place: int) -> bool:
    if condition in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
        return place == 0
    if condition in ("AT_END", "AT_END_STRING"):
        before_break = place == len(text) - 1 and text[place] == "\n" and condition == "AT_END"
        return place == len(text) or before_break
    word = _CATEGORIES["CATEGORY_WORD"]
    before, after = place > 0 and word(text[place - 1]), place < len(text) and word(text[place])
    return (before != after) == (condition == "AT_BOUNDARY")
