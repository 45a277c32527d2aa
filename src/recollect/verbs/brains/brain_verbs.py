"""Verbs of brains: form, ask, maintain; the numbered conversations, and the settings of a space as a brain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from recollect.domain.changes import OpenSpace
from recollect.domain.dataclass import replace
from recollect.domain.errors import Conflict, InvalidInput, Unsupported
from recollect.domain.scopes import checked_space
from recollect.domain.selections import Page
from recollect.domain.values import choice
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name
from recollect.verbs.actor import Acting, Moment, WhereTold, chapter_alone, checked_limit, moment, operation
from recollect.verbs.writing import Writing

if TYPE_CHECKING:  # loaded by the first verb that is called
    from recollect.domain.brain import BrainAnswer, BrainConversation, BrainSummary, Collection
    from recollect.verbs.brains.formation import Formation

A = TypeVar("A", bound=Acting)

_MOST_MESSAGES = 10_000  # of a conversation
_LARGEST_NUMBER = 2**62
_TASKS = {"read": "formation", "settle": "formation", "answer": "recall"}  # of models, by collection
_WHOLE = "A brain is a whole space"


class BrainVerbs(Writing):
    """Brains: whole conversations, formed one after the other; numbered questions; owner and tier of a space."""

    @operation(Effect.WRITE, name="brain.form")
    def form_conversation(
        self,
        messages: str | Sequence[Mapping[str, Any]],
        *,
        at: Moment | None = None,
        topic: str | None = None,
        source: str | None = None,
        idempotency_key: str | None = None,
        space: str | None = None,
        **where: Unpack[WhereTold],
    ) -> BrainConversation:
        """Take in a whole conversation: it is kept at once, and what it says is learned by a job, in order."""
        from recollect.verbs.listening import incoming_from

        name, said_at = self._whole(space, _WHOLE), moment(at, "at") or self._engine.clock.now()
        told = incoming_from(messages, at=said_at)
        return self._formation().submitted(name, told, where, topic=topic, source=source, key=idempotency_key)

    @operation(Effect.READ, name="brain.recall")
    def ask_brain(self, question: str, *, user: str | None = None, space: str | None = None) -> BrainAnswer:
        """Answer a question in sentences with sources and gaps, and give it a number.

        `user` is a hint: what is known of that user comes first, and the rest of the space if that says too little.
        """
        from recollect.domain.answers.recollections import Coverage
        from recollect.domain.brain import BrainAnswer
        from recollect.verbs.answers import ReadingVerbs

        name, reading = self._whole(space, _WHOLE), self._beside(ReadingVerbs)
        found = reading.answer(question, space=name, user=user)
        if user is not None and found.coverage is not Coverage.FULL:
            wider = reading.answer(question, space=name)
            better = (Coverage.NONE, Coverage.PARTIAL, Coverage.FULL)
            found = max((found, wider), key=lambda each: better.index(each.coverage))
        at, principal = self._engine.clock.now(), self._caller.principal
        there = self._rehearsed is None and self._engine.store.space(name) is not None
        number = self._engine.brains.keep_recall(name, found.receipt, principal, at) if there else 0
        return BrainAnswer(number, found)

    @operation(Effect.WRITE, name="brain.maintain")
    def maintain_brain(self, *, scope: str = "daydream", space: str | None = None) -> BrainConversation:
        """Queue a round of maintenance as a numbered conversation; refused while something is formed or maintained."""
        from recollect.domain.answers.upkeep import MaintenanceScope

        name, wanted = self._whole(space, _WHOLE), choice(MaintenanceScope, scope, field="scope")
        return self._formation().maintained_later(name, wanted.value)

    @operation(Effect.WRITE, name="brain.restart")
    def restart_conversation(self, conversation: int, *, space: str | None = None) -> BrainConversation:
        """Form a conversation anew: one that failed, or one that was read with other settings. Nothing is doubled."""
        from recollect.domain.brain import OPEN_CONVERSATIONS, Collection

        name = self._whole(space, _WHOLE)
        found = self._conversation(name, Collection.FORMATION, conversation)
        if found.stage in OPEN_CONVERSATIONS:
            raise Conflict(
                f"Conversation {found.id} is processed already.",
                code="conversation_open",
                hint="Ask again when it is completed or has failed.",
            )
        return self._formation().restarted(found)

    @operation(Effect.READ, name="brain.conversations")
    def conversations(
        self,
        conversation: int | None = None,
        *,
        collection: str = "formation",
        limit: int = 10,
        cursor: str | None = None,
        space: str | None = None,
    ) -> Page[BrainConversation]:
        """List numbered conversations, the newest first; or show one, with its messages or its question.

        A cursor is the number before which the next page begins.
        """
        from recollect.domain.brain import Collection

        name, size = self._whole(space, _WHOLE), checked_limit(limit)
        kind = choice(Collection, collection, field="collection")
        if conversation is not None:
            return Page((self._with_words(self._conversation(name, kind, conversation)),))
        found = self._engine.brains.conversations(name, kind, before=_number_in(cursor), limit=size + 1)
        return Page(tuple(found[:size]), str(found[size - 1].id) if len(found) > size else None)

    @operation(Effect.READ, name="brain.show")
    def brain(self, *, space: str | None = None) -> BrainSummary:
        """Show a space as a brain: its settings, what it holds, how far conversations are, and what models cost."""
        from recollect.domain.answers.recollections import Usage
        from recollect.domain.brain import Brain, BrainSummary, Collection

        name, engine = self._whole(space, _WHOLE), self._engine
        there, figures = engine.store.space(name), engine.brains.figures(name)
        now = engine.clock.now()
        held = engine.store.summary(there) if there else None
        usage = {kind.value: Usage() for kind in Collection}
        for line in engine.spend.lines(since="", at=now):
            if line.space == name:
                kind = _TASKS.get(line.task, Collection.MAINTENANCE.value)
                usage[kind] += Usage(line.calls, line.tokens, line.input_tokens, line.cached_tokens, line.output_tokens)
        return BrainSummary(
            brain=engine.brains.brain(name) or Brain(name),
            description=there.description if there else "",
            created_at=there.created_at if there else now,
            notes=held.notes if held else 0,
            messages=held.observations if held else 0,
            concepts=figures.concepts,
            propositions=figures.propositions,
            conversations={kind.value: figures.newest.get(kind, 0) for kind in Collection},
            processed={kind.value: figures.processed.get(kind, 0) for kind in Collection},
            usage=usage,
            rounds={scope: at for scope, (_, at) in figures.rounds.items()},
            forming=figures.are_open(Collection.FORMATION),
            maintaining=figures.are_open(Collection.MAINTENANCE),
        )

    @operation(Effect.WRITE, name="brain.change")
    def change_brain(
        self,
        *,
        owner: str | None = None,
        title: str | None = None,
        description: str | None = None,
        public: bool | None = None,
        tier: int | None = None,
        space: str | None = None,
    ) -> BrainSummary:
        """Change the settings of a space as a brain. What is not given stays.

        A `tier` t allows 10^(t+2) entities or conversations. A `public` space is read without a token in the dialect.
        """
        from recollect.domain.brain import Brain

        name, engine = self._whole(space, _WHOLE), self._engine
        known, there = engine.brains.brain(name) or Brain(name), engine.store.space(name)
        given: dict[str, Any] = {
            "owner": checked_name(owner, field="owner"),
            "title": checked_name(title, field="title"),
            "public": public,
            "tier": _checked_tier(tier),
            "tier_at": None if tier is None else engine.clock.now(),
        }
        about = checked_name(description, field="description") if description is not None else None
        told = about if about is not None else there.description if there else ""
        self._carry_out("brain.change", name, OpenSpace(told))
        if self._rehearsed is None:
            engine.brains.keep(replace(known, **{field: value for field, value in given.items() if value is not None}))
        return self.brain(space=name)

    def _open_brain(self, space: str, *, tier: int) -> None:
        """Make a space of a tier, in one commit; one that is there stays as it is. For doors that make spaces."""
        self._carry_out("create_space", checked_space(space), OpenSpace("", only_if_new=True, tier=_checked_tier(tier)))

    def _conversation(self, space: str, collection: Collection, number: int) -> BrainConversation:
        from recollect.domain.brain import no_conversation

        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < _LARGEST_NUMBER:
            raise InvalidInput(f"`conversation` is {number!r}; it must be a whole number.", code="invalid_number")
        found = self._engine.brains.conversation(space, collection, number)
        if found is None:
            raise no_conversation(number, collection, space)
        return found

    def _with_words(self, found: BrainConversation) -> BrainConversation:
        """A conversation with what is left of its words: those of messages and receipts that were not forgotten."""
        from recollect.domain.brain import Collection

        if found.record_id is None:
            return found
        if found.collection is Collection.RECALL:
            receipt = self._engine.receipts.receipt(found.space, found.record_id)
            return replace(found, query=receipt.query if receipt else None)
        archive, now = self._engine.archive, self._engine.clock.now()
        session = archive.session(found.space, found.record_id)
        kept = archive.observations(found.space, found.record_id, after=0, limit=_MOST_MESSAGES)
        messages = tuple(each for each in kept if not each.is_due(now))
        return replace(found, messages=messages, label=(session.title if session else None) or "")

    def _formation(self) -> Formation:
        if self._rehearsed is not None:
            raise Unsupported(
                "Formation has no dry run.", hint="`recollect add --dry-run` shows what would be learned."
            )
        from recollect.verbs.brains.formation import Formation

        return self._beside(Formation)

    def _beside(self, kind: type[A]) -> A:
        """Another chapter in the name of the same caller."""
        chapter = chapter_alone(kind, self._engine, self._caller)
        chapter._rehearsed = self._rehearsed
        return chapter


def _checked_tier(tier: int | None) -> int | None:
    from recollect.domain.brain import LARGEST_TIER

    if tier is not None and (isinstance(tier, bool) or not isinstance(tier, int) or not 0 <= tier <= LARGEST_TIER):
        raise InvalidInput(f"`tier` is {tier!r}; tiers go from 0 to {LARGEST_TIER}.", code="invalid_number")
    return tier


def _number_in(cursor: str | None) -> int | None:
    if cursor is None:
        return None
    if not isinstance(cursor, str) or not cursor.isascii() or not cursor.isdigit() or len(cursor) > 18:
        raise InvalidInput("This cursor is not one of conversations.", code="invalid_cursor", hint="Begin anew.")
    return int(cursor)
