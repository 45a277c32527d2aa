"""`anamnesis`: all sixteen commands of Anamnesis, with its options and its lines of output, on a vault of ours.

The notes lie where they lay, in `$ANAMNESIS_HOME/memory` and `local`, and its own program can go on reading them. Our
store of them is beside them, in `.recollect`, unless `RECOLLECT_HOME` names another.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from recollect.dialects.anamnesis.formats import counts_of, episode_of, inject_text, selected
from recollect.dialects.anamnesis.tools import sync_state
from recollect.disk import write_whole
from recollect.domain.clock import SystemClock
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import NotFound, RecollectError
from recollect.domain.notes import Note, State
from recollect.memory import Memory
from recollect.settings import load_settings
from recollect.surfaces.cli.anamnesis.config_file import KEYS, MachineConfig, checked_setting, machine_config, masked
from recollect.surfaces.cli.own_memory import open_memory

_PAGE = 1000
_MARKER = Path(".anamnesis") / "project"  # a file with the name of the project


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code says how it ended. Without a command it serves."""
    asked = _parser().parse_args(sys.argv[1:] if argv is None else list(argv))
    command = asked.command or "serve"
    try:
        config = machine_config(getattr(asked, "home", None) or getattr(asked, "store", None))
        return _COMMANDS[command](asked, config)
    except RecollectError as problem:
        print(f"{command}: failed ({problem.message}) {problem.hint}".rstrip(), file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="anamnesis", description="Cross-machine memory for coding agents.")
    commands = parser.add_subparsers(dest="command")
    options: dict[str, str] = {
        "serve": "",
        "sync": "",
        "reindex": "",
        "status": "",
        "inject": "--project= --k=8",
        "capture": "--transcript= --project= --source=session-end --no-sync",
        "import": "--claude-home= --no-sync",
        "migrate": "--map! --apply --no-sync",
        "dedup": "--apply --no-sync",
        "backfill-provenance": "--apply --no-sync",
        "reflect": "--project= --apply --no-sync",
        "merge": "--project= --apply --no-sync --no-gate --eval-set=",
        "init": "--home= --machine-id= --remote= --local-only --command= --uv-project= --name=anamnesis --no-mcp "
        "--no-hooks --no-sync --yes --print",
        "dashboard": "--port= --store= --no-open",
    }
    for name, said in options.items():
        _add_options(commands.add_parser(name), said)
    trial = commands.add_parser("eval").add_subparsers(dest="part")
    _add_options(trial.add_parser("build"), "--eval-set= --types=semantic,procedural --n=30")
    _add_options(trial.add_parser("run"), "--eval-set= --include-unreviewed --json")
    _add_options(trial.add_parser("experiment"), "--eval-set= --include-unreviewed --merge")
    config = commands.add_parser("config").add_subparsers(dest="part")
    _add_options(config.add_parser("list"), "--json")
    for name in ("get", "unset"):
        config.add_parser(name).add_argument("key")
    config.add_parser("set").add_argument("pairs", nargs="+")
    config.add_parser("test")
    return parser


def _add_options(parser: argparse.ArgumentParser, said: str) -> None:
    """Options in short: `--name` is a switch, `--name=x` has a value and a default, `--name!` has to be there."""
    for word in said.split():
        name, has_value, usual = word.partition("=")
        kept = name.strip("-!").replace("-", "_").replace("command", "call")
        if has_value or name.endswith("!"):
            kind = int if usual.isdigit() else str
            default: Any = (kind(usual) if usual else None) if has_value else None
            parser.add_argument(name.rstrip("!"), dest=kept, required=name.endswith("!"), default=default, type=kind)
        else:
            parser.add_argument(name, dest=kept, action="store_true")


# -- the store ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Store:
    """A store that is open: its memory, its settings, and the name of this machine in it."""

    memory: Memory
    config: MachineConfig
    machine: str

    @property
    def space(self) -> str:
        return self.memory.settings.space

    def do(self, verb: str, given: Any = None) -> Any:
        """Call a verb as the person who typed."""
        from recollect.surfaces.catalogue.routes import routes_of

        return getattr(self.memory, routes_of(verb)[0].operation.method)(**dict(given or {}))

    def maintained(self, verb: str, asked: Any) -> Sequence[str]:
        """The notes that a round of maintenance changes, or would."""
        ids: Sequence[str] = self.do(verb, {"apply": asked.apply}).note_ids
        return ids

    def notes(self) -> list[Note]:
        found: list[Note] = []
        cursor = None
        where = {"state": [State.ACTIVE.value, State.SUPERSEDED.value]}
        while True:
            page = self.memory.list(where=where, limit=_PAGE, cursor=cursor)
            found += page
            cursor = page.next_cursor
            if cursor is None:
                return found

    def ended(self, what: str, done: str, *, sync: bool) -> None:
        """Say what was done, after bringing files and other machines in step."""
        if sync:
            told = self.sync()
            print(f"{what}: {done}synced (pushed={told['pushed']} pulled={told['pulled']})")
        else:
            wrote = self.memory.scan_vault().written
            print(f"{what}: {done}{'committed locally' if wrote else 'nothing to commit'} (no sync)")

    def sync(self) -> dict[str, Any]:
        """One round of sync, with Claude Code's own memory before it if that is asked for."""
        from recollect.dialects.anamnesis.tools import synced

        if self.config.imports_native:
            self.import_native(self.config.claude_home)
        return synced(self)

    def import_native(self, place: Path) -> tuple[int, int]:
        """Take in the files in which Claude Code remembers; how many were new, and how many not."""
        from recollect.redaction.clean_records import clean
        from recollect.remember.foreign.claude_code import read_claude_code
        from recollect.remember.foreign.review import audited, lines_of

        found = read_claude_code(place, lambda _: ((), 0))
        kept, _ = audited("claude-code", found, lambda text: (clean(text), {}), captured=lambda _: True)
        now = SystemClock().now()
        lines = list(lines_of("claude-code", kept, space=self.space, now=now))
        known = {note.id for note in self.notes()}
        fresh = [line.text for line in lines if line.fresh not in known]
        report = self.memory.import_(fresh, space=self.space)
        return report.imported, len(found.notes) - report.imported


@contextmanager
def _opened(config: MachineConfig) -> Iterator[_Store]:
    """The store of some settings, its vault opened and every edit of a file taken in."""
    settings, _ = load_settings({"home": str(config.home)})
    _found_vault(config, settings.home, settings.space)
    with open_memory(settings) as memory:
        report = memory.open_vault(str(config.root))
        yield _Store(memory, config, report.machine)


def _found_vault(config: MachineConfig, home: Path, space: str) -> None:
    """Name the vault of a new store: its machine, its remote, and files by their ids, as its own program has them."""
    from recollect.vault.git import named_remote
    from recollect.vault.place import FILE, place_or_new, told

    place = place_or_new(home, space, chance=SystemClock().new_id())
    remote = named_remote(config.remote) if config.remote else place.remote
    if not (place.private / FILE).exists():
        place = replace(place, folder=config.root, names="id", machine=config.machine)
    elif remote == place.remote:
        return
    config.root.mkdir(parents=True, exist_ok=True)
    place.private.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(place.private / FILE, told(replace(place, remote=remote)))


def _project(folder: str) -> str:
    """The project of a folder: by its marker of Anamnesis, and otherwise as we know projects."""
    from recollect.workspace.projects import project_of

    place = Path(folder).expanduser().absolute()
    for each in (place, *place.parents):
        if each in (Path.home(), each.parent):
            break
        try:
            lines = (each / _MARKER).read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            continue
        if name := next((line.strip() for line in lines if line.strip()), ""):
            return name
    try:
        return project_of(place).name
    except NotFound:
        return place.name.lower() or "global"


def _hook_payload() -> dict[str, Any]:
    """The JSON of a hook on standard input; nothing, if nobody says anything or it is no object."""
    try:
        said = json.loads(sys.stdin.read()) if sys.stdin and not sys.stdin.isatty() else {}
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


# -- commands ----------------------------------------------------------------------------------------------------------


def _serve(_: Any, config: MachineConfig) -> int:
    from recollect.surfaces.mcp.stdio import Options, run

    with _opened(config):
        pass  # the server finds the vault as it should be
    return run(Options(profile="anamnesis", home=str(config.home)), explained=True) or 0


def _sync(_: Any, config: MachineConfig) -> int:
    with _opened(config) as store:
        told = store.sync()
    parts = " ".join(f"{name}={told[name]}" for name in ("pushed", "pulled", "conflicted", "head"))
    print(f"sync: {parts} ({told['detail']})")
    return 0


def _reindex(_: Any, config: MachineConfig) -> int:
    with _opened(config) as store:
        print(f"reindex: indexed {len(store.notes())} note(s)")
    return 0


def _status(_: Any, config: MachineConfig) -> int:
    with _opened(config) as store:
        told, state = counts_of(store.notes(), store.machine), sync_state(store)
    print(f"store: {config.root}")
    by = "  ".join(f"{name}={told[name]}" for name in ("by_type", "by_scope", "by_workspace"))
    print(f"notes: {told['total']}  {by}")
    head = f"head={state['head']} dirty={state['dirty']} ({state['detail']})"
    print(f"sync: initialized={state['initialized']} remote={config.remote} {head}")
    return 0


def _inject(asked: Any, config: MachineConfig) -> int:
    folder = str(_hook_payload().get("cwd") or ".") if asked.project is None else "."
    with _opened(config) as store:
        notes = selected(store.notes(), asked.project or _project(folder), asked.k)
        sys.stdout.write(inject_text(notes, store.machine))
    return 0


def _capture(asked: Any, config: MachineConfig) -> int:
    from recollect.domain.origin import Caller, Channel
    from recollect.surfaces.cli.notices import kept_of
    from recollect.surfaces.hooks.intake import Attendant
    from recollect.surfaces.hooks.transcripts import notices_of, unheard

    payload = {} if asked.transcript and asked.project else _hook_payload()
    transcript = asked.transcript or payload.get("transcript_path")
    try:
        lines = Path(str(transcript)).expanduser().read_bytes().split(b"\n") if transcript else []
    except OSError:
        lines = []  # a hook must not fail because a session left nothing
    with _opened(config) as store:
        told = notices_of(lines, space=store.space).notices
        typed = store.memory.acting_as(Caller(Channel.TRANSCRIPT, store.memory.settings.principal))
        project = asked.project
        episode = None
        if told:
            for notice in unheard(told, kept_of(store.memory, told[0].session, store.space)):
                Attendant(typed).take(notice)
            digest = store.memory.session(told[0].session)
            project = project or digest.session.scope.project
            episode = episode_of(digest, asked.source)
        project = project or _project(str(payload.get("cwd") or "."))
        if episode is None:
            print(f"capture: skipped trivial session (project={project}, source={asked.source})")
        else:
            where = {} if project == "global" else {"project": project}
            note = replace(store, memory=typed).do(
                "save", {**episode, **where, "key": f"session/{told[0].session}/{asked.source}"}
            )
            print(f"capture: wrote episodic note {note.id} (project={project}, source={asked.source})")
        store.ended("capture", "", sync=not asked.no_sync)
    return 0


def _import(asked: Any, config: MachineConfig) -> int:
    place = Path(asked.claude_home).expanduser() if asked.claude_home else config.claude_home
    with _opened(config) as store:
        new, known = store.import_native(place)
        print(f"import: imported={new} updated=0 skipped={known} (from {place})")
        store.ended("import", "", sync=not asked.no_sync)
    return 0


def _changed(
    what: str, would: str, did: str, things: str, work: Callable[[_Store, Any], Sequence[str]]
) -> Callable[[Any, MachineConfig], int]:
    """A command that changes notes: it tells which, and writes only with `--apply`."""

    def command(asked: Any, config: MachineConfig) -> int:
        with _opened(config) as store:
            ids = work(store, asked)
            if asked.apply:
                store.ended(what, f"{did} {len(ids)} {things}; ", sync=not asked.no_sync)
                return 0
            more = "pass --apply to write" if what == "migrate" else "pass --apply"
            for note in map(store.memory.get, ids):
                print(f"{what}: {note.id} [{note.scope.project or 'global'}] {note.title or note.text[:80]!r}")
            print(f"{what}: {len(ids)} {things} would {would} (dry-run; {more})")
        return 0

    return command


def _renamed(store: _Store, asked: Any) -> Sequence[str]:
    try:
        said = json.loads(Path(asked.map).expanduser().read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as problem:
        raise NotFound(f"{asked.map} cannot be read: {problem}", code="file_not_found") from None
    projects = said.get("projects") or {} if isinstance(said, dict) else {}
    return store.memory.migrate(projects, apply=asked.apply).note_ids


def _reflect(asked: Any, config: MachineConfig) -> int:
    with _opened(config) as store:
        done = store.memory.reflect(project=asked.project, apply=asked.apply)
        wrote = 0
        for part in done:
            wrote += len(part.insights)
            seen = f"{len(part.session_ids)} session(s)"
            name = part.project or "global"
            if asked.apply:
                print(f"reflect: {name}: distilled {seen} -> {len(part.insights)} note(s)")
            else:
                print(f"reflect: {name}: {seen} would be distilled (dry-run; pass --apply)")
        if asked.apply and wrote:
            store.ended("reflect", f"wrote {wrote} note(s); ", sync=not asked.no_sync)
    return 0


def _merge(asked: Any, config: MachineConfig) -> int:
    """Notes that say the same word for word become one; unless told not to, recall is measured before and after."""
    with _opened(config) as store:
        if not asked.apply:
            ids = store.memory.dedup().note_ids
            print(f"merge: {len(ids)} note(s) would be superseded (dry-run; pass --apply)")
            return 0
        if not asked.no_gate and not store.do("eval.questions"):
            print("merge --apply is recall-gated; there are no questions. Run `anamnesis eval build`, or --no-gate.")
            return 1
        before = None if asked.no_gate else store.do("eval.run").scores["recall@10"]
        ids = store.memory.dedup(apply=True).note_ids
        after = None if asked.no_gate else store.do("eval.run").scores["recall@10"]
        if before is not None and after is not None:
            print(f"merge: recall@10 {before:.3f} -> {after:.3f}")
        store.ended("merge", f"superseded {len(ids)} note(s); ", sync=not asked.no_sync)
    return 0


def _eval(asked: Any, config: MachineConfig) -> int:
    if asked.part is None:
        print("eval: specify a subcommand: build | run | experiment")
        return 2
    with _opened(config) as store:
        if asked.part == "build":
            built = store.do("eval.build", {"limit": asked.n})
            print(f"eval build: wrote {len(built)} question(s); `recollect eval edit` and `drop` curate them")
            return 0
        if not store.do("eval.questions"):
            print(f"eval {asked.part}: no eval set (run `anamnesis eval build` first)")
            return 2
        run = store.do("eval.run")
        if getattr(asked, "json", False):
            print(json.dumps({"questions": run.questions, **dict(run.scores)}, indent=2))
        else:
            print(f"eval: {run.questions} question(s)  " + "  ".join(f"{n}={v:.3f}" for n, v in run.scores.items()))
    return 0


def _init(asked: Any, config: MachineConfig) -> int:
    """Settings and the vault first, then Claude Code, which is connected as `recollect init` does."""
    from recollect.surfaces.cli.main import main as recollect

    named = {"machine_id": asked.machine_id, "remote": asked.remote}
    if not asked.print:
        config.changed({name: value for name, value in named.items() if value})
        with _opened(machine_config(str(config.root))) as store:
            print(f"store: {config.root} ({store.machine})")
            if not asked.no_sync and not asked.local_only and store.config.remote:
                store.ended("init", "", sync=True)
    words = ["init", "--agents", "claude-code", "--name", asked.name, "--home", str(config.home)]
    words += ["--no-mcp"] if asked.no_mcp else []
    words += ["--no-hooks"] if asked.no_hooks else []
    words += ["--command", asked.call] if asked.call else []
    return recollect([*words, *(["--print"] if asked.print else ["--yes"] if asked.yes else [])])


def _config(asked: Any, config: MachineConfig) -> int:
    try:
        match asked.part:
            case "list":
                print(*_config_lines(config, as_json=asked.json), sep="\n")
            case "get":
                _require_known(asked.key)
                print(config.value(asked.key)[0])
            case "set" if len(asked.pairs) % 2:
                raise RecollectError("expected key value pairs")
            case "set":
                updates = dict(zip(asked.pairs[::2], asked.pairs[1::2], strict=True))
                config.changed({key: checked_setting(key, value) for key, value in updates.items()})
                print(f"config: updated {', '.join(sorted(updates))}")
            case "unset":
                _require_known(asked.key)
                config.changed({asked.key: None})
                print(f"config: unset {asked.key}")
            case "test":
                provider = config.value("reflection.provider")[0]
                print(f"config test: provider {provider}; models are asked as `recollect providers` tells")
                return 0 if provider == "heuristic" else 1
            case _:
                print("usage: anamnesis config {list|get|set|unset|test}", file=sys.stderr)
                return 2
    except RecollectError as problem:
        print(f"config{'' if asked.part == 'get' else f' {asked.part}'}: {problem.message}", file=sys.stderr)
        return 2
    return 0


def _require_known(key: str) -> None:
    if key not in KEYS:
        raise RecollectError(f"unknown setting '{key}'")


def _config_lines(config: MachineConfig, *, as_json: bool) -> Iterator[str]:
    found = {key: config.value(key) for key in KEYS}
    key, source = found.pop("reflection.api_key")
    if as_json:
        told = {name: {"value": value, "source": where} for name, (value, where) in found.items()}
        yield json.dumps({**told, "api_key_set": bool(key), "api_key_preview": masked(str(key))})
        return
    yield from (f"{name} = {value!r}  [{where}]" for name, (value, where) in found.items())
    yield f"reflection.api_key = {masked(str(key)) or '(unset)'}  [{source}]"


def _dashboard(asked: Any, config: MachineConfig) -> int:
    from recollect.surfaces.cli.main import main as recollect

    with _opened(config):
        pass
    return recollect(["serve", "--home", str(config.home), "--port", str(asked.port or 3000)])


_COMMANDS: dict[str, Callable[[Any, MachineConfig], int]] = {
    "serve": _serve,
    "sync": _sync,
    "reindex": _reindex,
    "status": _status,
    "inject": _inject,
    "capture": _capture,
    "import": _import,
    "migrate": _changed("migrate", "change", "changed", "note(s)", _renamed),
    "dedup": _changed(
        "dedup", "be removed", "removed", "duplicate(s)", lambda store, asked: store.maintained("dedup", asked)
    ),
    "backfill-provenance": _changed(
        "backfill", "change", "rewrote", "note(s)", lambda store, asked: store.maintained("backfill-provenance", asked)
    ),
    "reflect": _reflect,
    "merge": _merge,
    "eval": _eval,
    "init": _init,
    "config": _config,
    "dashboard": _dashboard,
}
