"""`recollect rescue`: an export of what a damaged file still holds, and an account of what it does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from recollect.assembly import rescue_from
from recollect.domain.recollections import LostRecord, Rescue
from recollect.domain.values import to_plain
from recollect.settings import load_settings
from recollect.surfaces.cli.exits import DONE, PROBLEMS_FOUND
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.render import Screen
from recollect.surfaces.cli.streams import writing_whole
from recollect.surfaces.cli.terminal import inert, json_text

_NAMED = 20  # lost records that are named on a screen


def rescue(request: Request) -> Screen:
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
        yield f"  {count:,} {kind}{'' if count == 1 else 's'}"
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
