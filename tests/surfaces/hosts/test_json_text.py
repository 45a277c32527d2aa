"""JSON is changed in its text: what is not meant stays as it is, to the byte."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from recollect.surfaces.hosts.json_text import BrokenJson, parse, value_at, with_item, with_value, without
from tests.surfaces.hosts.settings_files import CLAUDE_SETTINGS, OPENCLAW_SETTINGS, json_files


def test_a_member_is_added_after_the_last_and_comments_stay_where_they_are() -> None:
    text = '{\n  "a": 1 // one\n}\n'
    assert with_value(text, ("b",), 2) == '{\n  "a": 1, // one\n  "b": 2\n}\n'


def test_a_trailing_comma_is_taken_over() -> None:
    assert with_value('{\n  "a": 1,\n}', ("b",), 2) == '{\n  "a": 1,\n  "b": 2,\n}'


def test_a_file_in_one_line_stays_in_one_line() -> None:
    assert with_value('{"a":1}', ("b", "c"), 2) == '{"a":1, "b": {"c": 2}}'


def test_an_item_is_added_to_a_list_with_the_indentation_of_those_before_it() -> None:
    text = '{\n\t"list": [\n\t\t1\n\t]\n}'
    assert with_item(text, ("list",), 2) == '{\n\t"list": [\n\t\t1,\n\t\t2\n\t]\n}'


def test_what_is_taken_out_takes_along_what_it_leaves_empty() -> None:
    text = '{\n  "a": 1,\n  "hooks": {\n    "Stop": [\n      2\n    ]\n  }\n}'
    assert without(text, ("hooks", "Stop", 0)) == '{\n  "a": 1\n}'


def test_names_without_quotes_are_read_where_the_host_reads_them() -> None:
    assert value_at(OPENCLAW_SETTINGS, ("gateway", "port"), json5=True) == 18789
    with pytest.raises(BrokenJson, match="line 3"):
        parse(OPENCLAW_SETTINGS)


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"a": }', '{"a" 1}', '{"a": 1 "b": 2}', '{"a": tru}', "{} {}", '{"a": "\n"}', "[" * 500, "{,}", "/*"],
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(BrokenJson):
        parse(text)


def test_what_is_not_an_object_is_not_added_to() -> None:
    with pytest.raises(BrokenJson, match="`hooks` is not an object"):
        with_value('{"hooks": []}', ("hooks", "Stop"), 1)


def test_of_two_members_with_one_name_the_last_counts() -> None:
    assert with_value('{"a": 1, "a": 2}', ("a",), 3) == '{"a": 1, "a": 3}'


@given(json_files())
@settings(max_examples=80, deadline=None)
def test_what_was_added_can_be_taken_out_again_to_the_byte(text: str) -> None:
    place = ("added",)
    changed = with_value(text, place, {"command": "x", "list": [{"a": 1}, "b"]})
    assert value_at(changed, place) == {"command": "x", "list": [{"a": 1}, "b"]}
    left = without(changed, place)
    assert parse(left).value == parse(text).value
    if parse(text).members:
        assert left == text


@given(json_files())
@settings(max_examples=50, deadline=None)
def test_plain_json_is_read_as_everybody_reads_it(text: str) -> None:
    try:
        expected = json.loads(text.removeprefix("\ufeff"))
    except ValueError:
        return  # it has comments
    assert parse(text).value == expected


def test_every_hook_of_others_is_still_there() -> None:
    changed = with_item(CLAUDE_SETTINGS, ("hooks", "Stop"), {"hooks": []})
    assert "// keep this" in changed
    assert "/* the end */" in changed
    assert value_at(changed, ("hooks", "PostToolUse")) == value_at(CLAUDE_SETTINGS, ("hooks", "PostToolUse"))
