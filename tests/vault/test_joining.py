"""A machine joins others: what is asked for is checked before anything is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory, RecollectError
from recollect.vault.membership import Joined, Wish, joined
from tests.vault.machines import bare_remote


def asked(home: Path, wish: Wish, *, asking: bool = True) -> Joined:
    return joined(home, "default", wish, chance="x", asking=asking)


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (Wish(remote="/nowhere/memory.git"), "remote_unreachable"),
        (Wish(remote="ext::sh -c id"), "invalid_remote"),
        (Wish(remote="./memory.git", alone=True), "usage"),
        (Wish(machine="My Laptop"), "invalid_machine"),
        (Wish(machine="-rf"), "invalid_machine"),
        (Wish(machine="a..b"), "invalid_machine"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(tmp_path: Path, wish: Wish, code: str) -> None:
    with pytest.raises(RecollectError) as caught:
        asked(tmp_path / "home", wish)
    assert caught.value.code == code
    assert not (tmp_path / "home").exists()


def test_a_remote_says_which_machines_it_knows(tmp_path: Path) -> None:
    remote = str(bare_remote(tmp_path / "remote.git"))
    assert asked(tmp_path / "first", Wish(remote, "thinkpad")).companions == ()
    with Memory(home=tmp_path / "first") as memory:
        memory.save("Alice prefers tea")
        machine = memory.open_vault().machine
        memory.sync(remote=remote)
    second = asked(tmp_path / "second", Wish(remote))
    assert (second.companions, second.returns) == ((machine,), False)
    assert asked(tmp_path / "third", Wish(remote, machine)).returns
    assert asked(tmp_path / "third", Wish("/nowhere"), asking=False).companions is None


def test_a_machine_keeps_its_name_and_may_lose_its_remote(tmp_path: Path) -> None:
    with Memory(home=tmp_path) as memory:
        machine = memory.open_vault(remote=str(bare_remote(tmp_path / "remote.git"))).machine
    with pytest.raises(RecollectError, match="is called") as caught:
        asked(tmp_path, Wish(machine="another"))
    assert caught.value.code == "machine_named"
    assert asked(tmp_path, Wish(machine=machine)).place.remote == str(tmp_path / "remote.git")
    assert asked(tmp_path, Wish(alone=True)).place.remote is None
