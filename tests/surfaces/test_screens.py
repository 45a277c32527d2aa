"""What people see: answers that fit the screen, say what to do next, and cannot be driven by what is remembered."""

from __future__ import annotations

import re

import pytest

from recollect.surfaces.cli.terminal import width_of
from tests.surfaces.shell import Shell

EVIL = "\u202eevil\u202c \u200b\u2066hidden\u2069 \U000e0041tag"
WIPED = "\r\x1b[K"  # the end of a line that was there only while somebody had to wait
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def filled(shell: Shell) -> dict[str, str]:
    """A memory with something of every sort in it; ids by a name."""
    austin = shell.ok("save", "Alice lives in Austin", "--subject", "alice", "--valid-from", "2024-01-01")["id"]
    boston = shell.ok("supersede", austin, "Alice lives in Boston", "--valid-from", "2025-06-01")["id"]
    long = shell.ok("save", "We deploy storefront with make release. " * 20, "--kind", "procedural", "--pinned")["id"]
    wide = shell.ok("save", "東京の支社は十時に開きます。" * 10)["id"]
    documents = shell.folder / "documents"
    documents.mkdir()
    (documents / f"{EVIL}.md").write_text(f"# {EVIL}\n\nThe cellar is damp. {EVIL}\n")
    shell.ok("ingest", "documents")
    shell.ok("add", f"I live in Oslo. I might buy a boat. {EVIL}", "--at", "2026-03-01")
    evil = shell.ok("save", EVIL, "--title", EVIL, "--tag", EVIL, "--source", EVIL, "--metadata", '{"a": "\\u001b[2J"}')
    return {"austin": austin, "boston": boston, "long": long, "wide": wide, "evil": evil["id"]}


@pytest.mark.parametrize("columns", [72, 110])
def test_every_screen_fits_its_width_and_is_inert(shell: Shell, columns: int) -> None:
    ids = filled(shell)
    asked = [
        ["list"],
        ["list", "--state", "any"],
        ["search", "evil Alice deploy 東京"],
        ["search", "where do I live, and is the cellar damp"],
        ["search", "where do I live, and is the cellar damp", "--explain"],
        ["recall", "where do I live, and is the cellar damp"],
        ["answer", "Where does Alice live, and is the cellar damp?"],
        ["why", shell.ok("recall", "evil Alice deploy 東京", "--limit", "1")["receipt"]],
        ["why-not", ids["austin"], "where does Alice live"],
        ["add", f"I moved to Berlin last week. I might buy a bike. <private>{EVIL}</private> {EVIL}", "--dry-run"],
        ["add", f"I moved to Berlin last week. I might buy a bike. <private>{EVIL}</private> {EVIL}"],
        ["watch", f"Please remember that I'm allergic to {EVIL} penicillin and to peanuts of every sort"],
        ["learn", "user", "location", EVIL],
        ["learn", EVIL, EVIL, EVIL],
        ["profile"],
        ["profile", EVIL],
        ["history", "--subject", "user", "--attribute", "location"],
        ["ingest", "documents"],
        ["ingest", "documents", "--space", "another", "--dry-run"],
        ["models"],
        *(["get", ids[each]] for each in ("evil", "wide", "long")),
        *(["history", ids[each]] for each in ("evil", "austin")),
        ["audit"],
        ["status"],
        ["doctor"],
        ["spaces"],
        ["spaces", "describe", "default"],
        ["config"],
        ["update", ids["evil"], "--text", EVIL, "--dry-run"],
        [],
        ["save", "--help"],
    ]
    for typed in asked:
        ended = shell.on_screen(*typed, columns=columns)
        assert ended.code == 0, (typed, ended.out)
        for line in COLOUR.sub("", ended.out.replace(WIPED, "\n")).splitlines():
            assert not re.search(
                "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e0fff]", line
            )
            if typed[:1] not in (["status"], ["config"], ["doctor"], ["models"]):  # paths are never cut
                assert width_of(line) <= columns, (typed, line)


def test_a_list_shows_id_kind_date_and_text(shell: Shell) -> None:
    ids = filled(shell)

    wide = COLOUR.sub("", shell.on_screen("list", columns=120).out)
    assert re.search(rf"^{ids['long']}  procedural  \d{{4}}-\d\d-\d\d  \* We deploy .*…$", wide, re.MULTILINE)
    assert re.search(rf"^{ids['boston']}  semantic    2025-06-01  Alice lives in Boston$", wide, re.MULTILINE)
    assert ids["austin"] not in wide
    assert "* pinned" in wide


def test_on_a_pipe_nothing_is_cut_and_only_the_answer_is_on_standard_output(shell: Shell) -> None:
    ids = filled(shell)
    ended = shell.run("list")

    assert len(ended.out.splitlines()) == 1 + 5
    assert ("We deploy storefront with make release. " * 20).strip() in ended.out
    assert ids["evil"] in ended.out
    assert ended.err == "* pinned\n"


def test_a_page_says_how_to_go_on(shell: Shell) -> None:
    filled(shell)
    first = shell.run("list", "--limit", "2")
    cursor = re.search(r"`--cursor (\S+)`", first.err)

    assert cursor
    assert len(shell.run("list", "--limit", "2", "--cursor", cursor[1]).out.splitlines()) == 1 + 2


def test_a_hit_tells_its_score_and_its_reasons(shell: Shell) -> None:
    ids = filled(shell)
    ended = shell.run("search", "where does Alice live")

    assert re.search(rf"^1  Alice lives in Boston\n   {ids['boston']}  semantic  since 2025-06-01  score \d", ended.out)
    assert "words:" in ended.out


def test_a_history_is_a_tree_of_steps_with_their_times_and_versions(shell: Shell) -> None:
    ids = filled(shell)
    lines = shell.run("history", ids["boston"]).out.splitlines()

    assert lines[0] == "├─ superseded  2024-01-01 to 2025-06-01"
    assert lines[1] == "│  Alice lives in Austin"
    assert any(line.startswith("│    version 2") and "superseded" in line for line in lines)
    assert "└─ active  since 2025-06-01" in lines
    assert "   Alice lives in Boston" in lines


def test_a_history_says_what_each_version_changed(shell: Shell) -> None:
    note = shell.ok("save", "Alice lives in Asutin")["id"]
    shell.ok("update", note, "--text", "Alice lives in Austin")
    shell.ok("pin", note)
    shell.ok("unpin", note)
    shell.ok("update", note, "--title", "Where")
    shell.ok("retract", note)
    shown = shell.run("history", note).out

    for told in ("saved", "text was “Alice lives in Asutin”", "pinned", "unpinned", "changed: title", "retracted"):
        assert re.search(rf"version \d  \S+  {told}  tester, through cli$", shown, re.MULTILINE), told


def test_a_card_shows_all_there_is_to_a_note(shell: Shell) -> None:
    note = shell.ok(
        "save", "first line\nsecond line", "--title", "A title", "--subject", "user", "--attribute", "city",
        "--value", "Austin", "--tag", "b", "--tag", "a", "--project", "storefront", "--confidence", "0.5",
        "--expires-at", "2099-01-01", "--metadata", '{"ticket": 12}', "--source", "a letter",
    )  # fmt: skip
    shown = shell.run("get", note["id"]).out

    assert shown.startswith("A title\nfirst line\nsecond line\n\n")
    for name, value in [
        ("id", note["id"]),
        ("state", "active, version 1"),
        ("about", "user, city"),
        ("value", "Austin"),
        ("tags", "a, b"),
        ("project", "storefront"),
        ("confidence", "0.5"),
        ("expires", "2099-01-01"),
        ("by", "tester, through cli"),
        ("source", "a letter"),
        ("metadata", '{"ticket": 12}'),
    ]:
        assert re.search(rf"^  {name} +{re.escape(value)}$", shown, re.MULTILINE), name


@pytest.mark.parametrize(
    ("typed", "next_step"),
    [
        (["list"], 'recollect save "…"'),
        (["list", "--tag", "none"], "--state any"),
        (["search", "anything"], "recollect list"),
        (["spaces"], "recollect save"),
        (["profile"], 'recollect add "…"'),
        (["history", "--subject", "user", "--attribute", "location"], "Nothing is known of the location of `user`."),
        (["watch", "Nice weather today"], "nothing was kept"),
    ],
)
def test_where_there_is_nothing_the_next_step_is_named(shell: Shell, typed: list[str], next_step: str) -> None:
    ended = shell.run(*typed)

    assert ended.code == 0
    assert ended.out == ""
    assert next_step in ended.err


def test_each_write_says_what_was_done(shell: Shell) -> None:
    note = shell.ok("save", "x")["id"]
    derived = shell.ok("save", "y", "--derived-from", note)["id"]

    assert re.fullmatch(r"Note \w{26} was saved in `default`\.\n", shell.run("save", "z").out)
    assert shell.run("update", note, "--text", "xx").out == f"Note {note} was corrected; it is at version 2 now.\n"
    assert shell.run("pin", note).out == f"Note {note} is pinned.\n"
    forgotten = shell.run("forget", note)
    assert forgotten.out.startswith(f"Note {note} is forgotten, with every version of it.\nDerived from it")
    assert derived in forgotten.out
    assert "--cascade" in forgotten.err
    assert shell.run("spaces", "create", "team").out == "The space `team` is ready.\n"
    assert "`team` was erased" in shell.run("spaces", "delete", "team", "--yes").out


def test_tidying_says_what_came_to_its_end(shell: Shell) -> None:
    assert "Nothing had come to its end." in shell.run("tidy").err
    over = shell.ok("save", "The offer stands", "--expires-at", "2020-01-01")["id"]
    assert shell.run("tidy").out == f"1 note reached the end given to it:\n  {over}\n"


def test_colours_are_for_screens_that_want_them(shell: Shell) -> None:
    shell.ok("save", "x")

    assert COLOUR.search(shell.on_screen("list").out)
    assert not COLOUR.search(shell.on_screen("list", NO_COLOR="1").out)
    assert not COLOUR.search(shell.on_screen("list", TERM="dumb").out)
    assert not COLOUR.search(shell.run("list").out)
    assert not COLOUR.search(shell.on_screen("list", "--json").out)


def test_json_is_one_line_of_everything_the_verb_answers(shell: Shell) -> None:
    note = shell.ok("save", EVIL)
    ended = shell.run("list", "--json")

    assert ended.json["items"] == [note]
    assert ended.json["items"][0]["text"] == EVIL
    assert ended.out.count("\n") == 1
    assert "\u202e" not in ended.out
    assert ended.err == ""
