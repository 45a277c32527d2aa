"""The head that tells which kind of answer a question wants: fitted on questions of the banks, by the shipped encoder.

    python -m training.answer_kinds                  # figures, and the file that the engine reads
    python -m training.answer_kinds --part blind     # figures of authors that nothing was chosen by

Questions of slots ask for what is so now, for what was before, or for everything that was; those of conversations say
which they are; `asks.jsonl` has questions of every kind. A multinomial logistic on the vectors of the questions without
their times, as the engine compares them: it has one minimum, so that no seed is needed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from recollect.domain.meanings import AnswerKind, Embedder
from recollect.inference.answer_kinds import FILE, AnswerKindHead
from recollect.inference.choice import choose_embedder
from recollect.inference.models import ENCODER
from recollect.recall.question import STANDING_KINDS, understand
from recollect.recall.weights import WEIGHTS
from training.data import Bank, banks
from training.settings import BANKS, settings

KINDS = tuple(AnswerKind)
_OF_TALK = {
    "now": AnswerKind.NOW,
    "ended": AnswerKind.NOW,
    "several": AnswerKind.SEVERAL,
    "past": AnswerKind.PAST,
    "history": AnswerKind.HISTORY,
    "temporal": AnswerKind.ONCE,
    "multi": AnswerKind.ONCE,
}
_AT = datetime(2026, 1, 1, tzinfo=UTC)
_WRITTEN_FOR_IT = 6.0  # worth of a question of `asks.jsonl`, beside 1 of any other: they have all kinds
_RARE = 0.7  # power of its rarity by which a kind counts more
_DECAY = 1e-5


def main() -> None:
    """Fit the head on the training authors, print how it tells the questions of others, and write it."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("--part", choices=("validation", "blind"), default="validation")
    arguments.add_argument("--banks", type=Path, default=BANKS)
    arguments.add_argument("--models", type=Path, default=Path(".models"))
    given = arguments.parse_args()
    embedder = choose_embedder(ENCODER.name, given.models)
    assert embedder is not None
    authors = settings(None)["banks"]
    if given.part == "validation":
        vectors, kinds, worth = _examples(banks(given.banks, authors["train"]), embedder)
        fitted(vectors, kinds, worth).astype("<f4").tofile(FILE)
    head = AnswerKindHead(np.fromfile(FILE, dtype="<f4").reshape(len(KINDS), -1))
    vectors, kinds, worth = _examples(banks(given.banks, authors[given.part]), embedder)
    for title, chosen in (("of every kind", worth > 1), ("of slots and conversations", worth == 1)):
        _show(title, head, vectors[chosen], kinds[chosen])


def fitted(vectors: Any, kinds: Any, worth: Any) -> Any:
    """A row of weights for each kind, with its constant at the end."""
    given, wanted = torch.from_numpy(vectors), torch.from_numpy(kinds)
    many = torch.zeros(len(KINDS)).index_add(0, wanted, torch.from_numpy(worth))
    counts = torch.from_numpy(worth) * (many.sum() / many / len(KINDS))[wanted] ** _RARE
    counts /= counts.sum()
    rows = torch.zeros(len(KINDS), vectors.shape[1] + 1, requires_grad=True)
    learner = torch.optim.LBFGS([rows], max_iter=400, line_search_fn="strong_wolfe")

    def cost() -> torch.Tensor:
        learner.zero_grad()
        scores = given @ rows[:, :-1].T + rows[:, -1]
        loss = (functional.cross_entropy(scores, wanted, reduction="none") * counts).sum()
        loss = loss + _DECAY * rows[:, :-1].square().sum()
        loss.backward()
        return loss

    learner.step(cost)
    return rows.detach().numpy()


def _examples(given: Sequence[Bank], embedder: Embedder) -> tuple[Any, Any, Any]:
    """The vectors of questions, their kinds, and how much each counts."""
    asked: dict[tuple[str, AnswerKind], float] = {}
    for bank in given:
        for slot in bank.slots:
            now = AnswerKind.SEVERAL if slot["many"] else AnswerKind.NOW
            for name, kind in (("ask_now", now), ("ask_past", AnswerKind.PAST), ("ask_history", AnswerKind.HISTORY)):
                asked |= {(text, kind): 1.0 for text in slot[name] if "{" not in text}
        for talk in bank.talks:
            asked |= {
                (each["ask"], _OF_TALK[each["kind"]]): 1.0 for each in talk["questions"] if each["kind"] in _OF_TALK
            }
        asked |= {(each["ask"], AnswerKind(each["kind"])): _WRITTEN_FOR_IT for each in bank.asks}
    texts = [understand(text, now=_AT, zone=UTC).about for text, _ in asked]
    vectors = np.stack([np.frombuffer(embedder.query(text), "<f4") for text in texts])
    kinds = np.array([KINDS.index(kind) for _, kind in asked])
    return vectors, kinds, np.array(list(asked.values()), "f4")


def _show(title: str, head: AnswerKindHead, vectors: Any, kinds: Any) -> None:
    """Of the questions of each kind, what share is taken for which, and for a question of how things stand."""
    if not len(kinds):
        return
    told = [head.shares(each.tobytes()) for each in vectors]
    taken = np.array([KINDS.index(max(each, key=lambda kind: each[kind])) for each in told])
    stands = np.array([sum(each[kind] for kind in STANDING_KINDS) for each in told]) >= WEIGHTS.question.stands
    print(f"{title}: {len(kinds)} questions, {(taken == kinds).mean():.3f} told rightly")
    print(f"{'':>10}{'many':>7}{'stands':>8}", *(f"{kind:>8}" for kind in KINDS), sep="")
    for number, kind in enumerate(KINDS):
        of_kind = kinds == number
        if of_kind.any():
            shares = [(taken[of_kind] == other).mean() for other in range(len(KINDS))]
            print(
                f"{kind:>10}{of_kind.sum():>7}{stands[of_kind].mean():>8.2f}", *(f"{x:>8.2f}" for x in shares), sep=""
            )


if __name__ == "__main__":
    main()
