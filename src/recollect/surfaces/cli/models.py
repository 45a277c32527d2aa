"""`recollect models`: which models there are, obtaining one by name, checking what is installed.

Models belong to the machine and not to a memory. Nothing is downloaded unless `install` is typed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from recollect.domain.errors import NotFound
from recollect.inference.models import DEFAULTS, MODELS, Model, folder_of, is_installed, model_named, verify
from recollect.settings import Settings, load_settings
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.render import Screen
from recollect.surfaces.cli.terminal import Terminal, inert, json_text, table, wrap

_RUNTIME = ("numpy", "onnxruntime")  # what models need to run, the static one only the first; both come with one extra


def models(request: Request, terminal: Terminal) -> Screen:
    """Do what a command about models asks for."""
    settings, _ = load_settings({"home": request.home})
    name = request.arguments.get("name")
    match request.command.words[-1]:
        case "install":
            from recollect.inference.installation import usual_models

            answer, told = _install(request, settings, [model_named(name)] if name else usual_models())
        case "verify":
            answer, told = _verify(settings, model_named(name) if name else None)
        case _:
            answer, told = _list(settings, terminal)
    missing = [package for package in _RUNTIME if find_spec(package) is None]
    if request.json:
        return Screen((json_text({**answer, "missing_packages": missing}),))
    asides = wrap(_about_packages(missing), terminal.width) if missing else ()
    return Screen(tuple(told), tuple(terminal.paint(line, "dim") for line in asides))


def _list(settings: Settings, terminal: Terminal) -> tuple[dict[str, Any], list[str]]:
    items = [_described(model, settings) for model in MODELS.values()]
    rows = [[each["name"], "yes" if each["installed"] else "no", each["licence"], each["about"]] for each in items]
    answer = {"folder": str(settings.models), "embedding": settings.embedding, "items": items}
    kept = inert(f"Models are kept in {settings.models}. The setting `embedding` is `{settings.embedding}`.")
    return answer, [*table(["model", "installed", "licence", "about"], rows, terminal), "", kept]


def _install(request: Request, settings: Settings, chosen: Sequence[Model]) -> tuple[dict[str, Any], list[str]]:
    from recollect.inference.installation import install

    given = request.arguments.get("given")
    source = None if given is None else Path(given).expanduser()
    if source is not None and not source.exists():
        raise NotFound(f"There is no {source}.", code="file_not_found", hint="Name a folder, or a package file.")
    chosen = chosen[:1] if source is not None else chosen  # a folder has the files of one
    told = []
    for model in chosen:
        steps: list[str] = []
        folder = install(model, settings.models, source=source, say=steps.append if request.json else _said_to(steps))
        state = "was checked and installed" if steps else "is installed already, and sound"
        told.append(inert(f"The model {model.name} {state}: {folder}"))
    return {"items": [_described(model, settings) for model in chosen]}, told


def _verify(settings: Settings, named: Model | None) -> tuple[dict[str, Any], list[str]]:
    chosen = [named] if named else [model for model in MODELS.values() if is_installed(model, settings.models)]
    if not chosen:
        raise NotFound(
            f"No model is installed in {settings.models}.",
            code="model_not_installed",
            hint="`recollect models install` obtains the default one.",
        )
    told = []
    for model in chosen:
        folder = folder_of(model, settings.models)
        verify(model, folder)
        told.append(inert(f"The model {model.name} is what it must be: {folder}"))
    return {"items": [_described(model, settings) for model in chosen]}, told


def _described(model: Model, settings: Settings) -> dict[str, Any]:
    return {
        "name": model.name,
        "about": model.about,
        "licence": model.licence,
        "dimension": model.dimension,
        "default": model.name in DEFAULTS,
        "installed": is_installed(model, settings.models),
        "folder": str(folder_of(model, settings.models)),
    }


def _about_packages(missing: list[str]) -> str:
    packages = " and ".join(f"`{package}`" for package in missing)
    return (
        f"A model cannot run yet: {packages} {'is' if len(missing) == 1 else 'are'} not installed. "
        "Install what it needs with: pip install 'recollect[local]'"
    )


def _said_to(steps: list[str]) -> Callable[[str], None]:
    """Progress for people, and into a list."""

    def say(progress: str) -> None:
        steps.append(progress)
        print(inert(f"{progress} …"), file=sys.stderr, flush=True)

    return say
