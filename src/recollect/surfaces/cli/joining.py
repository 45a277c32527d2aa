"""`recollect init --remote`: the vault of this machine, planned with the files of the agents and synced once.

The file that says where a vault is and with whom it syncs is one more file that init writes, shows and puts back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from recollect.domain.answers.vaults import SyncReport, VaultReport
from recollect.domain.clock import SystemClock
from recollect.settings import Settings
from recollect.surfaces.cli.own_memory import open_memory
from recollect.surfaces.cli.terminal import inert
from recollect.surfaces.hosts.writing import Edit, plan_whole
from recollect.vault.joining import Joined, Wish, joined

AGENT = "vault"  # who the file is for, in the records of what was written


def planned(given: dict[str, Any], settings: Settings) -> Joined | None:
    """The vault that the options ask for; `None` if they do not speak of one. Raises before anything is written."""
    wish = Wish(given.get("remote"), given.get("machine_id"), bool(given.get("local_only")))
    if wish == Wish():
        return None
    return joined(
        settings.home, settings.space, wish, chance=SystemClock().new_id(), asking=bool(given.get("sync", True))
    )


def edit_of(vault: Joined) -> Edit:
    """The one file that makes it so."""
    return plan_whole(vault.file, AGENT, vault.content)


def plan_lines(vault: Joined, space: str, *, syncing: bool) -> Iterator[str]:
    """Lines that say what follows once the file is written."""
    place = vault.place
    yield ""
    yield inert(f"The notes of `{space}` are kept as files in {place.folder}, and this machine is `{place.machine}`.")
    if place.remote is None:
        yield "Nothing leaves it: there is no remote."
    elif not syncing:
        yield inert(f"`recollect sync` brings it in step with {place.remote}.")
    else:
        others = [each for each in vault.companions or () if each != place.machine]
        known = f"with {', '.join(others)}" if others else "where no other machine is yet"
        yield inert(f"Then it is brought in step with {place.remote}, {known}.")
    if vault.returns:
        yield inert(f"`{place.machine}` is known there: this is taken for the same machine, come back.")


def opened(settings: Settings, vault: Joined, *, syncing: bool) -> VaultReport | SyncReport:
    """Write the files, and sync once if there is somebody to sync with."""
    with open_memory(settings) as memory:
        report = memory.open_vault()
        return memory.sync() if syncing and vault.place.remote is not None else report
