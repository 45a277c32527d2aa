"""Pure: what in a text is not the speaker's own word: what we said ourselves, quotations, code, tool output.

It is masked before anything is read from a message, so that memory never feeds on itself. Masked characters become
spaces and line feeds stay, so that positions in the text are the same before and after.
"""

from __future__ import annotations

import re

from recollect.domain.answers.briefings import FENCE

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
