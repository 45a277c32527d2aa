"""`recollect bench`: the benchmarks stand beside the source and are not installed with the package.

In a checkout the command runs them. Elsewhere it says how to get them.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from recollect.domain.errors import InvalidInput
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.render import Screen

_CHECKOUT = Path(__file__).resolve().parents[4]  # of a source tree: <checkout>/src/recollect/surfaces/cli


def bench(request: Request) -> Screen:
    """Run the benchmarks of the checkout this package is imported from."""
    if not (_CHECKOUT / "bench" / "screen.py").is_file():
        raise InvalidInput(
            "The benchmarks are not installed with the package.",
            code="benchmarks_not_installed",
            hint="Get the source of Recollect and run `make bench` there.",
        )
    if str(_CHECKOUT) not in sys.path:
        sys.path.insert(0, str(_CHECKOUT))
    screen: Screen = import_module("bench.screen").bench(request)
    return screen
