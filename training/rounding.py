"""Rounding as the export does it, simulated in the last part of training: a model learns to do with what ships.

Weights are rounded by column to 7 bits, inputs by batch to 8, as the int8 operators of the graph do. Gradients pass as
if nothing had been rounded.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn
from torch.nn import functional

_MATRICES = ("query", "key", "value", "mixed", "wide", "narrow")
_LARGEST, _STEPS = 64, 255  # of a weight and of an input, once rounded


class RoundedLinear(nn.Linear):
    """A linear layer that rounds, once `rounds` is set."""

    rounds = False

    def forward(self, given: Tensor) -> Tensor:
        if not self.rounds:
            return functional.linear(given, self.weight, self.bias)
        scale = (self.weight.abs().amax(1, keepdim=True) / _LARGEST).clamp(min=1e-8)
        exact = (self.weight / scale).round().clamp(-_LARGEST, _LARGEST) * scale
        weight = self.weight + (exact - self.weight).detach()
        plain = given.detach().float()
        low, high = plain.amin().clamp(max=0), plain.amax().clamp(min=0)
        step = ((high - low) / _STEPS).clamp(min=1e-8)
        zero = (-low / step).round()
        near = ((plain / step).round() + zero).clamp(0, _STEPS).sub(zero).mul(step)
        return functional.linear(given + (near.to(given.dtype) - given).detach(), weight, self.bias)


def rounding(encoder: Any) -> list[RoundedLinear]:
    """Make the matrices of MiniLM ready to round; they begin when `rounds` is set on each."""
    made = []
    for layer in encoder.layers:
        for name in _MATRICES:
            matrix = getattr(layer, name)
            matrix.__class__ = RoundedLinear
            made.append(matrix)
    return made


def begin(matrices: list[RoundedLinear]) -> None:
    """Round from now on."""
    for each in matrices:
        each.rounds = True
