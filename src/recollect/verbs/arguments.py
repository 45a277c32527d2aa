"""Arguments that many verbs share. An absent one and `None` both count as not given.

Annotations are evaluated here, unlike elsewhere: a `TypedDict` compiles each one that is a text, at every start.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias, TypedDict

Moment: TypeAlias = str | datetime


class About(TypedDict, total=False):
    """The fields of a note that can be given besides its text."""

    title: str | None
    subject: str | None
    attribute: str | None
    value: str | None
    tags: Sequence[str] | None
    user: str | None
    agent: str | None
    project: str | None
    session: str | None
    machine: str | None
    confidence: float | None
    importance: float | None
    authority: str | None
    valid_from: Moment | None
    valid_until: Moment | None
    occurred_at: Moment | None
    expires_at: Moment | None
    depends_on: Sequence[str] | None
    metadata: Mapping[str, Any] | None


class Which(TypedDict, total=False):
    """Which notes are meant."""

    kind: str | None
    state: str | None
    subject: str | None
    attribute: str | None
    tag: str | None
    user: str | None
    agent: str | None
    project: str | None
    session: str | None
    machine: str | None
    pinned: bool | None
    as_of: Moment | None
    known_at: Moment | None


class Where(TypedDict, total=False):
    """The scope of something: its user, agent, project, session and machine."""

    user: str | None
    agent: str | None
    project: str | None
    session: str | None
    machine: str | None
