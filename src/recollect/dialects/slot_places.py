"""Slots for clients that seldom name a project: which one is meant, and what such a client sees."""

from __future__ import annotations

from recollect.dialects.arguments import Given
from recollect.dialects.tool import Doer
from recollect.domain.desk import PURPOSES, Slot

NO_PROJECT = "default"  # whose slots those are that are said to be of the project, and of none by name


def slots_in(doer: Doer, project: str = "") -> list[Slot]:
    """The slots that a project sees: its own, and those of `NO_PROJECT`."""
    found = doer.do("slots.list", {"project": NO_PROJECT})
    own = {slot.label: slot for slot in doer.do("slots.list", {"project": project}) if slot.version} if project else {}
    return [own.pop(slot.label, slot) for slot in found] + list(own.values())


def place_of(doer: Doer, given: Given) -> dict[str, str]:
    """The project of a slot: the project that was named, where it was written, or where its label or scope puts it."""
    if given.get("project"):
        return {"project": str(given["project"])}
    label, scope = given.get("label"), given.get("scope")
    written = [each for each in slots_in(doer) if each.label == label and each.version]
    if written and scope is None:
        return {"project": written[0].project} if written[0].project else {}
    purpose = PURPOSES.get(str(label))
    of_project = purpose.of_project if purpose else scope == "project"
    return {"project": NO_PROJECT} if of_project else {}


def is_written(doer: Doer, label: str, where: dict[str, str]) -> bool:
    """Whether somebody wrote into the slot of this label and place."""
    here = (label, where.get("project"))
    return any(each.version and (each.label, each.project) == here for each in doer.do("slots.list", where))
