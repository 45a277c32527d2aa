"""The types that a verb's annotations mean.

A verb is declared without loading the values it answers with, so its module knows their names only while types are
checked. Whoever needs the classes finds them here: every value of the domain has a name of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from inspect import isclass, unwrap
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, get_type_hints

from recollect import domain


def types_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The type of each parameter by its name, and of the answer as `return`."""
    plain: Any = unwrap(function)
    return get_type_hints(function, _classes() | plain.__globals__)


@cache
def _classes() -> dict[str, Any]:
    """Every class of the domain by its name. One that two modules use is left out: it would be a guess."""
    found: dict[str, Any] = {"Path": Path}
    shared: set[str] = set()
    for module in walk_packages(domain.__path__, f"{domain.__name__}."):
        for name, value in vars(import_module(module.name)).items():
            if isclass(value) and value.__module__ == module.name:
                shared |= {name} & found.keys()
                found[name] = value
    return {name: value for name, value in found.items() if name not in shared}
