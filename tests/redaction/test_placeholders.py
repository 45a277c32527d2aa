"""Secrets never touch the disk: what `redact` promises, whatever the rules are."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.redaction import names
from recollect.redaction.redactor import RULES, Redacted, Redaction, redact
from tests.redaction.corpus import benign, planted

TOKEN = "gh" + "p_" + "".join(random.Random(1).choices(string.ascii_letters + string.digits, k=36))


def test_a_text_without_secrets_comes_back_as_it_is() -> None:
    text = "I moved to Berlin last week."
    assert redact(text) == Redacted(text, ())
    assert redact("") == Redacted("", ())


def test_a_secret_leaves_a_placeholder_that_names_its_kind() -> None:
    redacted = redact(f"Use {TOKEN} for now.")
    assert redacted.text == "Use [redacted:github-token] for now."
    assert redacted.redactions == (Redaction("github-token", 4, 44),)


def test_the_report_names_kinds_and_places_and_never_the_secret() -> None:
    redacted = redact(f"first {TOKEN}, then my password is hunter2")
    assert [redaction.kind for redaction in redacted.redactions] == ["github-token", "password"]
    assert TOKEN not in repr(redacted)
    assert "hunter2" not in repr(redacted)


def test_spans_are_in_the_original_text_and_in_its_order() -> None:
    text = f"a <private>b</private> c {TOKEN} d {TOKEN} e"
    redactions = redact(text).redactions
    assert [text[redaction.start : redaction.end] for redaction in redactions] == ["<private>b</private>", TOKEN, TOKEN]


def test_the_text_between_the_spans_is_untouched() -> None:
    text = f"İlk {TOKEN} é {TOKEN}🙂 password=hunter22 ẞ"
    redacted = redact(text)
    rebuilt, at = "", 0
    for redaction in redacted.redactions:
        rebuilt += text[at : redaction.start] + f"[redacted:{redaction.kind}]"
        at = redaction.end
    assert redacted.text == rebuilt + text[at:]
    assert redacted.text.startswith("İlk [redacted:github-token] é [redacted:github-token]🙂 password=")


def test_the_better_known_kind_is_kept_where_two_rules_find_the_same() -> None:
    assert redact(f"password={TOKEN}").text == "password=[redacted:github-token]"
    assert redact(f"Authorization: Bearer {TOKEN}").text == "Authorization: Bearer [redacted:github-token]"


def test_what_is_glued_to_a_secret_goes_with_it() -> None:
    assert redact(f"({TOKEN}-{TOKEN})").text == "([redacted:github-token])"


def test_only_the_password_of_an_address_is_taken_out() -> None:
    text = "postgres://app:" + "s3cr3t" + "@db.internal:5432/app"
    assert redact(text).text == "postgres://app:[redacted:url-password]@db.internal:5432/app"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <private>b</private> c", "a [redacted:private] c"),
        ("a <PRIVATE>b</Private> c", "a [redacted:private] c"),
        ("a <private>b\n\nc</private>", "a [redacted:private]"),
        ("a <private>b", "a [redacted:private]"),
        ("<private></private>", "[redacted:private]"),
        ("<private>a<private>b</private>c</private>d", "[redacted:private]d"),
        ("<private>a</private><private>b</private>", "[redacted:private][redacted:private]"),
        ("a </private> b", "a </private> b"),
        ("<privateer> sails", "<privateer> sails"),
        ("mark it with `<private>` and go on", "mark it with `<private>` and go on"),
        (f"<private>{TOKEN}</private>", "[redacted:private]"),
    ],
)
def test_what_is_marked_as_private_goes_and_an_open_mark_reaches_to_the_end(text: str, expected: str) -> None:
    assert redact(text).text == expected


def test_a_private_key_that_is_cut_off_goes_as_far_as_it_reaches() -> None:
    lines = "\n".join("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" * 2 for _ in range(3))
    text = f"-----BEGIN RSA PRIVATE KEY-----\n{lines}\n\nThat is all I have."
    assert redact(text).text == "[redacted:private-key]That is all I have."


def test_two_keys_and_what_stands_between_them_are_told_apart() -> None:
    key = "-----BEGIN EC PRIVATE KEY-----\n" + "MHcCAQEEIIGv" * 6 + "\n-----END EC PRIVATE KEY-----"
    assert redact(f"{key}\nand\n{key}\n").text == "[redacted:private-key]\nand\n[redacted:private-key]\n"


def test_a_placeholder_is_never_taken_for_a_secret() -> None:
    for text in (
        "password: [redacted:password]",
        "my token is [redacted:jwt] now",
        "[redacted:aws-secret-key]: x9y8z7w6",
    ):
        assert redact(text, pii=True).text == text


def test_without_being_asked_personal_data_stays() -> None:
    text = "Ana, ana@example.com, +49 151 23456789"
    assert redact(text).text == text
    assert redact(text, pii=True).text == "Ana, [redacted:email], [redacted:phone]"


# --- fuzz -------------------------------------------------------------------------------------------------------------

PIECES = st.one_of(
    st.sampled_from([keyword for rule in RULES for keyword in rule.keywords]),
    st.sampled_from([*names.WORDS, *names.VENDORS]),
    st.sampled_from([item.secret for item in planted()]),
    st.sampled_from(benign()),
    st.sampled_from([*" =:\n-_./@\"'`[](){}<>,;&?|\\%$#!", "://", ": ", " is ", " to ", "'s ", "\\n", "%3D", "--"]),
    st.sampled_from(["[redacted:", "[redacted:jwt]", "<private>", "</private>", "-----BEGIN PRIVATE KEY-----"]),
    st.text(alphabet="abcXYZ0189+/_-=", max_size=48),
    st.text(max_size=8),
)


@given(st.lists(PIECES, max_size=12).map("".join), st.booleans())
@settings(max_examples=400, deadline=None)
def test_no_text_breaks_it_and_a_second_time_changes_nothing(text: str, pii: bool) -> None:
    first = redact(text, pii=pii)
    assert redact(first.text, pii=pii) == Redacted(first.text, ())
    assert redact(text, pii=pii, once=True) == first, "knowing few keywords finds the same"
    ends = [place for redaction in first.redactions for place in (redaction.start, redaction.end)]
    assert ends == sorted(ends)
    assert all(redaction.start < redaction.end <= len(text) for redaction in first.redactions)


@given(st.text(max_size=400))
@settings(max_examples=300, deadline=None)
def test_any_unicode_is_taken(text: str) -> None:
    first = redact(text, pii=True)
    assert redact(first.text, pii=True).text == first.text


@given(st.text(alphabet=string.ascii_letters.replace("k", "").replace("K", "") + " .,\n", max_size=600))
@settings(max_examples=200, deadline=None)
def test_words_and_stops_alone_are_no_secret(text: str) -> None:
    if not any(word in text.lower() for word in names.WORDS):
        assert redact(text, pii=True).text == text


def test_one_character_alone_would_change_its_place_in_lower_case() -> None:
    longer = [chr(code) for code in range(0x110000) if len(chr(code).lower()) != 1]
    assert longer == ["İ"]
