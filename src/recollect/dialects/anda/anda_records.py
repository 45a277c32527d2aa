"""Records of Anda Brain, made of our values, and its inputs read."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from recollect.codecs.cwt import cbor_value
from recollect.dialects.anda.anda_credentials import PREFIX
from recollect.domain.access import AccessScope, AccessToken
from recollect.domain.answers.recollections import Usage
from recollect.domain.answers.spending import ProviderKey
from recollect.domain.brains.brain import (
    LARGEST_TIER,
    BrainAnswer,
    BrainConversation,
    BrainSummary,
    Collection,
    ConversationStage,
)
from recollect.domain.clock import format_time
from recollect.domain.errors import InvalidInput
from recollect.domain.observations import Observation

_CONTEXT = ("counterparty", "agent", "source", "topic")
_ROLES = ("user", "assistant", "system", "tool")


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


def messages_of(said: Any) -> list[dict[str, Any]]:
    """Messages as `brain.form` takes them; a text is the one message of a user."""
    if isinstance(said, str):
        said = [{"role": "user", "content": said}]
    if not isinstance(said, list) or not said:
        raise InvalidInput("`messages` must be a list of messages.", code="invalid_messages")
    return [_message(each) for each in said]


def _message(said: Any) -> dict[str, Any]:
    if not isinstance(said, Mapping) or said.get("role", "user") not in _ROLES:
        raise InvalidInput(f"A message has a role ({', '.join(_ROLES)}) and a content.", code="invalid_messages")
    content = said.get("content", "")
    if isinstance(content, list):
        content = "\n".join(_part(each) for each in content)
    if not isinstance(content, str):
        raise InvalidInput("The `content` of a message is text, or a list of parts.", code="invalid_messages")
    told = {"role": said.get("role", "user"), "content": content}
    at, name = moment_in(said.get("timestamp")), said.get("name") or said.get("user")
    return {**told, **({"timestamp": at} if at else {}), **({"name": name} if isinstance(name, str) else {})}


def _part(said: Any) -> str:
    """The text of a part; of one that is no text, what it is."""
    if isinstance(said, str):
        return said
    if isinstance(said, Mapping) and isinstance(said.get("text"), str):
        return str(said["text"])
    return json.dumps(said, ensure_ascii=False)


def moment_in(said: Any) -> str | None:
    """A time that is a text, or milliseconds since 1970."""
    if said is None or isinstance(said, str):
        return said or None
    if isinstance(said, bool) or not isinstance(said, int | float):
        raise InvalidInput("`timestamp` must be a time.", code="invalid_time")
    try:
        return format_time(datetime.fromtimestamp(said / 1000, UTC))
    except (ValueError, OverflowError, OSError):
        raise InvalidInput("`timestamp` is out of range.", code="invalid_time") from None


def queued(conversation: BrainConversation) -> dict[str, Any]:
    """The output of an agent that works later."""
    return {"content": "", "conversation": conversation.id, "usage": usage_of(Usage())}


def answered(found: BrainAnswer) -> dict[str, Any]:
    """The output of recall: the answer in sentences, where each comes from, and what is not known."""
    answer = found.answer
    return {
        "content": answer.text,
        "conversation": found.conversation or None,
        "usage": usage_of(answer.usage),
        "model": answer.model or None,
        "sources": [{"id": each.id, "text": each.quote, "date": each.date or None} for each in answer.citations],
        "gaps": list(answer.gaps),
    }


def usage_of(usage: Usage) -> dict[str, int]:
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
        "requests": usage.model_calls,
    }


def space_info(found: BrainSummary) -> dict[str, Any]:
    """A space in figures. `space_id` is what the documents of that system call its `id`."""
    brain = found.brain
    return {
        "id": brain.space,
        "space_id": brain.space,
        "name": brain.title or None,
        "description": found.description or None,
        "owner": brain.owner,
        "db_stats": {"total_items": found.notes + found.messages},
        "public": brain.public,
        "tier": tier_of(found),
        **formation_status(found),
        "formation_usage": usage_of(found.usage["formation"]),
        "recall_usage": usage_of(found.usage["recall"]),
        "maintenance_usage": usage_of(found.usage["maintenance"]),
    }


def formation_status(found: BrainSummary) -> dict[str, Any]:
    """How far formation and maintenance are."""
    rounds = {scope: milliseconds(at) for scope, at in found.rounds.items()}
    return {
        "id": found.brain.space,
        "concepts": found.concepts,
        "propositions": found.propositions,
        "conversations": found.conversations["formation"],
        "formation_processing": found.forming,
        "maintenance_processing": found.maintaining,
        "formation_processed_id": found.processed["formation"],
        "maintenance_processed_id": found.processed["maintenance"],
        "maintenance_at": {
            **dict.fromkeys(("daydream", "full", "quick"), 0),
            **rounds,
            "start_at": max(rounds.values(), default=0),
        },
    }


def tier_of(found: BrainSummary) -> dict[str, int]:
    """The tier; a space that has none has no limit, which is told as the highest."""
    brain = found.brain
    at = milliseconds(brain.tier_at or found.created_at)
    return {"tier": LARGEST_TIER if brain.tier is None else brain.tier, "updated_at": at}


def conversation_of(found: BrainConversation) -> dict[str, Any]:
    """A conversation with what is left of its words."""
    spent = found.updated_at - found.created_at
    return {
        "_id": found.id,
        "user": found.principal,
        "label": found.label or None,
        "resources": [],
        "period": int(spent.total_seconds() // 3600),
        "created_at": milliseconds(found.created_at),
        **delta_of(found, 0, 0),
    }


def delta_of(found: BrainConversation, messages_from: int, artifacts_from: int) -> dict[str, Any]:
    """The part of a conversation after so many messages and artifacts."""
    failed = found.stage is ConversationStage.FAILED
    return {
        "_id": found.id,
        "messages": _words_of(found)[messages_from:],
        "artifacts": _artifacts(found)[artifacts_from:],
        "status": found.stage.value,
        "failed_reason": (found.detail or "It failed.") if failed else None,
        "updated_at": milliseconds(found.updated_at),
        "usage": usage_of(Usage()),
    }


def _words_of(found: BrainConversation) -> list[dict[str, Any]]:
    if found.collection is Collection.RECALL:
        return [{"role": "user", "content": found.query}] if found.query else []
    return [_told(each) for each in found.messages]


def _told(said: Observation) -> dict[str, Any]:
    told = {"role": said.role or "user", "content": said.text, "timestamp": milliseconds(said.observed_at)}
    return {**told, "name": said.speaker} if said.speaker else told


def _artifacts(found: BrainConversation) -> list[dict[str, Any]]:
    """The result of a conversation that is over: how many facts were filed."""
    done = found.stage is ConversationStage.COMPLETED and found.collection is Collection.FORMATION
    return [{"learned": found.learned}] if done else []


def space_token(token: AccessToken, secret: str | None = None) -> dict[str, Any]:
    """A space token. Its whole is shown once; lists show the beginning, by which it can be revoked."""
    scopes = token.scopes & {AccessScope.READ, AccessScope.WRITE}
    return {
        "token": f"{PREFIX}{secret or token.prefix}",
        "name": token.name,
        "scope": "*" if len(scopes) == 2 else next((each.value for each in scopes), ""),
        "usage": int(token.last_used_at is not None),
        "created_at": milliseconds(token.created_at),
        "updated_at": milliseconds(token.last_used_at or token.created_at),
        "expires_at": milliseconds(token.expires_at) if token.expires_at else None,
    }


def model_config(key: ProviderKey) -> dict[str, Any]:
    """The model settings of a space, of which the key is never shown."""
    return {
        "family": key.provider,
        "model": "",
        "api_base": "",
        "disabled": False,
        "updated_at": milliseconds(key.set_at),
    }


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


def milliseconds(at: datetime) -> int:
    return int(at.timestamp() * 1000)
