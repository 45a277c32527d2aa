"""`recollect bench`: what is typed becomes what is wanted, and the card that comes back is shown or written.

The table goes to standard output, or with `--json` the figures; progress goes to standard error either way, because
a card takes minutes.
"""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.card import as_json, as_text
from bench.plot import as_svg
from bench.running import USUAL, Wanted, checked_data, checked_sets, checked_sizes, run
from bench.speed import FULL_SIZES, MILLION
from recollect.domain.errors import InvalidInput
from recollect.settings import load_settings
from recollect.surfaces.cli.exits import DONE, PROBLEMS_FOUND
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.render import Screen
from recollect.surfaces.cli.streams import writing_whole
from recollect.surfaces.cli.terminal import inert, json_text


def bench(request: Request) -> Screen:
    """Measure, then show the card."""
    given = request.arguments
    file, plot = given.get("file"), given.get("plot")
    if file is not None and not request.json:
        raise InvalidInput(
            f"`recollect bench` does not know what to do with `{file}`.",
            code="usage",
            hint="A file stands after `--json`: the figures are written to it.",
        )
    for target in filter(None, (file, plot)):
        _require_folder_of(Path(target).expanduser())
    settings, _ = load_settings({"home": request.home, "embedding": given.get("embedding")})
    card = run(_wanted(request), settings, command=_command(request))
    code = PROBLEMS_FOUND if card.failed else DONE
    if plot is not None:
        with writing_whole(plot) as write:
            write(as_svg(card))
    if file is not None:
        with writing_whole(file) as write:
            write(as_json(card))
    if request.json and file is None:
        return Screen((json_text(asdict(card)),), exit_code=code)
    return Screen(tuple(inert(line) for line in as_text(card).rstrip("\n").split("\n")), exit_code=code)


def _require_folder_of(target: Path) -> None:
    """Said before anything is measured, not after."""
    if not target.absolute().parent.is_dir():
        raise InvalidInput(
            f"{target} cannot be written: its folder is not there.", code="not_writable", hint="Choose another place."
        )


def _wanted(request: Request) -> Wanted:
    given = request.arguments
    sizes = checked_sizes(given["sizes"]) if "sizes" in given else ()
    if given.get("million"):
        sizes = (*(sizes or FULL_SIZES), MILLION)
    quick = given.get("quick")
    if quick is not None and quick < 1:
        raise InvalidInput(f"`--quick` is {quick}; it must be at least 1.", code="invalid_number")
    return Wanted(
        data=checked_data(Path(given["data"]).expanduser() if "data" in given else None),
        sets=checked_sets(given["sets"]) if "sets" in given else USUAL,
        all_in_one=given.get("together", True),
        quick=quick,
        sizes=sizes,
        store=request.store,
        peers=Path(given["peers"]).expanduser() if "peers" in given else None,
        seed=given.get("seed", 7),
    )


def _command(request: Request) -> str:
    """What was run, without the name of a server and without where the card went: it is made to be shown."""
    said = [_typed(name, value) for name, value in request.arguments.items() if name not in ("file", "plot")]
    return " ".join(["recollect bench", *said, *(["--store …"] if request.store else [])])


def _typed(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"--{name}" if value else f"--no-{name}"
    return f"--{name} {shlex.quote(str(value))}"
