"""The ports: interfaces to everything the domain needs from the world.

Ports take and return domain values. A `Store` keeps what it is given and decides nothing: no ranking, no
merging, no clock of its own. Abilities that not every store has are ports of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from recollect.domain.observations import ObservationsInTime
from recollect.domain.scopes import ANYWHERE

if TYPE_CHECKING:  # a port knows values by name only, and loads none of them
    from collections.abc import Collection, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from recollect.domain.access import AccessToken, AccountBook, SignIn, SignInLink
    from recollect.domain.answers.receipts import RecallReceipt
    from recollect.domain.answers.recollections import Match, SpaceSummary
    from recollect.domain.answers.upkeep import Backup, Check
    from recollect.domain.attachments.attachment import AttachmentContent
    from recollect.domain.changes import AuditEntry, Change, Changes, Idempotency, Receipt, Tombstone
    from recollect.domain.desk import Action, ActionStatus, Slot
    from recollect.domain.notes import Note
    from recollect.domain.observations import Observation, Session
    from recollect.domain.scopes import Scope, Space
    from recollect.domain.selections import Facet, Selection


class Store(Protocol):
    """Where memory is kept."""

    @property
    def kind(self) -> str:
        """`sqlite` or `postgres`."""
        ...

    @property
    def location(self) -> str:
        """Where it is, without any password."""
        ...

    @property
    def schema(self) -> int:
        """The number of the newest migration."""
        ...

    def apply(self, changes: Changes, *, rehearse: bool = False) -> Receipt:
        """Write all of it or nothing. A rehearsal makes every check and then takes it all back.

        Raises `Conflict`, `Erased`, `NotFound` for what stands in the way, `Busy` when it should be retried.
        """
        ...

    def replay(self, space: str, request: Idempotency) -> Receipt | None:
        """The receipt of what an idempotency key was used for before; raises as `apply` does when the key is taken."""
        ...

    def reading(self, space: str) -> AbstractContextManager[object]:
        """A context within which all that this thread reads of a space, here and in the archive, is of one moment."""
        ...

    def serves(self, space: str) -> bool:
        """Whether a space is here; known within seconds. Raises `Conflict` with the code `space_moved` if another store
        serves it."""
        ...

    def spaces(self) -> Sequence[Space]:
        """All spaces that are not deleted and are served here, by name."""
        ...

    def space(self, name: str) -> Space | None:
        """One space; `None` if there is none or it was deleted."""
        ...

    def summary(self, space: Space) -> SpaceSummary:
        """The summary of what is in a space."""
        ...

    def note(self, space: str, note_id: str, *, known_at: datetime | None = None) -> Note | None:
        """The version of a note that is current, or was at `known_at`."""
        ...

    def current(self, space: str, note_ids: Sequence[str]) -> dict[str, Note]:
        """The current versions of those of the notes that are here, by id."""
        ...

    def version(self, space: str, note_id: str, version: int) -> Note | None:
        """One version of a note."""
        ...

    def versions(self, space: str, note_ids: Sequence[str]) -> Sequence[Note]:
        """All versions of some notes, by id and then version."""
        ...

    def notes(self, space: str, selection: Selection, *, before: str | None, limit: int) -> Sequence[Note]:
        """Selected notes, newest id first, from the id before `before` on."""
        ...

    def ids(self, space: str, selection: Selection) -> Sequence[str]:
        """The ids of all selected notes, in no order."""
        ...

    def matching(
        self, space: str, words: Sequence[str], selection: Selection, *, limit: int, beginnings: bool = False
    ) -> Sequence[Match]:
        """Selected notes that have, or once had, any of the words; those with the rarer words first.

        With `beginnings` any word counts that begins with one of them.
        """
        ...

    def known_words(self, space: str, words: Sequence[str]) -> frozenset[str]:
        """Those of the words that some note of the space has, or once had, in any of their forms."""
        ...

    def close(self) -> None:
        """Let go of every connection."""
        ...


class Tallies(Protocol):
    """How many notes there are of what: read beside the store, and never all of them one by one."""

    def count(self, space: str, selection: Selection) -> int:
        """How many notes are selected."""
        ...

    def counts(self, space: str, selection: Selection, facet: Facet) -> dict[str, int]:
        """How many of the selected notes have each value of a field; the empty text stands for none."""
        ...


class Lineage(Protocol):
    """How notes hang together: read beside the store, and written by the same `Store.apply`."""

    def chains(self, space: str, note_ids: Sequence[str]) -> dict[str, Sequence[str]]:
        """The chain of each of some notes, by its id."""
        ...

    def descendants(self, space: str, note_id: str) -> Sequence[str]:
        """The ids of all notes derived from a note, at any remove."""
        ...

    def resting_on(self, space: str, record_ids: Sequence[str]) -> Sequence[str]:
        """The ids of all notes that were made from, or rest on, any of some records, at any remove.

        A link of an earlier version counts; circles end.
        """
        ...

    def links_to(self, space: str, note_id: str) -> Sequence[tuple[str, str]]:
        """How other notes are or once were linked to a note: the relation and the id of each."""
        ...


class ChangeLog(Protocol):
    """The history of a space, page by page: its changes, its audit chain, every version, and what was erased."""

    def changes_after(self, space: str, seq: int, *, limit: int) -> Sequence[Change]:
        """The change log after a number; how a cache follows what other processes do."""
        ...

    def newest(self, space: str) -> int:
        """The number of the newest change, also of a space that is deleted; 0 if there never was one."""
        ...

    def audit(self, space: str, *, after: int, limit: int) -> Sequence[AuditEntry]:
        """The audit chain after a number."""
        ...

    def audit_head(self, space: str) -> tuple[int, str]:
        """The number and digest of the newest audit entry, as the space's own row has them."""
        ...

    def export(self, space: str, *, after: tuple[str, int], limit: int) -> Sequence[Note]:
        """Versions in the order of (id, version), from the one after `after` on."""
        ...

    def tombstones(self, space: str, *, after: str, limit: int) -> Sequence[Tombstone]:
        """Tombstones by note id."""
        ...

    def tombstone(self, space: str, note_id: str) -> Tombstone | None:
        """The tombstone of one note, if it was erased."""
        ...


class Upkeep(Protocol):
    """The care of the store as a whole, all spaces together."""

    def check(self) -> Sequence[Check]:
        """Look whether the store is sound and its derived parts equal their source."""
        ...

    def rebuild(self) -> None:
        """Make everything derived anew from its source."""
        ...

    def size(self) -> int | None:
        """Bytes on disk, if known."""
        ...

    def clean_residue(self) -> str | None:
        """Remove what erasing leaves in files; says what could not be removed yet, or `None`."""
        ...


class Archive(ObservationsInTime, Protocol):
    """Sessions and observations, verbatim: read beside the notes, and written by the same `Store.apply`."""

    def session(self, space: str, session_id: str) -> Session | None:
        """One session."""
        ...

    def sessions(
        self,
        space: str,
        *,
        before: tuple[str, str] | None,
        limit: int,
        project: str | None = None,
        commit: str | None = None,
    ) -> Sequence[Session]:
        """Sessions, the one that began last first, from the one before (its start, its id) on.

        Only those of a project, or in which a commit was made, if one is named. What holds the passages of a file is
        not among them.
        """
        ...

    def unreflected(
        self, space: str, *, limit: int, project: str | None = None, user: str | None = None
    ) -> Sequence[Session]:
        """Sessions that were not reflected on, of a project or a user if one is named; the first first."""
        ...

    def session_size(self, space: str, session_id: str) -> int:
        """How many observations a session has."""
        ...

    def observation(self, space: str, observation_id: str) -> Observation | None:
        """One observation."""
        ...

    def those(self, space: str, observation_ids: Sequence[str]) -> dict[str, Observation]:
        """Those of the observations that are here, by id."""
        ...

    def observations(self, space: str, session_id: str, *, after: int, limit: int) -> Sequence[Observation]:
        """Observations of a session in order, after a position."""
        ...

    def around(self, space: str, observation_ids: Sequence[str], *, reach: int) -> Sequence[Observation]:
        """Some observations and up to `reach` before and after each in its session, by session and position."""
        ...

    def matching(
        self,
        space: str,
        words: Sequence[str],
        *,
        until: datetime | None,
        limit: int,
        since: datetime | None = None,
        beginnings: bool = False,
        scope: Scope = ANYWHERE,
    ) -> Sequence[Observation]:
        """Observations that have any of the words, or words with such `beginnings`, from `since` to `until`."""
        ...

    def ids(self, space: str, scope: Scope) -> Sequence[str]:
        """The ids of all observations that were told in a scope, in no order."""
        ...

    def due(self, space: str, at: datetime, *, after: str, limit: int) -> Sequence[str]:
        """The ids of observations that are to be erased by a moment, in their order, after one of them."""
        ...

    def known_words(self, space: str, words: Sequence[str]) -> frozenset[str]:
        """Those of the words that some observation of the space has, in any of their forms."""
        ...

    def derived_notes(self, space: str, observation_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The ids of the notes made from each observation."""
        ...

    def retracted_notes(self, space: str, observation_ids: Sequence[str]) -> Sequence[str]:
        """The ids of the notes made from any of the observations that are retracted: some may take one back."""
        ...

    def export_sessions(self, space: str, *, after: str, limit: int) -> Sequence[Session]:
        """Sessions by id, for an export."""
        ...

    def export_observations(self, space: str, *, after: str, limit: int) -> Sequence[Observation]:
        """Observations by id, for an export."""
        ...

    def counts(self, space: str) -> tuple[int, int]:
        """How many sessions and observations there are."""
        ...

    def verdicts(self, space: str) -> dict[str, int]:
        """How many candidates became notes, and how often each reason spoke against one."""
        ...

    def files(self, space: str, root: str) -> dict[str, tuple[str, str]]:
        """The digest and the session of each file of a folder that was taken in."""
        ...


class Attachments(Protocol):
    """The files that came with observations. Written by the same `Store.apply`."""

    def content(self, space: str, digest: str, *, at: datetime | None = None) -> AttachmentContent | None:
        """A file with its bytes; `None` if no observation holds it, or none that may be seen at a time."""
        ...

    def held(self, space: str) -> dict[str, tuple[str, ...]]:
        """The digests of the files that each observation holds, by its id."""
        ...

    def kept(self, space: str) -> frozenset[str]:
        """The digests of all files of a space, also of parts that a bound store does not show: what must not be
        cleaned away."""
        ...

    def export(self, space: str, *, after: str, limit: int) -> Sequence[tuple[str, bytes]]:
        """Files by digest, for an export, each once."""
        ...

    def size(self, space: str) -> tuple[int, int | None]:
        """How many bytes the files have together, and how many they may have if that was set."""
        ...


class Desk(Protocol):
    """The slots and actions that lie open while work is done. Written by the same `Store.apply`."""

    def slots(self, space: str) -> Sequence[Slot]:
        """All slots of a space, by project and label; those for all projects first."""
        ...

    def slot(self, space: str, label: str, project: str | None) -> Slot | None:
        """The slot of a label: the project's own, or with `None` the one for all."""
        ...

    def action(self, space: str, action_id: str) -> Action | None:
        """One action."""
        ...

    def those(self, space: str, action_ids: Sequence[str]) -> dict[str, Action]:
        """Those of the actions that are here, by id."""
        ...

    def actions(
        self,
        space: str,
        *,
        statuses: Collection[ActionStatus] = (),
        project: str | None = None,
        before: str | None = None,
        limit: int,
    ) -> Sequence[Action]:
        """Actions, newest id first. With a project: its own, and those of none."""
        ...

    def export_slots(self, space: str, *, after: str, limit: int) -> Sequence[Slot]:
        """Slots by id, for an export."""
        ...

    def export_actions(self, space: str, *, after: str, limit: int) -> Sequence[Action]:
        """Actions by id, for an export."""
        ...


class Receipts(Protocol):
    """The receipts of searches, kept for a while beside memory and never part of it."""

    def keep(self, space: str, receipt: RecallReceipt) -> None:
        """Keep a receipt, and drop those that are too old or too many.

        It waits for nobody: `Busy` when somebody is writing, any other `StoreFailure` where nothing can be written.
        """
        ...

    def receipt(self, space: str, receipt_id: str) -> RecallReceipt | None:
        """One receipt, if it is still kept."""
        ...

    def recent(self, space: str, *, limit: int) -> Sequence[RecallReceipt]:
        """The newest receipts whose question is still known."""
        ...

    def expire(self, space: str, *, before: datetime) -> None:
        """Drop receipts that are older; those of a space in which nobody asks any more would stay otherwise."""
        ...


class AccessTokens(Protocol):
    """The tokens of those who may come in through a door that asks. Every process sees a change with its next look."""

    def keep(self, token: AccessToken) -> bool:
        """Keep a new token. False if the one that makes it was revoked."""
        ...

    def token(self, token_id: str) -> AccessToken | None:
        """One token, whether it is live or not."""
        ...

    def every(self) -> Sequence[AccessToken]:
        """All tokens by id, which is oldest first."""
        ...

    def revoke(self, token_id: str, at: datetime) -> AccessToken | None:
        """End a token with all that it made, and return it as it is now; `None` if there is none."""
        ...

    def rotate(self, token_id: str, successor: AccessToken, at: datetime, ends: datetime) -> bool:
        """Keep a successor, and end the token at a moment. False if it is not live or has a successor already."""
        ...

    def used(self, token_id: str, at: datetime) -> None:
        """Say when it was used last. It waits for nobody: `Busy` when somebody is writing."""
        ...


class SignIns(Protocol):
    """Browsers that are signed in, and the links that sign one in."""

    def offer(self, link: SignInLink) -> None:
        """Keep a link."""
        ...

    def take(self, link_id: str, digest: str) -> SignInLink | None:
        """Use a link up, and return it; of several who try at once, one gets it."""
        ...

    def keep(self, sign_in: SignIn, instead_of: str | None = None) -> None:
        """Keep a browser that signed in, and end the sign-in that it had before."""
        ...

    def sign_in(self, sign_in_id: str) -> SignIn | None:
        """One sign-in, whether it is live or not."""
        ...

    def seen(self, sign_in_id: str, at: datetime) -> None:
        """Say when it was used last. It waits for nobody: `Busy` when somebody is writing."""
        ...

    def end(self, sign_in_id: str, at: datetime) -> None:
        """Sign a browser out."""
        ...

    def end_every(self, token_id: str, at: datetime) -> int:
        """Sign every browser out that has the rights of a token, and return how many there were."""
        ...

    @property
    def accounts(self) -> AccountBook:
        """The people who may sign in by name."""
        ...


@runtime_checkable
class Backups(Protocol):
    """A store that can copy itself while others use it, and take itself back from a copy."""

    def backup(self, target: Path, *, compact: bool, at: datetime) -> Backup:
        """Make a copy with a manifest. It holds every write acknowledged before the call."""
        ...

    def restore(self, source: Path, *, at: datetime, known_as: str | None = None) -> Backup:
        """Become the copy, after checking it against its manifest. What was erased since stays erased.

        `known_as` is what the history calls it, if it was brought here from elsewhere.
        """
        ...
