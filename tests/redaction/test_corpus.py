"""The rules against two labelled files: secrets of every kind must be found, ordinary texts must be left alone."""

from __future__ import annotations

import pytest

from recollect.redaction import redactor
from recollect.redaction.redactor import RULES, is_plain, redact
from tests.redaction.corpus import Planted, benign, planted

SEEDS = range(3)  # each makes other secrets from the same templates
AROUND = (
    "{}",
    "Please remember this: {} (it is new)",
    '{{"role": "user", "content": "{}"}}',
    "> {}\n\nok, thanks",
    "- one\n- {}\n- three",
)


def is_caught(item: Planted, text: str) -> bool:
    start = text.index(item.text) + item.start
    spans = ((redaction.start, redaction.end) for redaction in redact(text).redactions)
    return any(begin <= start and start + len(item.secret) <= end for begin, end in spans)


def test_at_least_98_of_100_secrets_are_caught() -> None:
    items = [item for seed in SEEDS for item in planted(seed)]
    missed = [item.text for item in items if not is_caught(item, item.text)]
    assert len(items) >= 300 * len(SEEDS)
    assert len(missed) <= 0.02 * len(items), f"{len(missed)} of {len(items)} were missed, for example: {missed[:5]}"


@pytest.mark.parametrize("around", AROUND)
def test_secrets_are_caught_wherever_they_stand(around: str) -> None:
    items = [item for item in planted(seed=7) if item.kinds != {"private"}]
    missed = [item.text for item in items if not is_caught(item, around.format(item.text))]
    assert len(missed) <= 0.02 * len(items), f"{len(missed)} of {len(items)} were missed, for example: {missed[:5]}"


def test_what_is_caught_is_named_for_what_it_is() -> None:
    wrong = []
    for item in planted():
        kinds = {found.kind for found in redact(item.text).redactions if found.start <= item.start < found.end}
        if kinds and not kinds & item.kinds:
            wrong.append((item.text, kinds))
    assert wrong == []


def test_nothing_of_a_caught_secret_is_left() -> None:
    for item in planted():
        if is_caught(item, item.text):
            assert item.secret not in redact(item.text).text


def test_a_second_redaction_of_the_corpus_changes_nothing() -> None:
    for item in planted():
        once = redact(item.text, pii=True).text
        assert redact(once, pii=True).text == once


@pytest.mark.parametrize("step", [1, 7, 64, 1_000])
def test_a_text_that_is_searched_in_steps_holds_the_same_secrets(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join((*(item.text for item in planted()), *benign()))
    monkeypatch.setattr(redactor, "_STEP", len(text))
    whole = redact(text)
    monkeypatch.setattr(redactor, "_STEP", step)
    assert len(whole.redactions) > 300
    assert redact(text) == whole


def test_not_one_of_the_benign_texts_is_changed() -> None:
    texts = benign()
    changed = {text: redact(text).text for text in texts if redact(text).text != text}
    assert len(texts) >= 500
    assert changed == {}


def test_all_benign_texts_together_are_still_benign() -> None:
    page = "\n\n".join(benign())
    assert redact(page).text == page


def test_the_rules_are_as_many_as_the_public_scanners_have() -> None:
    assert len(RULES) >= 300
    assert len({rule.kind for rule in RULES}) >= 250


def test_every_kind_can_stand_in_a_placeholder() -> None:
    kinds = {rule.kind for rule in RULES}
    assert all(kind.replace("-", "").isalnum() and kind == kind.lower() and kind.isascii() for kind in kinds)
    assert max(map(len, kinds)) <= 60


def test_a_process_that_cleans_one_text_and_ends_finds_the_same() -> None:
    for text in (*benign(), *(item.text for seed in SEEDS for item in planted(seed))):
        assert redact(text, once=True) == redact(text)


def test_no_text_in_which_anything_is_found_is_told_plain_at_a_glance() -> None:
    texts = [*(item.text for item in planted(seed=5)), *benign()]
    beginnings = [text[: len(text) * part // 4] for text in texts for part in (1, 2, 3, 4)]
    wrong = [text for text in beginnings if is_plain(text) and redact(text).redactions]
    assert not wrong
    assert sum(map(is_plain, benign())) > 0
