"""Carry out the edit that keeps a file."""

from __future__ import annotations

from recollect.domain.changes import AddObservation, Changes, KeepAttachment
from recollect.domain.errors import InvalidInput, QuotaReached
from recollect.domain.scopes import BOUND_BY, Scope
from recollect.stores.database import Transaction


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
