"""An answer in sentences on a screen: the text, and below it the records that say so."""

from __future__ import annotations

from collections.abc import Iterator

from recollect.domain.answers.contexts import CitedAnswer
from recollect.surfaces.cli.terminal import Terminal, facts, inert, wrap


def cited_lines(answer: CitedAnswer, terminal: Terminal) -> Iterator[str]:
    """The sentences and the gaps, then each citation: its id, and whose word it is."""
    for line in answer.text.split("\n"):
        yield from wrap(inert(line), terminal.width)
    if answer.citations:
        yield ""
        yield from facts(
            [(f"[{each.number}]", inert(f"{each.id}  {each.origin}, {each.date}")) for each in answer.citations],
            terminal,
        )


def cited_asides(answer: CitedAnswer) -> Iterator[str]:
    """The model that worded it, or why none did, and how to ask why."""
    if answer.model:
        yield f"Worded by {inert(answer.model)} from these records."
    if answer.fallback:
        yield f"In the words of the records: {inert(answer.fallback)}"
    if answer.receipt:
        yield f"`recollect why {answer.receipt}` shows how this came about."
