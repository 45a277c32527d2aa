"""Reads of the graph are timed: an answer of KIP that took too long counts, and any other refusal is a fault."""

from __future__ import annotations

from time import perf_counter

import pytest

from bench.graph.__main__ import _took
from recollect.dialects.kip.errors import SYNTAX, TIMEOUT, KipError


def refused(code: str) -> None:
    raise KipError(code, "No.")


def test_a_read_that_ran_into_the_limit_of_time_is_timed() -> None:
    assert _took(lambda: refused(TIMEOUT), clock=perf_counter) >= 0


def test_a_read_that_kip_refuses_fails_the_run() -> None:
    with pytest.raises(KipError):
        _took(lambda: refused(SYNTAX), clock=perf_counter)
