"""A KIP graph in memory, filled with a small pharmacy, for tests that need no store."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect.dialects.kip.genesis import NexusWithGenesis
from recollect.dialects.kip.interpreter import Interpreter, Plan
from recollect.dialects.kip.nexus import Concept, Nexus, NexusDraft, NexusElement, concept_id
from recollect.dialects.kip.work_budget import WorkBudget

CASES = Path(__file__).with_name("cases")
SCHEMA = """
UPSERT {
  CONCEPT ?drug { {type: "$ConceptType", name: "Drug"} SET ATTRIBUTES {description: "A medicine"} }
  CONCEPT ?symptom { {type: "$ConceptType", name: "Symptom"} }
  CONCEPT ?class { {type: "$ConceptType", name: "DrugClass"} }
  CONCEPT ?treats { {type: "$PropositionType", name: "treats"} }
  CONCEPT ?effect { {type: "$PropositionType", name: "has_side_effect"} }
  CONCEPT ?belongs { {type: "$PropositionType", name: "belongs_to_class"} }
  CONCEPT ?sub { {type: "$PropositionType", name: "is_subclass_of"} }
  CONCEPT ?stated { {type: "$PropositionType", name: "stated"} }
}
"""
PHARMACY = """
UPSERT {
  CONCEPT ?headache { {type: "Symptom", name: "Headache"} }
  CONCEPT ?fever { {type: "Symptom", name: "Fever"} }
  CONCEPT ?nausea { {type: "Symptom", name: "Nausea"} }
  CONCEPT ?analgesic { {type: "DrugClass", name: "Analgesic"} }
  CONCEPT ?nsaid { {type: "DrugClass", name: "NSAID"} SET PROPOSITIONS { ("is_subclass_of", ?analgesic) } }
  CONCEPT ?salicylate { {type: "DrugClass", name: "Salicylate"} SET PROPOSITIONS { ("is_subclass_of", ?nsaid) } }
  CONCEPT ?aspirin { {type: "Drug", name: "Aspirin"}
    SET ATTRIBUTES { risk_level: 2, otc: true, aliases: ["ASA"], form: {kind: "tablet"}, since: "1899-03-06" }
    SET PROPOSITIONS {
      ("treats", ?headache) WITH METADATA { confidence: 0.9 }
      ("treats", ?fever) WITH METADATA { confidence: 0.8 }
      ("belongs_to_class", ?salicylate)
      ("has_side_effect", ?nausea)
    } }
  CONCEPT ?ibuprofen { {type: "Drug", name: "Ibuprofen"}
    SET ATTRIBUTES { risk_level: 3, otc: true, since: "1969-01-01" }
    SET PROPOSITIONS { ("treats", ?headache) ("belongs_to_class", ?nsaid) ("has_side_effect", ?nausea) } }
  CONCEPT ?codeine { {type: "Drug", name: "Codeine"}
    SET ATTRIBUTES { risk_level: 5, otc: false } SET PROPOSITIONS { ("treats", ?headache) } }
  CONCEPT ?vitamin { {type: "Drug", name: "Vitamin C"} SET ATTRIBUTES { otc: true, note: null } }
  CONCEPT ?john { {type: "Person", name: "John"} }
  PROPOSITION ?fact { (?aspirin, "treats", ?headache) SET ATTRIBUTES { line: "first" } }
  PROPOSITION { (?john, "stated", ?fact) } WITH METADATA { confidence: 0.7 }
}
WITH METADATA { source: "leaflet" }
"""


def cases(name: str) -> list[tuple[str, Any]]:
    """The cases of a file: a command on a line, and below it, after `=>`, what it comes to as JSON."""
    lines = (CASES / f"{name}.txt").read_text("utf-8").split("\n")
    told = [line for line in lines if line and not line.startswith("#")]
    return [
        (command, json.loads(answer.removeprefix("=> "))) for command, answer in zip(told[::2], told[1::2], strict=True)
    ]


class WordSearch:
    """Elements whose names hold a word of the term; enough for the grammar of SEARCH."""

    modes: Sequence[str] = ("keyword",)

    def __init__(self, nexus: Nexus) -> None:
        self._nexus = nexus

    def search(
        self, what: str, term: str, *, type: str | None, mode: str, limit: int
    ) -> Sequence[tuple[NexusElement, float]]:
        assert mode == "keyword"
        found: list[tuple[NexusElement, float]] = []
        if what == "CONCEPT":
            found += ((each, 1.0) for each in self._nexus.concepts(type=type) if term.lower() in each.name.lower())
        else:
            found += ((each, 0.5) for each in self._nexus.propositions(predicate=type) if term in each.predicate)
        return found[:limit]


class KipWorld:
    """A graph that commands change."""

    def __init__(self, *commands: str, dry_run: bool = False, reads_only: bool = False, seconds: float = 15.0) -> None:
        self.graph = NexusDraft()
        self._numbers = itertools.count(1)
        interpreter = self.interpreter()
        for command in commands:
            interpreter.run(command, {})
        self._interpreter = self.interpreter(dry_run=dry_run, reads_only=reads_only, seconds=seconds)

    def interpreter(self, *, dry_run: bool = False, reads_only: bool = False, seconds: float = 15.0) -> Interpreter:
        def transact(plan: Plan) -> dict[str, Any]:
            result, edits = plan(NexusWithGenesis(self.graph))
            for edit in () if dry_run else edits:
                if edit.after is not None:
                    self.graph.keep(edit.after)
                elif edit.before is not None:
                    self.graph.remove(edit.before.id)
            return result

        return Interpreter(
            lambda: NexusWithGenesis(self.graph),
            WordSearch,
            new_budget=lambda: WorkBudget(time.monotonic, seconds),
            draft=lambda nexus: NexusDraft(nexus, new_id=self._new_id, now="2026-01-01T00:00:00Z"),
            transact=None if reads_only else transact,
            dry_run=dry_run,
        )

    def run(self, command: str, **parameters: Any) -> Any:
        return self._interpreter.run(command, parameters)[0]

    def page(self, command: str, **parameters: Any) -> tuple[Any, str | None]:
        return self._interpreter.run(command, parameters)

    def batch(self, *commands: str | tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
        return self._interpreter.batch([each if isinstance(each, tuple) else (each, {}) for each in commands])

    def told(self) -> str:
        """Everything in the graph, without what the engine keeps, in one order."""
        concepts = sorted(
            ([each.type, each.name, dict(each.attributes), _authored(each)] for each in self.graph.concepts()),
            key=json.dumps,
        )
        links = sorted(
            (
                [
                    self._named(each.subject),
                    each.predicate,
                    self._named(each.object),
                    dict(each.attributes),
                    _authored(each),
                ]
                for each in self.graph.propositions()
            ),
            key=json.dumps,
        )
        return json.dumps([concepts, links], sort_keys=True)

    def _named(self, id: str) -> Any:
        found = NexusWithGenesis(self.graph).element(id)
        if isinstance(found, Concept):
            return [found.type, found.name]
        assert found is not None
        return [self._named(found.subject), found.predicate, self._named(found.object)]

    def _new_id(self, element: NexusElement) -> str:
        if isinstance(element, Concept):
            return concept_id(element.type, element.name)
        return f"P:{next(self._numbers)}"


def _authored(element: NexusElement) -> dict[str, Any]:
    return {key: value for key, value in element.metadata.items() if not key.startswith("_")}


def pharmacy(**options: Any) -> KipWorld:
    return KipWorld(SCHEMA, PHARMACY, **options)
