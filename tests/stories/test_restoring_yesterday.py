"""Something went wrong today; yesterday's backup brings back yesterday, but not what was meant to be forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.errors import Damaged, Erased
from tests.support.clock import SteadyClock
from tests.support.companion import Companion, files_with


def test_yesterday_comes_back_and_what_was_forgotten_today_does_not(tmp_path: Path, clock: SteadyClock) -> None:
    home, backup = tmp_path / "home", tmp_path / "yesterday.db"
    with Memory(home=home, clock=clock) as memory:
        recipe = memory.save("Grandmother's soup needs leek", tags=["recipe"])
        memory.update(recipe.id, text="Grandmother's soup needs leek and thyme")
        secret = memory.save("The code is Quetzalcoatlus")
        memory.backup(str(backup))
        yesterday = memory.list()

        clock.advance(days=1)
        memory.forget(secret.id)
        memory.update(recipe.id, text="asdf")
        memory.save("qwertz")
        memory.retract(memory.save("uiop").id)

        memory.restore(str(backup))

        assert [note.text for note in memory.list().items] == ["Grandmother's soup needs leek and thyme"]
        assert memory.get(recipe.id) in yesterday.items
        [step] = memory.history(recipe.id).steps
        assert [version.text for version in step.versions] == [
            "Grandmother's soup needs leek",
            "Grandmother's soup needs leek and thyme",
        ]
        with pytest.raises(Erased):
            memory.get(secret.id)
        assert files_with(home, "Quetzalcoatlus") == []
        assert memory.doctor().healthy


def test_another_process_that_has_it_open_sees_yesterday_too(tmp_path: Path) -> None:
    home, backup = tmp_path / "home", str(tmp_path / "yesterday.db")
    with Memory(home=home) as memory, Companion(home) as other:
        kept = memory.save("Grandmother's soup needs leek")
        memory.backup(backup)
        other.ask("save", "Written today, elsewhere")
        assert len(other.ask("list")["items"]) == 2

        memory.restore(backup)

        assert [note["id"] for note in other.ask("list")["items"]] == [kept.id]
        other.ask("save", "Written after the restore, elsewhere")
        assert [note.text for note in memory.list().items] == [
            "Written after the restore, elsewhere",
            "Grandmother's soup needs leek",
        ]
        assert other.ask("doctor")["healthy"]


def test_a_new_machine_begins_with_the_backup(tmp_path: Path) -> None:
    with Memory(home=tmp_path / "old") as old:
        note = old.save("Alice prefers tea", space="alice")
        old.backup(str(tmp_path / "copy.db"), compact=True)

    with Memory(home=tmp_path / "new") as new:
        new.restore(str(tmp_path / "copy.db"))
        assert new.list(space="alice").items == (note,)


def test_a_damaged_backup_changes_nothing(tmp_path: Path) -> None:
    with Memory(home=tmp_path / "home") as memory:
        memory.save("Alice prefers tea")
        memory.backup(str(tmp_path / "copy.db"))
        today = memory.save("Written today")
        content = bytearray((tmp_path / "copy.db").read_bytes())
        content[5000] ^= 1
        (tmp_path / "copy.db").write_bytes(content)

        with pytest.raises(Damaged, match="not what its manifest says") as refusal:
            memory.restore(str(tmp_path / "copy.db"))

        assert refusal.value.hint == "Use an older backup."
        assert memory.get(today.id) == today
