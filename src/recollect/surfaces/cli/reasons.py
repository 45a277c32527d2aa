"""Reasons for people: why each hit is there, what a past search did, where a note was lost; and blocks for prompts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from recollect.domain.answers.briefings import Briefing
from recollect.domain.answers.receipts import Fate, RecallReceipt, Why, WhyNot
from recollect.domain.recollections import Coverage, Explanation, Hit, Recollection, Turn
from recollect.surfaces.cli.cards import hit_list, instant
from recollect.surfaces.cli.tables import facts, table
from recollect.surfaces.cli.terminal import Terminal, cut, inert, wrap

_INDENT = "   "
_LONGEST_TURN = 200  # characters of something that was said; `get` and `--json` have all of it
_MOST_LISTED = 20  # candidates of a receipt on a screen; `--json` has all of them


def explained_hits(found: Recollection, terminal: Terminal) -> Iterator[str]:
    """Each hit, and below it what found it, when it was true and what was said around it."""
    for place, (hit, explanation) in enumerate(zip(found.hits, found.explained, strict=True), start=1):
        if place > 1:
            yield ""
        yield from hit_list([hit], terminal, first=place)
        yield from facts(_reasons(explanation), terminal, indent=_INDENT)


def briefing_lines(briefing: Briefing, terminal: Terminal) -> Iterator[str]:
    """The block to put into a prompt: as it is for a pipe, wrapped for a screen."""
    for line in briefing.block.split("\n") if briefing.block else ():
        yield from wrap(inert(line), terminal.width)


def briefing_asides(briefing: Briefing) -> Iterator[str]:
    """How much it is, how well it covers the question, and how to ask why."""
    if briefing.skipped:
        yield briefing.skipped
    else:
        count = len(briefing.lines)
        lines = f"{count:,} {'line' if count == 1 else 'lines'}"
        yield f"{lines}, {briefing.tokens:,} of {briefing.budget:,} tokens; coverage: {briefing.coverage.value}."
    yield from receipt_aside(briefing.receipt)


def receipt_aside(receipt_id: str | None) -> Iterator[str]:
    if receipt_id:
        yield f"`recollect why {receipt_id}` shows how this came about."


def why_page(why: Why, terminal: Terminal) -> Iterator[str]:
    """The receipt of a question: what was answered, which candidates were left out, and the answer if asked again."""
    yield from facts(_receipt_facts(why.receipt), terminal)
    yield ""
    yield terminal.paint("Answered then", "bold")
    for each in why.answered:
        told = each.gone or each.text
        yield from facts([(each.id, cut(inert(told), _LONGEST_TURN))], terminal, indent="  ")
    if not why.answered:
        yield "  nothing"
    others = [found for found in why.receipt.found if found.fate is not Fate.SHOWN]
    if others:
        yield ""
        yield terminal.paint("Found, and left out", "bold")
        rows = [
            [found.id, found.fate.value, f"{found.score:.2f}", _channels(found.signals)]
            for found in others[:_MOST_LISTED]
        ]
        yield from table(["id", "why", "score", "found by"], rows, terminal)
    yield ""
    yield from wrap(_replay(why), terminal.width)


def why_not_lines(lost: WhyNot, terminal: Terminal) -> Iterator[str]:
    """The step that lost a note, and the reason."""
    pairs = [
        ("step", lost.step.value),
        ("reason", lost.reason),
        ("place", "" if lost.place is None else f"{lost.place:,}"),
        ("instead", lost.instead or ""),
        ("found by", _channels(lost.signals)),
    ]
    yield from facts(pairs, terminal)


def _reasons(explanation: Explanation) -> Iterator[tuple[str, str]]:
    yield "found by", _channels(explanation.signals)
    yield "valid", explanation.validity
    yield from ((turn.place, _said(turn)) for turn in explanation.evidence if turn.id != explanation.id)


def _said(turn: Turn) -> str:
    speaker = f"{turn.speaker}: " if turn.speaker else ""
    return cut(inert(f"{turn.at:%Y-%m-%d}  {speaker}{turn.text}"), _LONGEST_TURN)


def _channels(signals: Mapping[str, float]) -> str:
    ordered = sorted(signals.items(), key=lambda signal: (-signal[1], signal[0]))
    return ", ".join(f"{channel} {score:.2f}" for channel, score in ordered)


def _receipt_facts(receipt: RecallReceipt) -> Iterator[tuple[str, str]]:
    yield "asked", receipt.query if receipt.query is not None else "forgotten, with something in this space"
    yield "with", ", ".join(f"{name} {value}" for name, value in sorted(receipt.asked.items()))
    yield "when", instant(receipt.at)
    yield "by", receipt.verb
    yield "coverage", receipt.coverage.value
    yield "candidates", f"{receipt.candidates:,}"
    yield "tokens", f"{receipt.tokens:,}" if receipt.tokens else ""
    yield "took", ", ".join(f"{step} {milliseconds:.1f} ms" for step, milliseconds in receipt.took.items())


def _replay(why: Why) -> str:
    if why.receipt.query is None:
        return "It cannot be asked again: the question was forgotten."
    if why.same:
        return "Asked again of memory as it was then, the answer is the same."
    return f"Asked again of memory as it was then, the answer differs: {_texts(why.again)}."


def _texts(hits: Sequence[Hit]) -> str:
    return "; ".join(cut(inert(hit.text), 60) for hit in hits[:3]) or "nothing"


def search_asides(found: Recollection) -> Iterator[str]:
    """Remarks on what the hits do not cover, and on how to see their receipt."""
    if found.coverage is Coverage.PARTIAL:
        yield "Some of what was asked is not in these."
    elif found.coverage is Coverage.NONE:
        yield "Nothing seems to be known about it; these are only the nearest."
    yield from receipt_aside(found.receipt)
