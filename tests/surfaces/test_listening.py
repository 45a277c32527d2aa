"""What people see when memory listens: what was learned and why, what was not, and what was never kept."""

from __future__ import annotations

import json
import re

import pytest

from tests.surfaces.shell import Shell

MOVED = "I moved to Berlin last week. I might buy a bike. The code is <private>opal-heron</private>."
WHEN = ("--at", "2026-03-09T10:30:00Z")


def test_what_was_learned_is_told_with_its_reason_and_what_was_not_as_well(shell: Shell) -> None:
    ended = shell.run("add", MOVED, *WHEN)

    assert ended.code == 0
    assert re.search(
        r"^added  User lives in Berlin since 2026-03-02\.\n"
        r"       \w{26}  “I moved to Berlin last week”  nothing was known of it$",
        ended.out,
        re.MULTILINE,
    )
    assert "Not taken for facts:\n  “I might buy a bike”  hypothetical\n" in ended.out
    assert "Taken out before anything was kept: 1 private." in ended.out
    assert re.fullmatch(r"1 message was kept word for word in session \w{26}\.\n", ended.err)
    assert "opal-heron" not in ended.out + ended.err + shell.run("export").out


def test_what_says_nothing_new_is_kept_all_the_same(shell: Shell) -> None:
    ended = shell.run("add", "Hello there!")

    assert (ended.code, ended.out) == (0, "")
    assert ended.err.startswith("No fact was learned; 1 message was kept word for word")
    assert "Hello there!" in shell.run("search", "hello").out


def test_what_is_only_to_be_kept_is_not_read(shell: Shell) -> None:
    told = shell.ok("add", "I moved to Berlin last week", "--no-extract")

    assert told["learned"] == []
    assert shell.ok("list")["items"] == []


def test_words_and_messages_come_from_standard_input(shell: Shell) -> None:
    assert [each["note"]["value"] for each in shell.ok("add", "-", stdin=b"I live in Oslo\n")["learned"]] == ["Oslo"]

    messages = [
        {"role": "user", "content": "My manager is Priya.", "at": "2026-06-01T09:00:00Z"},
        {"role": "assistant", "content": "Noted."},
    ]
    told = shell.ok("add", "-", stdin=json.dumps(messages).encode())
    assert len(told["observation_ids"]) == 2
    assert [each["note"]["value"] for each in told["learned"]] == ["Priya"]


def test_many_messages_may_be_longer_than_one_text(shell: Shell) -> None:
    messages = [{"role": "assistant", "content": f"{number} " + "x" * 300_000} for number in range(5)]

    assert len(shell.ok("add", "-", stdin=json.dumps(messages).encode())["observation_ids"]) == 5
    refused = shell.run("add", "-", "--json", stdin=b"x" * 1_000_001)
    assert (refused.code, refused.error["code"]) == (2, "too_large")


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("", "empty_text"),
        ("[]", "empty_text"),
        ('[{"role": "user"}]', "invalid_messages"),
        ('[{"role": "riddler", "content": "x"}]', "unknown_role"),
    ],
)
def test_messages_that_are_none_are_refused_and_nothing_is_kept(shell: Shell, said: str, code: str) -> None:
    for ended in (shell.run("add", said, "--json"), shell.run("add", "-", "--json", stdin=said.encode())):
        assert (ended.code, ended.error["code"]) == (2, code)
    assert shell.ok("status")["spaces"] == []


def test_a_fact_that_was_worked_out_already_is_learned_and_reconciled(shell: Shell) -> None:
    shell.ok("learn", "user", "location", "Berlin", "--since", "2026-03-01", "--at", "2026-03-01")
    moved = shell.run("learn", "user", "location", "Rome", "--at", "2026-05-01")
    assert re.fullmatch(r"superseded  User lives in Rome\.\n {12}\w{26}  “Rome”  newer than Berlin\n", moved.out)

    again = shell.run("learn", "user", "location", "Rome", "--at", "2026-05-02")
    assert again.out.startswith("reinforced  User lives in Rome.")


def test_only_what_is_asked_for_is_kept_by_a_watch(shell: Shell) -> None:
    nothing = shell.run("watch", "Nice weather today", "--json")
    assert (nothing.code, nothing.json) == (0, None)
    assert shell.ok("status")["spaces"] == []

    asked = shell.run("watch", "Please remember that I'm allergic to penicillin")
    assert asked.out.startswith("added  User is allergic to penicillin.")
    assert shell.ok("watch", "-", stdin=b"Please remember that my manager is Priya")["learned"]


def test_a_profile_is_a_table_and_prose_in_step_with_what_is_known(shell: Shell) -> None:
    shell.ok("add", MOVED, *WHEN)
    shell.ok("add", "I'm allergic to penicillin and peanuts.", "--at", "2026-03-10")
    shell.ok("add", "We're back in Austin!", "--at", "2026-06-01")
    shown = shell.run("profile")

    assert re.search(r"^what +since +user$", shown.out, re.MULTILINE)
    assert re.search(r"^location +2026-06-01  \* Austin$", shown.out, re.MULTILINE)
    assert "Berlin" not in shown.out
    assert "penicillin" in shown.out
    assert shown.out.endswith("\n") and "User lives in Austin." in shown.out.splitlines()[-1]
    assert shown.err == "* essential: it never fades\n"


def test_a_history_by_subject_shows_each_value_with_its_time_and_its_words(shell: Shell) -> None:
    berlin = shell.ok("add", MOVED, *WHEN)
    shell.ok("add", "I live in Berlin.", "--at", "2026-04-01")
    shell.ok("add", "We're back in Austin!", "--at", "2026-06-01")
    lines = shell.run("history", "--subject", "user", "--attribute", "location").out.splitlines()

    assert lines[0] == "├─ superseded  2026-03-02 to 2026-06-01"
    assert lines[1] == "│  User lives in Berlin since 2026-03-02."
    assert "“I moved to Berlin last week”  from " in lines[2]
    assert lines[2].endswith(" and 1 more")
    assert re.fullmatch(r"│    version 2  \S+  said again  tester, through cli", lines[4])
    assert "└─ active  since 2026-06-01" in lines
    assert berlin["learned"][0]["note"]["id"] in lines[2]


def test_a_card_shows_the_words_a_note_was_read_from(shell: Shell) -> None:
    told = shell.ok("add", MOVED, *WHEN)
    shown = shell.run("get", told["learned"][0]["note"]["id"]).out

    assert re.search(r"^  said +“I moved to Berlin last week”$", shown, re.MULTILINE)
    assert re.search(rf"^  derived from +{told['observation_ids'][0]}$", shown, re.MULTILINE)
    assert "metadata" not in shown


def test_a_hit_that_was_only_said_tells_who_said_it_and_when(shell: Shell) -> None:
    messages = [
        {"role": "user", "name": "Ana", "content": "What a lovely lighthouse!", "at": "2026-06-01T09:00:00Z"},
        {"role": "assistant", "content": "The lighthouse is old.", "at": "2026-06-01T09:00:05Z"},
    ]
    said, answered = shell.ok("add", json.dumps(messages))["observation_ids"]
    shown = shell.run("search", "lighthouse").out

    assert re.search(rf"  What a lovely lighthouse!\n   {said}  message  Ana \(user\)  2026-06-01  score ", shown)
    assert re.search(rf"  The lighthouse is old\.\n   {answered}  message  assistant  2026-06-01  score ", shown)


def test_a_hit_that_was_learned_tells_where_it_was_said(shell: Shell) -> None:
    told = shell.ok("add", MOVED, *WHEN)
    shown = shell.run("search", "where do I live").out

    assert re.search(rf"^1  User lives in Berlin .*\n   .*  from {told['observation_ids'][0]}$", shown, re.MULTILINE)


def test_the_status_tells_what_listening_has_come_to(shell: Shell) -> None:
    shell.ok("add", MOVED, *WHEN, "--space", "alice")
    shell.ok("add", "I might buy a bike.", "--space", "alice")
    shell.ok("save", "not from listening", "--space", "team")
    status = shell.run("status").out

    assert re.search(r"^sessions +2$", status, re.MULTILINE)
    assert re.search(r"^observations +2$", status, re.MULTILINE)
    assert re.search(r"^alice +1 +1 +0 +2 +2 +\d{4}-\d\d-\d\d$", status, re.MULTILINE)
    assert re.search(r"^alice +3 +1 +67% +2 hypothetical$", status, re.MULTILINE)
    assert not re.search(r"^team.*%", status, re.MULTILINE)

    space = shell.run("spaces", "describe", "alice").out
    for name, value in [("candidates", "3, 1 kept"), ("junk rate", "67%"), ("turned away", "2 hypothetical")]:
        assert re.search(rf"^{name} +{value}$", space, re.MULTILINE), name


def test_a_rehearsal_shows_what_would_be_kept_and_learned(shell: Shell) -> None:
    ended = shell.run("add", MOVED, *WHEN, "--dry-run")

    assert ended.code == 0
    assert re.search(r"^  open session \w{26}, unless it is open$", ended.out, re.MULTILINE)
    assert re.search(r"^  keep message \w{26} word for word: “I moved to Berlin", ended.out, re.MULTILINE)
    assert re.search(r"^  write note \w{26} \(semantic, active\): “User lives in Berlin", ended.out, re.MULTILINE)
    assert re.search(r"^  count 1 hypothetical, 1 kept$", ended.out, re.MULTILINE)
    assert "Not taken for facts:" in ended.out
    assert "opal-heron" not in ended.out
    assert "nothing was written" in ended.err
    assert shell.ok("status")["spaces"] == []


def test_a_message_can_be_forgotten_by_who_agrees_to_it(shell: Shell) -> None:
    said = shell.ok("add", "What a lovely lighthouse!")["observation_ids"][0]

    refused = shell.on_screen("forget", said, typed=b"n\n")
    assert f"The message {said} will be gone for good." in refused.out
    assert refused.code == 1
    agreed = shell.on_screen("forget", said.lower(), typed=b"y\n")
    assert "1 message is forgotten." in agreed.out
    assert "lighthouse" not in shell.run("export").out


def test_who_forgets_a_note_is_told_that_the_message_goes_too(shell: Shell) -> None:
    note = shell.ok("add", MOVED, *WHEN)["learned"][0]["note"]["id"]
    ended = shell.on_screen("forget", note, typed=b"y\n", columns=200)

    assert "with every version of it, the message it was read from." in ended.out
    assert "1 message is forgotten too." in ended.out
    assert "Berlin" not in shell.run("export").out
