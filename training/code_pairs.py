"""Functions and their descriptions: pairs of code and prose that keep an encoder from forgetting what is not talk.

They come from the libraries that training itself needs (NumPy, PyTorch, ONNX, SymPy, NetworkX and so on, all under
permissive licences), so that no text of them is in this repository. Python's own library is left out: it is the guard.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from random import Random

from bench.sets.code import described

_LIBRARIES = ("numpy", "torch", "onnx", "sympy", "networkx", "jinja2", "fsspec", "mpmath")
_OF_A_LIBRARY = 3000  # files hold thousands of wrappers that are all alike; no library may be most of the pairs
_LEFT_OUT = frozenset({"tests", "testing", "test", "_vendor", "__pycache__"})


def code_pairs(draw: Random) -> list[tuple[str, str]]:
    """Descriptions, each with its function, in any order; every description and every function once."""
    found: list[tuple[str, str]] = []
    for library in _LIBRARIES:
        pairs = {said: text for file in _files(library) for text, said in described(file)}
        once = {text: said for said, text in pairs.items()}
        names = sorted(once)
        found += [(once[text], text) for text in draw.sample(names, min(_OF_A_LIBRARY, len(names)))]
    draw.shuffle(found)
    return found


def _files(library: str) -> list[Path]:
    spec = find_spec(library)
    if spec is None or spec.origin is None:
        return []
    root = Path(spec.origin).parent
    return [path for path in sorted(root.rglob("*.py")) if _LEFT_OUT.isdisjoint(path.relative_to(root).parts)]
