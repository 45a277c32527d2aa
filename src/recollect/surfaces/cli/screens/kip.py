"""Answers to KIP commands: a plain column line by line, a capsule as it is, anything else as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.domain.values import to_plain
from recollect.surfaces.cli.terminal import inert, json_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.domain.answers.kip import KipAnswer


def told_by_kip(answer: KipAnswer) -> tuple[Iterable[str], Iterable[str]]:
    """The lines of an answer, and how to go on where it is only a page."""
    result = answer.result
    more = [f'There is more: repeat it with CURSOR "{answer.next_cursor}".'] if answer.next_cursor else []
    if isinstance(result, dict) and isinstance(result.get("capsule"), str):
        counted = f"{result['concepts']} concepts, {result['propositions']} propositions."
        return [inert(line) for line in result["capsule"].split("\n")], [*more, counted]
    if isinstance(result, list) and all(isinstance(each, str | int | float) for each in result):
        return [inert(str(each)) for each in result], more or ([] if result else ["Nothing matches."])
    return [json_text(to_plain(result), indent=2)], more
