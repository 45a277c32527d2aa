"""A lesson is told before an act that repeats what was done when it was learned, whatever its words are."""

from __future__ import annotations

import pytest

from recollect import Memory
from recollect.domain.answers.reminders import Reminder
from recollect.recall.reminders.act import act_of
from recollect.recall.reminders.guidance import is_followed
from recollect.recall.reminders.prior_acts import PriorAct, is_put_right, repetitions
from recollect.recall.reminders.shared_terms import only_looks
from tests.support.clock import SteadyClock

LESSON = "All of the data went with the compose stack."
REPEAT = "cd web && docker compose down -v"


def told(reminder: Reminder) -> list[str]:
    return [each.line.text for each in reminder]


def ran(memory: Memory, command: str, session: str, *, failed: bool = False) -> str:
    return memory.observe(
        "tool_failure" if failed else "tool_use", tool="Bash", arguments={"command": command}, session=session
    ).observation_id


def learned(memory: Memory, session: str = "s1") -> str:
    """A session in which a mistake is made among other acts, and the lesson that it ends in; the id of the mistake."""
    ran(memory, "make docs", session)
    made = ran(memory, "docker compose down -v", session)
    ran(memory, "git stash", session)
    memory.add_lesson(LESSON)
    return made


def test_a_lesson_is_told_before_the_act_that_it_was_learned_from(memory: Memory) -> None:
    memory.add_lesson(LESSON)
    assert told(memory.remind(command=REPEAT)) == [], "its words alone do not say what it is about"
    memory.forget(memory.lessons()[0].note.id)
    learned(memory)
    found = memory.remind(command=REPEAT, session="s2")
    assert told(found) == [LESSON]
    assert found[0].named == "learned after `docker compose down -v`"
    assert told(memory.remind(command="make docs", session="s3")) == []


@pytest.mark.parametrize("known", ["trigger", "failure", "slot"])
def test_beside_something_certain_a_guess_has_to_be_a_good_one(memory: Memory, known: str) -> None:
    learned(memory)
    act = REPEAT
    assert told(memory.remind(command=act, session="s2")) == [LESSON]
    if known == "trigger":
        memory.save("Ask Dana.", when=["command:docker compose"])
    elif known == "slot":
        memory.set_slot("tool_guidelines", "Never run docker compose down on Fridays.")
    else:
        ran(memory, act, "s3", failed=True)
        ran(memory, "cd web && docker compose down -v --timeout 50", "s3")
    found = told(memory.remind(command=act, session="s4"))
    assert len(found) == 1 and LESSON not in found


def test_forgetting_the_act_takes_the_tie_away(memory: Memory) -> None:
    made = learned(memory)
    assert told(memory.remind(command=REPEAT)) == [LESSON]
    memory.forget(made)
    assert told(memory.remind(command=REPEAT)) == []


def test_an_act_that_other_sessions_do_as_well_says_nothing(memory: Memory) -> None:
    learned(memory)
    ran(memory, "docker compose down -v", "another")
    assert told(memory.remind(command=REPEAT, session="s2")) == []


def test_a_failure_in_another_session_is_no_sign_that_an_act_is_ordinary(memory: Memory) -> None:
    learned(memory)
    ran(memory, "docker compose down -v", "another", failed=True)
    assert told(memory.remind(command=REPEAT, session="s2")) == [LESSON]


def test_a_lesson_after_the_end_of_a_session_was_not_learned_in_it(memory: Memory) -> None:
    ran(memory, "docker compose down -v", "s1")
    memory.end_session("s1")
    memory.add_lesson(LESSON)
    assert told(memory.remind(command=REPEAT)) == []


def test_a_lesson_much_later_was_not_learned_from_the_act(memory: Memory, clock: SteadyClock) -> None:
    ran(memory, "docker compose down -v", "s1")
    clock.advance(hours=2)
    memory.add_lesson(LESSON)
    assert told(memory.remind(command=REPEAT)) == []


def test_an_act_belongs_to_the_first_lesson_after_it(memory: Memory) -> None:
    learned(memory)
    ran(memory, "make release", "s1")
    memory.add_lesson("A compose stack has too many names.")
    assert told(memory.remind(command=REPEAT)) == [LESSON]


def test_acts_of_another_project_are_no_part_of_it(memory: Memory) -> None:
    command = {"command": "docker compose down -v"}
    memory.observe("tool_use", tool="Bash", arguments=command, session="s1", project="blog")
    memory.add_lesson(LESSON, project="shop")
    assert told(memory.remind(command=REPEAT, project="shop")) == []


@pytest.mark.parametrize("seen", [False, True], ids=["unseen", "seen"])
def test_one_word_is_no_tie_to_a_lesson_that_was_learned_from_other_acts(memory: Memory, seen: bool) -> None:
    if seen:
        ran(memory, "git add .", "s1")
    memory.add_lesson("Somebody staged everything at once. Pick each file you mean.")
    assert bool(told(memory.remind(command="file samples/voice.wav"))) is not seen


def test_a_rule_is_told_before_its_step_whatever_was_done_when_it_was_decided(memory: Memory) -> None:
    ran(memory, "make docs", "s1")
    memory.save("Nobody pushes without a review.", authority="instruction")
    assert told(memory.remind(command="git push origin fix", session="s2")) == ["Nobody pushes without a review."]


def test_a_wish_in_a_prompt_is_tied_to_the_acts_before_the_prompt(memory: Memory) -> None:
    ran(memory, "docker compose down --volumes", "s1")
    memory.observe("prompt", "Remember that the docker people want their compose volumes.", session="s1")
    ran(memory, "make docs", "s1")
    found = memory.remind(command="cd web && docker compose down --volumes", session="s2")
    assert [each.named for each in found] == ["learned after `docker compose down --volumes`"]


def test_a_lesson_is_not_told_before_an_act_that_has_the_option_it_was_learned_without(memory: Memory) -> None:
    ran(memory, "mysqldump -u backup shop", "s1")
    memory.add_lesson("The tills froze when shop was dumped. With --single-transaction mysqldump does not lock.")
    assert told(memory.remind(command="mysqldump -u night shop", session="s2"))
    assert not told(memory.remind(command="mysqldump --single-transaction -u night shop", session="s3"))


def test_an_option_that_a_lesson_was_learned_with_does_not_put_it_right(memory: Memory) -> None:
    ran(memory, "mysqldump --lock-all-tables shop", "s1")
    memory.add_lesson("The tills froze when mysqldump ran with --lock-all-tables on shop.")
    assert told(memory.remind(command="mysqldump -u night --lock-all-tables shop", session="s2"))


def test_a_lesson_is_not_told_before_an_act_without_the_option_that_did_harm(memory: Memory) -> None:
    ran(memory, "rsync -a --delete plates/ vault:/srv/plates/", "s1")
    memory.add_lesson(
        "The vault keeps plates that only exist there, and --delete wiped forty of them in the plates folder."
    )
    assert told(memory.remind(command="rsync -av plates/1947/ vault:/srv/plates/", session="s2")) == []
    assert told(memory.remind(command="rsync -av --delete-after plates/1947/ vault:/srv/plates/", session="s3"))


def done(command: str) -> PriorAct:
    return PriorAct("id", "s1", act_of((), command, ()), (command, ()))


def test_another_subcommand_is_not_put_right_by_leaving_an_option_out() -> None:
    text, before = "-v took the volume with the speakers along.", [done("podman compose down -v")]
    assert is_put_right(text, act_of((), "podman compose -f voice.yml down", ()), before)
    assert not is_put_right(text, act_of((), "podman compose down --volumes", ()), before)
    assert not is_put_right(text, act_of((), "podman compose down -tv", ()), before)
    assert not is_put_right(text, act_of((), "podman volume prune -af", ()), before)


def test_a_program_is_the_same_wherever_it_stands_in_the_line() -> None:
    acts = {"note": [done("lualatex programme.tex")], "other": [done("git push")]}
    texts = dict.fromkeys(acts, "It was compiled only once.")
    act = act_of((), "docker run --rm texlive lualatex gala.tex && git stash", ())
    found = repetitions(act, acts, texts, {})
    assert found["note"].same_program
    assert not found["other"].same_program, "git does many things"


def test_words_in_quotes_and_here_documents_are_no_programs() -> None:
    acts = {"note": [done("lualatex programme.tex")]}
    texts = dict.fromkeys(acts, "It was compiled only once.")
    for line in ("git commit -m 'Drop lualatex again'", "cat > notes.txt <<END\nlualatex\nEND"):
        assert not repetitions(act_of((), line, ()), acts, texts, {})["note"].same_program, line
    assert repetitions(act_of((), "/opt/tex/lualatex gala.tex", ()), acts, texts, {})["note"].same_program


def test_an_option_without_which_something_does_not_work_is_asked_for(memory: Memory) -> None:
    ran(memory, "xmllint stock.xml", "s1")
    memory.add_lesson("Broken prices got through. xmllint doesn't look at the schema unless it gets --relaxng.")
    assert told(memory.remind(command="xmllint orders.xml", session="s2"))
    assert not told(memory.remind(command="xmllint --relaxng shop.rng orders.xml", session="s3"))


def test_advice_that_the_mistake_followed_as_well_is_not_followed_by_doing_it_again() -> None:
    text = "Copying the shelf with rclone overwrote the newer scans."
    again, before = act_of((), "rclone copy desk: shelf:", ()), act_of((), "rclone copy scans: shelf:", ())
    assert is_followed(text, again)
    assert not is_followed(text, again, [before])
    assert is_followed(text, again, [act_of((), "cp -r scans shelf", ())])


@pytest.mark.parametrize(
    ("line", "looks"),
    [
        ("python invite.py --list choir", False),
        ("apt --list", True),
        ("apt --list --all", True),
        ("git branch --list 'a*'", True),
        ("helm -n shop upgrade till ./till --version 2.1.0", False),
        ("node --version", True),
        ("samtools view -b reads.sam -o reads.bam", False),
        ("samtools view -b reads.sam --output=reads.bam", False),
        ("duckdb show --out sales.parquet", False),
        ("git diff --output=a.patch", False),
        ("tree -o folders.txt", False),
        ("kubectl get pods -o yaml", True),
        ("kubectl get pods --output=jsonpath={.items}", True),
        ("grep -o main.py log.txt", True),
        ("/bin/ls -o notes.txt", True),
        ("find . -name a.py -o b.py", True),
    ],
)
def test_a_list_or_version_that_is_named_is_not_only_looked_at(line: str, looks: bool) -> None:
    assert only_looks(act_of((), line, ())) is looks
