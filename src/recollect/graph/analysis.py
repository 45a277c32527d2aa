"""Communities and centrality of a whole graph, by networkx. It is loaded when somebody asks for them, and only then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from recollect.domain.errors import TooLarge, Unsupported
from recollect.domain.graph.entity import Centrality, Communities, Entity, EntityRelation, RankedEntity
from recollect.graph.derivation import TAGGED

if TYPE_CHECKING:
    from types import ModuleType

MOST_RELATIONS = 200_000  # of a graph that is computed on as a whole
_SEED = 1  # the same graph gives the same groups


def communities(entities: Sequence[Entity], relations: Iterable[EntityRelation], *, limit: int) -> Communities:
    """Groups of entities by the Louvain method, the largest first; entities that stand alone are in none."""
    networkx = _networkx()
    graph = _graph(networkx, relations)
    named = {each.id: each.ref for each in entities}
    found = networkx.community.louvain_communities(graph, weight="weight", seed=_SEED) if graph else []
    groups = sorted((sorted(group) for group in found), key=lambda group: (-len(group), group))
    return Communities(tuple(tuple(named[key] for key in group) for group in groups[:limit]), len(graph))


def centrality(entities: Sequence[Entity], relations: Iterable[EntityRelation], *, limit: int) -> Centrality:
    """The most central entities: those that central ones are related to (PageRank, in either direction)."""
    networkx = _networkx()
    graph = _graph(networkx, relations)
    named = {each.id: each.ref for each in entities}
    scores = _page_rank(graph)
    best = sorted(scores, key=lambda key: (-scores[key], key))[:limit]
    return Centrality(tuple(RankedEntity(named[key], round(scores[key], 6)) for key in best), len(graph))


def _graph(networkx: ModuleType, relations: Iterable[EntityRelation]) -> Any:
    """The relations that hold as weighted edges. Tags are left out: they tie together what is not related."""
    graph = networkx.Graph()
    for number, each in enumerate(relations):
        if number >= MOST_RELATIONS:
            raise TooLarge(f"The graph has more than {MOST_RELATIONS:,} relations; it is not computed on as a whole.")
        if each.current and each.predicate != TAGGED:
            ends = each.subject.id, each.object.id
            weight = graph.get_edge_data(*ends, {"weight": 0})["weight"]
            graph.add_edge(*ends, weight=weight + 1)
    return graph


def _page_rank(graph: Any, *, damping: float = 0.85, rounds: int = 100) -> dict[str, float]:
    """PageRank by the power method. The one of networkx needs numpy and scipy for it."""
    if not graph:
        return {}
    share = 1 / len(graph)
    scores = dict.fromkeys(graph, share)
    weights = {key: sum(data["weight"] for data in graph[key].values()) for key in graph}
    for _ in range(rounds):
        after = {
            key: (1 - damping) * share
            + damping * sum(scores[near] * data["weight"] / weights[near] for near, data in graph[key].items())
            for key in graph
        }
        moved = sum(abs(after[key] - scores[key]) for key in graph)
        scores = after
        if moved < 1e-9 * len(graph):
            break
    return scores


def _networkx() -> ModuleType:
    try:
        return import_module("networkx")  # it has no types of its own
    except ImportError:
        raise Unsupported(
            "Communities and centrality need a package that is not installed.",
            code="extra_missing",
            hint="Install it with: pip install 'recollect[graph]'",
        ) from None
