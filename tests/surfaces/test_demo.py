"""The demo: a tour that anybody can take, on a memory that is not theirs."""

from __future__ import annotations

import re

from tests.surfaces.shell import Shell


def test_the_tour_runs_to_its_end_where_nobody_is_looking(shell: Shell) -> None:
    ended = shell.run("demo")

    assert ended.code == 0
    assert "Press Enter" not in ended.out
    for verb in "add search history watch profile save list update supersede forget status doctor audit".split():
        assert f"$ recollect {verb}" in ended.out
    assert re.search(r"search 'Where do I live\?' .*\n1  User lives in Austin\.", ended.out)
    assert re.search(r"search 'Where did I live in April 2026\?' .*\n1  User lives in Berlin", ended.out)
    assert "allergies  " in ended.out
    assert re.search(r"search 'where does Alice live' .*\n1  Alice lives in Boston", ended.out)
    assert re.search(r"--as-of 2024-12-24 .*\n1  Alice lives in Austin", ended.out)
    assert "was forgotten" in ended.out
    assert "Everything is sound." in ended.out
    assert "What to try next" in ended.out


def test_the_tour_does_not_touch_the_memory_of_who_takes_it(shell: Shell) -> None:
    shell.ok("save", "mine", "--store", "mine.db")
    before = shell.run("export", "--store", "mine.db").out

    shell.run("demo", RECOLLECT_STORE="mine.db", RECOLLECT_SPACE="alice")
    assert shell.run("export", "--store", "mine.db").out == before
    assert not shell.home.exists()


def test_the_tour_waits_for_who_is_looking_and_ends_when_they_have_had_enough(shell: Shell) -> None:
    whole = shell.on_screen("demo", typed=b"\n" * 20)
    assert whole.code == 0
    assert whole.out.count("Press Enter") == 9
    assert "What to try next" in whole.out

    short = shell.on_screen("demo", typed=b"\nq\n")
    assert short.code == 0
    assert short.out.count("Press Enter") == 2
    assert "What to try next" not in short.out
