"""Types and predicates that the graph of notes brings along: of entities, and of attributes that relate entities.

The wording of an attribute is another name of its predicate: `employer` is worded "works at", so `works_at` means it.
"""

from __future__ import annotations

import functools
from typing import Any

from recollect.attributes.catalogue import catalogue
from recollect.dialects.kip.nexus import CONCEPT_TYPE, PROPOSITION_TYPE, Concept, concept_id
from recollect.domain.graph.entity import EntityType

HANGING = {
    "part_of": "A note about the subject is filed under the project.",
    "tagged": "A note about the subject has the tag.",
    "concerns": "A note about the subject names the file.",
    "related": "A note about the subject is related to one about the object.",
}


@functools.cache
def aliases() -> dict[str, str]:
    """Other names of predicates, from the wordings of attributes; one that two attributes share means neither."""
    found: dict[str, str | None] = {}
    for each in catalogue():
        if each.entity_type:
            words = each.wording.partition("{who}")[2].partition("{value}")[0].split()
            name = "_".join(words).lower()
            if name.replace("_", "").isalpha() and name != each.name:
                found[name] = None if name in found else each.name
    return {name: attribute for name, attribute in found.items() if attribute is not None}


def attribute_of(predicate: str) -> str:
    """The attribute that a predicate means."""
    return aliases().get(predicate, predicate)


@functools.cache
def known_types() -> tuple[str, ...]:
    """The types that entities have without being told."""
    return tuple(each.value for each in EntityType)


@functools.cache
def known_predicates() -> dict[str, str]:
    """Predicates that notes can state without a definition, each with what it says."""
    own = {each.name: _worded(each.wording) for each in catalogue() if each.entity_type}
    return {**HANGING, **own, **{name: f"The same as `{of}`." for name, of in aliases().items()}}


def definition(kind: str, name: str) -> Concept:
    """The node that defines a type or predicate which nobody wrote down."""
    about: dict[str, Any] = {"description": f"Entities of the type {name}, as notes tell of them."}
    if kind == PROPOSITION_TYPE:
        said = known_predicates().get(name, "A relation that notes tell of.")
        about = {"description": said, "subject_types": ["*"], "object_types": ["*"]}
    return Concept(concept_id(kind, name), kind, name, about, {"source": "notes", "_version": 1})


def is_known(kind: str, name: str) -> bool:
    """Whether a type or predicate is there without a definition."""
    return name in known_types() if kind == CONCEPT_TYPE else name in known_predicates()


def _worded(wording: str) -> str:
    return wording.replace("{who}", "The subject").replace("{value}", "the object") + "."
