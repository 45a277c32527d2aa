"""A command that cannot be read is refused with its code and the line and column of the first thing that is wrong."""

from __future__ import annotations

import pytest

from recollect.dialects.kip.errors import KipError
from recollect.dialects.kip.parser import parse_command
from recollect.dialects.kip.token_stream import MOST_CHARACTERS

# `¦` marks the place that the error names, and is taken out before the command is read.
SYNTAX = """
¦
¦find(?a) WHERE {}
¦SELECT ?a
¦{
¦"FIND"
FIND ¦?a WHERE {}
FIND(¦) WHERE {}
FIND(¦a) WHERE {}
FIND(?a ¦WHERE { ?a {id:"x"} }
FIND(?a,¦) WHERE { ?a {id:"x"} }
FIND(?a)¦
FIND(?a) ¦{ ?a {id:"x"} }
FIND(?a) WHERE ¦( )
FIND(?a) WHERE { ?a {id:"x"}¦
FIND(?a) WHERE { ?a ¦}
FIND(?a) WHERE { ¦{type:"X"} }
FIND(?a) WHERE { ?a ¦{} }
FIND(?a) WHERE { ?a {type:¦} }
FIND(?a) WHERE { ?a {type ¦"X"} }
FIND(?a) WHERE { ?a {type:¦5} }
FIND(?a) WHERE { ?a {type:¦null} }
FIND(?a) WHERE { ?a {color:¦"red"} }
FIND(?a) WHERE { ?a {type:"X", ¦type:"Y"} }
FIND(?a) WHERE { ?a {type:"X",¦} }
FIND(?a) WHERE { ?a {type:"X" ¦name:"Y"} }
FIND(?a) WHERE { ?a {¦?b:"X"} }
FIND(?a) WHERE { (?a ¦"p", ?b) }
FIND(?a) WHERE { (?a, "p" ¦?b) }
FIND(?a) WHERE { (?a, "p", ¦) }
FIND(?a) WHERE { (?a, ¦p, ?b) }
FIND(?a) WHERE { (?a, ¦5, ?b) }
FIND(?a) WHERE { (?a, ?p¦{1,2}, ?b) }
FIND(?a) WHERE { (?a, ?p ¦| "q", ?b) }
FIND(?a) WHERE { (?a, "p" | ¦?q, ?b) }
FIND(?a) WHERE { (?a, "p"{1,2} ¦| "q", ?b) }
FIND(?a) WHERE { (?a, "p" | "q"¦{1,2}, ?b) }
FIND(?a) WHERE { (?a, "p"¦{3,1}, ?b) }
FIND(?a) WHERE { (?a, "p"¦{1,101}, ?b) }
FIND(?a) WHERE { (?a, "p"{¦-1}, ?b) }
FIND(?a) WHERE { (?a, "p"{¦1.5}, ?b) }
FIND(?a) WHERE { (?a, "p"{¦,2}, ?b) }
FIND(?a) WHERE { ?l ¦(?a, "p"{1,2}, ?b) }
FIND(?a) WHERE { ?l (id ¦"x") }
FIND(?a) WHERE { ?l (id:¦1) }
FIND(?a) WHERE { (¦"Aspirin", "p", ?b) }
FIND(?a) WHERE { (?a, "p", ?b ¦}
FIND(?a) WHERE { FILTER ¦?a == 1 }
FIND(?a) WHERE { FILTER(¦) }
FIND(?a) WHERE { FILTER(¦?a.name) }
FIND(?a) WHERE { FILTER(?a.name ==¦) }
FIND(?a) WHERE { FILTER(?a.name ¦= "x") }
FIND(?a) WHERE { FILTER(?a.name == "x" &&¦) }
FIND(?a) WHERE { FILTER(?a.name == "x" ¦& ?b) }
FIND(?a) WHERE { FILTER(¦LIKE(?a.name, "x")) }
FIND(?a) WHERE { FILTER(CONTAINS¦(?a.name)) }
FIND(?a) WHERE { FILTER(IS_NULL¦(?a, ?b)) }
FIND(?a) WHERE { FILTER(IN(?a.name, "x")¦) }
FIND(?a) WHERE { FILTER(?a.¦) }
FIND(?a) WHERE { FILTER(¦?a.color == 1) }
FIND(?a) WHERE { FILTER(¦?a.attributes.b.c == 1) }
FIND(?a) WHERE { FILTER(¦?a.name.first == 1) }
FIND(?a) WHERE { ¦optional { } }
FIND(?a) WHERE { NOT ¦(?a, "p", ?b) }
FIND(?a) WHERE { UNION ¦FILTER(?a == 1) }
FIND(COUNT ¦?a) WHERE { ?a {id:"x"} }
FIND(COUNT(¦)) WHERE { ?a {id:"x"} }
FIND(COUNT(DISTINCT¦)) WHERE { ?a {id:"x"} }
FIND(¦MEDIAN(?a)) WHERE { ?a {id:"x"} }
FIND(?a) WHERE { ?a {id:"x"} } ORDER ¦?a
FIND(?a) WHERE { ?a {id:"x"} } ORDER BY ¦
FIND(?a) WHERE { ?a {id:"x"} } ORDER BY ?a ¦UP
FIND(?a) WHERE { ?a {id:"x"} } LIMIT ¦
FIND(?a) WHERE { ?a {id:"x"} } LIMIT ¦0
FIND(?a) WHERE { ?a {id:"x"} } LIMIT ¦-1
FIND(?a) WHERE { ?a {id:"x"} } LIMIT ¦1.5
FIND(?a) WHERE { ?a {id:"x"} } LIMIT ¦"5"
FIND(?a) WHERE { ?a {id:"x"} } LIMIT ¦true
FIND(?a) WHERE { ?a {id:"x"} } CURSOR ¦5
FIND(?a) WHERE { ?a {id:"x"} } CURSOR "a" ¦LIMIT 5
FIND(?a) WHERE { ?a {id:"x"} } ¦FIND(?a) WHERE { ?a {id:"x"} }
FIND(?a) WHERE { ?a {id:¦"x} }
FIND(?a) WHERE { ?a {id:¦"\\q"} }
FIND(?a) WHERE { ?a {id:¦:missing} }
FIND(?a) WHERE { ?a {id:"x"} } ¦;
FIND(?a) WHERE { ?a {id:¦'x'} }
UPSERT ¦CONCEPT ?a { {id:"x"} }
UPSERT {¦}
UPSERT { ¦THING ?a { {id:"x"} } }
UPSERT { CONCEPT ¦{ {id:"x"} } }
UPSERT { CONCEPT ?a { ¦} }
UPSERT { CONCEPT ?a { ¦{type:"X"} } }
UPSERT { CONCEPT ?a { ¦{name:"X"} } }
UPSERT { CONCEPT ?a { ¦{id:"x", type:"X", name:"Y"} } }
UPSERT { CONCEPT ?a { {id:"x"} SET ¦COLORS {} } }
UPSERT { CONCEPT ?a { {id:"x"} SET ATTRIBUTES ¦[1] } }
UPSERT { CONCEPT ?a { {id:"x"} SET ATTRIBUTES { a: ¦ADD(1, 2) } } }
UPSERT { CONCEPT ?a { {id:"x"} EXPECT ¦5 } }
UPSERT { CONCEPT ?a { {id:"x"} EXPECT VERSION ¦-1 } }
UPSERT { CONCEPT ?a { {id:"x"} SET PROPOSITIONS { ("p" ¦?b) } } }
UPSERT { CONCEPT ?a { {id:"x"} SET PROPOSITIONS { ("p", ¦{type:"X"}) } } }
UPSERT { CONCEPT ?a { {id:"x"} SET PROPOSITIONS { (¦?p, ?b) } } }
UPSERT { CONCEPT ?a { {id:"x"} } } WITH ¦DATA {}
UPSERT { PROPOSITION ?a { ¦(?b, ?p, ?c) } }
UPSERT { PROPOSITION ?a { ¦(?b, "p"{1,2}, ?c) } }
UPSERT { PROPOSITION ?a { ¦(?b, "p" | "q", ?c) } }
UPSERT { PROPOSITION ?a { (¦{name:"X"}, "p", ?c) } }
UPSERT { PROPOSITION ?a { (id:"P:1") SET ¦PROPOSITIONS {} } }
UPDATE ¦SET ATTRIBUTES {a:1} WHERE { ?a {id:"x"} }
UPDATE ?a ¦WHERE { ?a {id:"x"} }
UPDATE ?a SET ATTRIBUTES {a:1}¦
UPDATE ?a SET ATTRIBUTES {a:¦SUB(1,2)} WHERE { ?a {id:"x"} }
UPDATE ?a SET ATTRIBUTES {a:ADD¦(1)} WHERE { ?a {id:"x"} }
UPDATE ?a SET ATTRIBUTES {a:ADD(1, ¦"2")} WHERE { ?a {id:"x"} }
UPDATE ?a SET ATTRIBUTES {a:ADD(¦?b.attributes.n, 1)} WHERE { ?a {id:"x"} }
MERGE ¦?a INTO ?b WHERE {}
MERGE CONCEPT ?a ¦?b WHERE {}
DELETE ¦?a WHERE {}
DELETE CONCEPT ?a ¦WHERE { ?a {id:"x"} }
DELETE ATTRIBUTES {¦} FROM ?a WHERE { ?a {id:"x"} }
DELETE ATTRIBUTES {¦a} FROM ?a WHERE { ?a {id:"x"} }
DELETE ATTRIBUTES {"a"} ¦?a WHERE { ?a {id:"x"} }
DELETE PROPOSITIONS ¦{"a"} WHERE { ?a {id:"x"} }
DESCRIBE ¦
DESCRIBE ¦EVERYTHING
DESCRIBE CONCEPT ¦
DESCRIBE CONCEPT TYPE ¦
DESCRIBE PRIMER ¦LIMIT 5
SEARCH ¦"aspirin"
SEARCH CONCEPT ¦aspirin
SEARCH CONCEPT "a" MODE ¦"fuzzy"
SEARCH CONCEPT "a" THRESHOLD ¦1.5
SEARCH CONCEPT "a" LIMIT 5 ¦LIMIT 6
SEARCH CONCEPT "a" WITH ¦NAME "x"
EXPORT ¦WHERE { ?a {id:"x"} }
EXPORT ?a¦
""".strip("\n").split("\n")

IDENTIFIERS = """
FIND(¦?1a) WHERE {}
FIND(¦?) WHERE {}
FIND(?a.¦1b) WHERE { ?a {id:"x"} }
FIND(?a) WHERE { ?a {¦5a:"x"} }
FIND(?a) WHERE { ?a {¦5:"x"} }
FIND(?a) WHERE { ?a {id:¦:5} }
FIND(?a) WHERE { ?a {id:¦:"x"} }
""".strip("\n").split("\n")

CONSTRAINTS = """
UPSERT { CONCEPT ?a { {id:"x"} } WITH METADATA ¦{_version: 3} }
UPSERT { CONCEPT ?a { {id:"x"} } } WITH METADATA ¦{_score: 3}
UPDATE ?a SET METADATA ¦{_updated_at: "now"} WHERE { ?a {id:"x"} }
DELETE METADATA ¦{"_version"} FROM ?a WHERE { ?a {id:"x"} }
""".strip("\n").split("\n")


@pytest.mark.parametrize(
    ("code", "command"),
    [
        *(("KIP_1001", each) for each in SYNTAX),
        *(("KIP_1002", each) for each in IDENTIFIERS),
        *(("KIP_2002", each) for each in CONSTRAINTS),
    ],
)
def test_a_malformed_command_is_refused_at_its_place(code: str, command: str) -> None:
    column = command.index("¦") + 1
    with pytest.raises(KipError) as refusal:
        parse_command("// a comment\n  \n" + command.replace("¦", ""))
    assert (refusal.value.code, refusal.value.at) == (code, (3, column))
    assert f"(line 3, column {column})" in refusal.value.message
    assert refusal.value.hint


def test_a_place_is_counted_over_lines_texts_and_comments() -> None:
    with pytest.raises(KipError) as refusal:
        parse_command('FIND(?a) // {\nWHERE {\n\t?a {name: "// no comment"}\n  oops\n}')
    assert refusal.value.at == (4, 3)


@pytest.mark.parametrize("opening", ["{", "(", "[", "NOT {", "FILTER((", "(("])
def test_depth_is_bounded(opening: str) -> None:
    with pytest.raises(KipError):
        parse_command("FIND(?a) WHERE { " + opening * 5000)
    with pytest.raises(KipError, match=r"brackets are open|a value|Expected"):
        parse_command('UPSERT { CONCEPT ?a { {id:"x"} SET ATTRIBUTES {a: ' + "[" * 5000)


def test_size_is_bounded() -> None:
    with pytest.raises(KipError) as refusal:
        parse_command("FIND(?a) " + " " * MOST_CHARACTERS)
    assert refusal.value.code == "KIP_4002"


def test_a_keyword_in_small_letters_is_explained() -> None:
    with pytest.raises(KipError, match="in capitals"):
        parse_command("describe PRIMER")
