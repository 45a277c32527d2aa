"""Commands about this machine that no verb stands behind: config, project, dashboard, rescue, bench.

In a checkout the command runs them. Elsewhere it says how to get them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.assembly import rescue_from
from recollect.domain.answers.recollections import LostRecord, Rescue
from recollect.domain.errors import InvalidInput
from recollect.domain.values import to_plain
from recollect.home import PREFIX
from recollect.settings import FILE, MEANINGS, load_settings
from recollect.surfaces.cli.exits import DONE, PROBLEMS_FOUND
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.render import Screen
from recollect.surfaces.cli.streams import writing_whole
from recollect.surfaces.cli.terminal import Terminal, count_of, facts, inert, json_text, table, wrap
from recollect.workspace.projects import project_of

if TYPE_CHECKING:
    from recollect.stores.moves.space_move import MoveReport


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


# What nobody calls a project: `.`, `..`, and what begins like a path.
_FOLDER = re.compile(r"\.{1,2}(?:[/\\].*)?|[/\\~].*|[A-Za-z]:[/\\].*", re.DOTALL)


def project(request: Request, terminal: Terminal) -> Screen:
    """The answer, and what each rule found."""
    found = project_of(request.arguments.get("path", "."))
    if request.json:
        return Screen((json_text(to_plain(found)),))
    told = [
        ("project", found.name),
        ("known by", found.rule.value),
        ("root", found.root),
        ("branch", found.branch or ""),
    ]
    rows = [[each.rule.value, each.name or "-", each.detail] for each in found.findings]
    lines = [*facts(told, terminal), "", *table(["rule", "name", "found"], rows, terminal)]
    aside = inert("The first rule that finds a name decides. A `.recollect-project` file with a name settles it.")
    return Screen(tuple(lines), (terminal.paint(aside, "dim"),))


def name_projects(verb: str, arguments: dict[str, Any]) -> None:
    """Where `--project` names a folder, put the project of that folder; `inject` then looks into the folder, too."""
    said = arguments.get("project")
    if not isinstance(said, str) or not _FOLDER.fullmatch(said):
        return
    found = project_of(said)
    arguments["project"] = found.name
    if verb == "inject":
        arguments.setdefault("path", found.root)


def store(request: Request, terminal: Terminal) -> Screen:
    """Say how the store and the way to it are, without reading every record; or what a server's roles should be."""
    if request.command.words[-1] == "grants":
        from recollect.assembly import role_script

        return Screen(tuple(role_script(**request.arguments).splitlines()))
    settings, _ = load_settings({"store": request.store, "home": request.home})
    from recollect.domain.answers.upkeep import Diagnosis
    from recollect.surfaces.cli.own_memory import open_memory
    from recollect.surfaces.cli.screens.reports import check_list

    with open_memory(settings) as memory:
        checks = memory.measuring.checks()
    found = Diagnosis(all(check.ok for check in checks), checks)
    code = DONE if found.healthy else PROBLEMS_FOUND
    if request.json:
        return Screen((json_text(to_plain(found)),), exit_code=code)
    return Screen(tuple(check_list(found, terminal)), exit_code=code)


def move(request: Request, _terminal: Terminal) -> Screen:
    """Move a space into another store, and say how that went."""
    from recollect.assembly import move_space

    settings, _ = load_settings({"store": request.store, "home": request.home})
    given = dict(request.arguments)
    found = move_space(
        settings,
        given.pop("name"),
        dry_run=request.dry_run,
        tell=lambda line: print(inert(line), file=sys.stderr),
        **given,
    )
    if request.json:
        return Screen((json_text(to_plain(found)),))
    return Screen(tuple(inert(line) for line in _move_lines(found, given)))


def _move_lines(found: MoveReport, given: dict[str, Any]) -> Iterator[str]:
    way = f"{found.space}, from {found.source} to {found.target}"
    if found.switched:
        yield f"Moved {way}: {found.rows:,} rows in {found.rounds} rounds. Writers waited for {found.held_ms:,} ms."
        yield f"From now on it is asked for with `--store {found.target}`."
        if not found.erased:
            yield "The old store keeps its rows and gives out none. The same command with `--erase` erases them."
    elif given.get("cancel"):
        yield f"Gave up the move of {way}. The copy is erased."
    else:
        yield f"Would move {way}: {found.rows:,} rows. Nothing was written."


def dashboard(request: Request, terminal: Terminal) -> Screen:
    """Find or start the server, and open its dashboard with a link that signs in once."""
    from recollect.surfaces.resident.servers import HomeServer

    settings, _ = load_settings({"home": request.home})
    place = HomeServer(settings.home).place()
    url = place.url + _sign_in_path(place.url, place.token)
    if request.json:
        return Screen((json_text({"url": url}),))
    opened = request.arguments.get("open", True) and _shown_in_browser(url)
    beside = "It is open in your browser." if opened else "Open it in a browser."
    return Screen((url,), (terminal.paint(f"{beside} The link signs in once, within ten minutes.", "dim"),))


def _sign_in_path(url: str, token: str | None) -> str:
    """Where the dashboard is, for whoever has this token; a server in open mode makes no links, and needs none."""
    import json
    from urllib.error import HTTPError
    from urllib.request import ProxyHandler, build_opener
    from urllib.request import Request as HttpRequest

    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    asked = HttpRequest(f"{url}/v1/tokens/link", b"{}", headers)  # noqa: S310 - the server of this home
    try:
        with build_opener(ProxyHandler({})).open(asked, timeout=_PATIENCE) as answer:
            path: str = json.load(answer)["path"]
            return path
    except HTTPError as refused:
        refused.close()
        return "/"


def _shown_in_browser(url: str) -> bool:
    """Whether a browser was started; not where it would take the terminal, or where nobody sits."""
    import webbrowser

    from recollect.surfaces.cli.terminal import has_windows, is_interactive

    return is_interactive() and has_windows() and webbrowser.open(url)


_PATIENCE = 30.0  # seconds for the server to make a link
_NAMED = 20  # lost records that are named on a screen


def rescue(request: Request, _terminal: Terminal) -> Screen:
    """Write an export of what a damaged file still holds, and say what it does not."""
    settings, _ = load_settings({"store": request.store, "home": request.home})
    output, source = request.arguments["output"], request.arguments.get("source")
    with writing_whole(output) as write:
        found = rescue_from(settings, Path(source) if source else None, lambda each: write(json_text(each) + "\n"))
    code = PROBLEMS_FOUND if found.lost or found.mended or found.unknown_changes else DONE
    if request.json:
        return Screen((json_text({**to_plain(found), "output": output}),), exit_code=code)
    return Screen(tuple(inert(line) for line in _rescue_lines(found, output)), exit_code=code)


def _rescue_lines(found: Rescue, output: str) -> Iterator[str]:
    yield f"From {found.path}, written to {output}:"
    for kind, count in sorted(found.records.items()):
        yield f"  {count_of(count, kind)}"
    yield from _named("could not be got out", found.lost)
    yield from _named("have holes in their text, marked \ufffd", found.mended)
    for space, count in found.unknown_changes.items():
        yield f"{count:,} changes in the space {space} are unknown: records they made may be missing without a trace."
    if not found.lost and not found.unknown_changes:
        yield "Nothing that is known of is missing."
    yield f"`recollect import {output}` takes it into a memory; use an empty RECOLLECT_HOME."


def _named(what: str, records: Sequence[LostRecord]) -> Iterator[str]:
    if records:
        yield f"{len(records):,} {what}:"
        for each in records[:_NAMED]:
            version = f" version {each.version}" if each.version else ""
            yield f"  {each.type} {each.id}{version} in {each.space}: {each.why}"
        if len(records) > _NAMED:
            yield f"  and {len(records) - _NAMED:,} more; `--json` names all of them"


_CHECKOUT = Path(__file__).resolve().parents[4]  # of a source tree: <checkout>/src/recollect/surfaces/cli


def bench(request: Request, _terminal: Terminal) -> Screen:
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
