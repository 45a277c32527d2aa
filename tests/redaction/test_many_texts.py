"""Many texts searched together are told apart as each of them is by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.redaction.clean_text import clean, clean_beside, is_known_clean_beside, know_clean
from recollect.redaction.many_texts import plain_among
from recollect.redaction.redactor import is_plain
from tests.redaction.corpus import planted
from tests.secrets.vendors import ordinary_lines

SECRETS = [item.text for item in planted(7)]
_SIGNS = ("a", "T", "=", ".", " ", "\n", "%41", "\\n", "\0", "İ", "é")
_KEYWORDS = ("key", "token", "pass", "sig", "private", "kind: secret")
_PIECES = st.sampled_from([*_SIGNS, *_KEYWORDS, *SECRETS[::20]])
_TEXTS = st.lists(st.lists(_PIECES, max_size=5).map("".join), max_size=12)


@given(_TEXTS)
def test_a_text_that_is_told_plain_among_others_is_plain_by_itself(texts: list[str]) -> None:
    told = list(plain_among(texts))
    assert [text for text in told if not is_plain(text)] == []
    alone = [text for text in texts if text.isascii() and not set(text) & set("\0\\%")]
    assert sorted(told) == sorted(text for text in alone if is_plain(text))


def test_no_text_with_a_secret_is_told_plain() -> None:
    among = [text for pair in zip(SECRETS, ordinary_lines(len(SECRETS)), strict=False) for text in pair]
    assert set(plain_among(among)).isdisjoint(SECRETS)


def test_of_many_ordinary_lines_those_are_plain_that_are_plain_alone() -> None:
    lines = [line for line in ordinary_lines(3000) if line.isascii() and not set(line) & set("\0\\%")]
    assert sorted(plain_among(lines)) == sorted(filter(is_plain, lines))


@given(st.lists(_PIECES, max_size=3).map("".join), st.lists(_PIECES, max_size=3).map("".join))
def test_a_value_known_to_be_clean_beside_a_name_is_found_clean_there(name: str, value: str) -> None:
    know_clean([name, value])
    if is_known_clean_beside(name, value):
        assert clean(value) == clean_beside(name, value) == value
