"""Who may see whom, and what a module may touch."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.project import PACKAGE, ROOT, modules, name_of, parsed


def test_every_layer_sees_only_the_layers_below_it() -> None:
    """The contracts are in pyproject.toml; import-linter follows every import."""
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-logo", "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _needs(path: Path, known: set[str]) -> set[str]:
    """The modules of ours that a module needs when it runs, in its functions too; what only types need is left out."""
    tree = parsed(path)
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = (f"{node.module}.{alias.name}" for alias in node.names)
            found |= {each if each in known else node.module for each in inside}
    return (found & known) - {_dotted(path)}


def _dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_no_modules_import_each_other_in_a_circle_not_even_inside_functions() -> None:
    known = {_dotted(path) for path in modules()}
    needs = {_dotted(path): _needs(path, known) for path in modules()}
    assert "recollect.domain.errors" in needs["recollect.memory"]
    while ends := {name for name, needed in needs.items() if not needed}:
        needs = {name: needed - ends for name, needed in needs.items() if name not in ends}
    assert not needs, "these are in a circle, or lead into one"


def _importers_of(*names: str) -> set[str]:
    return {
        path.relative_to(PACKAGE).as_posix()
        for path in modules()
        if any(found == name or found.startswith(f"{name}.") for found in _imports(path) for name in names)
    }


def test_no_module_imports_the_sqlite_of_python() -> None:
    """Two SQLite libraries in one process drop each other's locks; see decision 0005."""
    assert _importers_of("sqlite3", "_sqlite3", "pysqlite2", "dbm.sqlite3", "aiosqlite") == set()


def test_only_the_stores_know_their_drivers() -> None:
    assert {name.rpartition("/")[0] for name in _importers_of("apsw")} == {"stores/sqlite"}
    assert {name.rpartition("/")[0] for name in _importers_of("psycopg", "psycopg_pool")} == {"stores/postgres"}


# Values and ports are made of this. `os` gives random bytes, `pathlib` a type for paths; nothing is opened.
DOMAIN_IMPORTS = {
    "__future__", "base64", "collections", "contextlib", "contextvars", "dataclasses", "datetime", "difflib", "enum",
    "hashlib", "hmac", "json", "math", "operator", "os", "pathlib", "re", "string", "threading", "time", "typing",
    "unicodedata", "urllib", "zlib",
}  # fmt: skip


def test_the_domain_is_made_of_little() -> None:
    imported = {name.partition(".")[0] for path in _domain() for name in _imports(path)}
    assert imported - {"recollect"} <= DOMAIN_IMPORTS


def test_no_pattern_of_the_domain_knows_a_word() -> None:
    """Spellings of ids, labels and addresses may be told by a pattern; what people write is read in `language`."""
    patterns = {
        f"{name_of(path)}: {text}"
        for path in _domain()
        for call in ast.walk(parsed(path))
        if isinstance(call, ast.Call) and ast.unparse(call.func) in {"re.compile", "re.sub", "re.split", "Late"}
        for text in [ast.unparse(call.args[0]) if isinstance(call.args[0], ast.Constant) else ""]
        if re.search(r"[a-zA-Z]{3}", re.sub(r"\[[^]]*\]|\(\?P<\w+>|\\.|rcl_", " ", text))
    }
    assert patterns == set()


def _domain() -> list[Path]:
    return [path for path in modules() if path.is_relative_to(PACKAGE / "domain")]


def test_a_port_has_few_members() -> None:
    """When a port grows beyond this, a pipeline is hiding in it, or two abilities."""
    members = {
        node.name: [each.name for each in node.body if isinstance(each, ast.FunctionDef)]
        for path in _domain()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "Protocol" for base in node.bases)
    }
    assert {name: each for name, each in members.items() if len(each) > 20} == {}
    assert {"Archive", "Desk", "Lineage", "ChangeLog", "Receipts", "Store", "Upkeep"} <= set(members)


def test_only_the_settings_read_the_environment() -> None:
    """And their beginning, for hooks; and the terminal, which asks what it can show and is handed a secret.

    A port that systemd hands over, or the server to itself, is named there too, by a convention that is not ours.
    Where other programs keep their files is said by their own variables, and asked in one place.
    """
    readers = {
        path.relative_to(PACKAGE).as_posix()
        for path in modules()
        for node in ast.walk(parsed(path))
        if (isinstance(node, ast.Attribute) and node.attr in ("environ", "environb", "getenv", "putenv"))
        or (isinstance(node, ast.Name) and node.id in ("environ", "getenv"))
    }
    ours = {"settings.py", "home.py", "surfaces/cli/terminal.py", "surfaces/server/lifetime.py"}
    assert readers <= {*ours, "surfaces/hosts/presence.py"}
    assert "settings.py" in readers


OPENERS = {
    "sqlite/files.py: put": "a draft of a file that can be made anew",
    "sqlite/files.py: make_file": "makes an empty file, which nobody has open",
    "sqlite/files.py: write_safely": "a draft of a manifest",
    "sqlite/frozen.py: way_to_read": "a copy for reading, in a temporary folder",
    "sqlite/wal.py: _keep": "the copy of a damaged log",
    "sqlite/damage.py: require_local_file_system": "the list of mounts",
    "sqlite/store.py: _copy_file": "a backup and a draft",
    "sqlite/store.py: _digest": "a backup or a draft of one",
    "sqlite/store.py: verified": "a manifest",
    "database.py: statements": "files of the package",
    "bound/bound_database.py: _rules": "a file of the package",
    "migrations.py: migrations": "files of the package",
    "postgres/roles.py: grants": "a file of the package",
}


def test_nobody_opens_the_database_file() -> None:
    """Closing any descriptor of it would drop SQLite's locks. Whoever opens a file in the stores says which."""
    found = {
        f"{path.relative_to(PACKAGE / 'stores').as_posix()}: {function.name}"
        for path in modules()
        if path.is_relative_to(PACKAGE / "stores")
        for function in ast.walk(parsed(path))
        if isinstance(function, ast.FunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and _opens_a_file(call.func)
    }
    assert found == set(OPENERS)


def _opens_a_file(called: ast.expr) -> bool:
    if isinstance(called, ast.Name):
        return called.id == "open"
    if not isinstance(called, ast.Attribute) or (
        isinstance(called.value, ast.Name) and called.value.id == "SqliteStore"
    ):
        return False
    return called.attr in {
        "open",
        "fdopen",
        "read_bytes",
        "read_text",
        "write_bytes",
        "write_text",
        "copyfile",
        "copy2",
    }


@pytest.mark.parametrize(
    "call",
    ["datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time", "time.time_ns", "uuid.uuid4"],
)
def test_time_ids_and_chance_come_from_the_clock(call: str) -> None:
    callers = {
        path.relative_to(PACKAGE).as_posix()
        for path in modules()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and ast.unparse(node) == call
    }
    assert callers <= {"domain/clock.py", "domain/instants.py"}
