"""Which project a folder belongs to: what there is to see is gathered here, the domain decides."""

from __future__ import annotations

import os
from pathlib import Path

from recollect.domain.errors import NotFound
from recollect.domain.projects import MARKER, Project, Sighting, project_from
from recollect.workspace.repositories import repository_above, text_of


def project_of(folder: str | Path, *, home: Path | None = None) -> Project:
    """The project of a folder, or of the folder a file is in. `home` is where looking upward ends."""
    place = folder_at(folder)
    return project_from(seen_from(place, Path(os.path.realpath(home or Path.home()))))


def folder_at(path: str | Path) -> Path:
    """The folder at a path, or the one a file is in, with every link followed; `NotFound` if there is none."""
    try:
        place = Path(os.path.realpath(Path(path).expanduser()))
        place = place.parent if place.is_file() else place
    except (OSError, ValueError, RuntimeError):  # a null character, a user that is not there, a circle of links
        place = None
    if place is None or not place.is_dir():
        raise NotFound(
            f"There is no folder `{str(path)[:200]}`.", code="folder_not_found", hint="Name a folder that is there."
        )
    return place


def seen_from(folder: Path, home: Path) -> Sighting:
    """Everything that can be seen from a folder upward."""
    repository = repository_above(folder, home)
    marker = _marker_above(folder, home)
    place = ""
    if marker and repository and marker.is_relative_to(repository.root):
        place = marker.relative_to(repository.root).as_posix()
    return Sighting(
        folder=str(folder),
        marker=_first_line(marker / MARKER) if marker else None,
        marker_folder=str(marker) if marker else None,
        marker_place="" if place == "." else place,
        repository=str(repository.root) if repository else None,
        repository_name=repository.name if repository else None,
        remote=repository.origin() if repository else None,
        branch=repository.branch() if repository else None,
    )


def _marker_above(folder: Path, home: Path) -> Path | None:
    """The nearest folder with a marker. Below home only: a marker in the home itself would claim everything."""
    for place in (folder, *folder.parents):
        if place == home:
            return None
        if text_of(place / MARKER) is not None:
            return place
    return None


def _first_line(file: Path) -> str:
    lines = (line.strip() for line in (text_of(file) or "").splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")
