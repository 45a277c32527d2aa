"""What can be imported from the front door, exactly."""

from __future__ import annotations

import inspect
import re

import pytest

import recollect
from recollect import AsyncMemory, Memory
from recollect.operations import operations_of
from tests.support.project import ROOT

NAMES = [
    "AsyncMemory", "Attachment", "Authority", "Busy", "Caller", "Channel", "Conflict", "Damaged", "Erased", "Filter",
    "InvalidInput",
    "Kind", "Memory", "Misconfigured", "NotAllowed", "NotFound", "Note", "QuotaReached", "RecollectError", "Refused",
    "RemoteMemory", "Settings",
    "State", "StorageFull", "StoreFailure", "TooLarge", "UnknownField", "Unreachable", "Unsupported", "__version__",
    "attributed",
]  # fmt: skip


def test_the_public_names_are_exactly_these() -> None:
    assert recollect.__all__ == NAMES
    assert dir(recollect) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_can_be_had(name: str) -> None:
    value = getattr(recollect, name)
    assert isinstance(value, str) or value.__name__ == name


def test_a_name_that_there_is_not_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        _ = recollect.Nonsense


def test_the_version_is_that_of_the_package() -> None:
    [declared] = re.findall(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert recollect.__version__ == declared


def test_the_asynchronous_memory_has_exactly_the_same_verbs() -> None:
    verbs = {operation.method for operation in operations_of(Memory).values()}
    lifted = {name for name, member in vars(AsyncMemory).items() if inspect.iscoroutinefunction(member)}
    assert lifted - {"close", "__aenter__", "__aexit__"} == verbs


@pytest.mark.parametrize("operation", operations_of(Memory).values(), ids=lambda operation: operation.name)
def test_an_awaited_verb_takes_and_says_what_the_plain_one_does(operation: object) -> None:
    method = getattr(operation, "method")  # noqa: B009 - the same for every verb
    plain, awaited = getattr(Memory, method), getattr(AsyncMemory, method)
    assert inspect.signature(awaited) == inspect.signature(plain)
    assert inspect.getdoc(awaited) == inspect.getdoc(plain)


def test_what_is_public_on_a_memory_is_a_verb_or_about_its_life() -> None:
    public = {name for name in dir(Memory) if not name.startswith("_")}
    verbs = {operation.method for operation in operations_of(Memory).values()}
    beside = {"access", "following", "measuring", "reminding", "runner", "settings", "transcripts", "vaults"}
    life = {"acting_as", "bound_to", "close", "dry_run", "stale_within", "telling", "wrap"}
    assert public - verbs == beside | life
