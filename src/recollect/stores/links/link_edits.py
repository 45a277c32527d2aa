"""Carry out the edits of judgements and of refutations, inside the transaction that writes their cause."""

from __future__ import annotations

from recollect.domain.changes import Changes, RefuteLink, SettleLink, WriteJudgement
from recollect.domain.clock import format_time
from recollect.domain.errors import NotFound
from recollect.stores.database import Transaction
from recollect.stores.links.link_rows import link_values
from recollect.stores.records import time_or_none

# What goes with a record, and with a space.
ERASE_LINKS = ("erase_statement_links", "erase_judgement")
ERASE_SPACE_LINKS = ("erase_space_statement_links", "erase_space_judgements")


def write_judgement(transaction: Transaction, changes: Changes, edit: WriteJudgement) -> None:
    """Put a judgement with its links in the place of the earlier one. What was erased meanwhile is passed over."""
    judged, space = edit.judgement, changes.space
    there = transaction.rows(
        "write_judgement",
        space=space,
        record_id=judged.record_id,
        version=judged.version,
        model_id=judged.model,
        stance=judged.stance.value,
        asserted=judged.asserted,
        judged_at=format_time(judged.judged_at),
    )
    if there:
        transaction.rows("drop_judged_links", space=space, id=judged.record_id)
        for link in judged.links:
            transaction.rows("write_statement_link", space=space, **link_values(link))


def settle_link(transaction: Transaction, changes: Changes, edit: SettleLink) -> None:
    """Keep the word of a language model; a link that is gone, judged anew or refuted by a person is passed over."""
    asked = {"older": edit.older, "newer": edit.newer, "judged_at": format_time(edit.judged_at)}
    transaction.rows("write_unlinked_change", space=changes.space, **asked)
    transaction.rows(
        "settle_link",
        space=changes.space,
        **asked,
        settled_as=edit.settled_as and edit.settled_as.value,
        settled_by=edit.settled_by,
        settled_because=edit.settled_because,
        settled_at=format_time(changes.at),
    )


def refute_link(transaction: Transaction, changes: Changes, edit: RefuteLink) -> None:
    """Keep a person's word on a link; both of its ends must be there."""
    link = edit.link
    word = {"refuted_at": time_or_none(link.refuted_at), "refuted_by": link.refuted_by}
    if not transaction.rows("refute_link", space=changes.space, **link_values(link), **word):
        raise NotFound(f"One of {link.older} and {link.newer} is not in `{changes.space}`.", code="record_not_found")
