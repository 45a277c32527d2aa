"""Values as plain JSON, and notes back from it: the one spelling every door and every export uses.

The manifest beside a copy of the store, as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from recollect.domain.answers.upkeep import Backup
from recollect.domain.changes import Changes
from recollect.domain.clock import checked_id, parse_time
from recollect.domain.dataclass import names_of, replace
from recollect.domain.desk import DEFAULT_LIMIT, Action, ActionStatus, Slot, checked_action, checked_slot
from recollect.domain.errors import InvalidInput
from recollect.domain.links.statement_link import StatementLink, StatementRelation
from recollect.domain.notes import Kind, Note, State, checked_metadata, checked_note
from recollect.domain.observations import (
    Activity,
    AttachedFile,
    Commit,
    Observation,
    ObservationKind,
    Session,
    Standing,
)
from recollect.domain.origin import Authority, Channel, Origin
from recollect.domain.scopes import SCOPE_FIELDS, Scope, checked_space
from recollect.domain.values import choice
from recollect.domain.values import to_plain as to_plain  # noqa: PLC0414 - both ways of the one spelling are found here
from recollect.redaction.clean_records import checked_name, checked_tags, checked_text

EXPORT_HEADER = "recollect-export"  # the type of an export's first record
EXPORT_FORMAT = 1  # of the records after it

_TIMES = (
    "valid_from", "valid_until", "occurred_at", "expires_at", "retired_at", "last_seen_at", "verified_at",
    "erase_at",
)  # fmt: skip
_REQUIRED = ("id", "space", "version", "kind", "text", "recorded_at", "updated_at")


def unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object from its fields, for `object_pairs_hook`: two of one name would be read differently elsewhere."""
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise InvalidInput(
            f"The field `{twice[:60]}` is there more than once.", code="repeated_field", hint="Send it once."
        )
    return found


def changes_to_plain(changes: Changes) -> dict[str, Any]:
    """Changes as plain JSON, each edit with its name: fields alone do not tell one from another."""
    plain: dict[str, Any] = to_plain(changes)
    plain["edits"] = [{"edit": type(edit).__name__, **to_plain(edit)} for edit in changes.edits]
    return plain


def note_from_plain(record: Mapping[str, Any]) -> Note:
    """A note version from its plain form, checked as strictly as one that a person saves."""
    _require(record, Note, _REQUIRED)
    version = _version(record)
    times = {name: _optional(record.get(name), name, parse_time) for name in _TIMES}
    return checked_note(
        Note(
            id=checked_id(record["id"]),
            space=checked_space(record["space"]),
            version=version,
            kind=choice(Kind, record["kind"], field="kind"),
            text=checked_text(record["text"]),
            recorded_at=_time(record["recorded_at"], "recorded_at"),
            updated_at=_time(record["updated_at"], "updated_at"),
            title=checked_name(record.get("title"), field="title"),
            subject=checked_name(record.get("subject"), field="subject"),
            attribute=checked_name(record.get("attribute"), field="attribute"),
            value=_optional(record.get("value"), "value", checked_text),
            tags=checked_tags(_list(record, "tags")),
            scope=_scope(_object(record, "scope")),
            state=choice(State, record.get("state", "active"), field="state"),
            confidence=record.get("confidence", 1.0),
            importance=record.get("importance", 0.5),
            pinned=_truth(record, "pinned"),
            origin=_origin(_object(record, "origin")),
            authority=choice(Authority, record.get("authority", "quoted"), field="authority"),
            supersedes=tuple(checked_id(link) for link in _list(record, "supersedes")),
            derived_from=tuple(checked_id(link) for link in _list(record, "derived_from")),
            depends_on=tuple(checked_id(link) for link in _list(record, "depends_on")),
            related=tuple(checked_id(link) for link in _list(record, "related")),
            review=checked_name(record.get("review"), field="review"),
            metadata=_object(record, "metadata"),
            key=checked_name(record.get("key"), field="key"),
            **times,
        )
    )


def session_from_plain(record: Mapping[str, Any]) -> Session:
    """A session from its plain form."""
    _require(record, Session, ("id", "space", "started_at"))
    return Session(
        id=_key(record["id"]),
        space=checked_space(record["space"]),
        started_at=_time(record["started_at"], "started_at"),
        ended_at=_optional(record.get("ended_at"), "ended_at", parse_time),
        title=checked_name(record.get("title"), field="title"),
        scope=_scope(_object(record, "scope")),
        origin=_origin(_object(record, "origin")),
        branch=checked_name(record.get("branch"), field="branch"),
        folder=checked_name(record.get("folder"), field="folder"),
        commits=tuple(_commit(each) for each in _list(record, "commits")),
        reflected=_count(record, "reflected"),
        read_to=_count(record, "read_to"),
    )


def _commit(record: Any) -> Commit:
    if not isinstance(record, Mapping):
        raise InvalidInput("A commit must be an object.", code="invalid_field")
    _require(record, Commit, ("sha", "at"))
    return Commit(
        sha=_key(record["sha"]),
        at=_time(record["at"], "at"),
        message=checked_name(record.get("message"), field="message") or "",
        branch=checked_name(record.get("branch"), field="branch"),
    )


def slot_from_plain(record: Mapping[str, Any]) -> Slot:
    """A slot from its plain form."""
    _require(record, Slot, ("id", "space", "label", "text", "version", "updated_at"))
    return checked_slot(
        Slot(
            id=checked_id(record["id"], what="slot"),
            space=checked_space(record["space"]),
            label=record["label"],
            text=checked_text(record["text"]),
            version=_version(record),
            updated_at=_time(record["updated_at"], "updated_at"),
            project=checked_name(record.get("project"), field="project"),
            limit=record.get("limit", DEFAULT_LIMIT),
            description=checked_name(record.get("description"), field="description") or "",
            pinned=_truth(record, "pinned"),
            origin=_origin(_object(record, "origin")),
            authority=choice(Authority, record.get("authority", "quoted"), field="authority"),
        )
    )


def action_from_plain(record: Mapping[str, Any]) -> Action:
    """An action from its plain form."""
    _require(record, Action, ("id", "space", "version", "text", "created_at", "updated_at"))
    return checked_action(
        Action(
            id=checked_id(record["id"], what="action"),
            space=checked_space(record["space"]),
            version=_version(record),
            text=checked_text(record["text"]),
            created_at=_time(record["created_at"], "created_at"),
            updated_at=_time(record["updated_at"], "updated_at"),
            status=choice(ActionStatus, record.get("status", "open"), field="status"),
            priority=record.get("priority", 0),
            depends_on=tuple(checked_id(link, what="action") for link in _list(record, "depends_on")),
            project=checked_name(record.get("project"), field="project"),
            origin=_origin(_object(record, "origin")),
            authority=choice(Authority, record.get("authority", "quoted"), field="authority"),
        )
    )


def refutation_from_plain(record: Mapping[str, Any]) -> StatementLink:
    """A refuted link from its plain form; what space it is of is said beside it."""
    own = {name: value for name, value in record.items() if name != "space"}
    _require(own, StatementLink, ("older", "newer", "relation", "score", "model", "judged_at", "refuted_at"))
    score = own["score"]
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise InvalidInput(f"`score` is {score!r}; it must be from 0 to 1.", code="invalid_number")
    return StatementLink(
        older=checked_id(own["older"], what="record"),
        newer=checked_id(own["newer"], what="record"),
        relation=choice(StatementRelation, own["relation"], field="relation"),
        score=float(score),
        model=checked_name(own["model"], field="model") or "",
        judged_at=_time(own["judged_at"], "judged_at"),
        refuted_at=_time(own["refuted_at"], "refuted_at"),
        refuted_by=checked_name(own.get("refuted_by"), field="refuted_by") or "",
    )


def observation_from_plain(record: Mapping[str, Any]) -> Observation:
    """An observation from its plain form."""
    _require(
        record, Observation, ("id", "space", "session_id", "position", "kind", "text", "observed_at", "recorded_at")
    )
    position = record["position"]
    if not isinstance(position, int) or isinstance(position, bool) or not 1 <= position < 2**31:
        raise InvalidInput(f"`position` is {position!r}; it must be a whole number from 1 on.", code="invalid_number")
    attached = _attached(_list(record, "attachments"))
    return Observation(
        id=checked_id(record["id"], what="observation"),
        space=checked_space(record["space"]),
        session_id=_key(record["session_id"]),
        position=position,
        kind=choice(ObservationKind, record["kind"], field="kind"),
        text=checked_text(record["text"]),
        observed_at=_time(record["observed_at"], "observed_at"),
        recorded_at=_time(record["recorded_at"], "recorded_at"),
        role=checked_name(record.get("role"), field="role"),
        speaker=checked_name(record.get("speaker"), field="speaker"),
        # The words about its files are as long as they are.
        title=_optional(record.get("title"), "title", checked_text if attached else checked_name),
        standing=_optional(record.get("standing"), "standing", partial(choice, Standing)),
        origin=_origin(_object(record, "origin")),
        activity=_optional(record.get("activity"), "activity", partial(choice, Activity)),
        files=tuple(_key(each) for each in _list(record, "files")),
        scope=replace(_scope(_object(record, "scope")), session=None),
        metadata=checked_metadata(_object(record, "metadata")),
        erase_at=_optional(record.get("erase_at"), "erase_at", parse_time),
        attachments=attached,
    )


def _attached(given: list[Any]) -> tuple[AttachedFile, ...]:
    if not given:
        return ()  # as nearly always: what reads them is not loaded
    from recollect.codecs.attachments import attached_from_plain

    return attached_from_plain(given)


def _version(record: Mapping[str, Any]) -> int:
    version = record["version"]
    if not isinstance(version, int) or isinstance(version, bool) or not 1 <= version < 2**31:
        raise InvalidInput(f"`version` is {version!r}; it must be a whole number from 1 on.", code="invalid_number")
    return version


def _require(record: Mapping[str, Any], kind: type, required: Sequence[str]) -> None:
    """Every field that must be there is, and none that this version does not know."""
    missing = [name for name in required if record.get(name) is None]
    if missing:
        raise InvalidInput(f"The {kind.__name__.lower()} has no `{missing[0]}`.", code="field_missing")
    known = {*names_of(kind), "type"}
    unknown = sorted(set(record) - known)
    if unknown:
        raise InvalidInput(
            f"The {kind.__name__.lower()} has a field `{unknown[0]}` that this version does not know.",
            code="unknown_field",
            hint="It was written by a newer version; update Recollect to import it.",
        )


def _key(value: Any) -> str:
    name = checked_name(value, field="id")
    if name is None:
        raise InvalidInput("`id` is empty.", code="invalid_id")
    return name


def _scope(record: Mapping[str, Any]) -> Scope:
    return Scope(**{name: checked_name(record.get(name), field=name) for name in SCOPE_FIELDS})


def _origin(record: Mapping[str, Any]) -> Origin:
    return Origin(
        channel=choice(Channel, record.get("channel", "import"), field="channel"),
        principal=checked_name(record.get("principal"), field="principal") or "",
        session=checked_name(record.get("session"), field="session"),
        source=checked_name(record.get("source"), field="source"),
    )


def _time(value: Any, name: str) -> datetime:
    return parse_time(value, field=name)


def _optional(value: Any, name: str, convert: Callable[..., Any]) -> Any:
    return None if value is None else convert(value, field=name)


def _truth(record: Mapping[str, Any], name: str) -> bool:
    value = record.get(name, False)
    if not isinstance(value, bool):
        raise InvalidInput(f"`{name}` must be true or false.", code="invalid_field")
    return value


def _list(record: Mapping[str, Any], name: str) -> list[Any]:
    value = record.get(name, [])
    if not isinstance(value, list):
        raise InvalidInput(f"`{name}` must be a list.", code="invalid_field")
    return value


def _count(record: Mapping[str, Any], name: str) -> int:
    found = record.get(name, 0)
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found < 2**31:
        raise InvalidInput(f"`{name}` is {found!r}; it must be a whole number from 0 on.", code="invalid_number")
    return found


def _object(record: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = record.get(name, {})
    if not isinstance(value, dict):
        raise InvalidInput(f"`{name}` must be an object.", code="invalid_field")
    return value


def manifest_text(backup: Backup) -> str:
    """The manifest of a copy that is a plain file. Versions before know no `space`, and refuse a copy that has one."""
    told = to_plain(backup)
    del told["stored"]
    if backup.space is None:
        del told["space"]
    return json.dumps(told, indent=2) + "\n"


def manifest_read(text: str) -> Backup:
    """A manifest as `manifest_text` wrote it; raises `ValueError`, `TypeError` or `KeyError` where it is not one."""
    said: dict[str, Any] = json.loads(text)
    return Backup(**{**said, "made_at": datetime.fromisoformat(said["made_at"])})
