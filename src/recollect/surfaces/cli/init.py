"""`recollect init`: which agents are here, what would be written into their files, and a vault that is joined.

`recollect doctor` asks here, too, how they are connected and who has the store open.

The file that says where a vault is and with whom it syncs is one more file that init writes, shows and puts back.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from recollect.domain.answers.upkeep import Check, Diagnosis
from recollect.domain.answers.vaults import SyncReport, VaultReport
from recollect.domain.clock import SystemClock
from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput, Unsupported
from recollect.domain.values import to_plain
from recollect.settings import Settings, load_settings
from recollect.surfaces.cli.exits import DONE, PROBLEMS_FOUND
from recollect.surfaces.cli.own_memory import open_memory
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.copies import told_lines
from recollect.surfaces.cli.screens.render import Screen
from recollect.surfaces.cli.terminal import Terminal, inert, is_interactive, json_text, table, wrap
from recollect.surfaces.hosts.files import (
    Edit,
    Records,
    carry_out,
    load_records,
    plan,
    plan_return,
    plan_undo,
    plan_whole,
    undo,
)
from recollect.surfaces.hosts.known import HOSTS, Ground, Host, HostFile, Wiring
from recollect.surfaces.hosts.presence import checks, found_hosts, handshake, has_mcp, holders, this_ground
from recollect.surfaces.resident.process import require_packages
from recollect.vault.membership import Joined, Wish, joined
from recollect.version import __version__

AGENT = "vault"  # who the file is for, in the records of what was written


def planned(given: dict[str, Any], settings: Settings) -> Joined | None:
    """The vault that the options ask for; `None` if they do not speak of one. Raises before anything is written."""
    wish = Wish(given.get("remote"), given.get("machine_id"), bool(given.get("local_only")))
    if wish == Wish():
        return None
    return joined(
        settings.home, settings.space, wish, chance=SystemClock().new_id(), asking=bool(given.get("sync", True))
    )


def edit_of(vault: Joined) -> Edit:
    """The one file that makes it so."""
    return plan_whole(vault.file, AGENT, vault.content)


def plan_lines(vault: Joined | None, space: str, *, syncing: bool) -> Iterator[str]:
    """Lines that say what follows once the file is written; none without a vault."""
    if vault is None:
        return
    place = vault.place
    yield ""
    yield inert(f"The notes of `{space}` are kept as files in {place.folder}, and this machine is `{place.machine}`.")
    if place.remote is None:
        yield "Nothing leaves it: there is no remote."
    elif not syncing:
        yield inert(f"`recollect sync` brings it in step with {place.remote}.")
    else:
        others = [each for each in vault.companions or () if each != place.machine]
        known = f"with {', '.join(others)}" if others else "where no other machine is yet"
        yield inert(f"Then it is brought in step with {place.remote}, {known}.")
    if vault.returns:
        yield inert(f"`{place.machine}` is known there: this is taken for the same machine, come back.")


def opened(settings: Settings, vault: Joined, *, syncing: bool) -> VaultReport | SyncReport:
    """Write the files, and sync once if there is somebody to sync with."""
    with open_memory(settings) as memory:
        report = memory.open_vault()
        return memory.sync() if syncing and vault.place.remote is not None else report


_LONGEST_DIFF = 200  # lines shown of one file


def init(request: Request, terminal: Terminal) -> Screen:
    """Show the plan; ask; do it."""
    settings, _ = load_settings({"home": request.home})
    ground = this_ground()
    given = request.arguments
    records = load_records(settings.home)
    undoing = bool(given.get("undo"))
    wiring = _wiring(given, settings.home)
    vault = None if undoing else planned(given, settings)
    hosts = _chosen(given, list(HOSTS.values()) if undoing else found_hosts(ground))
    if undoing:
        edits = _disconnecting(hosts, ground, wiring, records, given, settings.home)
    else:
        edits = _connecting(hosts, ground, wiring, records, given)
        edits += [edit_of(vault)] if vault else []
    changing = [edit for edit in edits if edit.changes]
    only_shown = bool(given.get("print"))
    syncing = bool(given.get("sync", True))
    if not request.json and (only_shown or changing):
        summary = _summary_lines(hosts, edits, wiring, terminal, undoing=undoing)
        diff = _diff_lines(edits, terminal) if given.get("diff") else ()
        print(*summary, *diff, *plan_lines(vault, settings.space, syncing=syncing), sep="\n", flush=True)
    report = None
    if not only_shown:
        if changing and not request.yes and not _agreed(undoing, lambda: _diff_lines(edits, terminal)):
            return Screen((), ("Nothing was changed.",), PROBLEMS_FOUND)
        if undoing:
            undo(edits, records, settings.home)
        elif changing:
            carry_out(edits, records, settings.home, wiring)
        report = opened(settings, vault, syncing=syncing) if vault else None
    code = PROBLEMS_FOUND if report and (report.problems or report.held) else DONE
    if request.json:
        told = {**_as_json(hosts, edits, wiring, done=not only_shown), "vault": to_plain(report)}
        return Screen((json_text(told),), exit_code=code)
    ending = tuple(terminal.paint(each, "dim") for each in _ending(hosts, edits, only_shown, undoing))
    return Screen(tuple(told_lines(report, terminal)) if report else (), ending, code)


def _connecting(
    hosts: Sequence[Host], ground: Ground, wiring: Wiring, records: Records, given: dict[str, Any]
) -> list[Edit]:
    """The edits that connect the agents that were found."""
    _require_what_agents_start(hosts, wiring, given)
    targets = ((host.name, each) for host in hosts for each in host.targets(ground, wiring))
    return plan(targets, _knowing(records, wiring).ours)


def _disconnecting(
    hosts: Sequence[Host], ground: Ground, wiring: Wiring, records: Records, given: dict[str, Any], home: Path
) -> list[Edit]:
    """The edits that take everything back; the vault's file too, unless only some agents are named."""
    edits = plan_undo(_all_targets(hosts, ground, wiring, records), records, home)
    return [*edits, *(() if "agents" in given else plan_return(AGENT, records, home))]


def _require_what_agents_start(hosts: Sequence[Host], wiring: Wiring, given: dict[str, Any]) -> None:
    """Refuse to connect agents to a command that cannot serve them; another program's packages are its own matter."""
    if not hosts or "command" in given or not (wiring.mcp or (wiring.hooks and wiring.server is None)):
        return
    try:
        require_packages()
    except Unsupported as missing:
        raise Unsupported(
            f"{missing.message} Agents could not be connected, so nothing was changed.",
            code=missing.code,
            hint=f"{missing.hint} Then run `recollect init` again.",
        ) from None


def with_agents(diagnosis: Diagnosis, settings: Settings) -> Diagnosis:
    """The doctor's diagnosis, with checks of how the agents of this machine are connected."""
    records = load_records(settings.home)
    wiring = replace(_wiring({}, settings.home), name=records.names[-1] if records.names else "recollect")
    if records.commands and shutil.which(records.commands[-1][0]):
        # What was asked for with `--command` is as it should be as long as it can be run.
        wiring = replace(wiring, command=records.commands[-1])
    ground = this_ground()
    home = settings.home
    knowing = _knowing(records, wiring)
    more = (*_server(home), *_spool(home), *_openers(settings), *checks(ground, wiring, knowing))
    if has_mcp(ground, wiring, knowing):
        more = (*more, handshake((*wiring.command, "mcp", *wiring.home_words), home))
    found = (*diagnosis.checks, *more)
    return Diagnosis(all(each.ok for each in found), found)


def _server(home: Path) -> Iterator[Check]:
    """The server of this home, if one is running; agents start one when they need it."""
    from recollect.surfaces.resident.process import running

    found = running(home)
    if found is not None:
        told = f"process {found.pid} at {found.url}, version {found.version}"
        same = found.version == __version__
        hint = "" if same else "`recollect serve --stop` ends it; the next agent starts one of this version."
        yield Check("server", same, told if same else f"{told}; this is version {__version__}", hint)


def _spool(home: Path) -> Iterator[Check]:
    """Checks of the lines that hooks have left on disk, and of those that could not be read."""
    from recollect.surfaces.hooks.spool import BROKEN, state

    found = state(home)
    if found.waiting:
        told = f"{found.waiting:,} {'line waits' if found.waiting == 1 else 'lines wait'} to be taken in"
        hint = "A server takes them in by itself; `recollect hooks drain` does it now."
        yield Check("hooks", not found.is_full, f"{told}; there is no room for more" if found.is_full else told, hint)
    if found.broken:
        told = f"{found.broken:,} {'line' if found.broken == 1 else 'lines'} could not be read"
        hint = f"They are kept in {home / BROKEN}; delete it once you have looked."
        yield Check("hooks put aside", False, told, hint)


def _openers(settings: Settings) -> Iterator[Check]:
    from recollect.stores.opening import file_of

    file = file_of(settings.store)
    opened = holders(str(file)) if file is not None else []
    if opened:
        told = "; ".join(f"process {pid} ({words[:80]})" for pid, words in opened[:5])
        more = f"; and {len(opened) - 5} more" if len(opened) > 5 else ""
        yield Check("open in", True, f"{told}{more}")


def _knowing(records: Records, wiring: Wiring) -> Records:
    return replace(records, commands=(*records.commands, wiring.command))


def _all_targets(
    hosts: Sequence[Host], ground: Ground, wiring: Wiring, records: Records
) -> Iterator[tuple[str, HostFile]]:
    """Everything that we may ever have written for these hosts."""
    for name in records.names or (wiring.name,):
        whole = replace(wiring, name=name, mcp=True, hooks=True, instructions=True)
        yield from ((host.name, target) for host in hosts for target in host.targets(ground, whole))


def _wiring(given: dict[str, Any], home: Path) -> Wiring:
    usual = load_settings({}, environment={"HOME": str(Path.home())})[0].home
    return Wiring(
        command=_command(given.get("command")),
        name=_checked_name(given.get("name", "recollect")),
        home=None if home == usual else str(home),
        mcp=given.get("mcp", True),
        hooks=given.get("hooks", True),
        instructions=given.get("instructions", False),
        server=_checked_address(given.get("http_hooks")),
    )


def _command(said: str | None) -> tuple[str, ...]:
    """The words that start Recollect, the first an absolute path: a host's PATH is not the one of this shell."""
    if said is not None:
        words = _words(said)
        program = shutil.which(str(Path(words[0]).expanduser())) if words else None
        if program is None:
            raise InvalidInput(
                f"`--command` is `{said}`; there is no such program.",
                code="command_not_found",
                hint="Name a program, and its first words if need be, as in 'uvx recollect'.",
            )
        return (str(Path(program).absolute()), *words[1:])
    beside = Path(sys.executable).with_name("recollect.exe" if os.name == "nt" else "recollect")
    if beside.is_file():
        return (str(beside.absolute()),)
    return (str(Path(sys.executable).absolute()), "-P", "-m", "recollect")


def _words(said: str) -> list[str]:
    try:
        return shlex.split(said)
    except ValueError:
        return []


def _checked_name(name: str) -> str:
    if not name or len(name) > 64 or not all(sign.isascii() and (sign.isalnum() or sign in "_-") for sign in name):
        raise InvalidInput(
            f"`--name` is `{name[:60]}`.", code="invalid_name", hint="Letters, digits, `_` and `-`, at most 64."
        )
    return name


def _checked_address(said: str | None) -> str | None:
    if said is None or re.fullmatch(r"https?://[^\s/?#@]+/?", said):
        return said
    raise InvalidInput(
        f"`--http-hooks` is `{said[:60]}`.",
        code="invalid_address",
        hint="Give the address of your server, as in http://127.0.0.1:7077.",
    )


def _chosen(given: dict[str, Any], found: list[Host]) -> list[Host]:
    if "agents" not in given:
        return found
    names = [name.strip() for name in given["agents"].split(",") if name.strip()]
    unknown = [name for name in names if name not in HOSTS and name != "all"]
    if unknown or not names:
        raise InvalidInput(
            f"There is no agent `{unknown[0] if unknown else ''}`.",
            code="unknown_agent",
            hint=f"These are known: {', '.join(HOSTS)}; `all` stands for all of them.",
        )
    return [host for host in HOSTS.values() if host.name in names or "all" in names]


def _agreed(undoing: bool, details: Callable[[], Iterator[str]]) -> bool:
    if not is_interactive():
        raise InvalidInput(
            "Nobody can be asked here, so nothing was changed.",
            code="confirmation_needed",
            hint="`--yes` writes it, `--print` only shows it.",
        )
    question = "Take it back?" if undoing else "Write this?"
    while True:
        print(f"{question} [y]es, [N]o, [d]iff: ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline().strip().lower()
        if answer not in ("d", "diff"):
            return answer in ("y", "yes")
        print(*details(), sep="\n", flush=True)


def _summary_lines(
    hosts: Sequence[Host], edits: Sequence[Edit], wiring: Wiring, terminal: Terminal, *, undoing: bool
) -> Iterator[str]:
    """A summary: who is connected to what, which files that takes, and how to take it back."""
    changing = [edit for edit in edits if edit.changes]
    if not undoing:
        found = ", ".join(host.title for host in hosts)
        yield from wrap(f"Found: {found or 'no coding agent'}.", terminal.width)
        parts = [("MCP server and skill", wiring.mcp), ("hooks", wiring.hooks), ("instructions", wiring.instructions)]
        wired = [name for name, wanted in parts if wanted]
        if hosts and wired:
            yield from wrap(f"Each is connected to memory by: {', '.join(wired)}.", terminal.width)
    if changing:
        yield ""
        rows = [[_fate(edit), _size(edit), ", ".join(edit.agents), _below_home(edit.path)] for edit in changing]
        yield from table(["", "lines", "for", "file"], rows, terminal)
        yield ""
        undone = "" if undoing else " `recollect init --undo` puts every file back as it was."
        yield from wrap(f"`--diff` shows every line.{undone}", terminal.width)
    for edit in edits:
        if edit.foreign:
            yield inert(f"{edit.path} has something of somebody else under our name; it is left as it is.")


def _fate(edit: Edit) -> str:
    return "new" if edit.before is None else "removed" if edit.after is None else "changed"


def _size(edit: Edit) -> str:
    """How many lines come and go."""
    lines = list(_diff(edit))
    added, gone = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    return " ".join(part for part, count in ((f"+{added:,}", added), (f"-{gone:,}", gone)) if count)


def _below_home(path: Path) -> str:
    try:
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    except ValueError:
        return str(path)


def _diff_lines(edits: Sequence[Edit], terminal: Terminal) -> Iterator[str]:
    """Every line that comes or goes, file by file."""
    for edit in edits:
        if not edit.changes:
            continue
        yield ""
        yield terminal.paint(inert(f"{edit.path} ({_fate(edit)}, for {', '.join(edit.agents)})"), "bold")
        lines = list(_diff(edit))
        for line in lines[:_LONGEST_DIFF]:
            colour = {"+": "green", "-": "red"}.get(line[:1])
            yield terminal.paint(inert(line), colour) if colour else inert(line)
        if len(lines) > _LONGEST_DIFF:
            yield f"… and {len(lines) - _LONGEST_DIFF:,} more lines"


def _diff(edit: Edit) -> Iterator[str]:
    """The diff of an edit, without the secrets that may stand around it."""
    from recollect.redaction.redactor import redact

    old, new = ((side or b"").decode("utf-8", "replace") for side in (edit.before, edit.after))
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=2, lineterm="")
    yield from redact("\n".join(list(lines)[2:])).text.splitlines()


def _as_json(hosts: Sequence[Host], edits: Sequence[Edit], wiring: Wiring, *, done: bool) -> dict[str, Any]:
    return {
        "agents": [host.name for host in hosts],
        "command": list(wiring.command),
        "done": done,
        "files": [
            {
                "path": str(edit.path),
                "agents": list(edit.agents),
                "changes": edit.changes,
                "left_alone": edit.foreign,
                "diff": list(_diff(edit)),
            }
            for edit in edits
        ],
    }


def _ending(hosts: Sequence[Host], edits: Sequence[Edit], only_shown: bool, undoing: bool) -> Iterator[str]:
    changed = sum(edit.changes for edit in edits)
    files = f"{changed} {'file' if changed == 1 else 'files'}"
    if any(edit.agents == (AGENT,) and edit.after is None for edit in edits if edit.changes) and not only_shown:
        yield "The vault is closed. Its files stay where they are."
    if not hosts and not changed:
        yield "No coding agent was found here. `--agents NAME` connects one all the same."
    elif not changed:
        yield "There is nothing to take back." if undoing else "Everything is connected already; nothing was changed."
    elif only_shown:
        yield f"Nothing was written. {files} would be."
    elif undoing:
        yield f"{files} {'is' if changed == 1 else 'are'} as if we had not been there."
    else:
        yield f"{files} written. `recollect doctor` looks after it, `recollect init --undo` takes it back."
        if any(host.name == "codex" for host in hosts):
            yield "Codex asks once whether it may run new hooks: `/hooks` in Codex."
        yield "A running agent has to be started again to notice."
