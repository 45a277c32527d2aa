"""Authority × verb: the outcome when a caller ranks below what a verb would change.

The table is data: every verb that writes has one row, and a test holds the documentation and the catalogue of verbs to
it. A caller who ranks as high as the record, or higher, does what the verb says. A verb without a row is refused.
"""

from __future__ import annotations

from enum import StrEnum

from recollect.domain.errors import InvalidInput
from recollect.domain.observations import Observation, ObservationKind
from recollect.domain.origin import Authority, Caller, lowest, rank, sign_in_again


class Outcome(StrEnum):
    """The outcome of a verb whose caller ranks below the record."""

    PROPOSED = "proposed"  # a disputed note beside it, which waits in `review`; the record stays as it is
    REFUSED = "refused"  # the error `authority_too_low`; nothing is written
    PASSED_OVER = "passed over"  # this record stays as it is, the others are changed
    NOTED = "noted"  # counted, linked or marked on the record; its words, state, times and authority stay
    ADDS = "adds"  # the verb changes no note, slot or action that is there already


OUTCOMES: dict[str, Outcome] = {
    # What is told anew takes its place beside what ranks higher, and waits.
    "add": Outcome.PROPOSED,
    "watch": Outcome.PROPOSED,
    "learn": Outcome.PROPOSED,
    "observe": Outcome.PROPOSED,
    "save": Outcome.PROPOSED,  # with the key of a note that is there; without, it only adds
    "update": Outcome.PROPOSED,
    "supersede": Outcome.PROPOSED,
    # What takes away, hides or lifts is for callers who rank as high.
    "retract": Outcome.REFUSED,
    "forget": Outcome.REFUSED,
    "pin": Outcome.REFUSED,
    "unpin": Outcome.REFUSED,
    "anchor": Outcome.REFUSED,
    "settle": Outcome.REFUSED,
    "refute": Outcome.REFUSED,
    "import": Outcome.REFUSED,
    "graph.split": Outcome.REFUSED,
    "slots.set": Outcome.REFUSED,
    "slots.append": Outcome.REFUSED,
    "slots.delete": Outcome.REFUSED,
    "actions.update": Outcome.REFUSED,  # other words; how far it has come may be said by anybody
    # What goes through a whole space, or a whole revision, leaves out what ranks higher.
    "revert": Outcome.PASSED_OVER,
    "migrate": Outcome.PASSED_OVER,
    "dedup": Outcome.PASSED_OVER,
    "maintain": Outcome.PASSED_OVER,
    "backfill-provenance": Outcome.PASSED_OVER,
    "forget-all": Outcome.PASSED_OVER,
    # Opinions, links and what a note's own dates bring about.
    "feedback": Outcome.NOTED,
    "relate": Outcome.NOTED,
    "lessons.add": Outcome.NOTED,
    "lessons.strengthen": Outcome.NOTED,
    "tidy": Outcome.NOTED,
    "vault.scan": Outcome.NOTED,  # the edits are those of the person whose files they are
    "vault.open": Outcome.NOTED,
    "sync": Outcome.NOTED,
    "reindex": Outcome.NOTED,
    # What only adds.
    "ingest": Outcome.ADDS,
    "actions.add": Outcome.ADDS,
    "session.start": Outcome.ADDS,
    "session.end": Outcome.ADDS,
    "session.link": Outcome.ADDS,
    "crystals.make": Outcome.ADDS,
    "reflect": Outcome.ADDS,
    "graph.alias": Outcome.ADDS,
    "graph.merge": Outcome.ADDS,  # a note beside the others, which a split retracts
    "eval.build": Outcome.ADDS,  # questions and runs stand beside memory
    "eval.edit": Outcome.ADDS,
    "eval.drop": Outcome.ADDS,
    "eval.run": Outcome.ADDS,
    "eval.experiment": Outcome.ADDS,
    "slots.reflect": Outcome.ADDS,  # into slots that are empty, or that it filled before
    "spaces.create": Outcome.ADDS,
    "spaces.limit": Outcome.ADDS,
    "jobs.retry": Outcome.ADDS,
    "jobs.cancel": Outcome.ADDS,
    "jobs.run": Outcome.ADDS,  # each job writes in the name of whoever queued it
    "webhooks.add": Outcome.ADDS,
    "webhooks.remove": Outcome.ADDS,
    "webhooks.test": Outcome.ADDS,
    "embeddings.prepare": Outcome.ADDS,
    "embeddings.switch": Outcome.ADDS,
    "embeddings.drop": Outcome.ADDS,
    "brain.form": Outcome.PROPOSED,
    "brain.restart": Outcome.PROPOSED,
    "brain.maintain": Outcome.PASSED_OVER,
    "brain.change": Outcome.ADDS,
    "provider-keys.set": Outcome.ADDS,
    "provider-keys.remove": Outcome.ADDS,
    # For administrators only, at every door; see `surfaces/catalogue/routes`.
    "spaces.delete": Outcome.REFUSED,
    "reset": Outcome.REFUSED,
    "restore": Outcome.REFUSED,
}

# Verbs an administrator's token may use on what a person said: they name what they are about, and write no words.
FOR_ADMINISTRATORS = frozenset(
    {"retract", "forget", "forget-all", "reset", "pin", "unpin", "settle", "refute", "slots.delete"}
)

_HINT = "Let the person do it at the command line, or say what is the matter with `feedback`."
_HINTS = {
    "refute": "That a text of a person is replaced by another is theirs to deny: let them say `recollect refute`, or "
    "use an administrator's token."
}

# Kinds of observations in which a person may speak; whatever else a hook hands on is a program's.
_SPOKEN = frozenset({ObservationKind.MESSAGE, ObservationKind.PROMPT})


def authority_of(said: Observation) -> Authority:
    """The authority of a message, by the door it came through: a fact where a person speaks, else a quotation."""
    teller = Caller(said.origin.channel)
    told = lowest([Authority.FACT, teller.ceiling])
    return max(told, teller.word, key=rank) if said.kind in _SPOKEN else told


def may_change(caller: Caller, authority: Authority, verb: str) -> bool:
    """Whether a caller ranks high enough to do this to a record of that authority.

    A browser that signed in too long ago is asked to sign in again.
    """
    if rank(caller.ceiling) >= rank(authority) or (caller.admin and verb in FOR_ADMINISTRATORS):
        return True
    if not caller.fresh:
        raise sign_in_again()
    return False


def outcome(caller: Caller, authority: Authority, verb: str) -> Outcome | None:
    """The outcome for a caller who ranks too low; `None` for one who does not."""
    return None if may_change(caller, authority, verb) else OUTCOMES.get(verb, Outcome.REFUSED)


def require_rank(caller: Caller, authority: Authority, verb: str, *, what: str) -> None:
    """Raise if the caller ranks below the record; `what` names it, as in `Note 01J9…`."""
    if not may_change(caller, authority, verb):
        raise too_low(caller, authority, verb, what=what)


def too_low(caller: Caller, authority: Authority, verb: str, *, what: str) -> InvalidInput:
    """The refusal of a caller who ranks below the record."""
    return InvalidInput(
        f"{what} has the authority `{authority.value}`; a caller through {caller.channel.value} ranks as "
        f"`{caller.ceiling.value}`, too low for `{verb}`. Nothing was written.",
        code="authority_too_low",
        hint=_HINTS.get(verb, _HINT),
    )
