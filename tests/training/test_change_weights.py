"""The weights of a change: fitted on pairs of which it is known whether something changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from training.change_weights import _is_change, fitted


def test_what_made_the_changes_is_found_again() -> None:
    draw = np.random.default_rng(1)
    signs = draw.normal(size=(20_000, 3))
    made = np.array([0.9, 7.5, 0.4, -5.0])
    likely = 1 / (1 + np.exp(-(signs @ made[:3] + made[3])))

    found = fitted(signs, (draw.random(len(signs)) < likely).astype(float))

    assert found == pytest.approx(made, rel=0.1)


@pytest.mark.parametrize(
    ("older", "newer", "changed"),
    [
        ({"kind": "assert", "value": "tea"}, {"kind": "upd", "value": "mate"}, True),
        ({"kind": "assert", "value": "tea"}, {"kind": "restate", "value": "tea"}, False),
        ({"kind": "assert", "value": "tea"}, {"kind": "retract", "value": "tea"}, True),
        ({"kind": "multi", "value": "tea"}, {"kind": "multi", "value": "mate"}, False),
        ({"kind": "assert", "value": "tea"}, {"kind": "hyp", "value": "mate"}, False),
        ({"kind": "assert", "value": "tea"}, {"kind": "future", "value": "mate"}, None),
        ({"kind": "quoted", "value": "tea"}, {"kind": "upd", "value": "mate"}, None),
    ],
)
def test_a_change_is_another_value_of_the_same_thing(
    older: dict[str, Any], newer: dict[str, Any], changed: bool | None
) -> None:
    drink = {"slot": "drink"}
    assert _is_change({**older, **drink}, {**newer, **drink}) is changed
    assert _is_change({**older, **drink}, {**newer, "slot": "bus"}) is False
