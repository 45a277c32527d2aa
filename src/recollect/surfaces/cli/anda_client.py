"""A client of Anda Brain's paths: keys and capabilities are made here, everything else is one request each.

No redirect is followed, so that a token goes to the server it was meant for and to no other.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from recollect.codecs.cwt import (
    AUDIENCE,
    EXPIRES,
    ISSUED,
    ISSUER,
    SCOPE,
    SUBJECT,
    bytes_of_key,
    new_key_pair,
    signed_token,
    unpadded,
)
from recollect.domain.clock import SystemClock
from recollect.domain.errors import InvalidInput, Misconfigured, Unreachable
from recollect.settings import foreign_variables
from recollect.surfaces.cli.commands import STANDARD
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.render import Screen
from recollect.surfaces.cli.terminal import Terminal, inert, json_text

# The request that each command makes. Arguments that the path does not name are its query, or its body.
_REQUESTS = {
    "anda status": "GET /info",
    "anda formation": "POST /v1/{space}/formation",
    "anda recall": "POST /v1/{space}/recall",
    "anda maintenance": "POST /v1/{space}/maintenance",
    "anda execute-kip-readonly": "POST /v1/{space}/execute_kip_readonly",
    "anda info": "GET /v1/{space}/info",
    "anda formation-status": "GET /v1/{space}/formation_status",
    "anda get-or-init-user": "POST /v1/{space}/get_or_init_user",
    "anda conversations list": "GET /v1/{space}/conversations",
    "anda conversations get": "GET /v1/{space}/conversations/{conversation}",
    "anda conversations delta": "GET /v1/{space}/conversations/{conversation}/delta",
    "anda management list-tokens": "GET /v1/{space}/management/space_tokens",
    "anda management add-token": "POST /v1/{space}/management/add_space_token",
    "anda management revoke-token": "POST /v1/{space}/management/revoke_space_token",
    "anda management update-space": "PATCH /v1/{space}/management/update_space",
    "anda management restart-formation": "PATCH /v1/{space}/management/restart_formation",
    "anda management get-byok": "GET /v1/{space}/management/space_byok",
    "anda management update-byok": "PATCH /v1/{space}/management/space_byok",
    "anda admin create-space": "POST /admin/create_space",
    "anda admin update-tier": "POST /admin/{space}/update_space_tier",
}
_VARIABLES = {
    "base_url": "ANDA_BASE_URL",
    "space_id": "ANDA_SPACE_ID",
    "token": "ANDA_TOKEN",
    "shard": "ANDA_SHARD",
    "timeout": "ANDA_TIMEOUT",
    "api_key": "ANDA_API_KEY",
    "key": "ANDA_CWT_KEY",
}
_USUAL = {"base_url": "http://127.0.0.1:7077", "timeout": "120"}
_LASTS = 3600  # seconds of a capability
_MOST_BYTES = 64_000_000  # of an answer
_SERVER = ("base_url", "token", "shard", "timeout")


def anda(request: Request, _terminal: Terminal) -> Screen:
    """Do what a command of Anda Brain's command line asks for."""
    set_ = foreign_variables(_VARIABLES.values())
    told = {name: set_[variable] for name, variable in _VARIABLES.items() if variable in set_}
    given = {**_USUAL, **told, **request.arguments}
    match request.command.spelled:
        case "anda keygen":
            pair = new_key_pair()
            return _shown({"private_key": unpadded(pair.private), "public_key": unpadded(pair.public)})
        case "anda cwt":
            return Screen((_capability(given),))
        case "anda formation":
            return _shown(*(_sent("anda formation", given, each) for each in _conversations(request.arguments)))
        case spelled:
            own = {name: value for name, value in request.arguments.items() if name not in (*_SERVER, "space_id")}
            answer = _sent(spelled, given, _renamed(spelled, own, given))
            if spelled == "anda recall":
                return Screen(tuple(inert(each) for each in answer["result"]["content"].splitlines()))
            return _shown(answer)


def _capability(given: Mapping[str, Any]) -> str:
    if "key" not in given:
        raise Misconfigured(
            "ANDA_CWT_KEY is not set.",
            code="key_missing",
            hint="It is the private key that `recollect anda keygen` shows.",
        )
    now = int(SystemClock().now().timestamp())
    claims = {
        ISSUER: "recollect",
        SUBJECT: given["sub"],
        AUDIENCE: given.get("aud", "*"),
        EXPIRES: now + given.get("ttl", _LASTS),
        ISSUED: now,
        SCOPE: given.get("scope", "*"),
    }
    named = given.get("kid")
    return signed_token(claims, bytes_of_key(given["key"]), key_id=named.encode() if named else None)


def _renamed(spelled: str, own: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a request, where a command has another word for one."""
    match spelled:
        case "anda management revoke-token":
            return {"token": own["revoked"]}
        case "anda management update-byok":
            return {**own, "api_key": given.get("api_key", "")}
        case "anda admin create-space" | "anda admin update-tier":
            return {**own, "space_id": _space_in(given)}
        case _:
            return own


def _conversations(own: Mapping[str, Any]) -> list[Any]:
    """The inputs of formation: one that was typed, one file, or those of a folder by their names."""
    beside = {name: own[name] for name in ("context", "timestamp") if name in own}
    if "batch_dir" in own:
        files = sorted(Path(own["batch_dir"]).glob("*.json"))
        if not files:
            raise InvalidInput(f"There is no *.json in {own['batch_dir']}.", code="no_files")
        return [_input(_read(str(file)), beside) for file in files]
    said = own["messages"] if "messages" in own else _read(own.get("file", STANDARD))
    return [_input(said, beside)]


def _input(said: str, beside: Mapping[str, Any]) -> dict[str, Any]:
    """A whole input, a list of messages, or a text that a user said."""
    try:
        found = json.loads(said)
    except (ValueError, RecursionError):
        found = [{"role": "user", "content": said.strip()}]
    return {**(found if isinstance(found, dict) else {"messages": found}), **beside}


def _read(name: str) -> str:
    try:
        return sys.stdin.read() if name == STANDARD else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InvalidInput(f"{name} cannot be read: {problem}.", code="not_readable") from None


def _space_in(given: Mapping[str, Any]) -> str:
    if not given.get("space_id"):
        raise InvalidInput("No space was named.", code="space_missing", hint="Give `--space-id`, or set ANDA_SPACE_ID.")
    return str(given["space_id"])


def _sent(spelled: str, given: Mapping[str, Any], fields: Mapping[str, Any]) -> Any:
    """The answer to a request; what the server refuses is an error with its words."""
    (method, path), rest = _REQUESTS[spelled].split(), dict(fields)
    if "{space}" in path:
        path = path.replace("{space}", quote(_space_in(given), safe=""))
    if "{conversation}" in path:
        path = path.replace("{conversation}", str(rest.pop("conversation")))
    headers = {"Accept": "application/json"}
    if method == "GET":
        path, body = f"{path}?{urlencode(rest)}" if rest else path, None
    else:
        headers["Content-Type"], body = "application/json", json.dumps(rest).encode()
    for name, header in (("token", "Authorization"), ("shard", "Shard-Id")):
        if given.get(name) is not None:
            headers[header] = f"Bearer {given[name]}" if name == "token" else str(given[name])
    status, raw = _exchanged(given, method, path, headers, body)
    try:
        answer = json.loads(raw)
    except ValueError:
        answer = {}
    if status != 200:
        said = answer.get("error", {}) if isinstance(answer, dict) else {}
        words = said.get("message") if isinstance(said, dict) else said
        raise InvalidInput(
            f"The server answered {status}: {str(words or 'without a word').rstrip('.')}.", code="anda_refused"
        )
    return answer


def _exchanged(
    given: Mapping[str, Any], method: str, path: str, headers: Mapping[str, str], body: bytes | None
) -> tuple[int, bytes]:
    parts = urlsplit(str(given["base_url"]))
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Misconfigured("The base URL must be an http or https address.", code="invalid_url")
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    try:
        with closing(kind(parts.hostname, parts.port, timeout=float(given["timeout"]))) as connection:
            connection.request(method, parts.path.rstrip("/") + path, body, dict(headers))
            answer = connection.getresponse()
            return answer.status, answer.read(_MOST_BYTES)
    except (OSError, HTTPException, ValueError) as problem:
        raise Unreachable(
            f"{parts.scheme}://{parts.netloc} does not answer: {problem}.",
            code="server_unreachable",
            hint="`--base-url` or ANDA_BASE_URL says where the server is.",
        ) from None


def _shown(*answers: Any) -> Screen:
    """Answers as JSON, one a line."""
    return Screen(tuple(json_text(each) for each in answers))
