"""`recollect serve` and `recollect tokens`: the server of this home, and who may come in through it."""

from __future__ import annotations

import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.domain.access import IssuedToken
from recollect.domain.clock import format_time
from recollect.domain.errors import InvalidInput
from recollect.domain.scopes import BOUND_BY
from recollect.memory import Memory
from recollect.settings import Settings, load_settings, without_password
from recollect.surfaces.cli.exits import PROBLEMS_FOUND
from recollect.surfaces.cli.own_memory import open_memory
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.render import Screen
from recollect.surfaces.cli.terminal import Terminal, inert, json_text, table, wrap
from recollect.verbs.access import Access, shown

if TYPE_CHECKING:
    from socket import socket

    from recollect.surfaces.server.lifespan import Served


_MOST_PROCESSES = 64
_DEMO_SPACE = "sam"
_DEMO_SAID = (
    ("2026-03-09T10:30:00Z", "I moved to Berlin last week, and my sister Ana still lives in Paris."),
    ("2026-04-20T18:00:00Z", "Please remember that I'm allergic to penicillin."),
    ("2026-06-01T09:00:00Z", "We're back in Austin! Priya is my manager now."),
)


def serve(request: Request, terminal: Terminal) -> Screen:
    """Do what `recollect serve` was asked for."""
    settings, _ = load_settings({"store": request.store, "home": request.home})
    given = request.arguments
    if given.get("status") or given.get("stop"):
        return _look_after(settings.home, request)
    from recollect.surfaces.resident.process import require_packages

    require_packages()
    if not 0 <= given.get("port", 0) <= 65535:
        raise InvalidInput(f"`--port` is {given['port']}; ports go to 65535.", code="invalid_number")
    if given.get("max_memory", 0) < 0:
        raise InvalidInput(
            f"`--max-memory` is {given['max_memory']}; it must not be less than 0.", code="invalid_number"
        )
    if given.get("rate", 1) < 1:
        raise InvalidInput(f"`--rate` is {given['rate']}; it must be at least 1.", code="invalid_number")
    if given.get("idle_stop", 1) < 1:
        raise InvalidInput("`--idle-stop` must be at least one minute.", code="invalid_number")
    if not 1 <= given.get("workers", 1) <= _MOST_PROCESSES:
        raise InvalidInput(f"`--workers` must be from 1 to {_MOST_PROCESSES}.", code="invalid_number")
    if "workers" in given and (given.get("demo") or "idle_stop" in given):
        raise InvalidInput("`--workers` goes with neither `--demo` nor `--idle-stop`.", code="usage")
    if given.get("demo") and "restore_from" in given:
        raise InvalidInput("A demo has a memory of its own; nothing is restored into it.", code="usage")
    from recollect.surfaces.server.supervisor import membership

    if not given.get("demo"):
        with open_memory(settings) as memory:
            if "restore_from" in given and not membership():
                print(inert(_filled_from(memory, given["restore_from"])), file=sys.stderr, flush=True)
            port = _serve(memory, request, terminal)
        if port is not None:
            from recollect.surfaces.server.lifetime import begin_anew

            begin_anew(port, ["-m", "recollect", *sys.argv[1:]])
        return Screen((), ("The server has stopped.",))
    with (
        tempfile.TemporaryDirectory(prefix="recollect-demo-") as folder,
        open_memory(_demo_settings(settings, folder)) as memory,
    ):
        for at, said in _DEMO_SAID:
            memory.add(said, at=at, space=_DEMO_SPACE)
        _serve(memory, request, terminal)
    return Screen((), ("The server has stopped, and what it held is gone.",))


def worker(request: Request, _terminal: Terminal) -> Screen:
    """Do the jobs of a store until somebody says stop."""
    settings, _ = load_settings({"store": request.store, "home": request.home})
    from recollect.surfaces.resident.process import require_packages

    require_packages()
    threads = request.arguments.get("threads", 2)
    if not 1 <= threads <= _MOST_PROCESSES:
        raise InvalidInput(f"`--threads` must be from 1 to {_MOST_PROCESSES}.", code="invalid_number")
    from recollect.surfaces.server.lifespan import open_logs
    from recollect.surfaces.server.supervisor import work

    with open_memory(settings) as memory:
        open_logs(None)
        runner = memory.runner.with_threads(threads)
        print(inert(f"Doing the jobs of {without_password(settings.store)}. Ctrl-C stops it."), flush=True)
        work(runner.started)
    return Screen((), ("The worker has stopped.",))


def _filled_from(memory: Memory, source: str) -> str:
    """Restore an empty store from a file or a target, and say what was done. One that holds anything is left alone."""
    address = without_password(source)
    if memory.spaces().items:
        return f"The store holds memory already, so nothing was restored from {address}."
    is_file = Path(source).is_file()
    restored = memory.restore(source) if is_file else memory.restore(target=source)
    return f"Restored {restored.notes:,} notes from {address}."


def _demo_settings(settings: Settings, folder: str) -> Settings:
    return load_settings({"home": folder, "principal": "you", "models": settings.models}, environment={})[0]


def _serve(memory: Memory, request: Request, terminal: Terminal) -> socket | None:
    from recollect.surfaces.reception.limits import Limits
    from recollect.surfaces.server.lifespan import PORT, serve, serve_together
    from recollect.surfaces.server.lifetime import MEGABYTES, Ceiling
    from recollect.surfaces.server.supervisor import membership

    given = request.arguments
    space = _DEMO_SPACE if given.get("demo") else memory.settings.space

    def ready(served: Served) -> None:
        if request.json:
            told = {"url": served.url, "token": served.secret, "token_file": str(served.secret_file)}
            lines = [json_text({**told, "dashboard": _dashboard(memory, served, request)})]
        else:
            lines = _as_text(served, request, space, terminal, _dashboard(memory, served, request))
        print(*lines, sep="\n", flush=True)

    most = given.get("max_memory", MEGABYTES)
    rate = given.get("rate")
    if given.get("workers", 1) > 1 and not membership():
        serve_together(
            memory,
            given["workers"],
            ["-m", "recollect", *sys.argv[1:]],
            host=given.get("host", "127.0.0.1"),
            port=given.get("port", PORT),
            insecure=given.get("insecure", False),
            origins=tuple(given.get("allow_origins", ())),
            log=Path(given["log"]) if "log" in given else None,
            ready=ready,
        )
        return None
    return serve(
        memory,
        host=given.get("host", "127.0.0.1"),
        port=given.get("port", PORT),
        insecure=given.get("insecure", False),
        hosts=tuple(given.get("allow_hosts", ())),
        origins=tuple(given.get("allow_origins", ())),
        # What the demo holds would be gone with it.
        ceiling=Ceiling(most * 1_000_000) if most and not given.get("demo") else None,
        limits=Limits().with_rate(rate) if rate is not None else None,
        log=Path(given["log"]) if "log" in given else None,
        idle_minutes=given.get("idle_stop"),
        ready=ready,
    )


def _dashboard(memory: Memory, served: Served, request: Request) -> str:
    """A link to the dashboard that signs in once, as whoever started the server."""
    from recollect.surfaces.catalogue.routes import SIGN_IN
    from recollect.surfaces.resident.process import LOCAL_TOKEN

    file = served.secret_file.with_name(LOCAL_TOKEN)
    if request.arguments.get("insecure") or not file.exists():
        return f"{served.url}/"
    token = memory.access.admit(file.read_text(encoding="ascii").strip())
    return f"{served.url}{SIGN_IN}#{memory.access.link(token.id)}" if token else f"{served.url}/"


def _as_text(served: Served, request: Request, space: str, terminal: Terminal, dashboard: str) -> list[str]:
    file, insecure = served.secret_file, request.arguments.get("insecure", False)
    if insecure:
        token = ["Anybody on this machine is let in, without a token."]
    elif served.secret is not None:
        token = [f"A first token, which may do everything, is in {file}:", f"  {served.secret}"]
    elif file.exists():
        token = [f"The first token is in {file}."]
    else:
        token = ["There is a token that may do everything; `recollect tokens list` shows which."]
    secret = f"$(cat {shlex.quote(str(file))})" if file.exists() else "$TOKEN"
    header = "" if insecure else f'-H "Authorization: Bearer {secret}" '
    # The memory of the demo is not the one that commands mean by themselves.
    home = f" --home {shlex.quote(str(file.parent))}" if request.arguments.get("demo") else ""
    return [
        terminal.paint(f"Recollect serves at {served.url}", "bold"),
        *map(inert, token),
        "",
        "The dashboard, in a browser; this link signs in once, `recollect dashboard` makes another:",
        inert(f"  {dashboard}"),
        "",
        "Try:",
        inert(f'  curl {header}"{served.url}/v1/spaces/{space}/search?query=where+do+I+live"'),
        inert(f"  recollect tokens create --space {space} --scope read --expires 30d{home}"),
        "",
        "Connect an agent, here or over HTTP; `recollect init` connects all that are on this machine:",
        inert(f"  claude mcp add recollect -- recollect mcp{home}"),
        inert(f"  claude mcp add --transport http recollect {served.url}/mcp{' ' if header else ''}{header.rstrip()}"),
        "",
        "Ctrl-C stops it.",
    ]


def _look_after(home: Path, request: Request) -> Screen:
    from recollect.surfaces.resident.process import running, stop

    if request.arguments.get("stop"):
        ended = stop(home)
        if request.json:
            return Screen((json_text(ended._asdict()),))
        return Screen((inert(f"The server at {ended.url} has stopped."),))
    found = running(home)
    if request.json:
        told = {"running": found is not None, **(found._asdict() if found else {})}
        return Screen((json_text(told),), exit_code=0 if found else PROBLEMS_FOUND)
    if found is None:
        return Screen((inert(f"No server is running for {home}."),), exit_code=PROBLEMS_FOUND)
    return Screen((inert(f"A server runs at {found.url} (process {found.pid}, version {found.version})."),))


_ONCE = "This is the only time it is shown. Send it as: Authorization: Bearer TOKEN"


def tokens(request: Request, terminal: Terminal) -> Screen:
    """Do what a command about tokens asks for."""
    settings, _ = load_settings({"store": request.store, "home": request.home})
    with open_memory(settings) as memory:
        access = memory.access
        match request.command.words[-1]:
            case "create":
                return _shown_once(access.issue(**request.arguments), request, terminal)
            case "rotate":
                return _shown_once(access.rotate(**request.arguments), request, terminal)
            case "link":
                return _link(access, request, settings.home)
            case "revoke":
                revoked = access.revoke(request.arguments["token_id"])
                if request.json:
                    return Screen((json_text(shown(revoked)),))
                return Screen((inert(f"Token {revoked.id} ({revoked.name}) opens nothing any more."),))
            case _:
                return _list(access, request, terminal)


def _link(access: Access, request: Request, home: Path) -> Screen:
    """A link for a browser. The secret stands after `#`, which no browser sends and no server logs."""
    from recollect.surfaces.resident.process import running

    server = running(home)
    url = f"{server.url if server else 'http://127.0.0.1:7077'}/sign-in#{access.link(request.arguments['token_id'])}"
    if request.json:
        return Screen((json_text({"url": url}),))
    return Screen((url,), ("Open it within ten minutes. It signs one browser in, once.",))


def _shown_once(issued: IssuedToken, request: Request, terminal: Terminal) -> Screen:
    if request.json:
        return Screen((json_text({**shown(issued.token), "token": issued.secret}),))
    token = issued.token
    until = f"until {format_time(token.expires_at)}" if token.expires_at else "with no end"
    where = f"the space {token.space}" if token.space else "all spaces"
    where += "".join(f", {name} {value}" for name in BOUND_BY if (value := getattr(token.within, name)))
    told = [*wrap(inert(f"Token {token.id} may {token.scope} in {where}, {until}."), terminal.width), _ONCE]
    return Screen((issued.secret,), tuple(terminal.paint(line, "dim") for line in told))


def _list(access: Access, request: Request, terminal: Terminal) -> Screen:
    found = access.tokens()
    if request.json:
        return Screen((json_text({"items": [shown(token) for token in found]}),))
    if not found:
        return Screen((), ("There are no tokens. `recollect tokens create` makes one.",))
    rows = [
        [
            token.id,
            token.scope,
            "/".join([token.space or "(all)", *(value for name in BOUND_BY if (value := getattr(token.within, name)))]),
            "revoked" if token.revoked_at else _day(token.expires_at, "no end"),
            _day(token.last_used_at, "never"),
            token.name,
        ]
        for token in found
    ]
    return Screen(tuple(table(["id", "scope", "space", "ends", "last used", "name"], rows, terminal)))


def _day(moment: Any, otherwise: str) -> str:
    return otherwise if moment is None else format_time(moment)[:16] + "Z"
