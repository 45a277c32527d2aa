"""Every record of an attribute is whole, and the table that the catalogue reads is the one built from the records."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from recollect.attributes.build import problems_of, read_records, table_of
from recollect.attributes.catalogue import TABLE, attribute_called, attribute_named, catalogue, relation_of
from recollect.attributes.records import AttributeRelation, Flag
from tests.support.project import parsed, tracked

WHOLE: dict[str, Any] = {
    "cardinality": "one",
    "about": "person",
    "wording": "{who} sings in {value}",
    "synonyms": [],
    "asked": ["sing"],
    "fresh_days": 365,
}


def test_every_record_has_all_its_parts() -> None:
    assert problems_of(read_records()) == []


@pytest.mark.parametrize("part", WHOLE)
def test_a_record_without_one_of_its_parts_is_told_which_one_and_what_it_is_for(part: str) -> None:
    record = {key: value for key, value in WHOLE.items() if key != part}
    (problem,) = problems_of({"choir": record})
    assert problem.startswith(f"The attribute `choir` has no `{part}`, which ")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"asked": []}, "has no `asked`, which lists the words of a question that ask for it."),
        ({"wording": "sings in {value}"}, "has a wording without `{who}` or `{value}`."),
        ({"colour": "red"}, "has `colour`, which is no field of a record."),
        ({"flags": ["loud"]}, "has the flag `loud`, which is none."),
        ({"accepts": ["band"]}, "refers to `band`, which has no record."),
        ({"relation": "family"}, "needs both `relation` and `people`, the words for its people, or neither."),
        ({"cardinality": "few"}, "cannot be read: 'few' is not a valid Cardinality."),
    ],
)
def test_a_record_that_says_something_impossible_is_told_so(changed: dict[str, Any], told: str) -> None:
    assert problems_of({"choir": WHOLE | changed}) == [f"The attribute `choir` {told}"]


def test_a_whole_record_has_no_problem() -> None:
    assert problems_of({"choir": WHOLE}) == []


def test_an_attribute_has_one_record(tmp_path: Path) -> None:
    for file in ("one.toml", "two.toml"):
        (tmp_path / file).write_text('[choir]\ncardinality = "one"\n', encoding="utf-8")
    with pytest.raises(SystemExit, match=r"`choir` has two records; the second is in two\.toml"):
        read_records(tmp_path)


def test_the_table_is_built_from_the_records_as_they_are() -> None:
    built = table_of(read_records())
    assert TABLE.read_text(encoding="utf-8") == built, "Run: python -m recollect.attributes.build"


def test_an_attribute_is_found_by_its_name_and_by_what_people_call_it() -> None:
    assert attribute_named("usual_drink") is attribute_called("usual drink") is attribute_called("coffee order")
    assert attribute_named("shoe colour") is attribute_called("shoe colour") is None


def test_an_attribute_that_names_people_says_what_they_are_to_somebody() -> None:
    assert relation_of("sister") is AttributeRelation.FAMILY
    assert relation_of("dentist") is AttributeRelation.SERVICE
    assert relation_of("vehicle") is relation_of("favourite colour") is relation_of(None) is None


def test_every_flag_is_on_a_record_and_asked_for_by_the_code() -> None:
    asked = {
        node.attr
        for path in tracked(".py", under="src")
        if path.name != "records.py"
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Flag"
    }
    assert {flag for attribute in catalogue() for flag in attribute.flags} == set(Flag)
    assert {flag.name for flag in Flag} - asked == set()
