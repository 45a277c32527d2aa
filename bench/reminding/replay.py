"""The history told to a memory session by session, and `remind` asked before every act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

from bench.reminding.history import BusySession, Doing, History, Mistake
from recollect import Memory
from recollect.verbs.decision_point import _line_id

PROJECT = "shop"


@dataclass
class Outcome:
    """Counts of a replay. `missed` and `false` are for whoever improves the rules."""

    planted: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)
    false_alarms: list[int] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    unrepeated: int = 0  # mistakes whose only act is the one by which they became known

    @property
    def share(self) -> float:
        """The share of repeated mistakes that were told before the act."""
        return self.told.total() / max(1, self.planted.total())

    @property
    def alarms(self) -> float:
        """False alarms in a session, on average."""
        return sum(self.false_alarms) / max(1, len(self.false_alarms))


def replay(memory: Memory, history: History, folder: Path) -> Outcome:
    """Play a history, and count."""
    outcome = Outcome(unrepeated=sum(not mistake.acts for mistake in history.mistakes))
    of_record: dict[str, Mistake] = {}
    for text in history.notes:
        memory.save(text, project=PROJECT)
    for text, before in history.lessons:
        for doing in before:
            _done(memory, doing, "the-beginning")
        memory.add_lesson(text, project=PROJECT)
    for session in history.sessions:
        memory.start_session(session.name, project=PROJECT)
        told: set[int] = set()
        alarms = _played(memory, session.name, session.acts, told, of_record, outcome)
        if not session.made:  # nobody sees how a mistake is made, so it becomes known when the session is over
            memory.end_session(session.name)
        for mistake, acts in zip(session.learned, session.made or ((),) * len(session.learned), strict=True):
            alarms += _played(memory, session.name, [(doing, None) for doing in acts], told, of_record, outcome)
            for record_id in _made_known(memory, mistake, session, folder):
                of_record[record_id] = mistake
        if session.made:
            memory.end_session(session.name)
        outcome.false_alarms.append(alarms)
    return outcome


def _played(
    memory: Memory,
    session: str,
    acts: Sequence[tuple[Doing, Mistake | None]],
    told: set[int],
    of_record: dict[str, Mistake],
    outcome: Outcome,
) -> int:
    """Ask before each of some acts of a session; how many lines were told that no act had called for."""
    alarms = 0
    for doing, mistake in acts:
        begun = process_time()
        reminder = memory.remind(**doing.arguments, session=session, project=PROJECT)
        outcome.milliseconds.append((process_time() - begun) * 1000)
        outcome.tokens.append(reminder.tokens)
        for each in reminder.lines:
            found = of_record.get(each.line.id.partition("#")[0] if each.line.version else each.line.id)
            found = found or of_record.get(each.line.id)
            if found is not None:
                told.add(found.number)
            if found is None or not found.is_about(doing):
                alarms += 1
                outcome.false.append(f"{doing.spelled}  <-  {each.reason.value}: {each.line.text}")
        if mistake is None:
            _done(memory, doing, session)
            continue
        outcome.planted[mistake.known] += 1
        if mistake.number in told:
            outcome.told[mistake.known] += 1
        else:
            outcome.missed.append(f"{doing.spelled}  <-  {mistake.known}: {mistake.text or mistake.failed}")
            _done(memory, doing, session)  # nobody said anything against it
    return alarms


def _done(memory: Memory, doing: Doing, session: str) -> None:
    """Keep an act as a hook would: the history grows, and what is right is seen to work."""
    arguments = doing.arguments
    if "command" in arguments:
        memory.observe("tool_use", "done", tool="Bash", arguments=arguments, session=session, project=PROJECT)
    else:
        path = arguments["files"][0]
        memory.observe("tool_use", tool="Edit", arguments={"file_path": path}, session=session, project=PROJECT)


def _made_known(memory: Memory, mistake: Mistake, session: BusySession, folder: Path) -> Iterator[str]:
    """Tell a mistake to memory in its way; the ids of the records that tell of it."""
    match mistake.known:
        case "lesson":
            note = memory.add_lesson(mistake.text, project=PROJECT).note
            yield note.id if note else ""
        case "note":
            yield memory.save(mistake.text, project=PROJECT).id
        case "rule":
            yield memory.save(mistake.text, authority="instruction", project=PROJECT, when=mistake.when or None).id
        case "when":
            yield memory.save(mistake.text, when=mistake.when, project=PROJECT).id
        case "slot":
            slot = memory.append_slot("guidance", mistake.text, project=PROJECT)
            yield _line_id(slot.id, mistake.text)
        case "anchor":
            place = folder / mistake.anchor
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(mistake.text)
            note = memory.save(mistake.text, project=PROJECT)
            yield memory.anchor(note.id, path=folder, anchors=[f"file:{mistake.anchor}"]).id
        case "failure":
            name = f"{session.name}-before"
            shell: dict[str, Any] = {"tool": "Bash", "session": name, "project": PROJECT}
            wrong, right = ({"command": each.removeprefix("$ ")} for each in (mistake.failed, mistake.worked))
            failed = memory.observe("tool_failure", "exit 1", arguments=wrong, **shell)
            memory.observe("tool_use", "ok", arguments=right, **shell)
            yield failed.observation_id
        case other:
            raise ValueError(other)
