"""How wrong a batch is, by its labels and by the teacher's opinions: (1 - alpha) labels + alpha distillation."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from training.pool import OUTDATED, RIGHT, UNLABELLED, WRONG

_HEAT = 1.5  # of the classes that are distilled: softened, the less likely ones teach too
_NEVER = -1e4
_SURENESS = 4.0  # weight of the probabilities themselves beside the order of a group


def class_loss(scores: Tensor, labels: Tensor, opinions: Tensor | None, alpha: float) -> Tensor:
    """Of rows with one class each. Rows without a label learn from opinions only, those of which nobody has an opinion
    (NaN) from labels only.
    """
    labelled = labels != UNLABELLED
    if opinions is None:
        return functional.cross_entropy(scores[labelled], labels[labelled]) if labelled.any() else scores.sum() * 0
    held = ~opinions.isnan().any(1)
    if not held.all():
        told, rest = class_loss(scores[~held], labels[~held], None, alpha), scores[held]
        share = held.float().mean()
        return (1 - share) * told + (share * class_loss(rest, labels[held], opinions[held], alpha) if len(rest) else 0)
    plain = class_loss(scores, labels, None, alpha)
    return (1 - alpha) * labelled.float().mean() * plain + alpha * distilled(scores, opinions, _HEAT)


def group_loss(scores: Tensor, labels: Tensor, opinions: Tensor | None, alpha: float) -> Tensor:
    """Of groups of texts: each right one above the wrong ones, and each text by itself a probability.

    Groups of whose texts nobody has an opinion (NaN) learn from labels alone.
    """
    if opinions is None:
        return _ranked(scores, labels) + _sure(scores, labels)
    held = ~opinions.isnan().any(1)
    parts = [(~held).float().mean() * group_loss(scores[~held], labels[~held], None, alpha)] if (~held).any() else []
    if held.any():
        scores, labels, opinions = scores[held], labels[held], opinions[held]
        sure = functional.mse_loss(scores.sigmoid(), opinions.sigmoid())
        taught = alpha * (distilled(scores, opinions) + _SURENESS * sure)
        parts.append(held.float().mean() * ((1 - alpha) * group_loss(scores, labels, None, alpha) + taught))
    return torch.stack(parts).sum()


def _sure(scores: Tensor, labels: Tensor) -> Tensor:
    fair = labels != OUTDATED
    return functional.binary_cross_entropy_with_logits(scores[fair], (labels[fair] == RIGHT).float())


def _ranked(scores: Tensor, labels: Tensor) -> Tensor:
    """Nought where no group has a right text."""
    wrong = torch.logsumexp(scores.masked_fill(labels != WRONG, _NEVER), 1, keepdim=True)
    return _above(scores, wrong, labels == RIGHT)


def retrieval_loss(scores: Tensor, labels: Tensor, fair: Tensor, opinions: Tensor | None, alpha: float) -> Tensor:
    """Of questions against the texts of all groups of a batch, which stand one group after another.

    `fair` says which texts may count as wrong for a question: not another answer to it, right or outdated.
    """
    asked, size = labels.shape
    own = torch.stack([scores[at, at * size : (at + 1) * size] for at in range(asked)])
    wrong = torch.logsumexp(scores.masked_fill(~fair, _NEVER), 1, keepdim=True)
    plain = _above(own, wrong, labels == RIGHT)
    return plain if opinions is None else (1 - alpha) * plain + alpha * distilled(own, opinions)


def _above(scores: Tensor, wrong: Tensor, right: Tensor) -> Tensor:
    """Every right text against the wrong ones of its row together; rows that have none are left out."""
    having = right.any(1)
    each = (torch.logaddexp(scores, wrong) - scores) * right
    return (each.sum(1) / right.sum(1).clamp(min=1))[having].sum() / having.sum().clamp(min=1)


def distilled(scores: Tensor, opinions: Tensor, heat: float = 1.0) -> Tensor:
    """How far the student's distribution over a row is from the teacher's."""
    ours, theirs = functional.log_softmax(scores / heat, 1), functional.softmax(opinions / heat, 1)
    return functional.kl_div(ours, theirs, reduction="batchmean") * heat**2
