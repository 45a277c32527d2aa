"""Real git repositories for tests, untouched by whoever's machine it is."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git(folder: Path, *words: str) -> str:
    """Run git in a folder, with no configuration but the repository's own."""
    environment = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "tester",
        "GIT_AUTHOR_EMAIL": "tester@example.org",
        "GIT_COMMITTER_NAME": "tester",
        "GIT_COMMITTER_EMAIL": "tester@example.org",
    }
    done = subprocess.run(
        ["git", *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.strip()


def made_repository(folder: Path, *, origin: str | None = None) -> Path:
    """A repository with one commit on `main`."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "begin")
    if origin:
        git(folder, "remote", "add", "origin", origin)
    return folder
