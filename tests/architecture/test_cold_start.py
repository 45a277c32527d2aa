"""Importing costs next to nothing, and loads nothing that opens a connection."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = [
    "numpy",
    "pydantic",
    "fastapi",
    "mcp",
    "asyncio",
    "onnxruntime",
    "uvicorn",
    "tomllib",
    "psycopg",
    "psycopg_pool",
]
NETWORK = ["socket", "ssl", "http.client", "urllib.request", "ftplib", "smtplib", "email.message"]


def _loaded_by(statement: str) -> set[str]:
    """What a fresh interpreter has loaded after a statement."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"{statement}; import sys; print('\\n'.join(sys.modules))"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return set(done.stdout.split("\n"))


@pytest.fixture(scope="module")
def bare() -> set[str]:
    """What the interpreter loads by itself."""
    return _loaded_by("pass")


def test_importing_the_package_loads_nothing_but_its_front_door(bare: set[str]) -> None:
    loaded = _loaded_by("import recollect") - bare
    assert loaded.isdisjoint({*HEAVY, *NETWORK, "apsw"})
    assert {name for name in loaded if name.startswith("recollect")} == {"recollect", "recollect.version"}


SLOW = {"dataclasses", "inspect", "zoneinfo", "secrets", "argparse", "difflib", "subprocess", "platform"}
# Slower still than a module of ours, and needed only to write, to copy or to hash.
UNREAD = {"hashlib", "_hashlib", "tempfile", "shutil", "random", "string", "bz2", "lzma"}
_TYPED = "from recollect.surfaces.cli.main import main; main({!r})"


@pytest.mark.parametrize(
    ("statement", "most"),
    [
        ("import recollect", 2),
        ("from recollect import Memory", 83),
        (_TYPED.format(["--version"]), 5),
        (_TYPED.format(["--help"]), 12),
        (_TYPED.format(["list"]), 61),
    ],
)
def test_a_start_loads_few_modules_of_ours_and_none_that_is_slow(
    bare: set[str], tmp_path: Path, statement: str, most: int
) -> None:
    """Every module takes about half a millisecond: import in the function that needs it before raising a number."""
    loaded = _loaded_by(f"import os; os.environ['RECOLLECT_HOME'] = {str(tmp_path)!r}; {statement}") - bare
    ours = {name for name in loaded if name.partition(".")[0] == "recollect"}
    assert loaded.isdisjoint(SLOW)
    assert len(ours) <= most, sorted(ours)


def test_importing_memory_loads_neither_answers_nor_paths(bare: set[str]) -> None:
    """What verbs answer with is loaded by the verb that answers; `pathlib` brings parts of the network along."""
    loaded = _loaded_by("from recollect import Memory") - bare
    assert loaded.isdisjoint(UNREAD | {"pathlib", "urllib.parse"})
    answers = {name for name in loaded if name.startswith("recollect.domain.answers.")}
    assert answers == {"recollect.domain.answers.bounds"}


def test_a_list_of_notes_reads_no_record_of_an_attribute(tmp_path: Path) -> None:
    loaded = _loaded_by(f"import os; os.environ['RECOLLECT_HOME'] = {str(tmp_path)!r}; {_TYPED.format(['list'])}")
    assert {name for name in loaded if name.startswith("recollect.attributes")} == set()


def test_a_list_loads_nothing_that_only_writing_needs(bare: set[str], tmp_path: Path) -> None:
    here = f"import os; os.environ['RECOLLECT_HOME'] = {str(tmp_path)!r}"
    _loaded_by(f"{here}; {_TYPED.format(['save', 'We deploy on Fridays'])}")  # makes the database and the space
    loaded = _loaded_by(f"{here}; {_TYPED.format(['list'])}") - bare
    never = {f"recollect.domain.{name}" for name in ("changes", "observations", "answers.recollections")}
    assert loaded.isdisjoint(UNREAD | never)
    assert loaded & {"recollect.redaction", "recollect.domain.text"} == set()
    assert len({name for name in loaded if name.partition(".")[0] == "recollect"}) <= 58


def test_a_list_of_a_space_that_is_here_loads_nothing_that_looks_for_secrets(tmp_path: Path) -> None:
    """However long its name is; the name of one that is not here yet may be a secret."""
    here = f"import os; os.environ['RECOLLECT_HOME'] = {str(tmp_path)!r}"
    typed = _TYPED.format(["list", "--space", "team:of-the-northern-storefront"])
    assert "recollect.redaction.redactor" in _loaded_by(f"{here}; {typed}")
    _loaded_by(
        f"{here}; {_TYPED.format(['save', 'We deploy on Fridays', *'--space team:of-the-northern-storefront'.split()])}"
    )
    assert "recollect.redaction.redactor" not in _loaded_by(f"{here}; {typed}")


@pytest.mark.parametrize(
    "statement",
    [
        "import recollect.memory",
        "from recollect import Memory",
        "from recollect import RecollectError, Settings, Note",
        "import recollect.surfaces.cli.main",
        "import recollect.surfaces.cli.dispatch, recollect.surfaces.cli.serve, recollect.surfaces.cli.serve",
        "import recollect.surfaces.resident.process",
    ],
)
def test_using_the_library_loads_nothing_heavy(bare: set[str], statement: str) -> None:
    loaded = _loaded_by(statement) - bare
    assert loaded.isdisjoint({*HEAVY, *NETWORK})
    assert {name for name in loaded if name.startswith("bench")} == set(), "benchmarks are for who asks"


def test_keeping_and_reading_a_note_loads_nothing_heavy(bare: set[str]) -> None:
    """The way of a hook: open, read, write, leave."""
    loaded = _loaded_by(
        "from recollect import Memory; import tempfile;"
        " memory = Memory(store=':memory:', home=tempfile.mkdtemp()); memory.save('Alice prefers tea'); memory.list();"
        " memory.close()"
    )
    assert (loaded - bare).isdisjoint({*HEAVY, *NETWORK})


def test_only_the_asynchronous_library_loads_the_event_loop() -> None:
    assert "asyncio" in _loaded_by("from recollect import AsyncMemory")
