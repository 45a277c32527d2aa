"""Answers to requests of dialects: in the words of another memory system, by verbs of ours.

The guard has let somebody in by the line of the table. Each verb that the dialect calls is asked for its right again.
"""

from __future__ import annotations

from recollect.dialects.table import ANY, Asked, DialectLine
from recollect.domain.access import AccessScope
from recollect.domain.clock import Clock
from recollect.domain.origin import Caller, Channel
from recollect.memory import Memory
from recollect.surfaces.reception.dialect_gate import knock_of, reply_to
from recollect.surfaces.reception.forms import Form, body_form, object_in
from recollect.surfaces.reception.guard import Visit
from recollect.surfaces.reception.visitor import Visitor, memory_of, nobody, open_token


def answer_in_dialect(
    memory: Memory, depth: int, clock: Clock, visit: Visit, line: DialectLine, body: bytes
) -> tuple[bytes, int, dict[str, str]]:
    """Read the body as far as the line wants it read, and answer: body, status, headers."""
    parsed = bool(body) and line.path.reads != (ANY,)
    form = Form.JSON if ANY in line.path.reads or not body else body_form(visit.head)
    read = object_in(body, depth, form) if parsed else {}
    shown = visit.token or (nobody() if line.path.open else open_token(memory.settings.principal))
    caller = Caller(
        Channel.HTTP, shown.name, reads_only=not shown.reaches(AccessScope.WRITE), everywhere=shown.is_everywhere
    )
    visitor = Visitor(memory_of(memory, shown, caller), shown, visit.space or memory.settings.space)
    knock = knock_of(line, visit.head)
    asked = Asked(
        knock.parts,
        knock.query,
        read,
        body,
        knock.headers,
        visit.token,
        space=visitor.space,
        local=knock.local,
        keys=memory.access,
        clock=clock,
        spoken=line.spoken,
    )
    return reply_to(line.path.answer(visitor, asked), line)
