"""A new attribute is one record: with it, and without any code, it is read, replaced, written and asked for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import recollect

RECORD = """
[volunteering]
cardinality = "one"
about = "person"
wording = "{who} volunteers at {value}"
synonyms = ["voluntary work", "charity work"]
asked = ["volunteer", "help out"]
fresh_days = 365
frames = '''
WHO volunteer at|for|with VALUE:name
'''
"""

TOLD = """
import json, sys
from recollect import Memory
from recollect.recall.question import attributes_asked

with Memory(store=":memory:", embedding="off") as memory:
    memory.add("I volunteer at Harbourlight.", at="2026-01-05T10:00:00Z")
    memory.add("I drive a Volvo.", at="2026-01-06T10:00:00Z")
    memory.add("I volunteer at Greenfork now.", at="2026-03-05T10:00:00Z")
    memory.add("My charity work is Bookbus.", at="2026-05-05T10:00:00Z")
    history = memory.history(subject="user", attribute="volunteering")
    found = memory.search("Where do I help out?")
    asked = attributes_asked("Where do I help out?")
    json.dump({"history": [step.note.text for step in history], "states": [step.note.state for step in history],
               "found": found.hits[0].text, "asked": asked}, sys.stdout)
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, to which a record can be added."""
    folder = tmp_path_factory.mktemp("copy")
    source = Path(recollect.__file__).parent
    shutil.copytree(source, folder / "recollect", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def _run(package: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Only the copy's folder comes first on the path; the libraries are those of this interpreter.
    environment = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        cwd=package,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_record_is_all_that_a_new_attribute_takes(package: Path) -> None:
    (package / "recollect" / "attributes" / "data" / "charity.toml").write_text(RECORD, encoding="utf-8")
    built = _run(package, "-m", "recollect.attributes.build")
    assert (built.returncode, built.stderr) == (0, "")

    done = _run(package, "-c", TOLD)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    assert told["history"] == [
        "User volunteers at Harbourlight.", "User volunteers at Greenfork.", "User volunteers at Bookbus.",
    ]  # fmt: skip
    assert told["states"] == ["superseded", "superseded", "active"]
    assert told["asked"] == ["volunteering"]
    assert told["found"] == "User volunteers at Bookbus."


def test_a_record_that_is_not_whole_is_not_built(package: Path) -> None:
    broken = package / "recollect" / "attributes" / "data" / "broken.toml"
    broken.write_text('[choir]\ncardinality = "one"\nabout = "person"\nsynonyms = []\n', encoding="utf-8")
    built = _run(package, "-m", "recollect.attributes.build")
    broken.unlink()
    assert built.returncode == 1
    assert "The attribute `choir` has no `wording`, which is the sentence of a fact" in built.stderr
    assert "The attribute `choir` has no `asked`, which lists the words of a question" in built.stderr
