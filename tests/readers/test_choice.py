"""The setting `reader` chooses one reader, or several that read as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory, Misconfigured
from recollect.readers.choice import choose_reader


@pytest.mark.parametrize("name", ["rules", "none", "rules+none", "none+rules"])
def test_a_reader_is_chosen_by_its_name(name: str) -> None:
    assert choose_reader(name).name == name


@pytest.mark.parametrize(("reader", "read"), [("none+rules", ["User lives in Lisbon."]), ("none", [])])
def test_what_any_reader_of_a_stack_reads_is_known(tmp_path: Path, reader: str, read: list[str]) -> None:
    (tmp_path / "recollect.toml").write_text(f'reader = "{reader}"\n', "utf-8")

    with Memory(home=tmp_path, embedding="off") as memory:
        learned = memory.add("I live in Lisbon.").learned

    assert [each.note.text for each in learned if each.note] == read


@pytest.mark.parametrize("reader", ["", "rule", "rules+", "rules+rules", "rules none"])
def test_a_reader_that_there_is_not_is_refused_by_name(tmp_path: Path, reader: str) -> None:
    (tmp_path / "recollect.toml").write_text(f'reader = "{reader}"\n', "utf-8")

    with pytest.raises(Misconfigured, match="reader"):
        Memory(home=tmp_path, embedding="off")
