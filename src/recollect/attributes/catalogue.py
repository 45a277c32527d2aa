"""The catalogue: every attribute that has a record, found by its name, by what people call it, or by a flag.

The records are read from `table.json`, which `recollect.attributes.build` makes from `data/*.toml`, and only when
somebody asks for one: a command that needs no attribute pays nothing for them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from recollect.attributes.records import About, Attribute, AttributeRelation, Cardinality, Flag, attribute_from

TABLE = Path(__file__).with_name("table.json")


@cache
def catalogue() -> tuple[Attribute, ...]:
    """Every attribute, in the order of the records."""
    records = json.loads(TABLE.read_text(encoding="utf-8"))
    return tuple(attribute_from(name, record) for name, record in records.items())


def attribute_named(name: str) -> Attribute | None:
    """The attribute with this very name."""
    return _by_name().get(name)


def attribute_called(words: str) -> Attribute | None:
    """The attribute that people call so, in the singular and in lower case; or the one of that name."""
    return _by_synonym().get(words)


def favourite_of(sort: str) -> Attribute:
    """The attribute of somebody's favourite of a sort: there are too many sorts for a record of each."""
    name = f"favourite {sort}"
    wording = f"{{who}}'s {name} is {{value}}"
    return Attribute(name, Cardinality.ONE, About.PERSON, wording, (name,), (name,), None)


@cache
def attribute_stated(effect: str) -> Attribute | None:
    """The attribute that a chain of verbs with this effect states: "I love to cook" states a taste."""
    return next((attribute for attribute in catalogue() if effect and attribute.chain == effect), None)


def flagged(name: str | None, flag: Flag) -> bool:
    """Whether an attribute has a flag. One without a record has none."""
    return name in names_with(flag)


def relation_of(name: str | None) -> AttributeRelation | None:
    """The relation in which the people whom an attribute names stand to its subject; `None` if it names no people."""
    known = _by_name().get(name or "")
    return known.relation if known is not None else None


def names_kin(name: str | None) -> bool:
    """Whether an attribute names people somebody lives or works with, not those whose services they use."""
    return relation_of(name) not in (None, AttributeRelation.SERVICE)


@cache
def names_with(flag: Flag) -> frozenset[str]:
    """The names of the attributes that have a flag."""
    return frozenset(attribute.name for attribute in catalogue() if flag in attribute.flags)


@cache
def _by_name() -> dict[str, Attribute]:
    return {attribute.name: attribute for attribute in catalogue()}


@cache
def _by_synonym() -> dict[str, Attribute]:
    return {
        words: attribute
        for attribute in reversed(catalogue())
        for words in (*attribute.synonyms, attribute.name.replace("_", " "))
    }
