"""Pure: which statements may become facts, which words are not the speaker's own, and what is asked to be remembered.

Plans, wishes and questions are seen but not believed; what leaves its attribute open waits until memory can place it.

It is masked before anything is read from a message, so that memory never feeds on itself. Masked characters become
spaces and line feeds stay, so that positions in the text are the same before and after.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from recollect.attributes.catalogue import attribute_named
from recollect.attributes.records import Flag
from recollect.domain.answers.contexts import FENCE
from recollect.domain.dataclass import dataclass
from recollect.domain.periods import Precision
from recollect.domain.readings import UNRESOLVED, Modality, Reason, Statement, Tense

LEAST_CONFIDENCE = 0.3  # below it a reading is a guess


@dataclass(frozen=True, slots=True)
class Accepted:
    """The statements that may become facts, and the others, each with the reason why it may not."""

    facts: tuple[Statement, ...]
    others: tuple[tuple[Statement, Reason], ...]


def accepted(statements: Iterable[Statement]) -> Accepted:
    """The statements that may become facts, each once, and the others with their reasons."""
    facts: list[Statement] = []
    others: list[tuple[Statement, Reason]] = []
    seen: set[tuple[str, ...]] = set()
    for statement in statements:
        key = (statement.subject, statement.attribute, statement.value.casefold(), statement.polarity, statement.tense)
        reason = reason_against(statement) or (Reason.DUPLICATE if key in seen else None)
        if reason is None:
            seen.add(key)
            facts.append(statement)
        else:
            others.append((statement, reason))
    return Accepted(tuple(facts), tuple(others))


def reason_against(statement: Statement) -> Reason | None:
    """Why a statement may not become a fact; `None` if it may."""
    match statement.modality:
        case Modality.ASKED:
            return Reason.QUESTION
        case Modality.SUPPOSED | Modality.WISHED | Modality.PLANNED:
            return Reason.HYPOTHETICAL
        case Modality.DOUBTED:
            return Reason.DOUBTED
        case Modality.ASSERTED:
            pass
    if statement.tense is Tense.FUTURE and not (_is_ahead_by_nature(statement.attribute) or _has_its_day(statement)):
        return Reason.HYPOTHETICAL  # it may come otherwise
    if statement.attribute == UNRESOLVED:
        return Reason.NOT_SELF_CONTAINED
    if statement.confidence < LEAST_CONFIDENCE or not statement.value.strip():
        return Reason.NOT_DURABLE
    return None


def _is_ahead_by_nature(attribute: str) -> bool:
    """Whether values of an attribute lie in the future: plans, appointments, deadlines."""
    known = attribute_named(attribute)
    return known is not None and (Flag.TO_COME in known.flags or known.value == "date")


def _has_its_day(statement: Statement) -> bool:
    """Whether something to come has a day: "my first day is 15 May" is as good as done, "from summer on" is not."""
    return statement.since is not None and statement.since.precision in (Precision.DAY, Precision.MOMENT)


_MASKED = (
    # Everything recalled stands between our own tags; an unclosed one reaches to the end.
    re.compile(rf"<{FENCE}\b[^>]*>.*?(?:</{FENCE}\b[^>]*>|\Z)", re.DOTALL | re.IGNORECASE),
    re.compile(
        r"<(memory|memories|context|system-reminder|tool_result|tool_output|function_results)\b[^>]*>"
        r".*?(?:</\1\s*>|\Z)",
        re.DOTALL | re.IGNORECASE,
    ),
    re.compile(r"^(```|~~~).*?(?:^\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE),
    re.compile(r"^[ \t]*>.*$", re.MULTILINE),
)

_VISIBLE = re.compile(r"[^\n]")


def masked(text: str) -> str:
    """The text with everything that is not the speaker's own word blanked out; as long as before."""
    if "<" not in text and ">" not in text and "`" not in text and "~~~" not in text:
        return text
    for pattern in _MASKED:
        text = pattern.sub(lambda found: _VISIBLE.sub(" ", found.group()), text)
    return text
