"""Prices of models: those of the settings, else those of the table that ships, which works without a network."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from recollect.domain.spend.price import Price, price_of

if TYPE_CHECKING:
    from collections.abc import Mapping

PRICES_OF = "2026-11-16"  # the day of the table
_DATED = re.compile(r"-(?:20\d\d-?\d\d-?\d\d|latest)$")


def price_for(provider: str, model: str, own: Mapping[str, Price]) -> Price | None:
    """The price of a model of a provider; `None` if it is not known. A dated name has the price of the undated one."""
    return (
        own.get(f"{provider}:{model}")
        or _shipped().get((provider, model))
        or _shipped().get((provider, _DATED.sub("", model)))
    )


@cache
def _shipped() -> dict[tuple[str, str], Price]:
    text = resources.files("recollect.providers").joinpath("prices.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return {(row[0], row[1]): price_of(float(row[2]), float(row[3]), float(row[4])) for row in rows}
