"""Many texts searched together are told apart as each of them is by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.redaction.clean_records import clean, clean_beside, is_known_clean_beside, know_clean
from recollect.redaction.many_texts import plain_among
from recollect.redaction.redactor import is_plain
from tests.redaction.corpus import planted
from tests.secrets.vendors import ordinary_lines

SECRETS = [item.text for item in planted(7)]
_SIGNS = (
    "a",
    "T",
    "=",
    ".",
    " ",
    "\n",
    "\t",
    "\x1c",
    "-",
    "-p",
    "%41",
    "\\n",
    "\0",
    "İ",
    "é",
    "Σ",
    "\u212a",
    "\u2003",
    "contraseña",
)
_KEYWORDS = ("key", "token", "pass", "sig", "private", "kind: secret", "kind:", "secret", "pin", "is ", "bearer", "-u")
_PIECES = st.sampled_from([*_SIGNS, *_KEYWORDS, *SECRETS[::20]])
_TEXTS = st.lists(st.lists(_PIECES, max_size=5).map("".join), max_size=12)


@given(_TEXTS)
def test_a_text_that_is_told_plain_among_others_is_plain_by_itself(texts: list[str]) -> None:
    told = list(plain_among(texts))
    assert [text for text in told if not is_plain(text)] == []
    alone = [text for text in texts if not set(text) & set("\0\\%")]
    assert sorted(told) == sorted(text for text in alone if is_plain(text))


def test_no_text_with_a_secret_is_told_plain() -> None:
    among = [text for pair in zip(SECRETS, ordinary_lines(len(SECRETS)), strict=False) for text in pair]
    assert set(plain_among(among)).isdisjoint(SECRETS)


def test_of_many_ordinary_lines_those_are_plain_that_are_plain_alone() -> None:
    lines = [line for line in ordinary_lines(3000) if not set(line) & set("\0\\%")]
    assert sorted(plain_among(lines)) == sorted(filter(is_plain, lines))


def test_words_joined_by_hyphens_are_plain_and_the_option_of_a_command_is_not() -> None:
    names = ["notes-paul-wrote-in-spring.md", "-parts.md", "vault_file=a-p-q.md"]
    commands = ["mysql -u root -pHunter2x db", "sshpass\t-p Hunter2x ssh host"]
    assert list(plain_among([*names, *commands])) == names
    assert all("Hunter2x" not in clean(command) for command in commands)


def test_a_keyword_is_seen_although_its_words_were_innocent_by_themselves() -> None:
    apart = ["the gate", "a code", "of a kind: good", "secrecy"]
    assert list(plain_among(apart)) == apart
    assert list(plain_among(["my gate code", "KIND: secrecy, kind: secret"])) == []


@given(st.lists(_PIECES, max_size=3).map("".join), st.lists(_PIECES, max_size=3).map("".join))
def test_a_value_known_to_be_clean_beside_a_name_is_found_clean_there(name: str, value: str) -> None:
    know_clean([name, value])
    if is_known_clean_beside(name, value):
        assert clean(value) == clean_beside(name, value) == value
