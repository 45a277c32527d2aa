"""Every pattern that the package compiles, and texts that are made to be hard for one.

A recorder takes the place of `re.compile` in a fresh interpreter that imports every module, so that patterns in tables,
classes and cached functions are found as well. Texts are made from the pattern itself: each part that can be repeated
is, at the beginning of a match, alone and with what leads to it.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

# How Python itself reads a pattern; the type stubs do not know these two.
_constants: Any = import_module("re._constants")
_parser: Any = import_module("re._parser")

_RECORDER = """
import importlib, json, pkgutil, re, sys

found, compiled = {}, re.compile

def recording(pattern, flags=0):
    made = compiled(pattern, flags)
    frame = sys._getframe(1)
    name = frame.f_globals.get("__name__", "?")
    if name.startswith("recollect.") and isinstance(made.pattern, str):
        found.setdefault((made.pattern, made.flags), f"{name}:{frame.f_lineno}")
    return made

re.compile = recording
import recollect
from recollect.domain.late import Late

for module in pkgutil.walk_packages(recollect.__path__, "recollect."):
    if module.name.endswith("__main__"):
        continue
    loaded = importlib.import_module(module.name)
    for name, value in list(vars(loaded).items()):
        if isinstance(value, Late):
            found.setdefault((value.pattern, compiled(value.pattern, value.flags).flags), f"{module.name}.{name}")

from recollect.redaction.names import VENDORS
from recollect.redaction.redactor import RULES

for rule in RULES:
    found.setdefault((rule.pattern, compiled(rule.pattern).flags), f"rule {rule.kind}")
for vendor, pattern in VENDORS.items():
    found.setdefault((pattern, compiled(pattern).flags), f"vendor {vendor}")
json.dump([[place, *pattern] for pattern, place in found.items()], sys.stdout)
"""

_SOURCE = Path(__file__).parents[2] / "src"
_LONGEST_SAMPLE = 200  # characters; of what is repeated a few are enough
_WITHIN = 3  # repeats nested deeper than this are not taken apart further


class Compiled(NamedTuple):
    """A pattern, and the module and line that compiles it."""

    place: str
    pattern: str
    flags: int


@cache
def every_pattern() -> tuple[Compiled, ...]:
    """All patterns that are compiled when every module is imported, and those that wait for their first use."""
    told = subprocess.run([sys.executable, "-c", _RECORDER], check=True, capture_output=True, text=True)
    return tuple(sorted(Compiled(*each) for each in json.loads(told.stdout)))


def is_held_to_the_beginning(compiled: Compiled) -> bool:
    """Whether a pattern is only ever matched at one place, so that a text is not gone through for a beginning."""
    name = _name_of(compiled.place)
    if name is None:
        return False
    module = compiled.place.partition(":")[0] if ":" in compiled.place else compiled.place.rpartition(".")[0]
    uses = re.findall(rf"\b{name}\b(?!\s*(?::[^=\n]*)?=[^=])(?:\.(\w+))?", _text_of(module))
    return name.startswith("_") and bool(uses) and {*uses} <= {"match", "fullmatch"}


def _name_of(place: str) -> str | None:
    """The name in its module by which a pattern is used; `None` for one in a table."""
    module, separator, line = place.partition(":")
    if not separator:
        return place.rpartition(".")[2] if place.startswith("recollect.") else None
    for node in ast.parse(_text_of(module)).body:
        if isinstance(node, ast.Assign) and node.lineno <= int(line) <= (node.end_lineno or 0):
            target = node.targets[0]
            return target.id if isinstance(target, ast.Name) and isinstance(node.value, ast.Call) else None
    return None


@cache
def _text_of(module: str) -> str:
    path = _SOURCE.joinpath(*module.split("."))
    file = path.with_suffix(".py")
    return (file if file.exists() else path / "__init__.py").read_text(encoding="utf-8")


# Runs that are hard for many patterns, whatever those look for.
RUNS: tuple[str, ...] = (
    *("a", "A", "1", "_", " ", "\t", "\n", "é", "中", "😀"),
    *tuple(".,;:!?-–'’\"“`()[]{}<>/\\|@#$%&*+=~^"),
    *(
        "a ",
        "A ",
        "1 ",
        "a, ",
        "a. ",
        "a-",
        "a.",
        "1.",
        "a'",
        "a\n",
        " \n",
        "a:",
        "a/",
        "'a",
        '"a ',
        "(a",
        "a@",
        "1:",
        "A",
    ),
    *("a b, ", "I ", "my ", "the ", "not ", "and ", "- a\n", "> ", "```\n", "# a\n", "a=", "<a ", "{a", "\\a", "\\\n"),
)


def hostile_texts(pattern: str, flags: int) -> Iterator[str]:
    """Short texts which, repeated, are hard for this very pattern."""
    found: dict[str, None] = {}
    for lead, body in _pumps(_parser.parse(pattern, flags), "", 0):
        for text in (body, lead + body):
            if text and len(text) <= _LONGEST_SAMPLE:
                found[text] = None
    yield from found


def led_texts(pattern: str, flags: int) -> Iterator[tuple[str, str]]:
    """What leads to a repeated part once, and the part that is to be repeated after it."""
    yield from dict.fromkeys(pair for pair in _pumps(_parser.parse(pattern, flags), "", 0) if pair[0] and pair[1])


def _pumps(tree: Any, lead: str, depth: int) -> Iterator[tuple[str, str]]:
    """For every part of a pattern, a text that matches what leads to it, and one that matches the part."""
    for operator, argument in tree:
        if operator in _REPEATS:
            least, most, inner = argument
            for sample in _samples(inner):
                if most > 8:
                    yield lead, sample
            if depth < _WITHIN:
                yield from _pumps(inner, lead, depth + 1)
            lead += _sample(inner) * max(1, min(int(least), 8))
        elif operator is _constants.BRANCH:
            for way in argument[1]:
                if depth < _WITHIN:
                    yield from _pumps(way, lead, depth + 1)
                yield lead, _sample(way)
            lead += _sample(argument[1][0])
        elif operator is _constants.SUBPATTERN:
            yield from _pumps(argument[3], lead, depth)
            lead += _sample(argument[3])
        elif operator is _constants.ATOMIC_GROUP:
            yield from _pumps(argument, lead, depth)
            lead += _sample(argument)
        else:
            lead += _sample([(operator, argument)])
        yield "", lead
    yield "", lead


_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
_EXAMPLES = {
    _constants.CATEGORY_DIGIT: "1",
    _constants.CATEGORY_NOT_DIGIT: "a",
    _constants.CATEGORY_SPACE: " ",
    _constants.CATEGORY_NOT_SPACE: "a",
    _constants.CATEGORY_WORD: "a",
    _constants.CATEGORY_NOT_WORD: " ",
}


def _samples(tree: Any) -> Sequence[str]:
    """Texts that a part matches: the simplest, and of a single class or choice one for each way."""
    items = list(tree)
    if len(items) == 1:
        operator, argument = items[0]
        if operator is _constants.IN:
            return tuple(dict.fromkeys(_members(argument)))[:6]
        if operator is _constants.BRANCH:
            return tuple(dict.fromkeys(_sample(way) for way in argument[1]))[:6]
        if operator is _constants.SUBPATTERN:
            return _samples(argument[3])
    return (_sample(tree),)


def _sample(tree: Any) -> str:
    """The simplest text that a part of a pattern matches, as far as one can be told."""
    said = ""
    for operator, argument in tree:
        if operator is _constants.LITERAL:
            said += chr(argument)
        elif operator is _constants.NOT_LITERAL:
            said += "a" if argument != ord("a") else "b"
        elif operator is _constants.ANY:
            said += "a"
        elif operator is _constants.IN:
            said += next(iter(_members(argument)), "a")
        elif operator is _constants.BRANCH:
            said += _sample(argument[1][0])
        elif operator is _constants.SUBPATTERN:
            said += _sample(argument[3])
        elif operator is _constants.ATOMIC_GROUP:
            said += _sample(argument)
        elif operator in _REPEATS:
            least, _, inner = argument
            said += _sample(inner) * min(int(least) or 0, 40)
    return said


def _members(choices: Any) -> Iterator[str]:
    if choices and choices[0][0] is _constants.NEGATE:
        excluded = re.compile(_class(choices))
        yield from (each for each in "a 1\n.,-'\"(\t" if excluded.fullmatch(each))
        return
    for operator, argument in choices:
        if operator is _constants.LITERAL:
            yield chr(argument)
        elif operator is _constants.RANGE:
            yield chr(argument[0])
        elif operator is _constants.CATEGORY:
            yield _EXAMPLES.get(argument, "a")
            if argument is _constants.CATEGORY_SPACE:
                yield "\n"


_SPELLED = {
    _constants.CATEGORY_DIGIT: r"\d",
    _constants.CATEGORY_NOT_DIGIT: r"\D",
    _constants.CATEGORY_SPACE: r"\s",
    _constants.CATEGORY_NOT_SPACE: r"\S",
    _constants.CATEGORY_WORD: r"\w",
    _constants.CATEGORY_NOT_WORD: r"\W",
}


def _class(choices: Any) -> str:
    """A class of characters, spelled again."""
    said = ""
    for operator, argument in choices:
        if operator is _constants.NEGATE:
            said += "^"
        elif operator is _constants.LITERAL:
            said += re.escape(chr(argument))
        elif operator is _constants.RANGE:
            said += f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}"
        elif operator is _constants.CATEGORY:
            said += _SPELLED[argument]
    return f"[{said}]"
