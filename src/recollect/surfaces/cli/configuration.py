"""`recollect config`: each setting, its value, and where that came from."""

from __future__ import annotations

from recollect.domain.values import to_plain
from recollect.home import PREFIX
from recollect.settings import FILE, MEANINGS, load_settings
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.render import Screen
from recollect.surfaces.cli.tables import table
from recollect.surfaces.cli.terminal import Terminal, inert, json_text, wrap


def configuration(request: Request, terminal: Terminal) -> Screen:
    given = {"store": request.store, "home": request.home, "space": request.arguments.get("space")}
    settings, found = load_settings(given)
    if request.json:
        return Screen((json_text([{**to_plain(each), "meaning": MEANINGS[each.name]} for each in found]),))
    rows = [[each.name, each.source, each.value] for each in found]
    lines = table(["setting", "comes from", "value"], rows, terminal)
    file = settings.home / FILE
    here = "" if file.is_file() else ", which is not there"
    beside = f"They can be set by arguments, by {PREFIX}… variables, and in {file}{here}."
    return Screen(tuple(lines), tuple(terminal.paint(line, "dim") for line in wrap(inert(beside), terminal.width)))
