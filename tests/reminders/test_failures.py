"""A failure is told before a command that repeats it in other words, and not before one that has what worked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.observations import Activity, Observation, ObservationKind
from recollect.recall.reminders import command_parts, failures
from recollect.recall.reminders.command_parts import all_parts
from recollect.recall.reminders.failures import asked_of, past_failures
from recollect.recall.reminders.shell_line import commands_in


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
        (
            "meson compile -C out reader_tool",
            "meson setup --native other && meson compile -C other reader_tool",
            "meson compile -C out writer_tool",
            "meson setup --native other && meson compile -C other writer_tool",
        ),
        (
            "avrdude flash -b left_board",
            "avrdude flash --probe stlink --serial 4711",
            "cd boards && avrdude flash",
            "avrdude flash --probe stlink --serial 4711 -d build",
        ),
        (
            "mongosh --host vault --user reader stock",
            'mongosh "mongodb host=vault user=reader stock tls=yes"',
            "mongosh --user reader --host vault stock --eval 1",
            'mongosh "mongodb host=vault user=reader other tls=yes"',
        ),
        (
            "rclone copy --transfers 64 pictures shelf:pictures",
            "rclone copy --transfers 4 pictures shelf:pictures",
            "rclone copy pictures shelf:spare --transfers=64",
            "rclone copy --transfers 8 pictures shelf:pictures",
        ),
        (
            "ninja -C out -j64 reader",
            "ninja -C out -j4 reader",
            "cd tools && ninja -C out -j 64 reader",
            "ninja -C out -j2 reader",
        ),
    ],
    ids=[
        "another-file",
        "a-loop",
        "another-assignment",
        "another-query",
        "a-long-option",
        "kept-argument",
        "said-less",
        "quoted-words",
        "another-number",
        "a-number-behind-its-option",
    ],
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


def test_a_command_without_what_the_working_one_kept_is_another_act(memory: Memory) -> None:
    ran(memory, "cargo build --release --target wasm32-wasi", "s1", failed=True)
    ran(memory, "cross build --release --target wasm32-wasi", "s1")
    assert is_told(memory, "cargo build --target=wasm32-wasi")
    assert not is_told(memory, "cargo build --release")


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


def test_a_failure_is_not_told_before_the_line_that_worked(memory: Memory) -> None:
    ran(memory, "npm run build", "s1", failed=True)
    ran(memory, "npm ci && npm run build", "s1")
    assert not is_told(memory, "npm ci && npm run build")
    assert is_told(memory, "npm run build")
    ran(memory, "npm ci && npm run build", "s2")
    assert is_told(memory, "npm run build"), "that it works after the other one is known"


def test_many_failures_of_another_subcommand_hide_none(memory: Memory) -> None:
    ran(memory, "git push --no-verify origin fix", "s0", failed=True)
    ran(memory, "git push origin fix", "s0")
    for place in range(25):
        ran(memory, f"git apply part{place}.patch", f"s{place + 1}", failed=True)
    assert is_told(memory, "git push --no-verify origin fix")


def test_the_failure_that_is_named_is_one_of_the_command(memory: Memory) -> None:
    ran(memory, "docker ps", "s1", failed=True)
    ran(memory, "docker compose up -d web && docker ps", "s2", failed=True)
    ran(memory, "docker compose up -d --wait web && docker ps", "s2")
    [line] = memory.remind(command="docker compose up -d web").lines
    assert "docker compose up -d web" in line.line.text.partition("--wait")[0]


def test_a_word_of_very_many_assignments_is_taken_apart(memory: Memory) -> None:
    ran(memory, "make docs", "s1", failed=True)
    ran(memory, "make docs OPTS=-j1", "s1")
    assert not is_told(memory, "make " + "a=" * 990 + "b")
    [command] = commands_in("make --define=" + "a=" * 100 + "b")
    assert ("option", "--define") in all_parts(command)


def observed(place: int, title: str, kind: ObservationKind) -> Observation:
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=place)
    session = f"s{place // 3}"
    return Observation(f"{place:04}", "any", session, place, kind, "", at, at, title=title, activity=Activity.COMMAND)


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[object]:
    """What a function was called with from now on, which goes on as before."""
    calls, real = list[object](), getattr(module, name)

    def call(*given: Any) -> Any:
        calls.append(given[0])
        return real(*given)

    monkeypatch.setattr(module, name, call)
    return calls


def test_many_failures_are_compared_with_many_runs_only_as_far_as_the_newest_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many, newest = 60, 20
    runs = list[Observation]()
    for place in range(0, 3 * many, 3):
        runs.append(observed(place, "make docs --quiet", ObservationKind.TOOL_FAILURE))
        runs.append(observed(place + 1, f"make docs --slow --again{place}", ObservationKind.TOOL_USE))
        runs.append(observed(place + 2, f"make docs --part{place}", ObservationKind.TOOL_USE))
    around = {each.session_id: [other for other in runs if other.session_id == each.session_id] for each in runs}
    taken_apart = counted(monkeypatch, command_parts, "_parts_in")
    compared = counted(monkeypatch, failures, "share")
    lines = counted(monkeypatch, failures, "_line_parts")
    assert past_failures(asked_of(commands_in("make docs")), runs, around) == []
    assert len(compared) <= many + newest * (2 * many + 1)
    assert len(lines) <= 2 * many + 2 * newest, "each run once, each failure and what worked after it once"
    assert len(taken_apart) <= 2 * sum(len((each.title or "").split()) for each in runs), "each command once"
