"""One text for an agent: lines of memory in a tag, as far as a budget goes.

Each line is quoted, so nothing that is remembered can close the tag. Slots stand in such a text; a client that seldom
names a project is told here which of them it means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from recollect.dialects.arguments import Given
from recollect.dialects.tool import Doer
from recollect.domain.answers.recollections import Hit
from recollect.domain.desk import PURPOSES, Slot
from recollect.domain.observations import ObservationKind
from recollect.recall.fence import quoted

_OF_A_KIND = 3  # conventions and errors of a project
_OF_A_PART = 5  # lines about files
_MOST_SESSIONS, _MOST_LESSONS = 10, 10


def fitting(lines: Iterable[str], budget: int, size: Callable[[Sequence[str]], int]) -> list[str]:
    """The lines that fit: one that does not is left out, and shorter ones after it may still come in.

    `size` is that of some lines together with everything around them.
    """
    kept: list[str] = []
    for line in lines:
        if size([*kept, line]) <= budget:
            kept.append(line)
    return kept


def first_within(records: Sequence[Any], budget: int, size: Callable[[Any], int]) -> tuple[list[Any], int]:
    """The first records that fit into a budget together, and their size; a budget of 0 has no end."""
    kept: list[Any] = []
    used = 0
    for each in records:
        if budget and used + size(each) > budget:
            break
        used += size(each)
        kept.append(each)
    return kept, used


def tagged(name: str, lines: Sequence[str], about: str = "") -> list[str]:
    """Lines between the opening and the closing of a tag; none for none."""
    return [f"<{name}{about}>", *lines, f"</{name}>"] if lines else []


def block_of(
    tag: str, about: str, lines: Iterable[str], budget: int, size: Callable[[str], int]
) -> tuple[str, int, int]:
    """Lines in a tag, as far as a budget goes: the text, how many lines it has, and its size; nothing for none."""
    around = size(f"<{tag}{about}></{tag}>")

    def whole(some: Sequence[str]) -> int:
        return around + sum(size(line + "\n") for line in some)

    kept = fitting(lines, budget, whole)
    return "\n".join(tagged(tag, kept, about)), len(kept), whole(kept) if kept else 0


def in_tags(parts: Mapping[str, Sequence[str]], budget: int) -> str:
    """Parts of a text, each in the tag of its name, in so many characters."""
    told: list[str] = []
    for name, lines in parts.items():
        before = list(told)

        def size(some: Sequence[str], *, name: str = name, before: list[str] = before) -> int:
            return len("\n".join([*before, *tagged(name, some)]))

        told += tagged(name, fitting(lines, budget, size))
    return "\n".join(told)


def project_lines(doer: Doer, project: str, session_id: str, slots: Iterable[Slot]) -> Iterable[str]:
    """Lines about a project: pinned slots, conventions and errors, lessons, and earlier sessions than this one."""
    for slot in slots:
        if slot.pinned and slot.text:
            yield f"slot {slot.label}: {quoted(slot.text)}"
    about = doer.do("project-profile", {"project": project})
    for each in about.conventions[:_OF_A_KIND]:
        yield f"conventions: {quoted(each)}"
    for error in about.errors[:_OF_A_KIND]:
        yield f"commonErrors: {quoted(error.name)}"
    for lesson in doer.do("lessons.list", {"project": project, "limit": _MOST_LESSONS}):
        yield f"lesson ({lesson.confidence:.2f}): {quoted(lesson.note.text)}"
    found = doer.do("sessions", {"project": project, "limit": _MOST_SESSIONS + 1})
    for session in islice((each for each in found if each.id != session_id), _MOST_SESSIONS):
        digest = doer.do("session.show", {"session_id": session.id})
        told = digest.outcome or digest.ask
        if told:
            yield f"session {session.started_at:%Y-%m-%d}: {quoted(told[:600])}"


def lines_about(doer: Doer, files: Sequence[str], terms: Sequence[str], **which: Any) -> dict[str, list[str]]:
    """Lines about files and terms that a tool is about to touch: of the files, of what is near, of past errors."""
    names = {each: each.replace("\\", "/").rpartition("/")[2] for each in files}
    found: dict[str, list[str]] = {"file-context": [], "relevant-context": [], "past-errors": []}
    for asked, name in [*names.items(), *((term, term) for term in terms)]:
        for hit in doer.do("search", {"query": f"{name} {asked}"[:500], "limit": 10, **which}):
            about = asked in names and (name in hit.text or any(name in each for each in _files_of(hit)))
            failed = hit.observation is not None and hit.observation.kind is ObservationKind.TOOL_FAILURE
            bug = hit.note is not None and "bug" in hit.note.tags
            if about or asked in terms or bug:
                part = "past-errors" if failed or bug else "file-context" if about else "relevant-context"
                found[part].append(f"- {quoted(hit.text[:400])}")
    return {part: list(dict.fromkeys(lines))[:_OF_A_PART] for part, lines in found.items()}


def _files_of(hit: Hit) -> list[str]:
    kept = hit.note.metadata.get("files") if hit.note else None
    return list(hit.observation.files) if hit.observation else kept if isinstance(kept, list) else []


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
