"""A pattern that is compiled when it is first used: a process that ends at once, as a hook does, needs few of them."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


class Late:
    """Stands for a pattern. From the first use on, its methods are those of the compiled one, and cost no more."""

    if TYPE_CHECKING:
        match: Callable[..., re.Match[str] | None]
        fullmatch: Callable[..., re.Match[str] | None]
        search: Callable[..., re.Match[str] | None]
        finditer: Callable[..., Iterator[re.Match[str]]]
        findall: Callable[..., list[str]]
        split: Callable[..., list[str]]
        sub: Callable[..., str]

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        """Only asked for what is not there yet, so for each method once."""
        if name.startswith("__"):
            raise AttributeError(name)
        method = getattr(re.compile(self.pattern, self.flags), name)
        setattr(self, name, method)
        return method
