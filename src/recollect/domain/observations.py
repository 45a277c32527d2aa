"""Sessions and the observations in them, verbatim: the evidence notes point to. Messages of a conversation.

An observation is never changed. It is kept as it was said, but for secrets, which never come this far.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from recollect.domain.dataclass import dataclass, field
from recollect.domain.origin import Origin
from recollect.domain.scopes import Scope
from recollect.domain.values import Value


class ObservationKind(StrEnum):
    """The sort of thing that was observed."""

    MESSAGE = "message"
    PROMPT = "prompt"
    TOOL_USE = "tool_use"
    TOOL_FAILURE = "tool_failure"
    NOTIFICATION = "notification"
    TASK = "task"
    SUBAGENT = "subagent"  # what another agent reported that worked for this one
    SUMMARY = "summary"  # what stands for observations that were folded away
    PASSAGE = "passage"  # a piece of a file


class Activity(StrEnum):
    """The sort of thing a tool did, as far as its name tells."""

    READ = "file_read"
    EDIT = "file_edit"
    WRITE = "file_write"
    SEARCH = "search"
    COMMAND = "command"
    WEB = "web"
    SUBAGENT = "subagent"
    OTHER = "other"


class Standing(StrEnum):
    """How what a person said stands to the truth."""

    STATED = "stated"
    ASKED = "asked"  # a question, a request, chatter: nothing is said
    SUPPOSED = "supposed"  # an idea, a wish, a condition
    OF_OTHERS = "of_others"  # about somebody else than the speaker and theirs
    LONG_AGO = "long_ago"


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that was made in a session."""

    sha: str
    at: datetime
    message: str = ""
    branch: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Session(Value):
    """A run of observations with a start, an end, a project and an agent.

    `folder` is where it was held, on the machine of its scope. `reflected` is the position of the last observation that
    was reflected on, `read_to` that of the last one that a model has read; 0 if none was.
    """

    id: str
    space: str
    started_at: datetime
    ended_at: datetime | None = None
    title: str | None = None
    scope: Scope = Scope()
    origin: Origin = Origin()
    branch: str | None = None
    folder: str | None = None
    commits: tuple[Commit, ...] = ()
    reflected: int = 0
    read_to: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class AttachedFile(Value):
    """A file that came with a message, without its bytes: `digest` is their SHA-256, in hexadecimal digits."""

    digest: str
    name: str
    media_type: str
    size: int
    alt: str = ""
    caption: str = ""


def described(files: Sequence[AttachedFile]) -> str | None:
    """The words about some files, by which their message is found; `None` for no files."""
    told = [" ".join(filter(None, (f"{each.name}:" if each.alt else each.name, each.alt))) for each in files]
    said = [f"{one} – {each.caption}" if each.caption else one for one, each in zip(told, files, strict=True)]
    return f"attached {'; '.join(said)}" if said else None


@dataclass(frozen=True, slots=True, repr=False)
class Observation(Value):
    """One thing that happened in a session. `position` orders the observations of one session, from 1 on."""

    id: str
    space: str
    session_id: str
    position: int
    kind: ObservationKind
    text: str
    observed_at: datetime
    recorded_at: datetime
    role: str | None = None
    speaker: str | None = None
    title: str | None = None  # of a passage: where in its file; of a tool: what was done; of a message: its files
    standing: Standing | None = None  # of what a person said; of anything else it is not known
    origin: Origin = Origin()
    activity: Activity | None = None  # of a tool: what it did
    files: tuple[str, ...] = ()  # that it did it to
    scope: Scope = Scope()  # whose and where it was said; its session stands in `session_id`
    metadata: Mapping[str, Any] = field(default_factory=dict)
    erase_at: datetime | None = None  # from when it is neither shown nor kept
    attachments: tuple[AttachedFile, ...] = ()

    @property
    def words(self) -> str:
        """Everything that it is found by: its text, and the words about its files."""
        return f"{self.text}\n{self.title or ''}" if self.attachments else self.text

    def is_due(self, moment: datetime) -> bool:
        """Whether it is neither shown nor kept any more."""
        return self.erase_at is not None and self.erase_at <= moment


_UNREAD = {"read": False}


def only_kept(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """The metadata of an observation that is to be kept and not read."""
    return {**metadata, "said": dict(_UNREAD)}


def may_be_read(said: Observation) -> bool:
    """Whether anything may be made of an observation."""
    return said.metadata.get("said") != _UNREAD


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `speaker` is the name of whoever said it, if it is known."""

    role: str
    text: str
    at: datetime
    speaker: str | None = None
    attachments: tuple[AttachedFile, ...] = ()


def linked_commits(sessions: Iterable[Session], branch: str | None = None) -> list[tuple[Commit, list[str]]]:
    """The commits that sessions are linked with, newest first, each with the ids of its sessions."""
    linked: dict[str, tuple[Commit, list[str]]] = {}
    for session in sessions:
        for commit in session.commits:
            if branch in (None, commit.branch):
                linked.setdefault(commit.sha, (commit, []))[1].append(session.id)
    return sorted(linked.values(), key=lambda each: each[0].at, reverse=True)


class ObservationsInTime(Protocol):
    """Port: observations by when they were made, whatever session they are of."""

    def beside(
        self,
        space: str,
        moment: tuple[str, str],
        *,
        later: bool,
        limit: int,
        session_id: str | None = None,
        project: str | None = None,
    ) -> Sequence[Observation]:
        """The observations before or after a moment (a time, an id), the nearest first. No passages of files."""
        ...

    def shortly_before(
        self, space: str, moment: tuple[str, str], *, since: str, limit: int, session_id: str | None, scope: Scope
    ) -> Sequence[Observation]:
        """Those from a time to a moment, the nearest first: of a session, else of a scope's project and user."""
        ...
