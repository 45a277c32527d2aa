"""Values: `dataclass`, `field` and `replace` as in the standard library, without what they cost at import.

The standard decorator compiles up to nine functions for each class and loads `inspect`; that was two thirds of the
time to load the package. Here a class is given its slots at once, and each of its methods is compiled when it is
first called. Type checkers are shown the standard names, and the functions of `dataclasses` (`fields`, `asdict`,
`replace`) take these classes for dataclasses. Only slotted classes can be made, with the few switches in use.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for true; importing it from `typing` would cost as much as this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass, field, replace
    from typing import Any


__all__ = ["dataclass", "field", "is_value", "names_of", "replace", "shown_names"]

_FIELDS = "__value_fields__"  # of a class made here: each field by its name, those of its bases first
_COMPILED = "__value_method__"  # of a method that was compiled here
_ABSENT: Any = object()
_MANY = 6  # fields, from which on a value is filled by way of its twin
_FEW = 4  # values of a class that are made without a method of its own: compiling one takes as long as ten of them
_made_so_far: dict[type, int] = {}


class Field:
    """How one field of a value is filled and shown."""

    __slots__ = ("default", "factory", "init", "repr")

    def __init__(self, default: Any, factory: Any, init: bool, repr: bool) -> None:
        self.default, self.factory, self.init, self.repr = default, factory, init, repr


_REQUIRED = Field(_ABSENT, _ABSENT, True, True)


def names_of(kind: type) -> tuple[str, ...]:
    """The names of the fields of a kind of values, in the order they are written."""
    return tuple(getattr(kind, _FIELDS))


def shown_names(kind: type) -> tuple[str, ...]:
    """The names of those fields that a `repr` shows."""
    return tuple(name for name, each in getattr(kind, _FIELDS).items() if each.repr)


def is_value(kind: type) -> bool:
    """Whether a class was made by `dataclass`."""
    return hasattr(kind, _FIELDS)


if not TYPE_CHECKING:

    def dataclass(
        *,
        frozen: bool = False,
        slots: bool,
        eq: bool = True,
        repr: bool = True,
    ) -> Callable[[type], type]:
        """Make a class of values from annotations."""
        if not slots:
            raise TypeError("Values have slots.")
        return lambda written: _made(written, frozen=frozen, eq=eq, shown=repr)

    def field(*, default: Any = _ABSENT, default_factory: Any = _ABSENT, init: bool = True, repr: bool = True) -> Any:
        """A field with more to say than its type and a plain default."""
        return Field(default, default_factory, init, repr)

    def replace(value: Any, /, **changes: Any) -> Any:
        """The same value with some fields changed."""
        for name, each in getattr(value, _FIELDS).items():
            if each.init and name not in changes:
                changes[name] = getattr(value, name)
        return value.__class__(**changes)


def _made(written: type, *, frozen: bool, eq: bool, shown: bool) -> type:
    """The class with slots instead of defaults, and with methods that are still to be compiled."""
    namespace = dict(vars(written))
    inherited: dict[str, Field] = {}
    for base in written.__mro__[-2:0:-1]:
        if found := base.__dict__.get(_FIELDS):
            inherited |= found
    own = {
        name: _field(written, name, namespace.pop(name)) if name in namespace else _REQUIRED
        for name, annotation in namespace.get("__annotations__", {}).items()
        if not str(annotation).startswith("ClassVar")
    }
    fields = inherited | own if inherited else own
    namespace.pop("__dict__", None)
    namespace.pop("__weakref__", None)
    namespace |= {
        _FIELDS: fields,
        "__slots__": tuple(name for name in own if name not in inherited) if inherited else tuple(own),
        "__match_args__": tuple(fields),
        "__dataclass_fields__": _StandardFields(),
        "__getstate__": _state,
        "__setstate__": _set_state,
        "__init__": _first_init,
    }
    if frozen:
        namespace |= _FROZEN
    if shown and "__repr__" not in namespace:
        namespace["__repr__"] = _first_repr
    if eq and "__eq__" not in namespace:
        namespace["__eq__"] = _first_eq
    if eq and "__hash__" not in written.__dict__:
        namespace["__hash__"] = _first_hash if frozen else None
    kind = type(written)(written.__name__, written.__bases__, namespace)
    kind.__qualname__ = written.__qualname__
    return kind


def _field(written: type, name: str, given: Any) -> Field:
    found = given if isinstance(given, Field) else Field(given, _ABSENT, True, True)
    if found.default is not _ABSENT and type(found.default).__hash__ is None:
        raise TypeError(f"{written.__name__}.{name}: a default that can change is shared; use `default_factory`.")
    return found


def _first_init(self: Any, /, *given: Any, **named: Any) -> None:
    if not _filled(self, given, named):
        _compiled(self, "__init__", _first_init, _init_text)(self, *given, **named)


def _filled(value: Any, given: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Whether the fields were set one by one, which is quicker for the few values that most classes have in a process.

    What is wrong with a call is left to the compiled method to say.
    """
    kind = _nearest(type(value), "__init__", _first_init)
    if kind.__dict__["__init__"] is not _first_init or _made_so_far.get(kind, 0) >= _FEW:
        return False
    fields: dict[str, Field] = getattr(kind, _FIELDS)
    names = [name for name, each in fields.items() if each.init]
    values = dict(zip(names, given, strict=False))
    if len(given) > len(names) or not named.keys() <= set(names) - values.keys():
        return False
    values |= named
    for name, each in fields.items():
        if name not in values:
            if each.default is not _ABSENT:
                values[name] = each.default
            elif each.factory is not _ABSENT:
                values[name] = each.factory()
            elif each.init:
                return False
            else:
                continue  # `__post_init__` fills it
        object.__setattr__(value, name, values[name])
    if hasattr(kind, "__post_init__"):
        value.__post_init__()
    _made_so_far[kind] = _made_so_far.get(kind, 0) + 1
    return True


def _first_repr(self: Any) -> str:
    shown: str = _compiled(self, "__repr__", _first_repr, _repr_text)(self)
    return shown


def _first_eq(self: Any, other: object) -> Any:
    return _compiled(self, "__eq__", _first_eq, _eq_text)(self, other)


def _first_hash(self: Any) -> int:
    number: int = _compiled(self, "__hash__", _first_hash, _hash_text)(self)
    return number


def _compiled(value: Any, name: str, first: Any, text_of: Callable[[type], str]) -> Any:
    """A method of the nearest class that has one from here. Two threads may both compile it, to the same end; the
    later one finds it done.
    """
    kind = _nearest(type(value), name, first)
    if (done := kind.__dict__[name]) is not first:
        return done
    # The words are names of fields, which are Python's own identifiers.
    scope = {f"__set_{each}": getattr(kind, each).__set__ for each in getattr(kind, _FIELDS)}
    for each, written in getattr(kind, _FIELDS).items():
        scope |= {f"__default_{each}": written.default, f"__factory_{each}": written.factory}
    if text_of is _init_text and len(getattr(kind, _FIELDS)) >= _MANY:
        scope |= {"__kind": kind, "__twin": _twin(kind), "__become": object.__dict__["__class__"].__set__}
    exec(text_of(kind), scope | {"__absent": _ABSENT}, found := {})  # type: ignore[var-annotated]  # noqa: S102
    compiled: Any = found[name]
    compiled.__qualname__ = f"{kind.__qualname__}.{name}"
    setattr(compiled, _COMPILED, True)
    setattr(kind, name, compiled)
    return compiled


def _nearest(kind: type, name: str, first: Any) -> type:
    """The nearest class whose method is one from here, compiled or not yet; one written by hand may have called it."""
    for each in kind.__mro__:
        method = each.__dict__.get(name)
        if method is first or hasattr(method, _COMPILED):
            return each
    raise AssertionError("the method of the first call was called")


def _init_text(kind: type) -> str:
    """Fill a value. A setter is called for each field, or, where they are many, they are assigned to its open twin."""
    fields: dict[str, Field] = getattr(kind, _FIELDS)
    parameters, filled = ["self"], {}
    for name, each in fields.items():
        if each.init:
            required = each.default is _ABSENT and each.factory is _ABSENT
            absent = "__absent" if each.default is _ABSENT else f"__default_{name}"
            parameters.append(name if required else f"{name}={absent}")
            filled[name] = name if each.factory is _ABSENT else f"__factory_{name}() if {name} is __absent else {name}"
        elif each.default is not _ABSENT or each.factory is not _ABSENT:  # else `__post_init__` fills it
            filled[name] = f"__default_{name}" if each.factory is _ABSENT else f"__factory_{name}()"
    lines = [f" __set_{name}(self, {given})" for name, given in filled.items()] or [" pass"]
    if len(fields) >= _MANY:
        assigned = [f"  self.{name} = {given}" for name, given in filled.items()]
        opened = [" if self.__class__ is __kind:", "  __become(self, __twin)", *assigned, "  self.__class__ = __kind"]
        lines = [*opened, " else:", *(f" {line}" for line in lines)]
    if hasattr(kind, "__post_init__"):
        lines.append(" self.__post_init__()")
    return "\n".join([f"def __init__({', '.join(parameters)}):", *lines])


def _twin(kind: type) -> type:
    """A class with the same slots as a frozen one, whose fields can be assigned: eight times as fast as by setters."""
    namespace = {"__slots__": kind.__dict__["__slots__"], "__setattr__": object.__setattr__}
    return type(kind)(kind.__name__, kind.__bases__, namespace)


def _repr_text(kind: type) -> str:
    shown = ", ".join(f"{name}={{self.{name}!r}}" for name, each in getattr(kind, _FIELDS).items() if each.repr)
    return f"def __repr__(self):\n return f'{{self.__class__.__qualname__}}({shown})'"


def _eq_text(kind: type) -> str:
    mine, theirs = _all_of(kind, "self"), _all_of(kind, "other")
    return (
        f"def __eq__(self, other):\n return {mine} == {theirs} if other.__class__ is self.__class__ else NotImplemented"
    )


def _hash_text(kind: type) -> str:
    return f"def __hash__(self):\n return hash({_all_of(kind, 'self')})"


def _all_of(kind: type, of: str) -> str:
    return f"({''.join(f'{of}.{name},' for name in getattr(kind, _FIELDS))})"


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in getattr(self, _FIELDS)]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(getattr(self, _FIELDS), state, strict=True):
        object.__setattr__(self, name, value)  # a frozen value refuses its own


def _refuse_to_set(_self: Any, name: str, _value: Any) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: Any, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


_FROZEN = {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}


class _StandardFields:
    """The fields of a class as the standard library describes them, when it asks."""

    def __get__(self, value: Any, kind: type) -> dict[str, Any]:
        import dataclasses

        owner = next(each for each in kind.__mro__ if vars(each).get("__dataclass_fields__") is self)
        hints: dict[str, Any] = {}
        for each in reversed(owner.__mro__):
            hints |= getattr(each, "__annotations__", {})
        described: list[tuple[str, Any, Any]] = []
        for name, each in getattr(owner, _FIELDS).items():
            given: dict[str, Any] = {"init": each.init, "repr": each.repr}
            if each.default is not _ABSENT:
                given["default"] = each.default
            if each.factory is not _ABSENT:
                given["default_factory"] = each.factory
            described.append((name, hints[name], dataclasses.field(**given)))
        standard: Any = dataclasses.make_dataclass(owner.__name__, described)
        found: dict[str, Any] = standard.__dataclass_fields__
        owner.__dataclass_fields__ = found  # type: ignore[attr-defined]
        return found
