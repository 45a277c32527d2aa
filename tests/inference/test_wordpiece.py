"""Text is cut into the pieces the model was trained on. The ids are those of the reference tokenizer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.inference.wordpiece import WordPiece

START, END, UNKNOWN = 101, 102, 100

SMALL = WordPiece("[PAD] [UNK] [CLS] [SEP] tea cup tea ##cup ##s ##pot t ##e ##a , !".split())


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", []),
        ("   \n\t ", []),
        ("Hello, world!", [7592, 1010, 2088, 999]),
        ("I moved to Berlin last week.", [1045, 2333, 2000, 4068, 2197, 2733, 1012]),
        ("embeddings", [7861, 8270, 4667, 2015]),
        ("unaffable", [14477, 20961, 3468]),
        ("don't stop", [2123, 1005, 1056, 2644]),
        ("naïve café Zürich", [15743, 7668, 10204]),
        ("e\u0301", [1041]),
        ("İstanbul", [9960]),
        ("$1,000.50 @user #tag", [1002, 1015, 1010, 2199, 1012, 2753, 1030, 5310, 1001, 6415]),
        ("foo_bar C++", [29379, 1035, 3347, 1039, 1009, 1009]),
        ("“quoted” – dash…", [1523, 9339, 1524, 1516, 11454, 1529]),
        ("東京の支社", [1879, 1755, 1671, UNKNOWN, 1924]),
        ("한국어", [1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008]),
        ("🙂 ok", [UNKNOWN, 7929]),
        ("½ ² Ⅷ", [1092, 1082, UNKNOWN]),
        ("a\u200bb", [11113]),  # what cannot be seen is not there
        ("x\u00a0y\tz\nq", [1060, 1061, 1062, 1053]),
        ("A" * 100, [13360, *[11057] * 48, 2050]),
        ("A" * 101, [UNKNOWN]),
    ],
)
def test_a_text_has_the_ids_that_the_reference_gives_it(pieces: WordPiece, text: str, ids: list[int]) -> None:
    assert pieces.ids(text, most=512) == [START, *ids, END]


def test_the_marks_are_known_by_their_names(pieces: WordPiece) -> None:
    assert (pieces.start, pieces.end, pieces.pad) == (START, END, 0)


def test_a_mark_in_a_text_is_only_a_text(pieces: WordPiece) -> None:
    ids = pieces.ids("[SEP] [CLS] [PAD] [MASK]", most=512)

    assert (ids.count(START), ids.count(END)) == (1, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("teacups", "tea ##cup ##s"),
        ("TEA, teapots!", "tea , tea ##pot ##s !"),
        ("teas tea", "tea ##s tea"),
        ("teax", "[UNK]"),  # a rest that is not known makes the whole word unknown
        ("café", "[UNK]"),
    ],
)
def test_the_longest_known_piece_comes_first(text: str, words: str) -> None:
    names = "[PAD] [UNK] [CLS] [SEP] tea cup tea ##cup ##s ##pot t ##e ##a , !".split()
    ids = {name: number for number, name in enumerate(names)}

    assert SMALL.ids(text, most=99) == [ids["[CLS]"], *(ids[word] for word in words.split()), ids["[SEP]"]]


@given(st.text(max_size=300), st.integers(2, 40))
def test_no_text_breaks_it_and_none_is_longer_than_wanted(text: str, most: int) -> None:
    ids = SMALL.ids(text, most=most)

    assert len(ids) <= most
    assert (ids[0], ids[-1]) == (SMALL.start, SMALL.end)
    assert ids[:-1] == SMALL.ids(text, most=100_000)[: len(ids) - 1]
