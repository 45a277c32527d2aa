"""`recollect top`: what the server is doing, from its metrics: once, or again and again until somebody stops it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, build_opener

from recollect.domain.clock import SystemClock
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, NotFound, Unreachable
from recollect.settings import load_settings
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.render import Screen
from recollect.surfaces.cli.screens.reports import bytes_in_words
from recollect.surfaces.cli.terminal import Terminal, facts, is_screen, json_text, table, terminal_of

_EVERY = 2.0  # seconds between two looks
_PATIENCE = 5.0  # seconds for the server to answer
_CLEAR = "\x1b[H\x1b[J"  # from the first line down; nothing is left of what was there
_SLOWEST = 0.99  # the share of requests that the larger figure covers

Sample = tuple[str, Mapping[str, str], float]


@dataclass(frozen=True, slots=True)
class ServerFigures:
    """The metrics of a server at one moment, in seconds of a steady clock."""

    at: float
    samples: tuple[Sample, ...]

    def total(self, name: str, **labels: str) -> float:
        return sum(value for each, said, value in self.samples if each == name and labels.items() <= said.items())

    def by(self, name: str, label: str) -> dict[str, float]:
        """The sums of a metric by one of its labels."""
        found: dict[str, float] = {}
        for each, said, value in self.samples:
            if each == name and label in said:
                found[said[label]] = found.get(said[label], 0.0) + value
        return found


def top(request: Request, terminal: Terminal) -> Screen:
    """Show what the server does."""
    from recollect.surfaces.resident.process import FIRST_TOKEN, running

    settings, _ = load_settings({"home": request.home})
    found = running(settings.home)
    if found is None:
        raise NotFound(
            f"No server is running for {settings.home}.", code="not_serving", hint="`recollect serve` starts one."
        )
    token = request.arguments.get("token") or _first_token(settings.home / FIRST_TOKEN)
    before, after = None, _look(found.url, token)
    if request.json or request.arguments.get("once") or not is_screen(sys.stdout):
        if request.json:
            return Screen((json_text(figures(after, None)),))
        return Screen(tuple(_page(found.url, figures(after, None), terminal)))
    try:
        while True:
            now = terminal_of(sys.stdout)
            print(_CLEAR + "\n".join(_page(found.url, figures(after, before), now)), "", "Ctrl-C stops it.", sep="\n")
            time.sleep(_EVERY)
            before, after = after, _look(found.url, token)
    except KeyboardInterrupt:  # the usual end of it
        return Screen()


def figures(after: ServerFigures, before: ServerFigures | None) -> dict[str, Any]:
    """The figures to show. With an earlier look rates are of the time between; without, since the server began."""
    began = after.total("process_start_time_seconds")
    up = SystemClock().now().timestamp() - began
    seconds = after.at - before.at if before else max(1.0, up)

    def since(name: str, **labels: str) -> float:
        return after.total(name, **labels) - (before.total(name, **labels) if before else 0.0)

    verbs = []
    for verb, count in sorted(after.by("recollect_requests_total", "verb").items()):
        recent = since("recollect_requests_total", verb=verb)
        done = since("recollect_request_seconds_count", verb=verb)
        verbs.append(
            {
                "verb": verb,
                "requests": int(count),
                "per_second": round(recent / seconds, 2),
                "mean_ms": round(1000 * since("recollect_request_seconds_sum", verb=verb) / done, 1) if done else None,
                "p99_ms": _slowest(after, before, verb),
            }
        )
    return {
        "up_seconds": round(up) if began else None,
        "resident_bytes": int(after.total("process_resident_memory_bytes")),
        "under_way": int(after.total("recollect_requests_under_way")),
        "waiting": int(after.total("recollect_requests_waiting")),
        "streams": int(after.total("recollect_streams")),
        "spaces": int(after.total("recollect_spaces")),
        "store_bytes": int(after.total("recollect_store_bytes")),
        "wal_bytes": int(after.total("recollect_wal_bytes")),
        "index_behind": int(after.total("recollect_index_behind_changes")),
        "refused": _counts(after.by("recollect_refused_total", "code")),
        "hits": _counts(after.by("recollect_hits_total", "channel")),
        "gate": _counts(after.by("recollect_gate_total", "verdict")),
        "verbs": verbs,
    }


def _slowest(after: ServerFigures, before: ServerFigures | None, verb: str) -> float | None:
    """The upper end of the bucket that holds all but the slowest; `None` if nothing was done, or beyond the last."""
    buckets: dict[float, float] = {}
    for sign, look in ((1, after), (-1, before)):
        for name, said, value in look.samples if look else ():
            if name == "recollect_request_seconds_bucket" and said.get("verb") == verb:
                end = float(said["le"])
                buckets[end] = buckets.get(end, 0.0) + sign * value
    most = max(buckets.values(), default=0.0)
    end = next((end for end, count in sorted(buckets.items()) if most and count >= _SLOWEST * most), float("inf"))
    return round(1000 * end, 1) if end != float("inf") else None


def _counts(found: Mapping[str, float]) -> dict[str, int]:
    return {name: int(count) for name, count in sorted(found.items(), key=lambda each: -each[1]) if count}


def _page(url: str, told: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    yield terminal.paint(f"Recollect at {url}, up {_duration(told['up_seconds'] or 0)}", "bold")
    yield ""
    yield from facts(
        [
            ("requests", f"{told['under_way']:,} under way, {told['waiting']:,} waiting, {told['streams']:,} streams"),
            ("memory", bytes_in_words(told["resident_bytes"])),
            ("store", f"{bytes_in_words(told['store_bytes'])}, log {bytes_in_words(told['wal_bytes'])}"),
            ("index", "up to date" if not told["index_behind"] else f"{told['index_behind']:,} changes behind"),
            ("refused", _listed(told["refused"])),
            ("found by", _listed(told["hits"])),
            ("gate", _listed(told["gate"])),
        ],
        terminal,
    )
    if told["verbs"]:
        yield ""
        rows = [
            [
                each["verb"],
                f"{each['requests']:,}",
                f"{each['per_second']:,.2f}",
                "" if each["mean_ms"] is None else f"{each['mean_ms']:,.1f} ms",
                "" if each["p99_ms"] is None else f"≤ {each['p99_ms']:,.1f} ms",
            ]
            for each in sorted(told["verbs"], key=lambda each: (-each["per_second"], each["verb"]))
        ]
        yield from table(["verb", "requests", "per second", "mean", "99 of 100"], rows, terminal)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items())


def _duration(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}"


def _look(url: str, token: str | None) -> ServerFigures:
    from prometheus_client.parser import text_string_to_metric_families

    opener = build_opener(ProxyHandler({}))  # it is on this machine
    opener.addheaders = [("Authorization", f"Bearer {token}")] if token else []
    try:
        with opener.open(f"{url}/metrics", timeout=_PATIENCE) as answer:
            page = answer.read().decode()
    except HTTPError as refused:
        raise InvalidInput(
            f"The server at {url} does not show its metrics: {refused.code} {refused.reason}.",
            code="metrics_refused",
            hint="`--token` takes a token that is not bound to a space.",
        ) from None
    except (URLError, OSError) as problem:
        raise Unreachable(
            f"The server at {url} does not answer: {getattr(problem, 'reason', problem)}.", hint="Try again."
        ) from None
    families = text_string_to_metric_families(page)
    return ServerFigures(
        time.monotonic(), tuple((each.name, each.labels, each.value) for family in families for each in family.samples)
    )


def _first_token(file: Path) -> str | None:
    try:
        return file.read_text(encoding="ascii").strip()
    except OSError:
        return None
