"""Likeness is told to the nets that order hits on the scale of the model they were taught with."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from recollect.domain.answers.recollections import Hit
from recollect.domain.notes import Kind, Note
from recollect.recall.evidence.listing import listed
from recollect.recall.question import understand
from recollect.recall.weights import WEIGHTS, Scale

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LIKENESS = 4  # its place among the signs
SCALES = WEIGHTS.coverage.scales


def sign(likeness: float, scale: Scale | None) -> float:
    note = Note("01JB0000000000000000000000", "s", 1, Kind.SEMANTIC, "The cellar is damp", NOW, NOW)
    asked = understand("how damp is the cellar?", now=NOW, zone=UTC)
    [only] = listed([Hit(note, 1.0, (), likeness=likeness)], asked, {}, (), at=NOW, scale=scale)
    return only.signs[LIKENESS]


def test_the_ends_of_any_scale_are_those_of_the_scale_taught() -> None:
    ours = SCALES["encoder"]
    for scale in SCALES.values():
        assert sign(scale.nothing, scale) == pytest.approx(ours.nothing)
        assert sign(scale.all, scale) == pytest.approx(ours.all)


def test_what_was_not_measured_or_on_no_scale_is_no_number() -> None:
    assert math.isnan(sign(0.0, SCALES["encoder"]))
    assert math.isnan(sign(0.5, None))
