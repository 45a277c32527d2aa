"""The operations that Anda Brain has over HTTP and MCP alike: an input of its form, done by verbs of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.dialects.anda.anda_records import answered, context_of, conversation_of, cursor_of, delta_of, number_in
from recollect.dialects.arguments import text, whole
from recollect.dialects.conversation import messages_of
from recollect.dialects.negotiated_bodies import fields_of
from recollect.dialects.shapes import moment_of
from recollect.dialects.tool import Doer
from recollect.domain.brain import BrainConversation
from recollect.domain.errors import InvalidInput, RecollectError
from recollect.domain.values import to_plain

TRIGGERS, ROUNDS = ("on_demand", "scheduled", "threshold"), ("daydream", "quick", "full")

_KIP = "kip"  # the verb that executes KIP, where there is one
_MOST_COMMANDS = 100  # of a batch


def formed(doer: Doer, said: Any) -> BrainConversation:
    """Take in a conversation, whose context says whose and about what it was."""
    given = fields_of(said, "messages", "context", "timestamp")
    about = context_of(given.get("context"))
    named = {"user": "counterparty", "agent": "agent", "source": "source", "topic": "topic"}
    told = {ours: about[theirs] for ours, theirs in named.items() if theirs in about}
    at = moment_of(given.get("timestamp"), "timestamp", per_second=1000)
    messages = messages_of(given.get("messages"))
    found: BrainConversation = doer.do("brain.form", {"messages": messages, **told, **({"at": at} if at else {})})
    return found


def recalled(doer: Doer, said: Any) -> dict[str, Any]:
    """Answer a question; the counterparty of its context is asked about first."""
    given = fields_of(said, "query", "context")
    query, about = given.get("query"), context_of(given.get("context"))
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput("`query` is missing.", code="field_missing", hint="It is a question in plain words.")
    user = about.get("counterparty")
    return answered(doer.do("brain.recall", {"question": query, **({"user": user} if user else {})}))


def maintained(doer: Doer, said: Any) -> BrainConversation:
    """Queue a round of maintenance."""
    given = fields_of(said, "trigger", "scope")
    if given.get("trigger", TRIGGERS[0]) not in TRIGGERS or given.get("scope", ROUNDS[0]) not in ROUNDS:
        raise InvalidInput(
            f"`trigger` is one of {', '.join(TRIGGERS)}, and `scope` one of {', '.join(ROUNDS)}.", code="invalid_scope"
        )
    found: BrainConversation = doer.do("brain.maintain", {"scope": given.get("scope", ROUNDS[0])})
    return found


def person(doer: Doer, said: Any) -> dict[str, Any]:
    """Make sure that a person is known, once however often it is asked for; the person as a concept."""
    given = fields_of(said, "user", "name")
    user, name = given.get("user"), given.get("name")
    if not isinstance(user, str) or not user.strip() or not isinstance(name, str | None):
        raise InvalidInput("`user` must be the id of a person, and `name` text.", code="invalid_field")
    about, key = {"subject": user, "tags": ["entity"]}, f"person/{user}"
    doer.do("save", {"text": f"{user} is a person.", "attribute": "type", "value": "Person", "key": key, **about})
    if name:
        called = {"text": f"{user} is called {name}.", "attribute": "name", "value": name, "key": f"{key}/name"}
        doer.do("save", {**called, **about})
    return {
        "type": "Person",
        "name": user,
        "attributes": {"id": user, "person_class": "Human", **({"name": name} if name else {})},
        "metadata": {"author": "$system", "status": "active"},
    }


def conversations_in(doer: Doer, given: Mapping[str, Any]) -> tuple[list[dict[str, Any]], str | None]:
    """A page of conversations, the newest first, and where the next one begins."""
    limit, cursor = max(1, min(100, whole(given, "limit", 10))), text(given, "cursor")
    before = {"cursor": str(number_in(cursor))} if cursor else {}
    collection = given.get("collection") or "formation"
    page = doer.do("brain.conversations", {"collection": collection, "limit": limit, **before})
    more = cursor_of(page.items[-1].id) if len(page.items) == limit else None
    return [conversation_of(each) for each in page.items], more


def conversation_in(doer: Doer, given: Mapping[str, Any]) -> dict[str, Any]:
    """One conversation; with `delta` only what came after so many messages and artifacts."""
    collection = given.get("collection") or "formation"
    which = {"conversation": whole(given, "conversation_id", 0), "collection": collection}
    offsets = [whole(given, name, 0) for name in ("messages_offset", "artifacts_offset")]
    found = doer.do("brain.conversations", which).items[0]
    return delta_of(found, *offsets) if given.get("delta") else conversation_of(found)


def executed(doer: Doer, said: Any) -> dict[str, Any]:
    """Execute KIP that only reads. Whatever is wrong with a command is part of the answer, and no error of HTTP."""
    given = fields_of(said, "command", "commands", "parameters", "dry_run")
    if ("command" in given) == ("commands" in given):
        return _kip_error("KIP_1001", "Give `command` or `commands`, and not both.")
    shared = {name: given[name] for name in ("parameters", "dry_run") if name in given}
    if "command" in given:
        return _kip_answer(doer, {**shared, "statement": given["command"]})
    each_one = given["commands"]
    if not isinstance(each_one, list) or not 0 < len(each_one) <= _MOST_COMMANDS:
        return _kip_error("KIP_4002", f"`commands` is a list of at most {_MOST_COMMANDS}.")
    return {"result": [_kip_answer(doer, {**shared, **_kip_command(each)}) for each in each_one]}


def _kip_command(said: Any) -> dict[str, Any]:
    """A command of a batch: its words, or an object with parameters of its own."""
    if not isinstance(said, Mapping):
        return {"statement": said}
    own = {"parameters": said["parameters"]} if "parameters" in said else {}
    return {"statement": said.get("command"), **own}


def _kip_answer(doer: Doer, given: Mapping[str, Any]) -> dict[str, Any]:
    try:
        found = to_plain(doer.do(_KIP, given))
    except IndexError:  # there is no such verb
        return _kip_error("KIP_4003", "This server does not execute KIP.")
    except RecollectError as problem:
        known = problem.code.startswith("KIP_")
        return _kip_error(problem.code if known else "KIP_1001", problem.message, problem.hint)
    return {"result": found["result"], **({"next_cursor": found["next_cursor"]} if found.get("next_cursor") else {})}


def _kip_error(code: str, message: str, hint: str = "") -> dict[str, Any]:
    return {"error": {"code": code, "message": message, **({"hint": hint} if hint else {})}}
