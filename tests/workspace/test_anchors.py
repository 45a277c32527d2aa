"""Anchors hold while what they are fastened to is as it was: files, symbols, commits, packages, settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.domain.errors import InvalidInput
from recollect.domain.graph.mentions import Freshness, parsed_anchor
from recollect.workspace.anchors import AnchorLook, marked, symbol_in
from tests.support.repositories import git, made_repository

PYTHON = """\
PORT = 7077


class Cart:
    '''A cart.'''

    def total(
        self,
    ) -> int:
        return sum(self.items)

    def clear(self):
        self.items = []


def total(x):
    return x
"""


def fresh(root: Path, *spelled: str) -> list[str]:
    """Fasten, and look again at once."""
    return [AnchorLook(root).freshness(each).value for each in marked([parsed_anchor(each) for each in spelled], root)]


def test_a_symbol_is_stale_when_its_own_lines_change_and_no_others(tmp_path: Path) -> None:
    code = tmp_path / "cart.py"
    code.write_text(PYTHON)
    spelled = [
        "file:cart.py#Cart.total",
        "file:cart.py#Cart",
        "file:cart.py#total",
        "file:cart.py#PORT",
        "file:cart.py",
    ]
    method, whole, function, port, file = marked([parsed_anchor(each) for each in spelled], tmp_path)

    code.write_text(PYTHON.replace("self.items = []", "self.items = list()").replace("PORT", "\n\nPORT"))

    look = AnchorLook(tmp_path)
    assert [look.freshness(each) for each in (method, function, port)] == [Freshness.FRESH] * 3
    assert [look.freshness(each) for each in (whole, file)] == [Freshness.STALE] * 2
    code.write_text(PYTHON.replace("class Cart", "class Basket"))
    assert AnchorLook(tmp_path).freshness(method) is Freshness.STALE
    code.unlink()
    assert AnchorLook(tmp_path).freshness(function) is Freshness.STALE


@pytest.mark.parametrize(
    ("source", "name", "lines"),
    [
        ("export async function pay(a) {\n  return a\n}\nfunction other() {}\n", "pay", 3),
        ("pub(crate) fn pay(a: u8) -> u8 {\n    a\n}\n", "pay", 3),
        ("func (c *Cart) Pay() int {\n\treturn 1\n}\n", "Pay", 3),
        ("const pay = (a) => {\n  return a\n}\n", "pay", 3),
        ("class Pay\n  def x\n  end\nend\n", "Pay", 4),
        ("interface Pay {\n  a: string\n}\n", "Pay", 3),
        ("pay: 3\nother: 4\n", "pay", 1),
    ],
)
def test_a_definition_is_found_in_many_languages(source: str, name: str, lines: int) -> None:
    assert len(symbol_in(source.splitlines(), [name]) or ()) == lines


def test_a_commit_holds_while_the_branch_contains_it(tmp_path: Path) -> None:
    shop = made_repository(tmp_path / "shop")
    [anchor] = marked([parsed_anchor("commit:HEAD")], shop)
    assert anchor.target == git(shop, "rev-parse", "HEAD")
    assert AnchorLook(shop).freshness(anchor) is Freshness.FRESH

    git(shop, "commit", "-q", "--allow-empty", "-m", "more")
    git(shop, "pack-refs", "--all")
    assert AnchorLook(shop).freshness(anchor) is Freshness.FRESH

    git(shop, "checkout", "-q", "--orphan", "other")
    git(shop, "commit", "-q", "--allow-empty", "-m", "another beginning")
    assert AnchorLook(shop).freshness(anchor) is Freshness.STALE
    assert AnchorLook(tmp_path).freshness(anchor) is Freshness.UNVERIFIABLE


@pytest.mark.parametrize(
    ("file", "text", "package"),
    [
        ("uv.lock", '[[package]]\nname = "django"\nversion = "5.1"\n', "django"),
        ("Cargo.lock", '[[package]]\nname = "serde"\nversion = "5.1"\n', "serde"),
        ("package-lock.json", '{"packages": {"node_modules/@a/b": {\n "version": "5.1"}}}', "@a/b"),
        ("requirements.txt", "# pins\nDjango[x]==5.1 ; python_version > '3'\n", "django"),
        ("go.mod", "module x\nrequire example.org/y 5.1\n".replace(" 5.1", " v5.1"), "example.org/y"),
    ],
)
def test_a_package_is_stale_when_its_version_changes(tmp_path: Path, file: str, text: str, package: str) -> None:
    (tmp_path / file).write_text(text)
    [anchor] = marked([parsed_anchor(f"package:{package}")], tmp_path)
    assert anchor.mark.removeprefix("v") == "5.1"

    (tmp_path / file).write_text(text.replace("5.1", "5.2"))
    assert AnchorLook(tmp_path).freshness(anchor) is Freshness.STALE
    (tmp_path / file).unlink()
    assert AnchorLook(tmp_path).freshness(anchor) is Freshness.UNVERIFIABLE


@pytest.mark.parametrize(
    ("file", "text", "key"),
    [
        ("pyproject.toml", "[tool.ruff]\nline-length = 120\nother = 1\n", "tool.ruff.line-length"),
        ("package.json", '{"tool": {"width": 120}, "other": 1}', "tool.width"),
        ("setup.cfg", "[flake8]\nwidth = 120\nother = 1\n", "flake8.width"),
    ],
)
def test_a_setting_is_stale_when_its_own_value_changes(tmp_path: Path, file: str, text: str, key: str) -> None:
    (tmp_path / file).write_text(text)
    [anchor] = marked([parsed_anchor(f"config:{file}#{key}")], tmp_path)

    (tmp_path / file).write_text(text.replace("1", "1 ", 0).replace("other", "another"))
    assert AnchorLook(tmp_path).freshness(anchor) is Freshness.FRESH
    (tmp_path / file).write_text(text.replace("120", "100"))
    assert AnchorLook(tmp_path).freshness(anchor) is Freshness.STALE
    (tmp_path / file).write_text("\x00 not [ a = configuration")
    assert AnchorLook(tmp_path).freshness(anchor) is Freshness.UNVERIFIABLE


def test_nothing_outside_the_project_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s3cret")
    inside = tmp_path / "project"
    inside.mkdir()
    (inside / "link").symlink_to(tmp_path / "secret")
    for target in ("../secret", "link", str(tmp_path / "secret"), "a/../../secret"):
        assert AnchorLook(inside).freshness(parsed_anchor(f"file:{target}")) is Freshness.UNVERIFIABLE


@pytest.mark.parametrize("spelled", ["", "x", "file:", "odd:x", "commit:xyz", "config:a.toml", "file:a\nb", "file: a"])
def test_what_is_no_anchor_is_refused(spelled: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parsed_anchor(spelled)
    assert caught.value.code == "invalid_anchor"


def test_what_is_not_there_cannot_be_fastened_to(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    assert fresh(tmp_path, "file:a.py") == ["fresh"]
    for spelled in ("file:b.py", "file:a.py#y", "package:django", "commit:HEAD", "config:a.toml#x"):
        with pytest.raises(InvalidInput) as caught:
            marked([parsed_anchor(spelled)], tmp_path)
        assert caught.value.code == "anchor_not_found"


def test_looking_has_an_end(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    [anchor] = marked([parsed_anchor("file:a.py")], tmp_path)
    assert AnchorLook(tmp_path, patience=-1.0).freshness(anchor) is Freshness.UNVERIFIABLE
