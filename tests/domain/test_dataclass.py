"""Values behave as the standard library's frozen dataclasses with slots, and cost nothing until one is made."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import pickle
import pkgutil
import subprocess
import sys
from typing import Any

import pytest

import recollect
from recollect.domain import dataclass as values
from recollect.domain.dataclass import dataclass, field, is_value, names_of, replace
from recollect.domain.scopes import Scope


@dataclass(frozen=True, slots=True)
class Point:
    """A place."""

    x: int
    y: int = 2
    seen: list[str] = field(default_factory=list)
    secret: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Point3(Point):
    """A place in space."""

    z: int = 3
    y: int = 7


@dataclass(slots=True)
class Counted:
    """Something that changes."""

    count: int = 0


@dataclass(slots=True)
class Kept:
    """Something that knows more of itself than it was told."""

    text: str
    length: int = field(init=False)
    marks: list[str] = field(default_factory=lambda: ["new"], init=False)
    seen: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        self.length = len(self.text)


@pytest.fixture(
    autouse=True,
    params=[(0, 1000), (0, 0), (1000, 1000)],
    ids=["by a method of its own", "by way of its twin", "field by field"],
)
def way_of_making(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first values of a class are made field by field, later ones by a method that is compiled for them, and those
    with many fields by way of a class whose fields can be assigned.
    """
    few, many = request.param
    monkeypatch.setattr(values, "_FEW", few)
    monkeypatch.setattr(values, "_MANY", many)
    for kind in (Point, Point3, Counted, Kept):
        monkeypatch.setattr(kind, "__init__", values._first_init)


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    """The same place, made by the standard library."""

    x: int
    y: int = 2
    seen: list[str] = dataclasses.field(default_factory=list)
    secret: str = dataclasses.field(default="", repr=False)


def _kinds() -> list[type]:
    """Every class of values in the package."""
    for module in pkgutil.walk_packages(recollect.__path__, "recollect."):
        if not module.name.startswith(("bench", "recollect.surfaces.mcp", "recollect.__main__")):
            importlib.import_module(module.name)
    modules = [module for name, module in sorted(sys.modules.items()) if name.startswith("recollect.")]
    found = {kind for module in modules for kind in vars(module).values() if isinstance(kind, type)}
    return sorted((kind for kind in found if is_value(kind)), key=lambda kind: (kind.__module__, kind.__qualname__))


def test_a_value_shows_itself_as_the_standard_one_does() -> None:
    shown = repr(Point(1, secret="s"))
    assert shown == "Point(x=1, y=2, seen=[])" == repr(Standard(1, secret="s")).replace("Standard", "Point")


def test_a_value_equals_its_like_and_nothing_of_another_kind() -> None:
    assert Point(1) == Point(1, 2)
    assert Point(1) != Point(2)
    assert Point(1, 7) != Point3(1)
    assert Point(1).__eq__(Standard(1)) is NotImplemented


def test_equal_values_have_equal_hashes_and_what_changes_has_none() -> None:
    assert hash(Scope(user="a")) == hash(Scope(user="a"))
    with pytest.raises(TypeError):
        hash(Counted())


def test_a_value_is_of_its_own_class_and_so_is_one_of_a_class_written_by_hand() -> None:
    class Marked(Point):
        """A place with room for anything."""

    assert type(Point(1)) is Point
    assert type(Point3(1)) is Point3
    marked = Marked(1, 5)
    assert (type(marked), marked.x, marked.y, marked.seen) == (Marked, 1, 5, [])


def test_every_class_of_values_has_a_twin_that_its_values_can_pass_through() -> None:
    become = object.__dict__["__class__"].__set__
    for kind in _kinds():
        value: Any = object.__new__(kind)
        become(value, values._twin(kind))
        value.__class__ = kind
        assert type(value) is kind


def test_what_is_made_anew_for_each_value_is_not_shared() -> None:
    assert Point(1).seen is not Point(1).seen


def test_a_frozen_value_refuses_changes_and_one_that_is_not_takes_them() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Point(1).x = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del Point(1).x
    counted = Counted()
    counted.count += 1
    assert counted.count == 1
    with pytest.raises(AttributeError):
        counted.other = 1  # type: ignore[attr-defined]


def test_fields_of_a_base_come_first_and_can_be_given_another_default() -> None:
    assert names_of(Point3) == ("x", "y", "seen", "secret", "z")
    assert (Point3(1).y, Point3(1).z, Point3(1, z=9).z) == (7, 3, 9)


@pytest.mark.parametrize("given", [(), (1, 2, [], "", 5), ("x",)])
def test_a_wrong_number_of_arguments_is_refused_as_by_the_standard_one(given: tuple[object, ...]) -> None:
    if len(given) == 1:
        assert Point(*given) == Point("x")  # type: ignore[arg-type]
        return
    with pytest.raises(TypeError, match=r"argument"):
        Point(*given)  # type: ignore[arg-type]


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'zz'"):
        replace(Point(1), zz=1)  # type: ignore[call-arg]


def test_a_field_can_be_kept_out_of_the_arguments() -> None:
    assert Kept("a").length == 1
    assert Kept("ab").marks == ["new"]
    assert replace(Kept("abc"), text="b") == dataclasses.replace(Kept("abc"), text="b") == Kept("b")
    with pytest.raises(TypeError, match="length"):
        Kept("a", length=2)  # type: ignore[call-arg]


def test_a_value_survives_copying_and_pickling() -> None:
    value = Point(1, 5, ["a"])
    assert copy.copy(value) == copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value


def test_the_standard_functions_take_values_for_dataclasses() -> None:
    assert dataclasses.is_dataclass(Point)
    assert [each.name for each in dataclasses.fields(Point)] == [each.name for each in dataclasses.fields(Standard)]
    assert dataclasses.asdict(Point(1)) == dataclasses.asdict(Standard(1))
    assert dataclasses.replace(Point(1), y=9) == replace(Point(1), y=9) == Point(1, 9)


def test_a_value_can_be_taken_apart_by_match() -> None:
    match Point(1, 4):
        case Point(x, y):
            assert (x, y) == (1, 4)


def test_a_default_that_can_change_is_refused() -> None:
    with pytest.raises(TypeError, match="default_factory"):

        @dataclass(frozen=True, slots=True)
        class Wrong:
            shared: list[int] = []  # noqa: RUF012


def test_every_kind_of_value_in_the_package_is_described_as_the_standard_library_would() -> None:
    kinds = _kinds()
    assert len(kinds) > 200
    for kind in kinds:
        described = dataclasses.fields(kind)
        assert tuple(each.name for each in described) == names_of(kind), kind
        assert kind.__match_args__ == names_of(kind), kind  # type: ignore[attr-defined]
        assert not hasattr(kind, "__weakref__") or kind.__bases__ != (object,), kind


def test_making_a_note_loads_neither_dataclasses_nor_inspect() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c",
         "import sys; from recollect.domain.scopes import Scope; Scope(user='a');"
         "print(*{'dataclasses', 'inspect'} & set(sys.modules))"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == ""


def test_the_methods_of_a_value_are_its_own_once_a_few_were_made() -> None:
    for number in range(values._FEW + 1):
        Point(number)
    assert Point.__init__.__qualname__.endswith("Point.__init__")


@dataclass(frozen=True, slots=True)
class Named:
    """Fields called like the words of the compiled methods."""

    absent: dict[str, int] = field(default_factory=dict)
    default_absent: int = 1
    set_absent: int = 2
    factory_absent: int = 3
    given: int = 4


def test_a_field_may_have_any_name() -> None:
    value = Named({"a": 1}, 5, 6, 7, 8)

    assert dataclasses.asdict(value) == {
        "absent": {"a": 1},
        "default_absent": 5,
        "set_absent": 6,
        "factory_absent": 7,
        "given": 8,
    }
    assert Named().absent == {}


def test_a_thread_that_comes_late_uses_the_method_that_another_has_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True, slots=True)
    class Parent:
        x: int

    @dataclass(frozen=True, slots=True)
    class Child(Parent):
        z: int

    few = values._FEW
    monkeypatch.setattr(values, "_FEW", 0)
    one, other = Child(1, 2), Child(1, 3)  # compiles the child's methods; those of the parent were never called
    assert (one == other, repr(one).endswith("Child(x=1, z=2)"), hash(one) == hash(other)) == (False, True, False)
    monkeypatch.setattr(values, "_FEW", few)

    late = object.__new__(Child)
    values._first_init(late, 1, z=2)

    assert late == one
    assert values._first_eq(one, other) is False
    assert values._first_repr(one) == repr(one)
    assert values._first_hash(one) == hash(one)


def test_a_method_that_is_written_by_hand_may_ask_that_of_its_parent() -> None:
    @dataclass(frozen=True, slots=True)
    class Parent:
        x: int

    class Child(Parent):
        __slots__ = ()

        def __init__(self) -> None:
            super().__init__(1)

        def __repr__(self) -> str:
            return f"<{super().__repr__()}>"

    for _ in range(2):
        assert Child().x == 1 and repr(Child()).endswith("Child(x=1)>")
