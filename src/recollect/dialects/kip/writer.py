"""KML planned: UPSERT, UPDATE, MERGE and DELETE change a draft and say what they did. Nothing is written here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from recollect.dialects.kip.errors import (
    CONSTRAINT,
    DUPLICATE,
    IDENTIFIER,
    IMMUTABLE,
    MISSING,
    REFERENCE,
    VERSION,
    KipError,
)
from recollect.dialects.kip.expressions import computed
from recollect.dialects.kip.matcher import WhereMatcher, require_bound
from recollect.dialects.kip.nexus import (
    CONCEPT_TYPE,
    GENESIS,
    PROPOSITION_TYPE,
    Concept,
    NexusDraft,
    NexusElement,
    Proposition,
    authored,
)
from recollect.dialects.kip.schema_check import require_defined, require_name
from recollect.dialects.kip.syntax import (
    ConceptMatch,
    Constant,
    DeleteCommand,
    End,
    Expression,
    LinkMatch,
    MergeCommand,
    Place,
    Predicates,
    UpdateCommand,
    UpsertBlock,
    UpsertCommand,
    Variable,
    Where,
    WriteCommand,
)
from recollect.dialects.kip.work_budget import WorkBudget

SYSTEM_ACTORS = ("$self", "$system")
CORE_DOMAINS = ("CoreSchema",)
PROTECTED = frozenset(
    {
        *((CONCEPT_TYPE, name) for name in (CONCEPT_TYPE, PROPOSITION_TYPE, "Domain")),
        (PROPOSITION_TYPE, "belongs_to_domain"),
        *(("Domain", name) for name in CORE_DOMAINS),
        *(("Person", name) for name in SYSTEM_ACTORS),
    }
)
DIRECTIVES = "core_directives"  # of a system actor: not to be changed
_TYPE_NAME = re.compile(r"[A-Z][A-Za-z0-9]*")
_PREDICATE_NAME = re.compile(r"[a-z_][a-z0-9_]*")


class DraftWriter:
    """Carries write commands out on a draft."""

    def __init__(self, draft: NexusDraft, budget: WorkBudget) -> None:
        self._draft, self._budget = draft, budget

    def write(self, command: WriteCommand) -> dict[str, Any]:
        """Carry a command out; its answer says what it did."""
        match command:
            case UpsertCommand():
                return self._upsert(command)
            case UpdateCommand():
                return self._update(command)
            case MergeCommand():
                return self._merge(command)
            case DeleteCommand():
                return self._delete(command)
            case _:
                assert_never(command)

    # --- UPSERT -----------------------------------------------------------------------------------------------------

    def _upsert(self, command: UpsertCommand) -> dict[str, Any]:
        handles: dict[str, str] = {}
        concepts: dict[str, None] = {}
        links: dict[str, None] = {}
        for block in command.blocks:
            self._budget.step()
            metadata = {**command.metadata, **block.metadata}
            if isinstance(block.match, ConceptMatch):
                written: NexusElement = self._concept_block(block, block.match, metadata)
                concepts[written.id] = None
                for out in block.links:
                    end = self._end(out.object, handles)
                    link = self._link(written.id, out.predicate, end, {}, {**metadata, **out.metadata}, out.at)
                    links[link.id] = None
            else:
                written = self._link_block(block, block.match, metadata, handles)
                links[written.id] = None
            if block.handle is not None:
                handles[block.handle] = written.id
        return {
            "blocks": len(command.blocks),
            "upsert_concept_nodes": list(concepts),
            "upsert_proposition_links": list(links),
        }

    def _concept_block(self, block: UpsertBlock, match: ConceptMatch, metadata: Mapping[str, Any]) -> NexusElement:
        known = self._known_concept(match)
        if known is None and match.id is not None:
            raise KipError(MISSING, f"There is no concept with the id `{match.id}`.", at=match.at)
        _require_version(known, block.version, match.at)
        if known is None:
            known = self._new_concept(str(match.type), str(match.name), match.at)
        _require_open(known, block.attributes, match.at)
        return self._draft.put(_merged(known, block.attributes, metadata))

    def _known_concept(self, match: ConceptMatch) -> Concept | None:
        if match.id is None:
            return self._draft.concept(str(match.type), str(match.name))
        found = self._draft.element(match.id)
        return found if isinstance(found, Concept) else None

    def _new_concept(self, type: str, name: str, at: Place) -> Concept:
        require_name(CONCEPT_TYPE, type, self._draft, at)
        if not name.strip():
            raise KipError(CONSTRAINT, "A concept needs a name.", at=at)
        wanted = {CONCEPT_TYPE: _TYPE_NAME, PROPOSITION_TYPE: _PREDICATE_NAME}.get(type)
        if wanted is not None and not wanted.fullmatch(name):
            case = "UpperCamelCase" if type == CONCEPT_TYPE else "snake_case"
            raise KipError(IDENTIFIER, f"`{name}` is not in {case}.", at=at)
        return Concept("", type, name)

    def _link_block(
        self, block: UpsertBlock, match: LinkMatch, metadata: Mapping[str, Any], handles: Mapping[str, str]
    ) -> Proposition:
        if match.id is not None:
            known = self._draft.element(match.id)
            if not isinstance(known, Proposition):
                raise KipError(MISSING, f"There is no proposition with the id `{match.id}`.", at=match.at)
            _require_version(known, block.version, match.at)
            return _link_of(self._draft.put(_merged(known, block.attributes, metadata)))
        subject, predicate, end = self._triple(match, handles)
        _require_version(self._draft.proposition(subject, predicate, end), block.version, match.at)
        return self._link(subject, predicate, end, block.attributes, metadata, match.at)

    def _link(
        self,
        subject: str,
        predicate: str,
        object: str,
        attributes: Mapping[str, Any],
        metadata: Mapping[str, Any],
        at: Place,
    ) -> Proposition:
        known = self._draft.proposition(subject, predicate, object)
        if known is None:
            require_name(PROPOSITION_TYPE, predicate, self._draft, at)
            known = Proposition("", subject, predicate, object)
        return _link_of(self._draft.put(_merged(known, attributes, metadata)))

    def _triple(self, match: LinkMatch, handles: Mapping[str, str]) -> tuple[str, str, str]:
        assert match.subject is not None and match.object is not None and isinstance(match.predicate, Predicates)  # noqa: S101
        return self._end(match.subject, handles), match.predicate.names[0], self._end(match.object, handles)

    def _end(self, end: End, handles: Mapping[str, str]) -> str:
        """The id of something that is there already, or was made by an earlier block."""
        match end:
            case Variable(name, at):
                if name not in handles:
                    raise KipError(REFERENCE, f"The handle `?{name}` is not defined before this.", at=at)
                return handles[name]
            case ConceptMatch():
                concept = self._known_concept(end)
                if concept is None:
                    if end.id is None:
                        require_name(CONCEPT_TYPE, str(end.type), self._draft, end.at)
                    named = f"with the id `{end.id}`" if end.id else f"`{end.name}` of type `{end.type}`"
                    raise KipError(MISSING, f"There is no concept {named}.", at=end.at)
                return concept.id
            case LinkMatch():
                link = self._draft.element(end.id) if end.id else self._draft.proposition(*self._triple(end, handles))
                if not isinstance(link, Proposition):
                    raise KipError(MISSING, "There is no such proposition.", at=end.at)
                return link.id

    # --- UPDATE, MERGE, DELETE --------------------------------------------------------------------------------------

    def _update(self, command: UpdateCommand) -> dict[str, Any]:
        targets = self._targets(command.target, command.where)[: command.limit]
        updated = 0
        for target in targets:
            attributes = _values(command.attributes, target)
            metadata = _values(command.metadata, target)
            _require_unprotected(target)
            _require_open(target, attributes, command.target.at)
            if attributes or metadata:
                self._draft.put(_merged(target, attributes, metadata))
                updated += 1
        return {"updated": updated} if updated == len(targets) else {"updated": updated, "matched": len(targets)}

    def _merge(self, command: MergeCommand) -> dict[str, Any]:
        source, target = self._one_concept(command.source, command), self._one_concept(command.target, command)
        if source.type != target.type:
            raise KipError(CONSTRAINT, f"`{source.type}` and `{target.type}` are two types.", at=command.source.at)
        for each in (source, target):
            _require_removable(each)
        counts = {"links_repointed": 0, "links_deduplicated": 0}
        filled = 0
        if source.id != target.id:
            self._repoint(source.id, target.id, counts)
            merged, filled = _absorbed(source, target)
            self._draft.remove(source.id)
            self._draft.put(merged)
        return {"merged": True, **counts, "attributes_filled": filled}

    def _repoint(self, old: str, new: str, counts: dict[str, int]) -> None:
        """Hand every link of one element to another. A link that the other has already takes its place."""
        for link in self._around(old):
            self._budget.step()
            subject, end = (new if each == old else each for each in (link.subject, link.object))
            twin = self._draft.proposition(subject, link.predicate, end)
            if twin is None:
                self._draft.put(Proposition(link.id, subject, link.predicate, end, link.attributes, link.metadata))
                counts["links_repointed"] += 1
                continue
            self._draft.remove(link.id)
            kept = {**link.attributes, **twin.attributes}, {**authored(link), **authored(twin)}
            self._draft.put(Proposition(twin.id, subject, twin.predicate, end, *kept))
            counts["links_deduplicated"] += 1
            self._repoint(link.id, twin.id, counts)

    def _delete(self, command: DeleteCommand) -> dict[str, Any]:
        targets = self._targets(command.target, command.where)
        match command.what:
            case "ATTRIBUTES" | "METADATA":
                return self._delete_keys(command, targets)
            case "PROPOSITIONS":
                for each in targets:
                    if isinstance(each, Concept):
                        raise KipError(CONSTRAINT, f"`?{command.target.name}` is a concept.", at=command.target.at)
                    _require_removable(each)
                return {"deleted_propositions": self._detach([each.id for each in targets], removes_ends=True)}
            case _:
                for each in targets:
                    if isinstance(each, Proposition):
                        raise KipError(CONSTRAINT, f"`?{command.target.name}` is a link.", at=command.target.at)
                    _require_removable(each)
                    self._require_unused(each)
                gone = self._detach([each.id for each in targets], removes_ends=False)
                for each in targets:
                    self._draft.remove(each.id)
                return {"deleted_concepts": len(targets), "deleted_propositions": gone}

    def _delete_keys(self, command: DeleteCommand, targets: Iterable[NexusElement]) -> dict[str, Any]:
        updated = removed = 0
        for each in targets:
            _require_unprotected(each)
            _require_open(each, dict.fromkeys(command.keys), command.target.at)
            held = each.attributes if command.what == "ATTRIBUTES" else each.metadata
            gone = [key for key in command.keys if key in held]
            if gone:
                left = {key: value for key, value in held.items() if key not in gone}
                of = (left, each.metadata) if command.what == "ATTRIBUTES" else (each.attributes, left)
                self._draft.put(_with(each, *of))
                updated, removed = updated + 1, removed + len(gone)
        return {"updated": updated, f"deleted_{command.what.lower()}": removed}

    def _detach(self, ids: Iterable[str], *, removes_ends: bool) -> int:
        """Remove links at some elements, and links at those links, and so on; how many went."""
        gone: dict[str, None] = {}
        left = list(ids)
        if removes_ends:
            gone = dict.fromkeys(left)
        while left:
            for link in self._around(left.pop()):
                self._budget.step()
                if link.id not in gone:
                    gone[link.id] = None
                    left.append(link.id)
        for each in gone:
            self._draft.remove(each)
        return len(gone)

    def _around(self, id: str) -> list[Proposition]:
        found = [*self._draft.propositions(subject=id), *self._draft.propositions(object=id)]
        return list({each.id: each for each in found}.values())

    # --- what may be changed ----------------------------------------------------------------------------------------

    def _targets(self, target: Variable, where: Where) -> list[NexusElement]:
        require_defined(where, self._draft)
        require_bound([(target.name, target.at)], where)
        rows = WhereMatcher(self._draft, self._budget).solutions(where)
        found = {each.id: each for row in rows if isinstance(each := row[target.name], Concept | Proposition)}
        return list(found.values())

    def _one_concept(self, variable: Variable, command: MergeCommand) -> Concept:
        found = self._targets(variable, command.where)
        if not found:
            raise KipError(MISSING, f"`?{variable.name}` matches nothing.", at=variable.at)
        if len(found) > 1:
            raise KipError(DUPLICATE, f"`?{variable.name}` matches {len(found)} concepts.", at=variable.at)
        if not isinstance(found[0], Concept):
            raise KipError(CONSTRAINT, f"`?{variable.name}` is a link.", at=variable.at)
        return found[0]

    def _require_unused(self, concept: Concept) -> None:
        """Refuse to delete a definition while something is of its type."""
        if concept.type == CONCEPT_TYPE:
            users: Iterable[NexusElement] = self._draft.concepts(type=concept.name)
        elif concept.type == PROPOSITION_TYPE:
            users = self._draft.propositions(predicate=concept.name)
        else:
            return
        if any(True for _ in users):
            raise KipError(CONSTRAINT, f"`{concept.name}` is still used.", hint="Delete what is of this type first.")


def _require_unprotected(element: NexusElement) -> None:
    """Refuse bulk changes of what the schema stands on. System actors learn, so theirs are allowed."""
    if isinstance(element, Concept) and element.type != "Person" and (element.type, element.name) in PROTECTED:
        raise KipError(IMMUTABLE, f"`{element.name}` of type `{element.type}` is protected.")


def _require_removable(element: NexusElement) -> None:
    """Refuse to take away what every graph begins with."""
    if element.metadata.get(GENESIS) or (isinstance(element, Concept) and (element.type, element.name) in PROTECTED):
        raise KipError(IMMUTABLE, f"`{element.id}` is protected: every graph begins with it.")


def _require_open(element: NexusElement, attributes: Mapping[str, Any], at: Place) -> None:
    """Refuse to change the directives of a system actor once it has some."""
    if not isinstance(element, Concept) or element.type != "Person" or element.name not in SYSTEM_ACTORS:
        return
    known = element.attributes.get(DIRECTIVES)
    if known and DIRECTIVES in attributes and attributes[DIRECTIVES] != known:
        raise KipError(IMMUTABLE, f"`{DIRECTIVES}` of `{element.name}` cannot be changed.", at=at)


def _merged(element: NexusElement, attributes: Mapping[str, Any], metadata: Mapping[str, Any]) -> NexusElement:
    """The element with some keys set: a shallow merge."""
    return _with(element, {**element.attributes, **attributes}, {**element.metadata, **metadata})


def _with(element: NexusElement, attributes: Mapping[str, Any], metadata: Mapping[str, Any]) -> NexusElement:
    if isinstance(element, Concept):
        return Concept(element.id, element.type, element.name, attributes, metadata)
    return Proposition(element.id, element.subject, element.predicate, element.object, attributes, metadata)


def _absorbed(source: Concept, target: Concept) -> tuple[Concept, int]:
    """The target with what only the source had, and the source's name among its aliases; how many keys were filled."""
    lacking = {key: value for key, value in source.attributes.items() if key not in (*target.attributes, "aliases")}
    aliases = [*_aliases(target), *_aliases(source), source.name]
    attributes = {**target.attributes, **lacking, "aliases": list(dict.fromkeys(aliases))}
    trail = [*target.metadata.get("_merged_from", ()), f"{source.type}:{source.name}"]
    return Concept(target.id, target.type, target.name, attributes, {**target.metadata, "_merged_from": trail}), len(
        lacking
    )


def _aliases(concept: Concept) -> list[str]:
    listed = concept.attributes.get("aliases", ())
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list | tuple) else []


def _values(expressions: Mapping[str, Expression], element: NexusElement) -> dict[str, Any]:
    """New values for one element. A computed value that comes to nothing is left out."""
    found = {key: (isinstance(each, Constant), computed(each, element)) for key, each in expressions.items()}
    return {key: value for key, (is_given, value) in found.items() if is_given or value is not None}


def _require_version(known: NexusElement | None, expected: int | None, at: Place) -> None:
    version = 0 if known is None else known.metadata.get("_version", 1)
    if expected is not None and expected != version:
        now = "does not exist" if known is None else f"is at version {version}"
        raise KipError(VERSION, f"It {now}; version {expected} was expected.", at=at)


def _link_of(element: NexusElement) -> Proposition:
    assert isinstance(element, Proposition)  # noqa: S101 - a link stays one
    return element
