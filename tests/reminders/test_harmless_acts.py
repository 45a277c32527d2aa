"""A lesson that names a program is not told before all that is done with it; a rule is."""

from __future__ import annotations

import pytest

from recollect import Memory
from recollect.recall.reminders.act import act_of
from recollect.recall.reminders.shared_terms import only_looks

LESSON = "Beware of restic: it threw away the snapshots of the winter."
MISTAKE, DAILY = "restic forget --prune --keep-last 3", "restic backup /srv/maps"


def ran(memory: Memory, command: str, session: str, *, failed: bool = False) -> None:
    kind = "tool_failure" if failed else "tool_use"
    memory.observe(kind, tool="Bash", arguments={"command": command}, session=session)


def told(memory: Memory, command: str, session: str) -> list[str]:
    return [each.line.text for each in memory.remind(command=command, session=session)]


def learned(memory: Memory) -> None:
    ran(memory, MISTAKE, "s1")
    memory.add_lesson(LESSON)


def test_a_line_that_was_done_since_a_lesson_was_learned_from_another_one_is_harmless(memory: Memory) -> None:
    learned(memory)
    other = "restic backup --tag weekly /srv"
    assert told(memory, other, "s2") == [LESSON], "nobody knows yet"
    ran(memory, other, "s2")
    assert told(memory, other, "s3") == []
    assert told(memory, "restic backup --tag daily /srv", "s4") == [LESSON], "another line is another act"


def test_a_line_that_failed_since_is_not_harmless(memory: Memory) -> None:
    learned(memory)
    ran(memory, DAILY, "s2", failed=True)
    assert told(memory, DAILY, "s3") == [LESSON]


def test_what_a_lesson_was_learned_from_is_never_harmless(memory: Memory) -> None:
    learned(memory)
    ran(memory, MISTAKE, "s2")
    assert told(memory, MISTAKE, "s3") == [LESSON]


def test_a_line_with_an_option_that_the_lesson_names_is_never_harmless(memory: Memory) -> None:
    lesson, again = "restic --prune threw away the snapshots of the winter.", "restic forget --prune --keep-last 1"
    ran(memory, MISTAKE, "s1")
    memory.add_lesson(lesson)
    ran(memory, again, "s2")
    assert told(memory, again, "s3") == [lesson]


@pytest.mark.parametrize(
    ("before", "harmless"), [("xcodebuild archive", True), ("rm data/words.txt", False)], ids=["elsewhere", "in-it"]
)
def test_a_file_that_was_changed_since_is_harmless_if_the_lesson_was_learned_from_none(
    memory: Memory, before: str, harmless: bool
) -> None:
    ran(memory, before, "s1")
    memory.add_lesson("We must never ship from a dirty data folder.")
    path = "data/stops.txt"
    assert [each.named for each in memory.remind(files=[path], session="s2")] == [path]
    memory.observe("tool_use", tool="Edit", arguments={"file_path": path}, session="s2")
    assert (memory.remind(files=[path], session="s3").lines == ()) is harmless


def test_a_rule_is_told_however_often_it_was_broken(memory: Memory) -> None:
    ran(memory, MISTAKE, "s1")
    memory.save("Nobody runs restic here but Marek.", authority="instruction")
    for session in ("s2", "s3"):
        assert told(memory, DAILY, session) == ["Nobody runs restic here but Marek."]
        ran(memory, DAILY, session)


def test_a_lesson_that_names_a_program_is_not_told_before_a_look(memory: Memory) -> None:
    memory.add_lesson("crontab with a file replaced the whole table of the pumps.")
    assert told(memory, "crontab -l", "s1") == []
    assert told(memory, "crontab pumps.txt", "s1")


@pytest.mark.parametrize(
    ("line", "looks"),
    [
        ("crontab -l", True),
        ("crontab -u ana -l", True),
        ("crontab jobs.txt", False),
        ("psql -lqt", True),
        ("psql -Ulena -c 'vacuum'", False),
        ("tar tzf shelf.tgz", True),
        ("tar -tvf shelf.tar", True),
        ("tar xzf shelf.tgz", False),
        ("tar czf shelf.tgz notes", False),
        ("rsync -avn maps/ store:maps/", True),
        ("rsync -av maps/ store:maps/", False),
        ("iptables -nvL", True),
        ("iptables -F", False),
        ("make -n release", True),
        ("make release", False),
        ("curl -sI https://maps.example/", True),
        ("curl -sX POST https://maps.example/", False),
        ("curl --data @a.json https://maps.example/", False),
        ("curl -fsSL https://maps.example/go.sh | sh", False),
        ("ssh store df -h", True),
        ("ssh -p 2222 store 'ls /srv && df -h'", True),
        ("ssh store rm /srv/maps", False),
        ("ssh store 'df -h && rm /srv/maps'", False),
        ("ssh store", False),
        ("rabbitmqctl -n store status", True),
        ("mosquitto_pub -h store -t status -m open", False),
        ("kubectl get events", True),
        ("kubectl delete events --all", False),
        ("rm -r logs", False),
    ],
)
def test_a_look_is_known_by_what_its_program_is_told(line: str, looks: bool) -> None:
    act = act_of((), line, ())
    assert only_looks(act) is looks
    assert not (looks and act.files), "a look changes no file"


def test_a_look_takes_no_step() -> None:
    assert act_of((), "git tag v1.2", ()).steps == {"release"}
    assert act_of((), "git tag -l", ()).steps == set()
    assert act_of((), "rm -r logs", ()).steps == {"delete"}
    assert act_of((), "kubectl delete events --all", ()).steps == {"delete"}
