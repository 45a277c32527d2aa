"""Peers side by side with us: the same texts, questions and vectors, scored the same.

An environment for each is looked for in one folder: `FOLDER/chroma`, `FOLDER/langgraph`, `FOLDER/mem0`. Nothing is
installed by us. Times are those of the peer alone, with every vector known.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.figures import together
from bench.material import DataSet, Item
from bench.measuring import median, say
from bench.retelling import HITS
from recollect.domain.meanings import Vector
from recollect.reflect.metrics import TOP, judged, tokens

PACKAGES = {"chroma": "chromadb", "langgraph": "langgraph", "mem0": "mem0ai"}

_ADAPTER = Path(__file__).with_name("adapter.py")
_PATIENCE = 3_600.0  # seconds for one peer and set


def beside(given: DataSet, vectors: Mapping[str, Vector], folder: Path, *, seed: int) -> dict[str, Any]:
    """What each peer scores on a set, or why it was not asked."""
    return {name: _figures(name, given, vectors, folder, seed) for name in PACKAGES}


def _figures(name: str, given: DataSet, vectors: Mapping[str, Vector], folder: Path, seed: int) -> dict[str, Any]:
    interpreter = _interpreter(folder / name)
    if interpreter is None:
        made = f"python -m venv {folder / name} && {folder / name}/bin/pip install {PACKAGES[name]}"
        return {"absent": f"There is no environment {folder / name}. Make one with: {made}"}
    if given.along_the_way:
        return {"absent": "This set is asked along the way, which peers are not."}
    if not vectors:
        return {"absent": "Without a model there are no vectors to hand over."}
    say(f"{given.name}: telling and asking {name}")
    answered = _asked(name, interpreter, given, vectors)
    if isinstance(answered, str):
        return {"absent": answered}
    scores = []
    for corpus, found in zip(given.corpora, answered["found"], strict=True):
        for question, places in zip(corpus.questions, found, strict=True):
            if question.category not in given.apart:
                items = [corpus.items[place] for place in places]
                scores.append(_scores(items, question.gold))
    told = sum(len(corpus.items) for corpus in given.corpora)
    return {
        **together(scores, seed=seed).as_plain(),
        "question_ms": round(1000 * median(answered["asked_in"]), 2),
        "items_per_second": round(told / answered["told_in"], 1),
    }


def _scores(items: list[Item], gold: tuple[str, ...]) -> dict[str, float]:
    texts = [item.words for item in items[:TOP]]
    return judged([item.id for item in items], gold) | {f"tokens@{TOP}": float(tokens(texts))}


def _asked(name: str, interpreter: Path, given: DataSet, vectors: Mapping[str, Vector]) -> Any:
    """What the adapter answers; a sentence if it did not."""
    task = {
        "limit": HITS,
        "vectors": {text: array("f", vector).tolist() for text, vector in vectors.items()},
        "corpora": [
            {
                "texts": [item.words for item in corpus.items],
                "questions": [question.text for question in corpus.questions],
            }
            for corpus in given.corpora
        ],
    }
    # Nothing of ours may be importable there, or a peer would run on our packages instead of its own.
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    try:
        done = subprocess.run(
            [str(interpreter), str(_ADAPTER), name],
            input=json.dumps(task),
            env=kept,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"It did not end within {_PATIENCE:,.0f} seconds."
    if done.returncode != 0:
        return f"It failed: {(done.stderr.strip().splitlines() or ['nothing was said'])[-1]}"
    return json.loads(done.stdout)


def _interpreter(environment: Path) -> Path | None:
    inside = Path("Scripts/python.exe") if sys.platform == "win32" else Path("bin/python")
    found = environment / inside
    return found if found.exists() else None
