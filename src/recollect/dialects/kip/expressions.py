"""Pure: the value of a dot path, of a filter and of a computed value, for one row of bindings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from recollect.dialects.kip.linear_regex import matches
from recollect.dialects.kip.nexus import Concept, Proposition, shown
from recollect.dialects.kip.syntax import Application, Constant, Expression, PathTerm

Bound: TypeAlias = Concept | Proposition | str | None
Row: TypeAlias = Mapping[str, Bound]


def value_at(path: PathTerm, bound: Bound) -> Any:
    """The part of what a variable is bound to; `None` where there is none. A whole element stays one."""
    if not path.parts or bound is None:
        return bound
    if isinstance(bound, str):
        return None  # a predicate has no parts
    found = getattr(bound, path.parts[0], None)
    if len(path.parts) == 2:
        return found.get(path.parts[1]) if isinstance(found, Mapping) else None
    return dict(found) if isinstance(found, Mapping) else found


def plain(value: Any) -> Any:
    """A value as answers show it."""
    return shown(value) if isinstance(value, Concept | Proposition) else value


def holds(test: Expression, row: Row) -> bool:
    """Whether a filter lets a row through."""
    if not isinstance(test, Application):
        return False
    match test.name:
        case "&&":
            return all(holds(each, row) for each in test.operands)
        case "||":
            return any(holds(each, row) for each in test.operands)
        case "!":
            return not holds(test.operands[0], row)
        case "==" | "!=" if any(isinstance(each, Application) for each in test.operands):
            left, right = (_truth(each, row) for each in test.operands)
            return bool(left == right) == (test.name == "==")
    return _TESTS[test.name](*(_operand(each, row) for each in test.operands))


def _truth(operand: Expression, row: Row) -> Any:
    return holds(operand, row) if isinstance(operand, Application) else _operand(operand, row)


def computed(expression: Expression, element: Concept | Proposition) -> Any:
    """A value of UPDATE for one element; `None` where an operand is missing or no number."""
    if isinstance(expression, Constant):
        return expression.value
    if isinstance(expression, PathTerm):
        return value_at(expression, element)
    operands = [computed(each, element) for each in expression.operands]
    if expression.name == "COALESCE":
        return operands[1] if operands[0] is None else operands[0]
    if not all(_is_number(each) for each in operands):
        return None
    try:
        match expression.name:
            case "ADD":
                found = operands[0] + operands[1]
            case "MUL":
                found = operands[0] * operands[1]
            case _:
                found = min(max(operands[0], operands[1]), operands[2])
        return found if abs(found) < 1e308 else None
    except OverflowError:
        return None


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal as JSON has it: `true` is no number. Elements are equal by their ids."""
    if isinstance(left, Concept | Proposition) and isinstance(right, Concept | Proposition):
        return left.id == right.id
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if _is_plain(left) and _is_plain(right):
        return bool(left == right)
    return False


def _operand(expression: Expression, row: Row) -> Any:
    if isinstance(expression, Constant):
        return expression.value
    if isinstance(expression, PathTerm):
        return value_at(expression, row.get(expression.variable))
    return holds(expression, row)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """An order among numbers and among texts; nothing else is before or after anything."""

    def test(left: Any, right: Any) -> bool:
        alike = (_is_number(left) and _is_number(right)) or (isinstance(left, str) and isinstance(right, str))
        return alike and compare(left, right)

    return test


def _of_texts(compare: Callable[[str, str], bool]) -> Callable[[Any, Any], bool]:
    return lambda left, right: isinstance(left, str) and isinstance(right, str) and compare(left, right)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


_TESTS: dict[str, Callable[..., bool]] = {
    "==": same,
    "!=": lambda left, right: not same(left, right),
    "<": _ordered(lambda left, right: left < right),
    ">": _ordered(lambda left, right: left > right),
    "<=": _ordered(lambda left, right: left <= right),
    ">=": _ordered(lambda left, right: left >= right),
    "IN": lambda value, listed: any(same(value, each) for each in listed),
    "IS_NULL": lambda value: value is None,
    "IS_NOT_NULL": lambda value: value is not None,
    "CONTAINS": _of_texts(lambda text, part: part in text),
    "STARTS_WITH": _of_texts(str.startswith),
    "ENDS_WITH": _of_texts(str.endswith),
    "REGEX": _of_texts(lambda text, pattern: matches(pattern, text)),
}
