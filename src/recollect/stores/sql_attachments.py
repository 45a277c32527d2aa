"""Files of observations in any SQL database: kept by an edit, and read."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime

from recollect.domain.attachments.attachment import AttachmentContent
from recollect.domain.attachments.limits import media_type_of
from recollect.domain.changes import AddObservation, Changes, KeepAttachment
from recollect.domain.clock import format_time
from recollect.domain.errors import InvalidInput, QuotaReached
from recollect.domain.scopes import BOUND_BY, Scope
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, SqlPart, Transaction
from recollect.stores.records import attached_from


class SqlAttachments(SqlPart):
    """Files in an SQL database."""

    def content(self, space: str, digest: str, *, at: datetime | None = None) -> AttachmentContent | None:
        found = self._read(space, "attachment", digest=digest, at=format_time(at) if at else "")
        return _content(found[0]) if found else None

    def held(self, space: str) -> dict[str, tuple[str, ...]]:
        rows = self._read(space, "attachments_held")
        found: dict[str, tuple[str, ...]] = {}
        for observation_id, digest in sorted(rows):
            found[observation_id] = (*found.get(observation_id, ()), digest)
        return found

    def kept(self, space: str) -> frozenset[str]:
        # Where something is written every part is seen, so that one does not clean away what another holds.
        with self._database.writing(space) as transaction:
            return frozenset(digest for _, digest in transaction.rows("attachments_held", space=space))

    def export(self, space: str, *, after: str, limit: int) -> Sequence[tuple[str, bytes]]:
        rows = self._read(space, "attachments_after", after=after, limit=limit)
        return [(row[0], _whole(row)) for row in rows]

    def size(self, space: str) -> tuple[int, int | None]:
        [(held, limit)] = self._read(space, "attachment_bytes")
        return int(held), limit


@reads("attachment")
def _whole(row: Row) -> bytes:
    """The bytes of a file, which are the very ones that were kept."""
    content = bytes(row[1])
    if hashlib.sha256(content).hexdigest() != row[0]:
        raise ValueError("its bytes are not those of its digest")
    return content


@reads("attachment")
def _content(row: Row) -> AttachmentContent:
    digest, _, observation_id, spelled = row
    content = _whole(row)
    file = next(each for each in attached_from(spelled) if each.digest == digest)
    # Whoever wrote the row could have said anything of its type.
    kind = media_type_of(content) or "application/octet-stream"
    return AttachmentContent(digest, file.name, kind, len(content), file.alt, file.caption, observation_id, content)


def keep_attachment(transaction: Transaction, changes: Changes, edit: KeepAttachment, within: Scope) -> None:
    """Keep the bytes of a file once, for the observations of the same change that name it.

    A writer who hands bytes in shows that they have them; so nobody comes to a file of others by its digest alone. An
    import brings observations first and bytes later: there all observations of the writer's part have them.
    """
    import hashlib

    if hashlib.sha256(edit.content).hexdigest() != edit.digest:
        raise InvalidInput("The bytes of a file are not those of its digest.", code="attachment_differs")
    space = changes.space
    key = {"space": space, "digest": edit.digest}
    part = {name: getattr(within, name) for name in BOUND_BY}
    told = [each.observation.id for each in changes.edits if isinstance(each, AddObservation)]
    if told:
        held = [transaction.rows("hold_attachment_of", **key, id=observation_id) for observation_id in told]
    else:
        held = [transaction.rows("hold_attachment", **key, **part)]
    if not any(held):
        return
    if transaction.rows("insert_attachment", **key, size=len(edit.content), content=edit.content):
        _require_room(transaction, space)


def _require_room(transaction: Transaction, space: str) -> None:
    from recollect.domain.attachments.limits import SPACE_BYTES

    [(held, limit)] = transaction.rows("attachment_bytes", space=space)
    most = SPACE_BYTES if limit is None else limit
    if held > most:
        raise QuotaReached(
            f"The files in the space `{space}` may have {most:,} bytes together; nothing was written.",
            code="attachment_quota",
            hint="Forget messages whose files are no longer needed, or ask for more: `recollect spaces limit`.",
        )
