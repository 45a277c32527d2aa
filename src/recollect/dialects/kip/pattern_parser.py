"""Patterns and expressions: `WHERE {…}`, `FILTER(…)`, dot paths, and the values that `UPDATE` computes."""

from __future__ import annotations

from collections.abc import Callable

from recollect.dialects.kip.errors import IDENTIFIER, SYNTAX, KipError
from recollect.dialects.kip.syntax import (
    AggregateTerm,
    Application,
    Clause,
    ConceptClause,
    ConceptMatch,
    Constant,
    End,
    Expression,
    FilterClause,
    GroupClause,
    LinkClause,
    LinkMatch,
    PathTerm,
    Predicates,
    Projection,
    Variable,
    Where,
)
from recollect.dialects.kip.token_stream import A_COUNT, A_TEXT, MARK, NUMBER, VARIABLE, WORD, TokenStream

AGGREGATES = ("COUNT", "SUM", "AVG", "MIN", "MAX")
COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
TESTS = {"IN": 2, "IS_NULL": 1, "IS_NOT_NULL": 1, "CONTAINS": 2, "STARTS_WITH": 2, "ENDS_WITH": 2, "REGEX": 2}
COMPUTED = {"ADD": 2, "MUL": 2, "CLAMP": 3, "COALESCE": 2}  # functions of UPDATE, by the number of their operands
GROUPS = ("OPTIONAL", "NOT", "UNION")
MOST_HOPS = 100

_FIELDS = ("id", "type", "name", "subject", "predicate", "object")
_OBJECTS = ("attributes", "metadata")


class PatternParser(TokenStream):
    """Recursive descent over patterns and expressions."""

    def where(self) -> Where:
        """`WHERE {…}`."""
        self.word("WHERE")
        return self._clauses()

    def _clauses(self) -> Where:
        found: list[Clause] = []
        with self.inside("{", "}"):
            while not self.is_mark("}"):
                found.append(self._clause())
        return tuple(found)

    def _clause(self) -> Clause:
        if self.is_word("FILTER"):
            self.take()
            with self.inside("(", ")"):
                return FilterClause(self._either())
        if self.is_word(*GROUPS):
            return GroupClause(str(self.take().value), self._clauses())
        if self.next.kind == VARIABLE:
            variable = self.variable()
            if self.is_mark("{"):
                return ConceptClause(variable.name, self.concept_match())
            if self.is_mark("("):
                return self._link_clause(variable.name)
            self.refuse("`{…}` or `(…)` after the variable")
        if self.is_mark("("):
            return self._link_clause(None)
        return self.refuse("a pattern, FILTER, OPTIONAL, NOT, UNION or `}`")

    def _link_clause(self, variable: str | None) -> LinkClause:
        at, match = self.next.at, self.link_match()
        if variable is not None and isinstance(match.predicate, Predicates) and not match.predicate.is_one_hop:
            raise KipError(SYNTAX, "A path of several hops is no single link; leave its variable out.", at=at)
        return LinkClause(variable, match)

    def concept_match(self) -> ConceptMatch:
        """`{type: …, name: …}` or `{id: …}`."""
        at = self.next.at
        given = self.entries(lambda: (self.next.at, self.value(A_TEXT, "Each of `id`, `type` and `name`")))
        for key, (place, _) in given.items():
            if key not in ("id", "type", "name"):
                raise KipError(SYNTAX, f"A concept is matched by `id`, `type` and `name`, not `{key}`.", at=place)
        if not given:
            raise KipError(SYNTAX, "A concept is matched by `id`, `type` or `name`; none is given.", at=at)
        return ConceptMatch(**{key: value for key, (_, value) in given.items()}, at=at)

    def link_match(self) -> LinkMatch:
        """`(subject, predicate, object)` or `(id: …)`."""
        at = self.next.at
        with self.inside("(", ")"):
            if self.is_word("id"):
                self.take()
                self.mark(":")
                return LinkMatch(id=self.value(A_TEXT, "The id of a link"), at=at)
            subject = self.end_match()
            self.mark(",")
            predicate = self.variable() if self.next.kind == VARIABLE else self._predicates()
            if isinstance(predicate, Variable) and (self.is_mark("{") or self.is_mark("|")):
                raise KipError(
                    SYNTAX, "A predicate that is a variable has no hops and no alternatives.", at=self.next.at
                )
            self.mark(",")
            return LinkMatch(subject, predicate, self.end_match(), at=at)

    def end_match(self) -> End:
        """A subject or an object."""
        if self.next.kind == VARIABLE:
            return self.variable()
        if self.is_mark("{"):
            return self.concept_match()
        if self.is_mark("("):
            return self.link_match()
        return self.refuse("a variable, `{…}` or `(…)`")

    def _predicates(self) -> Predicates:
        names = [self.value(A_TEXT, "A predicate")]
        if self.is_mark("{"):
            fewest, most = self._hops()
            if self.is_mark("|"):
                raise KipError(SYNTAX, "Alternatives have no hops.", at=self.next.at)
            return Predicates(tuple(names), fewest, most)
        while self.skip_mark("|"):
            names.append(self.value(A_TEXT, "A predicate"))
        if self.is_mark("{"):
            raise KipError(SYNTAX, "Alternatives have no hops.", at=self.next.at)
        return Predicates(tuple(dict.fromkeys(names)))

    def _hops(self) -> tuple[int, int | None]:
        at = self.next.at
        with self.inside("{", "}"):
            fewest = self.value(A_COUNT, "The number of hops")
            most: int | None = fewest
            if self.skip_mark(","):
                most = None if self.is_mark("}") else self.value(A_COUNT, "The number of hops")
        if most is not None and most < fewest:
            raise KipError(SYNTAX, f"Hops from {fewest} to {most} are none.", at=at)
        if max(fewest, most or 0) > MOST_HOPS:
            raise KipError(SYNTAX, f"At most {MOST_HOPS} hops can be counted; `{{1,}}` is any number.", at=at)
        return fewest, most

    # --- expressions ------------------------------------------------------------------------------------------------

    def path(self) -> PathTerm:
        """`?variable.attributes.key`."""
        variable = self.variable()
        parts: list[str] = []
        while self.skip_mark("."):
            if self.next.kind == NUMBER:
                raise KipError(IDENTIFIER, "A name may not begin with a digit.", at=self.next.at)
            if self.next.kind != WORD:
                self.refuse("a name after the dot")
            parts.append(str(self.take().value))
        whole = not parts or (len(parts) == 1 and parts[0] in (*_FIELDS, *_OBJECTS))
        if not whole and (parts[0] not in _OBJECTS or len(parts) != 2):
            wanted = (
                "`.id`, `.type`, `.name`, `.subject`, `.predicate`, `.object`, `.attributes.key` or `.metadata.key`"
            )
            raise KipError(SYNTAX, f"`.{'.'.join(parts)}` is none of {wanted}.", at=variable.at)
        return PathTerm(variable.name, tuple(parts), variable.at)

    def projection(self) -> Projection:
        """A column of FIND or a key of ORDER BY."""
        if self.next.kind == VARIABLE:
            return self.path()
        if self.next.kind != WORD:
            self.refuse("a variable such as `?x`, or COUNT, SUM, AVG, MIN or MAX")
        name = self.word(*AGGREGATES)
        with self.inside("(", ")"):
            distinct = self.skip_word("DISTINCT")
            return AggregateTerm(name, self.path(), distinct)

    def computed(self) -> Expression:
        """A value of UPDATE: JSON, or a function of what the element has now."""
        if self.is_word(*COMPUTED):
            name = self.take().value
            return Application(name, self._operands(self._computed_operand, COMPUTED[name]))
        return Constant(self.value())

    def _computed_operand(self) -> Expression:
        if self.next.kind == VARIABLE:
            return self.path()
        at, found = self.next.at, self.computed()
        if isinstance(found, Constant) and (isinstance(found.value, bool) or not isinstance(found.value, int | float)):
            raise KipError(SYNTAX, "An operand is a number, a path or a function.", at=at)
        return found

    def _operands(self, one: Callable[[], Expression], count: int) -> tuple[Expression, ...]:
        at = self.next.at
        with self.inside("(", ")"):
            found = tuple(self.listed(one, ")"))
        if len(found) != count:
            raise KipError(SYNTAX, f"{count} operands are needed, {len(found)} are given.", at=at)
        return found

    def _either(self) -> Expression:
        found = [self._both()]
        while self.skip_mark("||"):
            found.append(self._both())
        return found[0] if len(found) == 1 else Application("||", tuple(found))

    def _both(self) -> Expression:
        found = [self._negated()]
        while self.skip_mark("&&"):
            found.append(self._negated())
        return found[0] if len(found) == 1 else Application("&&", tuple(found))

    def _negated(self) -> Expression:
        denied = False
        while self.skip_mark("!"):
            denied = not denied
        found = self._compared()
        return Application("!", (found,)) if denied else found

    def _compared(self) -> Expression:
        at, left = self.next.at, self._operand()
        if self.next.kind == MARK and self.next.value in COMPARISONS:
            return Application(self.take().value, (left, self._operand()))
        if not isinstance(left, Application):
            raise KipError(SYNTAX, "A filter needs a comparison or a function, not a value alone.", at=at)
        return left

    def _operand(self) -> Expression:
        if self.next.kind == VARIABLE:
            return self.path()
        if self.is_mark("("):
            with self.inside("(", ")"):
                return self._either()
        if self.is_word(*TESTS):
            name = self.take().value
            found = self._operands(self._argument, TESTS[name])
            if name == "IN" and not (isinstance(found[1], Constant) and isinstance(found[1].value, list)):
                raise KipError(SYNTAX, "`IN` needs a list as its second operand.", at=self.next.at)
            return Application(name, found)
        return Constant(self.value())

    def _argument(self) -> Expression:
        return self.path() if self.next.kind == VARIABLE else Constant(self.value())
