"""Acts before a lesson are told only to those who may know of them, and finding them reads little of the archive."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from recollect import Memory, process_state
from recollect.domain.answers.reminders import Reminder
from recollect.domain.origin import Caller
from recollect.domain.scopes import Scope
from recollect.engine import Engine
from recollect.stores import sql_archive
from recollect.stores.sql_archive import SqlArchive
from recollect.stores.sql_store import SqlStore
from recollect.verbs import decision_point
from tests.support.clock import SteadyClock

ACT, REPEAT = "docker compose down -v", "cd web && docker compose down -v"
LESSON = "All of the data went with the compose stack."
BLOG: dict[str, Any] = {"project": "blog", "user": "bob"}


def told(reminder: Reminder) -> list[str]:
    return [each.line.text for each in reminder]


def ran(memory: Memory, command: str, kind: str = "tool_use", **where: Any) -> None:
    memory.observe(kind, tool="Bash", arguments={"command": command}, session=where.pop("session", "s1"), **where)


def learned(memory: Memory, **where: Any) -> None:
    ran(memory, ACT, **where)
    memory.add_lesson(LESSON, project=where.get("project"))


def failed(memory: Memory, **where: Any) -> None:
    ran(memory, ACT, "tool_failure", **where)
    ran(memory, f"{ACT} --remove-orphans", **where)


@pytest.mark.parametrize(
    "place",
    [{"project": "acme"}, {"user": "alice"}, {"project": "acme", "user": "alice"}],
    ids=["project", "user", "both"],
)
def test_a_note_of_no_project_is_not_tied_to_acts_of_some_project_or_user(
    memory: Memory, place: dict[str, Any]
) -> None:
    ran(memory, ACT, **place)
    memory.add_lesson(LESSON)
    assert told(memory.remind(command=REPEAT, session="s2", **BLOG)) == []
    assert told(memory.remind(command=REPEAT, session="s3", **place)) == [], "nobody says that it was learned there"


def test_a_later_act_of_another_project_does_not_hide_those_of_no_project(memory: Memory) -> None:
    ran(memory, ACT)
    for number in range(12):
        ran(memory, f"make part{number}", session="s9", project="acme")
    memory.add_lesson(LESSON)
    assert told(memory.remind(command=REPEAT, session="s2")) == [LESSON]


@pytest.mark.parametrize("happened", [learned, failed], ids=["lesson", "failure"])
@pytest.mark.parametrize("other", [{"user": "alice"}, {"agent": "codex"}], ids=["user", "agent"])
def test_acts_of_another_user_or_agent_of_the_project_are_not_told(
    memory: Memory, other: dict[str, Any], happened: Callable[..., None]
) -> None:
    whose: dict[str, Any] = {"project": "blog", **other}
    happened(memory, **whose)
    assert told(memory.remind(command=REPEAT, session="s2", project="blog", user="bob", agent="claude")) == []
    assert told(memory.remind(command=REPEAT, session="s3", project="blog")) == [], "nor to nobody in particular"
    assert len(told(memory.remind(command=REPEAT, session="s4", **whose))) == 1, "to their own they are"


def test_what_worked_for_another_user_of_a_session_is_not_told(memory: Memory) -> None:
    ran(memory, ACT, "tool_failure")
    ran(memory, f"{ACT} --remove-orphans", user="alice")
    assert told(memory.remind(command=REPEAT, session="s2", user="bob")) == []
    assert len(told(memory.remind(command=REPEAT, session="s3", user="alice"))) == 1


def test_a_caller_who_is_bound_to_a_user_is_told_of_that_users_failures(memory: Memory) -> None:
    failed(memory, user="alice")
    found = {
        user: told(memory.acting_as(Caller(within=Scope(user=user))).remind(command=REPEAT, session=user))
        for user in ("alice", "bob")
    }
    assert [len(found[user]) for user in ("alice", "bob")] == [1, 0]


def test_a_lesson_that_names_a_session_of_another_project_does_not_tell_its_acts(memory: Memory) -> None:
    ran(memory, "docker compose down --volumes", project="acme")
    memory.observe("prompt", "Remember that the docker people want their compose volumes.", session="s1")
    found = [
        memory.remind(command="cd web && docker compose down --volumes", session=f"of-{project}", project=project)
        for project in ("blog", "acme")
    ]
    assert [any("learned after" in each.named for each in some) for some in found] == [False, True]


def test_a_note_that_is_certain_does_not_silence_a_good_guess(memory: Memory) -> None:
    ran(memory, "kubectl delete pvc billing-data")
    effect = memory.add_lesson("Every invoice of the billing-data volume went with the pvc.").note
    ran(memory, "make x")
    rule = memory.add_lesson("Never run kubectl delete with --force on a pvc like billing-data.").note
    found = memory.remind(command="kubectl delete pvc billing-data --force", session="s2")
    assert effect is not None and rule is not None
    assert [each.line.id for each in found] == [rule.id, effect.id]


def test_a_plain_fact_takes_no_act_away_from_a_lesson(memory: Memory) -> None:
    ran(memory, ACT)
    memory.save("The compose file of the docker stack lies in web.")
    memory.add_lesson(LESSON)
    assert told(memory.remind(command=REPEAT, session="s2")) == [LESSON]


def test_so_many_notes_are_looked_up_in_one_call_and_the_others_in_the_next(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision_point, "_LOOKED_UP", 2, raising=False)
    ran(memory, ACT)
    for word in ("Oats", "Barley", "Rye", "Wheat", "Maize"):
        memory.add_lesson(f"{word} in the soup were too salty.")
    counts = list[int]()
    for _ in range(4):
        memory.remind(command=REPEAT, session="s2")
        counts.append(len(memory._engine.prior_acts._values))
    assert counts == [2, 4, 5, 5]


class AnyModel:
    """An encoder to which all texts are the same."""

    model_id = "any"

    def passages(self, texts: Sequence[str]) -> list[bytes]:
        return [self.query(each) for each in texts]

    def query(self, _text: str) -> bytes:
        return struct.pack("<f", 1.0)


def test_no_command_is_kept_to_find_its_vector(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "embedder", property(lambda _: AnyModel()), raising=False)
    monkeypatch.setattr(Engine, "nearness", property(lambda _: None), raising=False)
    ran(memory, ACT)
    memory.add_lesson(LESSON)
    memory.remind(command=REPEAT, session="s2")
    kept = list(memory._engine.act_vectors._values)
    assert kept and not any("docker" in part for key in kept for part in key)


@pytest.mark.parametrize(
    ("session", "scope"),
    [("s1", Scope()), (None, Scope(project="blog", user="bob")), (None, Scope(project="blog")), (None, Scope())],
    ids=["session", "user-of-project", "project", "neither"],
)
def test_what_was_observed_shortly_before_is_found_by_the_index_of_times(
    store: SqlStore, session: str | None, scope: Scope
) -> None:
    """The statement as it is asked; a server takes a small table whole, and sorts it, unless it is kept from that."""
    archive = SqlArchive(store.database)
    is_sqlite = store.database.dialect == "sqlite"
    sql, values = archive.asked_shortly_before(("2", ""), since="1", limit=10, session_id=session, scope=scope)
    with store.database.reading("any") as transaction:
        if not is_sqlite:
            off = "SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)"
            transaction.query(off)
        rows = transaction.query(f"{'EXPLAIN QUERY PLAN' if is_sqlite else 'EXPLAIN'} {sql}", space="any", **values)
    plan = [str(row[-1]) for row in rows]
    [line] = [each for each in plan if "observation_time" in each]
    assert "observed_at>?" in line if is_sqlite else any("observed_at >=" in each for each in plan), plan
    assert not any("Seq Scan" in each or "TEMP B-TREE" in each for each in plan), plan


def test_an_act_behind_very_many_others_is_not_looked_for(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_archive, "_MOST_BEFORE", 3)
    ran(memory, ACT, project="blog")
    for number in range(3):
        ran(memory, f"make part{number}", session="s9", project="acme")
    memory.add_lesson(LESSON, project="blog")
    assert told(memory.remind(command=REPEAT, session="s2", project="blog")) == []


def test_an_act_of_the_session_that_a_lesson_names_is_found_behind_very_many_others(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_archive, "_MOST_BEFORE", 3)
    wish = "Remember that the docker people want their compose volumes."
    ran(memory, "docker compose down --volumes")
    for number in range(3):
        ran(memory, f"make part{number}", session="s9")
    memory.observe("prompt", wish, session="s1")
    found = memory.remind(command="cd web && docker compose down --volumes", session="s2")
    assert [each.named for each in found] == ["learned after `docker compose down --volumes`"]


def test_a_lesson_of_a_session_that_nobody_knows_takes_no_acts_of_another(memory: Memory) -> None:
    ran(memory, ACT)
    memory.acting_as(Caller(session="elsewhere")).add_lesson(LESSON)
    assert told(memory.remind(command=REPEAT, session="s2")) == []


def test_that_there_are_no_acts_before_an_old_lesson_is_believed_for_a_short_while(
    memory: Memory, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed = [0.0]
    monkeypatch.setattr(process_state, "monotonic", lambda: passed[0])
    before = clock.now()
    memory.add_lesson(LESSON)
    clock.advance(hours=2)
    assert told(memory.remind(command=REPEAT, session="s2")) == []
    ran(memory, ACT, at=before.isoformat())
    passed[0] = decision_point._YOUNG_SECONDS + 1
    assert told(memory.remind(command=REPEAT, session="s3")) == [LESSON]
