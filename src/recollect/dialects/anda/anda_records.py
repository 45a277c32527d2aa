"""Records of Anda Brain, made of our values, and its inputs read."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any

from recollect.codecs.cwt import cbor_value
from recollect.dialects.anda.anda_credentials import PREFIX
from recollect.dialects.shapes import milliseconds, shaped
from recollect.domain.access import AccessScope, AccessToken
from recollect.domain.answers.recollections import Usage
from recollect.domain.answers.spending import ProviderKey
from recollect.domain.brain import (
    LARGEST_TIER,
    BrainAnswer,
    BrainConversation,
    BrainSummary,
    Collection,
    ConversationStage,
)
from recollect.domain.errors import InvalidInput
from recollect.domain.observations import Observation

_CONTEXT = ("counterparty", "agent", "source", "topic")


def context_of(said: Any) -> dict[str, str]:
    """A context, given as an object or as JSON of one, which may be JSON of JSON; nothing for nothing."""
    for _ in range(3):
        if said is None or said == "" or said == "null":
            return {}
        if isinstance(said, Mapping):
            known = {"counterparty": said.get("counterparty", said.get("user"))}
            known |= {name: said.get(name) for name in _CONTEXT[1:]}
            wrong = next((name for name, value in known.items() if not isinstance(value, str | None)), None)
            if wrong:
                raise InvalidInput(f"`context.{wrong}` must be text.", code="invalid_context")
            return {name: value for name, value in known.items() if value}
        if not isinstance(said, str):
            break
        try:
            said = json.loads(said)
        except (ValueError, RecursionError):
            break
    raise InvalidInput("context string must contain a JSON object", code="invalid_context")


def queued(conversation: BrainConversation) -> dict[str, Any]:
    """The output of an agent that works later."""
    return {"content": "", "conversation": conversation.id, "usage": usage_of(Usage())}


def answered(found: BrainAnswer) -> dict[str, Any]:
    """The output of recall: the answer in sentences, where each comes from, and what is not known."""
    answer = found.answer
    return shaped(
        answer,
        "content=text gaps",
        conversation=found.conversation or None,
        usage=usage_of(answer.usage),
        model=answer.model or None,
        sources=[shaped(each, "id text=quote", date=each.date or None) for each in answer.citations],
    )


def usage_of(usage: Usage) -> dict[str, int]:
    """The tokens and calls that something took."""
    return shaped(usage, "input_tokens output_tokens cached_tokens requests=model_calls")


def space_info(found: BrainSummary) -> dict[str, Any]:
    """A space in figures. `space_id` is what the documents of that system call its `id`."""
    brain = found.brain
    return {
        **shaped(brain, "space_id=space owner public", name=brain.title or None),
        "description": found.description or None,
        "db_stats": {"total_items": found.notes + found.messages},
        "tier": tier_of(found),
        **formation_status(found),
        **{f"{mode}_usage": usage_of(found.usage[mode]) for mode in ("formation", "recall", "maintenance")},
    }


def formation_status(found: BrainSummary) -> dict[str, Any]:
    """How far formation and maintenance are."""
    rounds = {scope: milliseconds(at) for scope, at in found.rounds.items()}
    begun = {**dict.fromkeys(("daydream", "full", "quick"), 0), **rounds, "start_at": max(rounds.values(), default=0)}
    return shaped(
        found,
        "id=brain.space concepts propositions formation_processing=forming maintenance_processing=maintaining",
        conversations=found.conversations["formation"],
        formation_processed_id=found.processed["formation"],
        maintenance_processed_id=found.processed["maintenance"],
        maintenance_at=begun,
    )


def tier_of(found: BrainSummary) -> dict[str, int]:
    """The tier; a space that has none has no limit, which is told as the highest."""
    brain = found.brain
    at = milliseconds(brain.tier_at or found.created_at)
    return {"tier": LARGEST_TIER if brain.tier is None else brain.tier, "updated_at": at}


def conversation_of(found: BrainConversation) -> dict[str, Any]:
    """A conversation with what is left of its words."""
    spent = found.updated_at - found.created_at
    about = shaped(found, "user=principal created_at=created_at|ms", label=found.label or None, resources=[])
    return {**about, "period": int(spent.total_seconds() // 3600), **delta_of(found, 0, 0)}


def delta_of(found: BrainConversation, messages_from: int, artifacts_from: int) -> dict[str, Any]:
    """The part of a conversation after so many messages and artifacts."""
    failed = found.stage is ConversationStage.FAILED
    return shaped(
        found,
        "_id=id status=stage updated_at=updated_at|ms",
        messages=_words_of(found)[messages_from:],
        artifacts=_artifacts(found)[artifacts_from:],
        failed_reason=(found.detail or "It failed.") if failed else None,
        usage=usage_of(Usage()),
    )


def _words_of(found: BrainConversation) -> list[dict[str, Any]]:
    if found.collection is Collection.RECALL:
        return [{"role": "user", "content": found.query}] if found.query else []
    return [_told(each) for each in found.messages]


def _told(said: Observation) -> dict[str, Any]:
    told = shaped(said, "content=text timestamp=observed_at|ms", role=said.role or "user")
    return {**told, "name": said.speaker} if said.speaker else told


def _artifacts(found: BrainConversation) -> list[dict[str, Any]]:
    """The result of a conversation that is over: how many facts were filed."""
    done = found.stage is ConversationStage.COMPLETED and found.collection is Collection.FORMATION
    return [{"learned": found.learned}] if done else []


def space_token(token: AccessToken, secret: str | None = None) -> dict[str, Any]:
    """A space token. Its whole is shown once; lists show the beginning, by which it can be revoked."""
    scopes = token.scopes & {AccessScope.READ, AccessScope.WRITE}
    return shaped(
        token,
        f"name created_at=created_at|ms updated_at={'last_used_at' if token.last_used_at else 'created_at'}|ms "
        "expires_at=expires_at|ms",
        token=f"{PREFIX}{secret or token.prefix}",
        scope="*" if len(scopes) == 2 else next((each.value for each in scopes), ""),
        usage=int(token.last_used_at is not None),
    )


def model_config(key: ProviderKey) -> dict[str, Any]:
    """The model settings of a space, of which the key is never shown."""
    return shaped(key, "family=provider updated_at=set_at|ms", model="", api_base="", disabled=False)


def cursor_of(number: int) -> str:
    """A cursor: a number as CBOR in base64url."""
    import cbor2

    return base64.urlsafe_b64encode(cbor2.dumps(number)).decode("ascii").rstrip("=")


def number_in(cursor: str) -> int:
    """The number that a cursor stands for."""
    try:
        said = cbor_value(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
        if len(cursor) <= 20 and isinstance(said, int) and not isinstance(said, bool) and 0 <= said < 2**62:
            return said
    except (binascii.Error, ValueError):
        pass
    raise InvalidInput("invalid cursor", code="invalid_cursor", hint="Begin anew without one.")
