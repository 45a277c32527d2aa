"""English is data of `language/`: elsewhere no text is compared with lists or patterns of English words.

Small words tell: a list that has some of them is of English, while the names of fields, programs and foreign records
seldom are. The rest is told by how many words of a list are in the lexicon.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from recollect.language import tags
from recollect.language.lexicon import LEXICON
from tests.support.project import PACKAGE, modules, name_of, parsed

_CLOSED = (
    tags.DET | tags.POSS | tags.SUBJECT | tags.OBJECT | tags.PREP | tags.CONJ | tags.SUB | tags.WH | tags.NEG
    | tags.MODAL | tags.BE | tags.HAVE | tags.DO
)  # fmt: skip
SMALL = frozenset(word for word, (tag, _) in LEXICON.items() if tag & _CLOSED and word.isalpha())

# Parts that may have English words as they like, and why.
ELSEWHERE = {
    "language": "it is where they belong",
    "readers": "the rules of a reader are English, and have folders of data of their own",
    "dialects": "words of foreign interfaces",
    "stores": "columns and parameters of statements",
    "surfaces": "options and columns that people see",
}
# Modules that may, and why.
ALLOWED = {
    "domain/filters/conditions.py": "names of fields and operators of a filter",
    "domain/filters/grammar.py": "operators of a filter",
    "domain/trust/authority_table.py": "names of verbs",
    "domain/graph/mentions.py": "keys of entities are stored, and so is how an article is left out of them",
    "recall/reminders/guidance.py": "programs, some of them called as small words are",
    "recall/reminders/looking.py": "programs and their subcommands",
    "recall/reminders/shell_line.py": "words of the shell",
    "redaction/assignments.py": "phrases that hand over a secret, in several languages, are the form of one",
    "redaction/names.py": "parts of the names of variables",
    "redaction/structures.py": "phrases that hand over a code are the form of one",
    "redaction/values.py": "stand-ins for secrets, and how they are spelled",
    "remember/files/chats.py": "names of roles in exported chats",
    "remember/proposals.py": "names of fields",
    "vault/front_matter.py": "truth values of YAML",
}
READ = [path for path in modules() if path.relative_to(PACKAGE).parts[0] not in ELSEWHERE]

_MANY = 5  # words of the lexicon that make a list one of English, if they are half of it


def _english(tree: ast.AST) -> Iterator[int]:
    """The lines with a list or a pattern of English words, or a comparison with a small one."""
    for node in ast.walk(tree):
        match node:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(keys=parts):
                found = len(SMALL.intersection(_texts(parts))) > 2  # names of fields may be two small words
            case ast.Set(elts=parts):
                found = _is_english(_texts(parts))
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split"), args=[]):
                found = _is_english(text.split())
            case ast.Call(func=ast.Name(id="Late") | ast.Attribute(value=ast.Name(id="re")), args=[pattern, *_]):
                found = _is_english(_words_of_pattern(pattern))
            case ast.Assign(value=ast.Constant(value=str(text)) as pattern) if "|" in text:
                found = _is_english(_words_of_pattern(pattern))
            case ast.Compare(left=left, comparators=others):
                found = not _FIELDS.issuperset(SMALL.intersection(_texts((left, *others))))
            case _:
                continue
        if found:
            yield node.lineno


_FIELDS = frozenset(
    ("when", "since", "until", "before", "never", "off", "all", "in", "not")
)  # names and values of ours


def _is_english(words: Sequence[str]) -> bool:
    known = LEXICON.keys() & set(words)
    return len(known & SMALL) > 1 or (len(known) >= _MANY and 2 * len(known) >= len(set(words)))


def _texts(nodes: Sequence[ast.expr | None]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def _words_of_pattern(pattern: ast.expr) -> list[str]:
    """The words that a pattern spells out, without its signs, classes and names of groups."""
    text = " ".join(_texts(list(ast.walk(pattern))))  # type: ignore[arg-type]  # only constants are taken
    plain = re.sub(r"\(\?P<\w+>|\(\?[a-zA-Z:=!<>-]*|\\[a-zA-Z]|\[[^\]]*\]|#.*", " ", text)
    return re.findall(r"[a-z]+", plain)


def test_no_english_words_are_compared_outside_the_language() -> None:
    found = {
        f"{name_of(path)}:{line}" for path in READ for line in _english(parsed(path)) if _name(path) not in ALLOWED
    }
    assert found == set(), "Move the words to language/english, and ask a function of it."
    assert len(READ) > 300


def test_every_module_that_may_have_english_words_has_some() -> None:
    assert {_name(path) for path in READ if any(_english(parsed(path)))} == set(ALLOWED)


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize(
    "code",
    [
        'SMALL = frozenset("the of and".split())',
        'CHANGED = {"updated", "switched", "moved", "raised", "dropped"}',
        'ASKS = re.compile(r"\\b(?:who|what|which)\\b")',
        'ASKS = Late(rf"^(?P<how>how (?:many|much|often))\\b{rest} (?:did|was)")',
        '_SAID = ("did", "was", "were")',
        '_SAID = r"did|was|said"',
        'if words[0] == "the": pass',
        'if "without" in before: pass',
    ],
)
def test_english_words_are_seen(code: str) -> None:
    assert list(_english(ast.parse(code))) == [1]


@pytest.mark.parametrize(
    "code",
    [
        'ENDS = frozenset((".", "!"))',
        'FIELDS = ("id", "text", "when", "since")',
        'PROGRAMS = frozenset("git npm cargo make".split())',
        'SIGN = re.compile(r"(?P<who>[a-z]+)(?:\\s|$)")',
        'if field == "when": pass',
    ],
)
def test_other_words_are_not(code: str) -> None:
    assert list(_english(ast.parse(code))) == []
