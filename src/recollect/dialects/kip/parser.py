"""KIP commands, read by recursive descent: one function for each statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from recollect.dialects.kip.errors import CONSTRAINT, SYNTAX, KipError
from recollect.dialects.kip.pattern_parser import PatternParser
from recollect.dialects.kip.syntax import (
    Command,
    ConceptMatch,
    DeleteCommand,
    DescribeCommand,
    ExportCommand,
    Expression,
    FindCommand,
    LinkMatch,
    LinkOut,
    MergeCommand,
    PathTerm,
    Predicates,
    SearchCommand,
    SortKey,
    UpdateCommand,
    UpsertBlock,
    UpsertCommand,
)
from recollect.dialects.kip.token_stream import A_COUNT, A_LIMIT, A_SHARE, A_TEXT, AN_OBJECT

MODES = ("keyword", "semantic", "hybrid")
MOST_COLUMNS = 64


def parse_command(command: str, parameters: Mapping[str, Any] | None = None) -> Command:
    """The tree of one command; `KipError` with line and column if it is none."""
    stream = CommandParser(command, parameters or {})
    found = stream.command()
    stream.end()
    return found


class CommandParser(PatternParser):
    """Statements."""

    def command(self) -> Command:
        word = self.word("FIND", "UPSERT", "UPDATE", "MERGE", "DELETE", "DESCRIBE", "SEARCH", "EXPORT")
        readers: dict[str, Callable[[], Command]] = {
            "FIND": self._find,
            "UPSERT": self._upsert,
            "UPDATE": self._update,
            "MERGE": self._merge,
            "DELETE": self._delete,
            "DESCRIBE": self._describe,
            "SEARCH": self._search,
            "EXPORT": self._export,
        }
        return readers[word]()

    # --- KQL --------------------------------------------------------------------------------------------------------

    def _find(self) -> FindCommand:
        at = self.next.at
        with self.inside("(", ")"):
            columns = tuple(self.listed(self.projection, ")"))
        if len(columns) > MOST_COLUMNS:
            raise KipError(SYNTAX, f"{len(columns)} columns are asked for; at most {MOST_COLUMNS} are given.", at=at)
        where = self.where()
        order: tuple[SortKey, ...] = ()
        if self.skip_word("ORDER"):
            self.word("BY")
            order = tuple(self.listed(self._sort_key, ""))
        return FindCommand(columns, where, order, self._limit(), self._cursor())

    def _sort_key(self) -> SortKey:
        of = self.projection()
        if self.skip_word("DESC"):
            return SortKey(of, True)
        self.skip_word("ASC")
        return SortKey(of)

    def _limit(self) -> int | None:
        return self.value(A_LIMIT, "LIMIT") if self.skip_word("LIMIT") else None

    def _cursor(self) -> str | None:
        return self.value(A_TEXT, "CURSOR") if self.skip_word("CURSOR") else None

    # --- KML --------------------------------------------------------------------------------------------------------

    def _upsert(self) -> UpsertCommand:
        blocks: list[UpsertBlock] = []
        with self.inside("{", "}"):
            while not self.is_mark("}"):
                blocks.append(self._block())
            if not blocks:
                self.refuse("`CONCEPT` or `PROPOSITION`")
        return UpsertCommand(tuple(blocks), self._with_metadata())

    def _block(self) -> UpsertBlock:
        word = self.word("CONCEPT", "PROPOSITION")
        handle = self.variable().name if word == "CONCEPT" or not self.is_mark("{") else None
        links: list[LinkOut] = []
        attributes: dict[str, Any] = {}
        with self.inside("{", "}"):
            match = self._concept_identity() if word == "CONCEPT" else self._link_identity()
            version = None
            if self.skip_word("EXPECT"):
                self.word("VERSION")
                version = self.value(A_COUNT, "EXPECT VERSION")
            while self.skip_word("SET"):
                if word == "CONCEPT" and self.skip_word("PROPOSITIONS"):
                    links += self._links_out()
                else:
                    self.word(*(("ATTRIBUTES", "PROPOSITIONS") if word == "CONCEPT" else ("ATTRIBUTES",)))
                    attributes |= self.value(AN_OBJECT, "SET ATTRIBUTES")
        return UpsertBlock(handle, match, attributes, tuple(links), self._with_metadata(), version)

    def _concept_identity(self) -> ConceptMatch:
        match = self.concept_match()
        if match.id is None and (match.type is None or match.name is None):
            raise KipError(SYNTAX, "A concept is written by `type` and `name`, or by `id`.", at=match.at)
        if match.id is not None and (match.type is not None or match.name is not None):
            raise KipError(SYNTAX, "A concept is written by its `id` alone, or by `type` and `name`.", at=match.at)
        return match

    def _link_identity(self) -> LinkMatch:
        match = self.link_match()
        self._checked_link(match)
        return match

    def _checked_link(self, match: LinkMatch) -> None:
        if match.id is not None:
            return
        named = match.predicate
        if not isinstance(named, Predicates) or len(named.names) != 1 or not named.is_one_hop:
            raise KipError(SYNTAX, "A proposition is written with one predicate.", at=match.at)
        for end in (match.subject, match.object):
            if isinstance(end, LinkMatch):
                self._checked_link(end)
            elif isinstance(end, ConceptMatch) and end.id is None and (end.type is None or end.name is None):
                raise KipError(SYNTAX, "An end is named by `type` and `name`, by `id` or by a handle.", at=end.at)

    def _links_out(self) -> list[LinkOut]:
        found: list[LinkOut] = []
        with self.inside("{", "}"):
            while not self.is_mark("}"):
                at = self.next.at
                with self.inside("(", ")"):
                    predicate = self.value(A_TEXT, "A predicate")
                    self.mark(",")
                    end = self.end_match()
                self._checked_link(LinkMatch(end, Predicates((predicate,)), end, at=at))
                found.append(LinkOut(predicate, end, self._with_metadata(), at))
                self.skip_mark(",")
        return found

    def _with_metadata(self) -> dict[str, Any]:
        if not self.skip_word("WITH"):
            return {}
        self.word("METADATA")
        at = self.next.at
        return _writable(self.value(AN_OBJECT, "WITH METADATA"), at)

    def _update(self) -> UpdateCommand:
        target, attributes, metadata = self.variable(), dict[str, Expression](), dict[str, Expression]()
        if not self.is_word("SET"):
            self.refuse("`SET ATTRIBUTES` or `SET METADATA`")
        while self.skip_word("SET"):
            word, at = self.word("ATTRIBUTES", "METADATA"), self.next.at
            given = self.entries(self.computed)
            if word == "METADATA":
                metadata |= _writable(given, at)
            else:
                attributes |= given
        command = UpdateCommand(target, attributes, metadata, self.where(), self._limit())
        for expression in (*attributes.values(), *metadata.values()):
            for path in paths_in(expression):
                if path.variable != target.name:
                    raise KipError(SYNTAX, f"A computed value has paths of `?{target.name}` only.", at=path.at)
        return command

    def _merge(self) -> MergeCommand:
        self.word("CONCEPT")
        source = self.variable()
        self.word("INTO")
        return MergeCommand(source, self.variable(), self.where())

    def _delete(self) -> DeleteCommand:
        what = self.word("ATTRIBUTES", "METADATA", "PROPOSITIONS", "CONCEPT")
        keys: tuple[str, ...] = ()
        if what in ("ATTRIBUTES", "METADATA"):
            at = self.next.at
            with self.inside("{", "}"):
                keys = tuple(self.listed(lambda: self.value(A_TEXT, "A key"), "}"))
            if what == "METADATA":
                _writable(dict.fromkeys(keys), at)
            self.word("FROM")
        target = self.variable()
        if what == "CONCEPT":
            self.word("DETACH")
        return DeleteCommand(what, keys, target, self.where())

    # --- META -------------------------------------------------------------------------------------------------------

    def _describe(self) -> DescribeCommand:
        word = self.word("PRIMER", "DOMAINS", "CONCEPT", "PROPOSITION")
        if word in ("PRIMER", "DOMAINS"):
            return DescribeCommand(word)
        number = self.word("TYPES", "TYPE")
        if number == "TYPE":
            return DescribeCommand(f"{word} TYPE", self.value(A_TEXT, "The name of a type"))
        return DescribeCommand(f"{word} TYPES", None, self._limit(), self._cursor())

    def _search(self) -> SearchCommand:
        what, term = self.word("CONCEPT", "PROPOSITION"), self.value(A_TEXT, "The term")
        given: dict[str, Any] = {}
        while self.is_word("WITH", "MODE", "THRESHOLD", "LIMIT"):
            token = self.take()
            if token.value.lower() in given:
                raise KipError(SYNTAX, f"`{token.value}` is given twice.", at=token.at)
            match token.value:
                case "WITH":
                    self.word("TYPE")
                    given["with"] = self.value(A_TEXT, "The type")
                case "MODE":
                    at = self.next.at
                    given["mode"] = self.value(A_TEXT, "MODE")
                    if given["mode"] not in MODES:
                        raise KipError(
                            SYNTAX, f'MODE is "keyword", "semantic" or "hybrid", not "{given["mode"]}".', at=at
                        )
                case "THRESHOLD":
                    given["threshold"] = float(self.value(A_SHARE, "THRESHOLD"))
                case _:
                    given["limit"] = self.value(A_LIMIT, "LIMIT")
        return SearchCommand(
            what, term, given.get("with"), given.get("mode"), given.get("threshold"), given.get("limit")
        )

    def _export(self) -> ExportCommand:
        return ExportCommand(self.variable(), self.where(), self._limit())


def paths_in(expression: object) -> list[PathTerm]:
    """Every path in an expression."""
    if isinstance(expression, PathTerm):
        return [expression]
    operands = getattr(expression, "operands", ())
    return [path for each in operands for path in paths_in(each)]


def _writable(metadata: dict[str, Any], at: tuple[int, int]) -> dict[str, Any]:
    for key in metadata:
        if key.startswith("_"):
            raise KipError(CONSTRAINT, f"The metadata `{key}` is kept by the engine and cannot be written.", at=at)
    return metadata
