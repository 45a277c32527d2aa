"""An older collection of notes is put in order: first it is shown what would be done, then it is done."""

from __future__ import annotations

import pytest

from recollect import InvalidInput, Memory


def test_projects_get_other_names_once_it_is_applied(memory: Memory) -> None:
    old, other = memory.save("a", project="old"), memory.save("b", project="another")
    shown = memory.migrate({"old": "new", "global": "everything"})
    assert (shown.applied, shown.note_ids) == (False, (old.id,))
    assert memory.get(old.id).scope.project == "old"
    assert memory.migrate({"old": "new"}, apply=True).note_ids == (old.id,)
    assert (memory.get(old.id).scope.project, memory.get(other.id).scope.project) == ("new", "another")
    memory.migrate({"new": "global"}, apply=True)
    assert memory.get(old.id).scope.project is None
    with pytest.raises(InvalidInput, match="a name"):
        memory.migrate({"old": 3})


def test_of_notes_that_say_the_same_one_stays(memory: Memory) -> None:
    scoped = memory.save("make release", project="storefront")
    stays = memory.save("make release\n")
    again = memory.save(" make release")
    other = memory.save("make test")
    local = memory.save("make release", machine="thinkpad")
    assert set(memory.dedup().note_ids) == {scoped.id, stays.id, again.id}
    memory.dedup(apply=True)
    assert {note.id for note in memory.list().items} == {stays.id, other.id, local.id}
    assert set(memory.get(stays.id).supersedes) == {scoped.id, again.id}
    assert memory.dedup().note_ids == ()


def test_where_notes_came_from_is_told_by_their_tags(memory: Memory) -> None:
    imported, mine = memory.save("a", tags=["import"]), memory.save("b", tags=["home"])
    assert memory.backfill_provenance(apply=True).note_ids == (imported.id,)
    assert (memory.get(imported.id).authority, memory.get(mine.id).authority) == ("quoted", "fact")
    assert memory.backfill_provenance().note_ids == ()
