"""Pairs in doubt are put to a language model; its word is kept with the link.

The judge was unsure of them, or the facts that were read from them say otherwise than the judge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from recollect.domain.chat.chat_model import OF_NO_USE, TRIES_OF_NO_USE, ModelTask, Unanswered
from recollect.domain.jobs.job import SETTLE
from recollect.domain.notes import ONCE_TRUE
from recollect.verbs.lookup import standing_messages
from recollect.verbs.writing import Writing

if TYPE_CHECKING:
    from recollect.domain.changes import SettleLink
    from recollect.domain.chat.chat_model import ChatModel
    from recollect.domain.links.statement_link import StatementLink
    from recollect.domain.scopes import Scope
    from recollect.remember.linker import DoubtfulPair

_SECONDS = 60.0  # for an answer; nobody waits for it
_MOST_PAGES = 20  # of pairs in doubt that are looked through for some that stand


class PairSettling(Writing):
    """Settles doubtful pairs by a model."""

    def _settle_pairs(self, space: str, *, tell: Callable[[str, int, int], None]) -> None:
        """Ask a model once about each pair on which nobody has said a word, some at a time. Raises `Unanswered`.

        What belongs to different people is never in one request: the reason of one verdict may quote another pair.
        """
        model = self._working_model(ModelTask.SETTLE, space)
        if model is None:
            return
        from recollect.remember.link_decision import UNSURE
        from recollect.remember.linker import MOST_PAIRS

        links = self._engine.links
        for doubtful in (partial(links.doubtful, between=UNSURE), links.unlinked_changes):
            done, after = 0, ("", "")
            while found := doubtful(space, after=after, limit=MOST_PAIRS):
                after = found[-1].older, found[-1].newer
                tell(model.model_id, done, done + len(found))
                done += len(found)
                parts: dict[Scope, list[DoubtfulPair]] = {}
                for pair in self._pairs(space, found):
                    parts.setdefault(pair.newer.part, []).append(pair)
                for pairs in parts.values():
                    self._carry_out(SETTLE, space, *_settled(model, pairs))

    def doubtful_pairs(self, space: str, *, limit: int) -> list[DoubtfulPair]:
        """Pairs in doubt on which nobody has said a word, by their older ends; of many that do not stand, not all."""
        from recollect.remember.link_decision import UNSURE

        pairs: list[DoubtfulPair] = []
        after = ("", "")
        for _ in range(_MOST_PAGES):
            links = self._engine.links.doubtful(space, between=UNSURE, after=after, limit=limit)
            pairs += self._pairs(space, links, sent=False)
            if len(links) < limit or len(pairs) >= limit:
                break
            after = links[-1].older, links[-1].newer
        return pairs[:limit]

    def _pairs(self, space: str, links: Sequence[StatementLink], *, sent: bool = True) -> list[DoubtfulPair]:
        """The texts of links, without those of which an end is gone, taken back, or not to be sent where they are."""
        from recollect.remember.link_decision import text_of_message, text_of_note
        from recollect.remember.linker import DoubtfulPair
        from recollect.remember.segments import is_spoken

        ids, now = [each for link in links for each in (link.older, link.newer)], self._engine.clock.now()
        said, notes = standing_messages(self._engine, space, ids), self._engine.store.current(space, ids)
        told = [each for each in notes.values() if each.state in ONCE_TRUE and not each.is_due(now)]
        kept = [each for each in said.values() if not each.is_due(now) and (is_spoken(each) or not sent)]
        texts = {each.id: text_of_message(each) for each in kept}
        texts |= {each.id: text_of_note(each, each.version) for each in told}
        found = ((link, texts.get(link.older), texts.get(link.newer)) for link in links)
        return [DoubtfulPair(link, older, newer) for link, older, newer in found if older and newer]


def _settled(model: ChatModel, pairs: Sequence[DoubtfulPair]) -> list[SettleLink]:
    """The word of a model on some pairs, none after some answers of no use. Raises `Unanswered` without any."""
    from recollect.remember import linker

    by, asked = f"{model.model_id} {linker.PROMPT_VERSION}", linker.messages_about(pairs)
    for _ in range(TRIES_OF_NO_USE):
        reply = model.reply(asked, schema=linker.SCHEMA, max_tokens=linker.LONGEST_REPLY, seconds=_SECONDS)
        if reply.refusal is None:
            return linker.settlements(reply.data["verdicts"], pairs, by)
        if reply.refusal.code not in OF_NO_USE:
            raise Unanswered(reply.refusal)
    return linker.settlements((), pairs, by)
