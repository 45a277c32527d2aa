"""A failure is told before a command that repeats it in other words, and not before one that has what worked."""

from __future__ import annotations

import pytest

from recollect import Memory


def ran(memory: Memory, command: str, session: str, *, failed: bool = False) -> None:
    kind = "tool_failure" if failed else "tool_use"
    memory.observe(kind, tool="Bash", arguments={"command": command}, session=session)


def is_told(memory: Memory, command: str) -> bool:
    return bool(memory.remind(command=command).lines)


@pytest.mark.parametrize(
    ("failed", "worked", "again", "heeded"),
    [
        (
            "scp notes/may.pdf press@desk:/in/",
            "scp -O notes/may.pdf press@desk:/in/",
            "scp drafts/june.pdf press@desk:/in/",
            "scp -O drafts/june.pdf press@desk:/in/",
        ),
        (
            "gcloud compute disks resize pool-01",
            "gcloud compute disks resize pool-01 --zone here",
            "for n in 02 03; do gcloud compute disks resize pool-$n --quiet; done",
            "gcloud compute disks resize pool-02 --zone here",
        ),
        (
            "python tools/load.py --table tables/a.csv",
            "PYTHONPATH=lib python tools/load.py --table tables/a.csv",
            "LEVEL=2 python3 tools/load.py --table tables/b.csv",
            "PYTHONPATH=lib python tools/load.py --table tables/b.csv",
        ),
        (
            'duckdb query "select one from a"',
            'duckdb query --readonly "select one from a"',
            'duckdb query --json "insert into b values (2)"',
            'duckdb query --readonly "insert into b values (2)"',
        ),
        (
            "typst compile -o book.pdf book.typ",
            "typst compile --root .. -o book.pdf book.typ",
            "typst compile paper.typ --output=paper.pdf",
            "typst compile --root .. paper.typ --output=paper.pdf",
        ),
    ],
    ids=["another-file", "a-loop", "another-assignment", "another-query", "a-long-option"],
)
def test_a_failure_is_told_though_the_arguments_are_others(
    memory: Memory, failed: str, worked: str, again: str, heeded: str
) -> None:
    ran(memory, failed, "s1", failed=True)
    ran(memory, worked, "s1")
    assert is_told(memory, again)
    assert not is_told(memory, heeded), "it has what made the difference"


def test_a_command_that_shares_only_what_is_done_without_harm_is_not_the_mistake(memory: Memory) -> None:
    ran(memory, "cargo build --release", "s0")
    ran(memory, "cargo build --release --target armv7-unknown", "s1", failed=True)
    ran(memory, "cross build --release --target armv7-unknown", "s1")
    assert is_told(memory, "cargo build -p meter --target=armv7-unknown")
    assert not is_told(memory, "cargo build --release -p meter")


def test_another_subcommand_or_another_host_is_another_act(memory: Memory) -> None:
    ran(memory, "gcloud compute disks resize pool-01", "s1", failed=True)
    ran(memory, "gcloud compute disks resize pool-01 --zone here", "s1")
    ran(memory, "ssh ann@bastion.example.org", "s2", failed=True)
    ran(memory, "ssh -p 2222 ann@bastion.example.org", "s2")
    assert is_told(memory, "ssh -A ann@bastion.example.org uptime")
    assert not is_told(memory, "gcloud compute disks create pool-09")
    assert not is_told(memory, "ssh ann@build.example.org uptime")


def test_what_was_left_out_is_the_mistake_where_nothing_came_instead(memory: Memory) -> None:
    ran(memory, "pytest tests/browser -n auto", "s1", failed=True)
    ran(memory, "pytest tests/browser", "s1")
    assert is_told(memory, "pytest -n 8 tests/browser/test_cart.py")
    assert not is_told(memory, "pytest tests/browser/test_cart.py")


def test_a_failure_that_other_arguments_put_right_later_is_not_told(memory: Memory) -> None:
    ran(memory, "make docs", "s1", failed=True)
    ran(memory, "make docs OPTS=-j1", "s1")
    assert is_told(memory, "make docs BUILDDIR=/tmp/html")
    ran(memory, "make docs BUILDDIR=/tmp/pages", "s2")
    assert not is_told(memory, "make docs BUILDDIR=/tmp/html")
