"""Every error has a stable code, a sentence, and says whether trying again can help."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import recollect
from recollect.domain import errors
from recollect.domain.errors import Busy, RecollectError, StorageFull, TooLarge, Unreachable


def _tree(kind: type[RecollectError]) -> Iterator[type[RecollectError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _tree(child)


KINDS = [kind for kind in _tree(RecollectError) if kind.__module__ == errors.__name__]


def test_every_kind_of_error_has_a_code_of_its_own() -> None:
    assert len({kind.code for kind in KINDS}) == len(KINDS)


def test_the_codes_that_programs_rely_on_are_never_renamed() -> None:
    assert {kind.__name__: kind.code for kind in KINDS}.items() >= {
        "InvalidInput": "invalid_input",
        "TooLarge": "too_large",
        "NotFound": "not_found",
        "Erased": "erased",
        "Conflict": "conflict",
        "Unsupported": "unsupported",
        "Misconfigured": "misconfigured",
        "StoreFailure": "store_failure",
        "Busy": "busy",
        "Unreachable": "unreachable",
        "StorageFull": "storage_full",
        "Damaged": "damaged",
        "Refused": "refused",
    }.items()


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_without_words_says_what_its_kind_is(kind: type[RecollectError]) -> None:
    assert kind().message == (kind.__doc__ or "").split("\n")[0]
    assert kind().message.endswith(".")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_in_the_tree_and_can_be_caught_by_name(kind: type[RecollectError]) -> None:
    assert f" {kind.__name__} " in f"{errors.__doc__} ".replace("\n", " ")
    assert getattr(recollect, kind.__name__) is kind


def test_only_what_may_succeed_later_can_be_tried_again() -> None:
    assert {kind for kind in KINDS if kind.retryable} >= {Busy, Unreachable, StorageFull}
    assert not any(kind.retryable for kind in KINDS if issubclass(kind, errors.InvalidInput | errors.Conflict))


def test_an_error_is_shown_to_a_program_as_fields() -> None:
    shown = TooLarge("It is too large.", code="too_large", hint="Cut it.").as_dict()
    assert shown == {"code": "too_large", "message": "It is too large.", "hint": "Cut it.", "retryable": False}
