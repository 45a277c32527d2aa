"""A key of a provider that a space brought along, and the port to those that a store keeps, sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from recollect.domain.answers.spending import ProviderKey
from recollect.domain.dataclass import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class SealedKey:
    """A key as it is kept."""

    shown: ProviderKey
    sealed: str = field(repr=False)


class ProviderKeys(Protocol):
    """Sealed keys by space and provider."""

    def put(self, key: SealedKey) -> None:
        """Keep a key, in place of an earlier one."""
        ...

    def keys(self, space: str) -> Sequence[SealedKey]:
        """The keys of a space, by the names of their providers."""
        ...

    def remove(self, space: str, provider: str) -> bool:
        """Take a key away; whether there was one."""
        ...


def seal_context(space: str, provider: str) -> str:
    """The words that a key is sealed for: put under another space, it does not open."""
    return f"provider key {space} {provider}"
