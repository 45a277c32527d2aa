"""Made-up graphs and queries: the evaluator finds what a naive one finds, and a capsule makes the same graph."""

from __future__ import annotations

import time
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.dialects.kip.errors import KipError
from recollect.dialects.kip.matcher import WhereMatcher, identity
from recollect.dialects.kip.nexus import Concept, NexusDraft, NexusElement, Proposition
from recollect.dialects.kip.parser import parse_command
from recollect.dialects.kip.syntax import FindCommand
from recollect.dialects.kip.work_budget import WorkBudget
from tests.kip.kip_world import SCHEMA, KipWorld
from tests.kip.naive_kip import NaiveGraph

TYPES, NAMES, PREDICATES = ("Drug", "Symptom"), ("a", "b", "c"), ("treats", "stated")
VARIABLES = ("?x", "?y", "?z")


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Concept], list[Proposition]]:
    identities = draw(
        st.lists(st.tuples(st.sampled_from(TYPES), st.sampled_from(NAMES)), unique=True, min_size=1, max_size=5)
    )
    number = st.one_of(st.none(), st.integers(0, 3), st.sampled_from(["u", "v"]), st.booleans())
    concepts = [Concept(f"C:{type}:{name}", type, name, {"n": draw(number)}) for type, name in identities]
    links: list[Proposition] = []
    for place in range(draw(st.integers(0, 6))):
        ends = st.sampled_from([*(each.id for each in concepts), *(each.id for each in links)])
        triple = (draw(ends), draw(st.sampled_from(PREDICATES)), draw(ends))
        if triple not in [(each.subject, each.predicate, each.object) for each in links]:
            links.append(Proposition(f"P:{place}", *triple, {"n": draw(number)}))
    return concepts, links


variables = st.sampled_from(VARIABLES)
matches = st.one_of(
    st.sampled_from(TYPES).map(lambda type: f'{{type: "{type}"}}'),
    st.sampled_from(NAMES).map(lambda name: f'{{name: "{name}"}}'),
    st.tuples(st.sampled_from(TYPES), st.sampled_from(NAMES)).map(
        lambda both: '{{type: "{}", name: "{}"}}'.format(*both)
    ),
)
hops = st.sampled_from(["{0}", "{1,2}", "{0,1}", "{2,}", "{1,}", "{0,}", "{2}", "{2,3}"])
predicate = st.one_of(
    st.sampled_from(['"treats"', '"stated"', '"treats" | "stated"', "?p"]),
)
nested = st.tuples(variables, predicate, variables).map(lambda parts: "({}, {}, {})".format(*parts))
ends = st.one_of(variables, variables, matches, nested)
links = st.tuples(ends, predicate, ends).map(lambda parts: "({}, {}, {})".format(*parts))
paths = st.tuples(ends, st.sampled_from(PREDICATES), hops, ends).map(lambda parts: '({}, "{}"{}, {})'.format(*parts))
patterns = st.one_of(
    st.tuples(variables, matches).map(" ".join),
    st.tuples(st.sampled_from(["", "", "?l ", "?x "]), links).map("".join),
    paths,
)
operands = st.one_of(
    st.tuples(variables, st.sampled_from([".attributes.n", ".name", ".type", ""])).map("".join),
    st.sampled_from(["1", '"u"', "true", "null", "?p"]),
)
compared = st.one_of(
    st.tuples(operands, st.sampled_from(["==", "!=", "<", ">="]), operands).map(" ".join),
    variables.map(lambda name: f"IS_NULL({name})"),
)
tests = st.one_of(
    compared,
    st.tuples(compared, st.sampled_from(["&&", "||"]), compared).map(" ".join),
    compared.map(lambda test: f"!({test})"),
)
filters = tests.map(lambda test: f"FILTER({test})")


def groups(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(inner, min_size=1, max_size=2).map(" ".join)
    word = st.sampled_from(["OPTIONAL", "NOT", "UNION"])
    return st.tuples(word, several).map(lambda parts: "{} {{ {} }}".format(*parts))


clauses = st.one_of(patterns, patterns, patterns, filters, groups(st.one_of(patterns, patterns, filters)))
wheres = st.lists(clauses, min_size=1, max_size=4).map(" ".join)


@settings(max_examples=250, deadline=None)
@given(graphs(), wheres)
def test_the_evaluator_finds_what_a_naive_one_finds(graph: tuple[list[Concept], list[Proposition]], where: str) -> None:
    concepts, propositions = graph
    nexus = NexusDraft()
    kept: list[NexusElement] = [*concepts, *propositions]
    for element in kept:
        nexus.keep(element)
    command = parse_command(f"FIND(?x) WHERE {{ {where} }}")
    assert isinstance(command, FindCommand)
    found = WhereMatcher(nexus, WorkBudget(time.monotonic)).solutions(command.where)
    naive = NaiveGraph(concepts, propositions).solutions(command.where, {})
    assert _told(found) == _told(naive)


def _told(rows: list[dict[str, Any]]) -> set[tuple[tuple[str, str], ...]]:
    return {tuple(sorted((name, identity(value)) for name, value in row.items() if value is not None)) for row in rows}


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_a_capsule_makes_the_same_graph(graph: tuple[list[Concept], list[Proposition]]) -> None:
    world = KipWorld(SCHEMA)
    kept: list[NexusElement] = [*graph[0], *graph[1]]
    for element in kept:
        world.graph.keep(element)
    links = '?x (?s, "treats" | "stated", ?o)'
    everything = f'EXPORT ?x WHERE {{ ?x {{type: "Drug"}} UNION {{ ?x {{type: "Symptom"}} }} UNION {{ {links} }} }}'
    copy = KipWorld(SCHEMA, world.run(everything)["capsule"])
    assert copy.told() == world.told()


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='FINDWHERE(){}[]?:.,"|&!=<>xyz01 \n\\', max_size=60))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    try:
        parse_command(text)
    except KipError as problem:
        assert problem.at is not None and problem.at >= (1, 1)
