"""Personal data, when asked for: what is taken out, and which numbers are left alone."""

from __future__ import annotations

import pytest

from recollect.redaction.redactor import redact
from tests.redaction.corpus import benign

TAKEN = [
    ("email", "ana@example.com"),
    ("email", "first.last+tag@sub.example.co.uk"),
    ("email", "o'brien_1@example-shop.io"),
    ("phone", "+49 151 23456789"),
    ("phone", "+1 (415) 555-2671"),
    ("phone", "+14155552671"),
    ("phone", "+44 20 7946 0958"),
    ("phone", "+81 75-744-2301"),
    ("phone", "0049 30 1234567"),
    ("phone", "(415) 555-2671"),
    ("phone", "415-555-2671"),
    ("phone", "415.555.2671"),
    ("phone", "415 555 2671"),
    ("phone", "1-415-555-2671"),
    ("card", "4111 1111 1111 1111"),
    ("card", "4111-1111-1111-1111"),
    ("card", "4242424242424242"),
    ("card", "5555555555554444"),
    ("card", "2223003122003222"),
    ("card", "378282246310005"),
    ("card", "3782 822463 10005"),
    ("card", "6011111111111117"),
    ("card", "3530111333300000"),
    ("card", "30569309025904"),
    ("iban", "DE89 3704 0044 0532 0130 00"),
    ("iban", "DE89370400440532013000"),
    ("iban", "GB82 WEST 1234 5698 7654 32"),
    ("iban", "FR14 2004 1010 0505 0001 3M02 606"),
    ("iban", "NL91ABNA0417164300"),
    ("iban", "NO93 8601 1117 947"),
    ("ssn", "123-45-6789"),
    ("ssn", "078-05-1120"),
]

LEFT = [
    "2026-03-09",
    "2026-03-09T10:30:00Z",
    "09.03.2026",
    "10:30-11:45",
    "1234567890123",  # milliseconds
    "1700000000",
    "4111 1111 1111 1112",  # the check digit is wrong
    "4242424242424241",
    "1234 5678 9012 3456",
    "9999999999999995",  # passes the check, but nobody issues it
    "DE89 3704 0044 0532 0130 01",
    "DE89 3704 0044 0532 0130",
    "XX89 3704 0044 0532 0130 00",
    "000-45-6789",
    "666-45-6789",
    "912-45-6789",
    "123-00-6789",
    "123-45-0000",
    "192.168.178.1",
    "v1.2.3",
    "3.14159265358979",
    "550e8400-e29b-41d4-a716-446655440000",
    "01J9ZQ4T7V8W9X0Y1Z2A3B4C5D",
    "git@github.com:alice/repo.git",
    "icon@2x.png",
    "@alice",
    "a@b",
    "1 + 1 = 2",
    "call 911",
    "room 415",
    "12,345,678.90",
    "+3 points",
    "1-2-3",
    "978-3-16-148410-0",
]


@pytest.mark.parametrize(("kind", "value"), TAKEN)
def test_it_is_taken_out_with_its_kind(kind: str, value: str) -> None:
    assert redact(f"It is {value}, I think.", pii=True).text == f"It is [redacted:{kind}], I think."


@pytest.mark.parametrize("value", LEFT)
def test_other_numbers_and_names_are_left_alone(value: str) -> None:
    text = f"It is {value}, I think."
    assert redact(text, pii=True).text == text


def test_the_code_on_the_back_goes_with_the_card() -> None:
    assert redact("4111 1111 1111 1111, cvv 123", pii=True).text == "[redacted:card], cvv [redacted:card-code]"


def test_few_benign_texts_hold_personal_data() -> None:
    kinds = [found.kind for text in benign() for found in redact(text, pii=True).redactions]
    assert set(kinds) <= {"email", "phone"}
    assert len(kinds) <= 10
