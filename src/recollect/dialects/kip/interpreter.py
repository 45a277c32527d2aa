"""Commands carried out: each is read, checked against the schema and asked of the graph, or planned as edits.

`Interpreter` knows no store. It is given a graph, a way to search it, and a way to carry edits out; without that it
only reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, assert_never

from recollect.dialects.kip.capsule import capsule_of
from recollect.dialects.kip.errors import EXHAUSTED, IMMUTABLE, TYPE, KipError
from recollect.dialects.kip.matcher import WhereMatcher, require_bound
from recollect.dialects.kip.nexus import (
    CONCEPT_TYPE,
    PROPOSITION_TYPE,
    Concept,
    Nexus,
    NexusDraft,
    NexusEdit,
    NexusElement,
    Proposition,
    shown,
)
from recollect.dialects.kip.parser import parse_command
from recollect.dialects.kip.query import MOST_RESULTS, ResultRow, find, paged
from recollect.dialects.kip.schema_check import require_defined, require_name
from recollect.dialects.kip.syntax import (
    WRITES,
    Command,
    DescribeCommand,
    ExportCommand,
    FindCommand,
    SearchCommand,
    WriteCommand,
)
from recollect.dialects.kip.work_budget import WorkBudget
from recollect.dialects.kip.writer import DraftWriter
from recollect.domain.answers.kip import KIP_VERSION
from recollect.domain.dataclass import replace

DEFAULT_HITS = 10
MOST_HITS = 100
MOST_COMMANDS = 100

Answer: TypeAlias = tuple[Any, str | None]  # the result, and the cursor of the next page


class ElementSearch(Protocol):
    """Search over concepts and propositions. `modes` says which are what they say; the others fall back to keyword."""

    @property
    def modes(self) -> Sequence[str]: ...

    def search(
        self, what: str, term: str, *, type: str | None, mode: str, limit: int
    ) -> Sequence[tuple[NexusElement, float]]:
        """Elements with a score from 0 to 1, best first. `what` is CONCEPT or PROPOSITION."""
        ...


Plan: TypeAlias = Callable[[Nexus], tuple[dict[str, Any], Sequence[NexusEdit]]]
Transact: TypeAlias = Callable[[Plan], dict[str, Any]]  # plan on the graph as it is, carry the edits out, answer


class Interpreter:
    """Carries commands out, one after the other.

    `open_nexus` is called for each command, since the one before may have written. `transact` may plan anew while
    others are faster; in a dry run it makes every check and writes nothing.
    """

    def __init__(
        self,
        open_nexus: Callable[[], Nexus],
        search: Callable[[Nexus], ElementSearch],
        *,
        new_budget: Callable[[], WorkBudget],
        draft: Callable[[Nexus], NexusDraft] = NexusDraft,
        transact: Transact | None = None,
        dry_run: bool = False,
    ) -> None:
        self._open_nexus, self._search, self._new_budget, self._draft = open_nexus, search, new_budget, draft
        self._transact, self._dry_run = transact, dry_run
        self._rehearsed: NexusDraft | None = None  # what earlier commands of a dry run would have done

    def run(self, text: str, parameters: Mapping[str, Any]) -> Answer:
        """One command; `KipError` if it cannot be carried out."""
        return self._carried_out(parse_command(text, parameters))

    def batch(self, commands: Sequence[tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]]:
        """An answer for each command. A write that fails ends the batch; other errors stand in their place."""
        if len(commands) > MOST_COMMANDS:
            raise KipError(EXHAUSTED, f"{len(commands)} commands were sent; at most {MOST_COMMANDS} are taken at once.")
        found: list[dict[str, Any]] = []
        for text, parameters in commands:
            command: Command | None = None
            try:
                command = parse_command(text, parameters)
                found.append(as_response(*self._carried_out(command)))
            except KipError as problem:
                found.append({"error": problem.as_response()})
                if isinstance(command, WRITES):
                    break
        return found

    def _carried_out(self, command: Command) -> Answer:
        if isinstance(command, WRITES):
            return self._write(command), None
        nexus = self._rehearsed or self._open_nexus()
        budget = self._new_budget()
        match command:
            case FindCommand():
                require_defined(command.where, nexus)
                return find(command, nexus, budget)
            case ExportCommand():
                return _exported(command, nexus, budget), None
            case DescribeCommand():
                return self._describe(command, nexus)
            case SearchCommand():
                return self._found(command, nexus), None
            case _:
                assert_never(command)

    def _write(self, command: WriteCommand) -> dict[str, Any]:
        if self._transact is None:
            raise KipError(IMMUTABLE, "Commands that write are not taken here: this door only reads.", hint=_READ_ONLY)

        def plan(nexus: Nexus) -> tuple[dict[str, Any], Sequence[NexusEdit]]:
            draft = self._draft(self._rehearsed or nexus)
            result = DraftWriter(draft, self._new_budget()).write(command)
            if self._dry_run:
                self._rehearsed = draft
            return result, draft.edits()

        return self._transact(plan)

    def _describe(self, command: DescribeCommand, nexus: Nexus) -> Answer:
        if command.what == "PRIMER":
            return self._primer(nexus), None
        if command.what == "DOMAINS":
            return sorted(each.name for each in nexus.concepts(type="Domain")), None
        kind = CONCEPT_TYPE if command.what.startswith("CONCEPT") else PROPOSITION_TYPE
        if command.name is None:
            rows = [ResultRow((each.name,), (), each.name) for each in nexus.concepts(type=kind)]
            page, cursor = paged(rows, (), command.limit, command.cursor, of=(command.what,))
            return [row.columns[0] for row in page], cursor
        found = next(iter(nexus.concepts(type=kind, name=command.name)), None)
        if found is None:
            raise KipError(TYPE, f"There is no {command.what.lower()} `{command.name}`.")
        return shown(found), None

    def _primer(self, nexus: Nexus) -> dict[str, Any]:
        """The agent itself, and the domains there are, each with its most important concepts."""
        actor = next(iter(nexus.concepts(type="Person", name="$self")), None)
        domains = sorted(nexus.concepts(type="Domain"), key=lambda each: each.name)
        return {
            "identity": {
                "name": "$self",
                **(dict(actor.attributes) if actor else {}),
                "kip_version": KIP_VERSION,
                "search_modes": list(self._search(nexus).modes),
            },
            "domain_map": [_domain(each, nexus) for each in domains],
            "total_domains": len(domains),
        }

    def _found(self, command: SearchCommand, nexus: Nexus) -> list[dict[str, Any]]:
        if command.type is not None:
            kind = CONCEPT_TYPE if command.what == "CONCEPT" else PROPOSITION_TYPE
            require_name(kind, command.type, nexus)
        wanted = command.mode or "hybrid"
        searched = self._search(nexus)
        mode = wanted if wanted in searched.modes else "keyword"
        limit = min(command.limit or DEFAULT_HITS, MOST_HITS)
        hits = searched.search(command.what, command.term, type=command.type, mode=mode, limit=limit)
        floor = command.threshold or 0.0
        return [
            shown(replace(element, metadata={**element.metadata, "_score": round(score, 4)}))
            for element, score in hits
            if score >= floor
        ][:limit]


def _domain(domain: Concept, nexus: Nexus) -> dict[str, Any]:
    links = nexus.propositions(predicate="belongs_to_domain", object=domain.id)
    members = [nexus.element(link.subject) for _, link in zip(range(50), links, strict=False)]
    concepts = [each for each in members if isinstance(each, Concept)]
    return {
        "name": domain.name,
        "description": domain.attributes.get("description"),
        "key_concept_types": [each.name for each in concepts if each.type == CONCEPT_TYPE],
        "key_proposition_types": [each.name for each in concepts if each.type == PROPOSITION_TYPE],
        "key_concepts": [
            {"type": each.type, "name": each.name}
            for each in concepts
            if each.type not in (CONCEPT_TYPE, PROPOSITION_TYPE)
        ],
    }


def _exported(command: ExportCommand, nexus: Nexus, budget: WorkBudget) -> dict[str, Any]:
    require_defined(command.where, nexus)
    require_bound([(command.target.name, command.target.at)], command.where)
    rows = WhereMatcher(nexus, budget).solutions(command.where)
    bound = (row[command.target.name] for row in rows)
    found = {each.id: each for each in bound if isinstance(each, Concept | Proposition)}
    listed = list(found.values())[: command.limit]
    if len(listed) > MOST_RESULTS:
        raise KipError(EXHAUSTED, f"{len(listed):,} elements match; at most {MOST_RESULTS:,} are exported at once.")
    return capsule_of(listed, nexus)


def as_response(result: Any, cursor: str | None) -> dict[str, Any]:
    """An answer as KIP carries it; what is absent is left out."""
    return {"result": result} if cursor is None else {"result": result, "next_cursor": cursor}


_READ_ONLY = "Write from the library or the command line, with a right to write."
