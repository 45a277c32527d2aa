"""Pure: notes as Anamnesis tells them. Its fields are those of a note's file, which the vault knows already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from recollect.domain.answers.sessions import SessionDigest
from recollect.domain.clock import format_time
from recollect.domain.notes import Note, State
from recollect.vault.documents import document_of
from recollect.vault.front_matter import Fields

TYPES = ("procedural", "semantic", "episodic")
SCOPES = ("portable", "machine-local")
_TOLD = "id type title project machine_id scope user_id workspace_id tags created_at updated_at".split()
_CAMEL = re.compile(r"_(\w)")
_MOST_EPISODES = 2  # of a project, in what is injected
_CLIP = 600  # characters of a prompt or an outcome in an episode
_FLOOR = 40  # characters of an outcome below which a session without a question says nothing


def fields_of(note: Note, machine: str) -> Fields:
    """The front matter of a note's file, and its text as `body`."""
    document = document_of(note, machine)
    return {**document.fields, "body": document.text, "tags": list(note.tags)}


def note_record(note: Note, machine: str, *, body: bool) -> dict[str, Any]:
    """A note as its tools tell it."""
    said = fields_of(note, machine)
    return {name: said[name] for name in (*_TOLD, *(("body",) if body else ()))}


def dashboard_record(note: Note, machine: str, *, body: bool = False) -> dict[str, Any]:
    """A note as its dashboard reads it."""
    said = fields_of(note, machine)
    names = (
        *_TOLD,
        "prov_source",
        "prov_model",
        "prov_session",
        "confidence",
        "supersedes",
        *(("body",) if body else ()),
    )
    return {_CAMEL.sub(lambda found: found[1].upper(), name): _plain(said[name]) for name in names}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def replaced_in(notes: Iterable[Note]) -> set[str]:
    """The notes that another one names as superseded: their own files do not say so."""
    return {each for note in notes for each in note.supersedes}


def selected(notes: Sequence[Note], project: str, most: int) -> list[Note]:
    """The notes to inject: all that are global, then those of the project, of which two episodes have a place."""
    over = replaced_in(notes)
    held = [note for note in notes if note.state is State.ACTIVE and note.id not in over]
    held.sort(key=lambda note: (note.updated_at, note.id), reverse=True)
    everywhere = [note for note in held if note.scope.project is None]
    own = [note for note in held if note.scope.project == project]
    lasting = [note for note in own if note.kind.value != "episodic"]
    lasting.sort(key=lambda note: (format_time(note.updated_at)[:19], note.confidence), reverse=True)
    episodes = [note for note in own if note.kind.value == "episodic" and "reflected" not in note.tags]
    room = max(0, most)
    reserved = episodes[: min(_MOST_EPISODES, room)]
    return [*everywhere, *lasting[: room - len(reserved)], *reserved]


def inject_text(notes: Iterable[Note], machine: str) -> str:
    """The block that a session begins with, word for word; nothing for no notes."""
    lines = ["# Anamnesis memory (auto-injected)", ""]
    for note in notes:
        said = fields_of(note, machine)
        about = f"_project: {said['project']} | origin: {said['machine_id']}"
        if said["prov_source"] != "human" or note.confidence < 1.0:
            about += f" | source: {said['prov_source']} (confidence {note.confidence:g})"
        lines += [
            f"## [{said['type']}] {said['title']}",
            f"{about}_",
            "",
            *([said["body"], ""] if said["body"] else []),
        ]
    return "\n".join(lines).rstrip() + "\n" if len(lines) > 2 else ""


def counts_of(notes: Iterable[Note], machine: str) -> dict[str, Any]:
    """The number of notes, by type, project, scope and workspace."""
    counted: dict[str, dict[str, int]] = {f"by_{name}": {} for name in ("type", "project", "scope", "workspace")}
    total = 0
    for note in notes:
        said = fields_of(note, machine)
        total += 1
        for name, field in zip(counted, ("type", "project", "scope", "workspace_id"), strict=True):
            counted[name][said[field]] = counted[name].get(said[field], 0) + 1
    return {"total": total, **{name: dict(sorted(found.items())) for name, found in counted.items()}}


def episode_of(digest: SessionDigest, source: str) -> dict[str, Any] | None:
    """The note that stands for a session; `None` if there was nothing in it to remember."""
    ask, outcome = digest.ask.strip(), digest.outcome.strip()
    idle = not ask or re.fullmatch(r"/\S+", ask)
    if not digest.files and idle and len(outcome) < _FLOOR:
        return None
    lines = [f"**Ask:** {_clipped(ask) or '(no user prompt captured)'}", ""]
    lines += [f"**Branch:** {digest.session.branch}"] if digest.session.branch else []
    lines += (
        [f"**Files touched ({len(digest.files)}):**", *(f"- {each.name}" for each in digest.files)]
        if digest.files
        else []
    )
    lines += ["", f"**Outcome:** {_clipped(outcome) or '(no assistant output captured)'}"]
    return {
        "kind": "episodic",
        "title": ask.splitlines()[0][:80] if ask else "Session summary",
        "text": "\n".join(lines),
        "tags": ["session", source],
        "session": digest.session.id,
    }


def _clipped(text: str) -> str:
    return text if len(text) <= _CLIP else text[:_CLIP].rstrip() + " ..."


def graph_of_notes(notes: Sequence[Note]) -> dict[str, Any]:
    """The memory map: a hub for each project, its notes around it, links between notes that are related."""
    hubs = sorted({note.scope.project or "global" for note in notes})
    known = {note.id for note in notes}
    nodes: list[dict[str, Any]] = [{"id": f"hub:{hub}", "kind": "hub", "project": hub, "title": hub} for hub in hubs]
    nodes += [
        {
            "id": note.id,
            "kind": "mem",
            "project": note.scope.project or "global",
            "type": note.kind.value,
            "title": note.title or note.text[:80],
            "tags": list(note.tags),
            "excerpt": note.text[:200],
        }
        for note in notes
    ]
    edges = [{"source": note.id, "target": f"hub:{note.scope.project or 'global'}"} for note in notes]
    edges += [{"source": note.id, "target": other} for note in notes for other in note.related if other in known]
    return {"nodes": nodes, "edges": edges}


def note_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of ours for a note as its tools and its dashboard send it."""
    project, user = given.get("project"), given.get("user_id")
    fields = {
        "kind": given.get("type"),
        "title": given.get("title"),
        "text": given.get("body") or given.get("title"),
        "project": None if project in (None, "", "global") else project,
        "user": None if user in (None, "", "self") else user,
        "tags": [str(each) for each in given["tags"]] if isinstance(given.get("tags"), list) else None,
    }
    return {name: value for name, value in fields.items() if value is not None}
