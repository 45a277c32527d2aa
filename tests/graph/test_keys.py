"""Names are folded so far that spellings meet, and no further."""

from __future__ import annotations

import pytest

from recollect.domain.graph.mentions import MAX_KEY, Anchor, AnchorKind, Role, entity_key, mentions_of, with_anchors
from recollect.domain.scopes import Scope
from tests.support.clock import SteadyClock
from tests.support.writing import a_note


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "ALICE"),
        ("Zoë", "zoe"),
        ("the Acme", "Acme, Inc."),
        ("São  Paulo", "sao-paulo"),
        ("Wendy’s", "wendy's"),
        ("“Aurora”", "aurora"),
        ("release_train", "Release train"),
    ],
)
def test_spellings_of_one_name_share_a_key(one: str, other: str) -> None:
    assert entity_key(one) == entity_key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C++", "C#"),
        ("Python 3.11", "Python 311"),
        ("Alice", "Alice Smith"),
        ("Wendy's", "Wendy"),
        ("东京", "京都"),
    ],
)
def test_different_names_do_not(one: str, other: str) -> None:
    assert entity_key(one) != entity_key(other)


@pytest.mark.parametrize("text", ["", "  ", "…?!".strip("…"), "x" * (MAX_KEY + 1)])
def test_what_is_no_name_has_no_key(text: str) -> None:
    assert entity_key(text) == ""


def test_a_note_names_its_subject_value_project_tags_and_files(clock: SteadyClock) -> None:
    note = a_note(
        clock,
        "Ana Lee works at Acme",
        subject="person:ana lee",
        attribute="employer",
        value="Acme",
        tags=("team", "entity"),
        scope=Scope(project="Aurora"),
        metadata=with_anchors({}, [Anchor(AnchorKind.FILE, "src/app.py"), Anchor(AnchorKind.PACKAGE, "django")]),
    )

    assert [(each.key, each.role, each.name) for each in mentions_of(note)] == [
        ("ana lee", Role.SUBJECT, "Ana Lee"),
        ("ana lee", Role.KIND, "Ana Lee"),
        ("acme", Role.OBJECT, "Acme"),
        ("aurora", Role.PROJECT, "Aurora"),
        ("team", Role.TAG, "team"),
        ("src/app.py", Role.FILE, "src/app.py"),
    ]


def test_the_user_of_a_note_is_nobody_who_is_only_called_so(clock: SteadyClock) -> None:
    of_a_user = a_note(clock, subject="user", scope=Scope(user="ana"))
    about_ana = a_note(clock, subject="person:ana")

    assert {each.key for each in mentions_of(of_a_user)} == {"user:ana"}
    assert {each.key for each in mentions_of(about_ana)} == {"ana"}
