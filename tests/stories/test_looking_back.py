"""Looking back over work: around a moment, over a project, over many sessions, along the links of a note."""

from __future__ import annotations

from typing import Any

import pytest

from recollect import Caller, Channel, Conflict, InvalidInput, Memory, NotFound
from tests.support.clock import SteadyClock


def observed(memory: Memory, count: int, session: str = "one", **where: Any) -> list[str]:
    return [
        memory.observe("prompt", f"step {number} of {session}", session=session, **where).observation_id
        for number in range(count)
    ]


def test_a_timeline_shows_what_happened_around_something(memory: Memory) -> None:
    shop = observed(memory, 5, project="shop")
    ledger = observed(memory, 2, "two", project="ledger")

    around = memory.timeline(shop[3], before=2, after=2)

    assert around.found and around.found.id == shop[3]
    assert [each.id for each in around.before] == shop[1:3]
    assert [each.id for each in around.after] == [shop[4], ledger[0]]
    assert [each.id for each in memory.timeline(shop[3], project="shop").after] == [shop[4]]
    assert [each.id for each in memory.timeline(shop[3], session="two").after] == ledger


def test_a_timeline_can_begin_at_a_time_or_a_note(memory: Memory, clock: SteadyClock) -> None:
    before = observed(memory, 2)
    note = memory.save("The shop opened")
    after = observed(memory, 2)

    for anchor in (note.id, note.recorded_at.isoformat()):
        around = memory.timeline(anchor)
        assert ([each.id for each in around.before], around.found, [each.id for each in around.after]) == (
            before, None, after,
        )  # fmt: skip
    assert memory.timeline("2020-01-01", after=1).after[0].id == before[0]
    assert memory.timeline("2020-01-01", before=0, after=0).after == ()
    for wrong in ("yesterday-ish", ""):
        with pytest.raises(InvalidInput):
            memory.timeline(wrong)
    with pytest.raises(NotFound):
        memory.timeline(clock.new_id())
    with pytest.raises(InvalidInput):
        memory.timeline(note.id, before=-1)


def test_a_passage_of_a_file_did_not_happen(memory: Memory, tmp_path: Any) -> None:
    (tmp_path / "page.md").write_text("# A page\n\nThe cellar is damp.\n")
    memory.ingest(str(tmp_path / "page.md"))
    assert memory.timeline("2020-01-01").after == ()


def test_a_project_is_summed_up(memory: Memory) -> None:
    for number in range(3):
        session = f"s{number}"
        memory.start_session(session, project="shop", folder="/w")
        memory.observe("prompt", "Please make the checkout faster", session=session)
        memory.observe("tool_use", "ok", tool="Edit", arguments={"file_path": "/w/cart.py"}, session=session)
        memory.observe("tool_failure", "no", tool="Bash", arguments={"command": "make test"}, session=session)
    memory.learn("project:shop", "database", "PostgreSQL", project="shop")
    memory.save("Secret of the ledger", project="ledger")

    profile = memory.project_profile("shop")

    assert (profile.sessions, profile.notes) == (3, 1)
    assert [(each.name, each.times) for each in profile.concepts][:2] == [("checkout", 3), ("faster", 3)]
    assert [(each.name, each.times) for each in profile.files] == [("cart.py", 3)]
    assert [(each.name, each.times) for each in profile.errors] == [("make test", 3)]
    assert len(profile.conventions) == 1 and "PostgreSQL" in profile.conventions[0]
    assert memory.project_profile("nothing").sessions == 0


def worked(memory: Memory, clock: SteadyClock, count: int) -> None:
    for number in range(count):
        memory.start_session(f"s{number}", project="shop")
        memory.observe("prompt", f"Mend the tap number {number}", session=f"s{number}")
        memory.end_session(f"s{number}")
        clock.advance(days=1)


def test_many_sessions_become_one_note_that_stands_for_them(memory: Memory, clock: SteadyClock) -> None:
    worked(memory, clock, 12)

    crystal = memory.make_crystal(project="shop")

    assert crystal.session_ids == ("s0", "s1", "s2", "s3", "s4", "s5")
    assert crystal.note and crystal.note.authority.value == "quoted"
    assert crystal.note.text.startswith("6 sessions, 2026-01-01 to 2026-01-06.")
    assert "Mend the tap number 3" in crystal.note.text
    assert [note.id for note in memory.crystals(project="shop").items] == [crystal.note.id]
    assert memory.make_crystal(project="shop").note is None, "what is in a crystal is not taken again"
    assert [told.line.id for told in memory.context(project="shop").lines] == ["s11", "s10"]
    assert [hit.id for hit in memory.search("sessions tap", kind="episodic").hits] == [crystal.note.id]


def test_what_stands_in_a_crystal_is_not_told_again(memory: Memory, clock: SteadyClock) -> None:
    worked(memory, clock, 6)
    crystal = memory.make_crystal(project="shop", days=0)
    assert crystal.session_ids == ("s0", "s1", "s2", "s3")
    assert [told.line.id for told in memory.context(project="shop", session="s5").lines] == ["s4"]


def test_too_few_sessions_are_left_alone(memory: Memory, clock: SteadyClock) -> None:
    worked(memory, clock, 4)
    clock.advance(days=30)
    assert memory.make_crystal(project="shop").note is None
    with pytest.raises(InvalidInput):
        memory.make_crystal(project="shop", days=-1)


def test_two_notes_have_to_do_with_each_other_from_both_ends(memory: Memory) -> None:
    tap, pipe = memory.save("The tap drips"), memory.save("The pipe is old")
    newer = memory.supersede(pipe.id, "The pipe is new")
    rule = memory.save("Call the plumber", depends_on=[tap.id], derived_from=[tap.id])

    related = memory.relate(tap.id, newer.id)

    assert (related.version, related.related) == (2, (newer.id,))
    assert memory.relate(newer.id, tap.id).version == 1, "it is known already"
    told = {(link.relation.value, link.id) for link in memory.relations(tap.id).links}
    assert told == {("related", newer.id), ("source_of", rule.id), ("needed_by", rule.id)}
    assert {(link.relation.value, link.text) for link in memory.relations(newer.id).links} == {
        ("related", "The tap drips"),
        ("supersedes", "The pipe is old"),
    }
    assert {link.relation.value for link in memory.relations(pipe.id).links} == {"superseded_by"}

    memory.update(tap.id, clear=["related"])
    assert "related" not in {link.relation.value for link in memory.relations(newer.id).links}


def test_relating_says_nothing_for_or_against_a_note(memory: Memory) -> None:
    tap, pipe = memory.save("The tap drips"), memory.save("The pipe is old")
    assert memory.acting_as(Caller(Channel.MCP, "bot")).relate(tap.id, pipe.id).authority.value == "fact"
    with pytest.raises((InvalidInput, Conflict)):
        memory.relate(tap.id, tap.id)
