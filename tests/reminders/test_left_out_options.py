"""An act without an option that did harm is right already, but a rule is told before what it forbids all the same."""

from __future__ import annotations

import pytest

from recollect import Memory
from recollect.recall.reminders.act import act_of
from recollect.recall.reminders.prior_acts import PriorAct, is_put_right


def ran(memory: Memory, command: str) -> None:
    memory.observe("tool_use", tool="Bash", arguments={"command": command}, session="s1")


def told(memory: Memory, command: str) -> list[str]:
    return [each.line.text for each in memory.remind(command=command, session="s2")]


@pytest.mark.parametrize(
    ("before", "rule", "act"),
    [
        (
            "terraform destroy -auto-approve",
            "Never run terraform destroy, least of all with -auto-approve.",
            "terraform destroy",
        ),
        (
            "terraform destroy -auto-approve",
            "Never run terraform destroy -auto-approve in production.",
            "echo yes | terraform destroy",
        ),
        ("git push --force origin main", "Never push to main; --force makes it worse.", "git push origin main"),
        ("rm -rf /srv/plates", "Never run rm -rf on /srv/plates.", "rm --recursive --force /srv/plates"),
        ("git push origin main", "Never push to main; --force makes it worse.", "git push --force origin main"),
        ("cargo test", "Add --no-default-features to cargo test.", "cargo test --quiet"),
    ],
    ids=["an-aside", "a-way-around", "an-aggravation", "long-names", "aggravated", "a-wish"],
)
def test_a_rule_is_told_before_what_it_forbids_whatever_its_options_are(
    memory: Memory, before: str, rule: str, act: str
) -> None:
    ran(memory, before)
    memory.save(rule, authority="instruction")
    assert told(memory, act) == [rule]


def test_a_rule_that_asks_for_an_option_is_told_before_a_command_without_it(memory: Memory) -> None:
    rule = "Add --no-default-features to cargo test."
    ran(memory, "cargo test")
    ran(memory, "cargo test --no-default-features")
    memory.save(rule, authority="instruction")
    assert told(memory, "cargo test") == [rule]


def test_a_lesson_is_told_before_another_way_to_the_same_loss(memory: Memory) -> None:
    lesson = "aws s3 rm --recursive emptied the bucket of the originals."
    ran(memory, "aws s3 rm --recursive s3://originals/old")
    memory.add_lesson(lesson)
    assert told(memory, "aws s3 rb s3://originals --force") == [lesson]


def is_right(text: str, act: str, *before: str) -> bool:
    prior = [PriorAct("id", "s1", act_of((), each, ()), (each, ())) for each in before]
    return is_put_right(text, act_of((), act, ()), prior)


def test_an_option_that_a_text_asks_for_did_no_harm() -> None:
    assert not is_right("Add --locked to cargo build.", "cargo build", "cargo build --locked")
    assert is_right("--locked spoiled the cargo build.", "cargo build", "cargo build --locked")


def test_an_option_did_no_harm_where_the_same_was_done_without_it_as_well() -> None:
    text = "--locked was in the log of the cargo build."
    assert not is_right(text, "cargo build", "cargo build", "cargo build --locked")
    assert is_right(text, "cargo build", "cargo check", "cargo build --locked")


def test_another_last_word_of_a_subcommand_is_another_act() -> None:
    text = "--recursive emptied the bucket."
    assert is_right(text, "aws s3 rm s3://plates/one", "aws s3 rm --recursive s3://plates")
    assert is_right(text, "aws --region here s3 rm s3://plates/one", "aws s3 rm --recursive s3://plates")
    assert not is_right(text, "aws s3 rb s3://plates", "aws s3 rm --recursive s3://plates")
    assert not is_right(text, "aws s3 rb s3://plates", "aws --region here s3 rm --recursive s3://plates")


@pytest.mark.parametrize("act", ["rm --recursive plates", "rm -fr plates", "rm -r plates", "rm --force -v plates"])
def test_each_letter_of_a_cluster_may_be_meant_by_another_spelling(act: str) -> None:
    assert not is_right("rm -rf took the plates.", act, "rm -rf plates")
    assert is_right("rm -rf took the plates.", "rm -i plates", "rm -rf plates")


def test_a_rule_is_put_right_only_by_what_it_asks_for() -> None:
    prior = [PriorAct("id", "s1", act_of((), "make up", ()), ("make up", ()))]
    assert is_put_right("Use --wait with make up.", act_of((), "make up --wait", ()), prior, is_rule=True)
    prior = [PriorAct("id", "s1", act_of((), "make up --now", ()), ("make up --now", ()))]
    assert not is_put_right("--now broke make up.", act_of((), "make up", ()), prior, is_rule=True)
