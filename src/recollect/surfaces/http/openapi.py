"""The OpenAPI description, from the catalogue: the words of verbs and parameters are the ones every door has."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Literal

from fastapi import FastAPI
from pydantic import TypeAdapter

from recollect.domain.access import AccessScope
from recollect.domain.attachments.limits import ENDINGS
from recollect.operations import Effect, meaning_of
from recollect.surfaces.catalogue.parameters import SPACE_NAME, Parameter, object_schema, schema_of, types_of
from recollect.surfaces.catalogue.routes import FILE, LIVE, METRICS, OPEN, SESSION, TOKENS, VERSION, Route, all_routes
from recollect.surfaces.catalogue.wording import PARAMETERS
from recollect.surfaces.reception.forms import EVENTS, READABLE, Form
from recollect.surfaces.reception.problems import MEDIA_TYPE

_ANSWERED: Literal["serialization"] = "serialization"  # as it comes out, not as it would be taken in

_EXAMPLES: dict[str, Any] = {
    "query": "Where do I live?",
    "text": "We deploy with make release",
    "messages": "I moved to Berlin last week.",
    "note_id": "01K3ZQ5V7N8M2R4T6W8Y0A2C4E",
    "subject": "user",
    "attribute": "location",
    "value": "Berlin",
    "name": "alice",
    "receipt_id": "01K3ZQ5V7N8M2R4T6W8Y0A2C4E",
    "path": "/srv/recollect/notes",
    "lines": ['{"type": "recollect-export", "format": 1}'],
}

_BYTES = {"schema": {"type": "string", "format": "binary"}}
_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "code", "hint", "retryable", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "what happened, for people"},
        "code": {"type": "string", "description": "what happened, for programs; it never changes"},
        "hint": {"type": "string", "description": "what to do next"},
        "retryable": {"type": "boolean", "description": "whether the very same request may succeed later"},
        "request_id": {"type": "string"},
    },
}


def operation_of(route: Route, method: str) -> dict[str, Any]:
    """How a route is described, as FastAPI takes it."""
    extra: dict[str, Any] = {"x-scope": route.scope.value}
    parameters = [_in_path()] if route.in_space else []
    if method == "GET":
        parameters += [_in_query(parameter) for parameter in route.parameters]
    else:
        parameters += _headers(route)
        if route.parameters:
            extra["requestBody"] = _body(route)
    if parameters:
        extra["parameters"] = parameters
    # A verb that has a route in a space and one outside needs two names.
    name = route.operation.name.replace(".", "_").replace("-", "_") + ("" if route.in_space else "_everywhere")
    return {
        "summary": meaning_of(route.function),
        "description": inspect.getdoc(route.function) or "",
        "operation_id": f"{method.lower()}_{name}",
        "response_description": "What the verb answers",
        "openapi_extra": extra,
    }


_TOKEN_FIELDS = {
    "scope": "`read`, `write` or `admin`, with the rights before it",
    "space": "the one space it is for; that of your own token, if not given",
    "expires": "when it ends, as in `30d` or a time; no later than your own token",
    "name": "in whose name its bearer writes",
    "user": "the one user of the space it is for",
    "agent": "the one agent of the space it is for",
    "project": "the one project of the space it is for",
}
_ID = {"id": "the id of the token"}
_OVERLAP = {"overlap": "how long the old secret goes on, as in `1h`; not at all, if not given"}
_RIGHTS: dict[tuple[str, str], tuple[str, dict[str, str]]] = {
    (TOKENS, "GET"): ("The tokens that you look after, without their secrets.", {}),
    (TOKENS, "POST"): ("Make a token, which is shown this once.", _TOKEN_FIELDS),
    (f"{TOKENS}/rotate", "POST"): (
        "Put a new secret in the place of a token.",
        {**_ID, **_OVERLAP, "expires": _TOKEN_FIELDS["expires"]},
    ),
    (f"{TOKENS}/revoke", "POST"): ("End a token, and all that it made.", _ID),
    (f"{TOKENS}/link", "POST"): ("Make a link that signs a browser in once.", _ID),
    (SESSION, "GET"): ("The browser that is signed in.", {}),
    (SESSION, "POST"): ("Sign a browser in: by a token, a link, an account (`Basic`) or an identity.", {}),
    (f"{SESSION}/end", "POST"): ("Sign this browser out.", {}),
    (f"{SESSION}/end-everywhere", "POST"): ("Sign every browser of this token out.", {}),
    (f"{SESSION}/password", "POST"): (
        "Choose the password of the account that has just signed in.",
        {"password": "at least twelve characters"},
    ),
}


def rights_operation(path: str, method: str) -> dict[str, Any]:
    """How a path about tokens or sessions is described."""
    summary, fields = _RIGHTS[path, method]
    words = path.removeprefix(f"/{VERSION}/").replace("session", "browser").replace("/", "_").replace("-", "_")
    properties: dict[str, Any] = {name: {"type": "string", "description": said} for name, said in fields.items()}
    if fields is _TOKEN_FIELDS:
        listed = {"type": "array", "items": {"type": "string", "enum": [each.value for each in AccessScope]}}
        properties["scopes"] = {**listed, "description": "exactly these rights, in place of `scope`"}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    body = {"requestBody": {"content": {Form.JSON.value: {"schema": schema}}}} if fields else {}
    return {
        "summary": summary,
        "operation_id": f"{method.lower()}_{words}",
        "tags": ["tokens" if path.startswith(TOKENS) else "session"],
        "openapi_extra": {"x-scope": "admin" if path.startswith(TOKENS) else "read", **body},
    }


def stream_operation() -> dict[str, Any]:
    """How the live stream is described."""
    return {
        "summary": "What happens in a space, as it happens.",
        "description": "Server-sent events; with `Upgrade: websocket` the same as messages. Each change has its number "
        "as the `id` of its event. Come back with the last one in `Last-Event-ID` or `after`, and nothing is missed.",
        "operation_id": "get_stream",
        "response_description": "Events, until somebody ends it",
        "tags": ["stream"],
        "openapi_extra": {
            "x-scope": "read",
            "parameters": [
                _in_path(),
                {
                    "name": "after",
                    "in": "query",
                    "required": False,
                    "description": "the number of the change to go on from; 0 for everything, and only what comes if "
                    "not given",
                    "schema": {"type": "integer", "minimum": 0},
                },
                {
                    "name": "Last-Event-ID",
                    "in": "header",
                    "required": False,
                    "description": "the same, as browsers and libraries send it when they come back",
                    "schema": {"type": "string"},
                },
            ],
        },
    }


def described(app: FastAPI) -> None:
    """Add what all routes share: how to show a token, and what a problem looks like."""
    plain: Callable[[], dict[str, Any]] = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = plain()
            components = schema.setdefault("components", {})
            components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            answers, definitions = answer_schemas()
            components["schemas"] = {**definitions, "HttpProblem": _PROBLEM}
            schema["security"] = [{"token": []}]
            for path, operations in schema["paths"].items():
                for method, operation in operations.items():
                    text = {"schema": {"type": "string"}}
                    alone = {LIVE: {EVENTS: text}, METRICS: {"text/plain": text}}
                    operation["responses"]["200"]["content"] = alone.get(
                        path, _forms(answers.get(path, {"type": "object"}))
                    )
                    if path == FILE and method == "get":
                        operation["responses"]["200"]["content"] = dict.fromkeys(sorted(ENDINGS), _BYTES)
                    operation["responses"]["default"] = {
                        "description": "A problem",
                        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/HttpProblem"}}},
                    }
                    if path in OPEN:
                        operation["security"] = []
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def answer_schemas() -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of what each path answers, from the type its verb returns, and the schemas those refer to."""
    adapters = [
        (path, _ANSWERED, TypeAdapter(types_of(route.function)["return"])) for path, route in all_routes().items()
    ]
    found, shared = TypeAdapter.json_schemas(adapters, ref_template="#/components/schemas/{model}")
    return {path: schema for (path, _), schema in found.items()}, shared["$defs"]


def _forms(schema: dict[str, Any]) -> dict[str, Any]:
    """The same answer in each of its forms."""
    page = {"schema": {"type": "string", "description": "an outline, fenced as data"}}
    return {form.value: page if form is Form.MARKDOWN else {"schema": schema} for form in Form}


def _in_path() -> dict[str, Any]:
    return {
        "name": "space",
        "in": "path",
        "required": True,
        "description": PARAMETERS["space"],
        "schema": {"type": "string", **SPACE_NAME},
        "example": "default",
    }


def _in_query(parameter: Parameter) -> dict[str, Any]:
    said: dict[str, Any] = {
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": parameter.meaning,
        "schema": schema_of(parameter),
    }
    if parameter.required and parameter.name in _EXAMPLES:
        said["example"] = _EXAMPLES[parameter.name]
    return said


def _headers(route: Route) -> list[dict[str, Any]]:
    known = {
        "idempotency_key": ("Idempotency-Key", "the same request with the same key is done only once"),
        "expected_version": (
            "If-Match",
            "the `ETag` of the version you read; the change is refused if it has moved on",
        ),
    }
    found = [
        {"name": header, "in": "header", "required": False, "description": meaning, "schema": {"type": "string"}}
        for name, (header, meaning) in known.items()
        if name in route.takes
    ]
    if route.operation.effect is not Effect.READ:
        tried = "answer what would be done, with every check, and write nothing"
        said = {"type": "string", "enum": ["true", "false"]}
        found.append({"name": "Dry-Run", "in": "header", "required": False, "description": tried, "schema": said})
    return found


def _body(route: Route) -> dict[str, Any]:
    schema = object_schema(route.parameters)
    required = schema.get("required", [])
    content: dict[str, Any] = {"schema": schema}
    if required and all(name in _EXAMPLES for name in required):
        content["example"] = {name: _EXAMPLES[name] for name in required}
    return {"required": bool(required), "content": {form.value: content for form in READABLE}}
