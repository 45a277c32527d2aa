"""The state after the last whole round of a sync, so that the next one can see at a look that nothing changed.

Memory is compared by the number of its newest change, the folder by the sizes, times and inodes of its files, and the
remote by its refs. Whatever differs, or was changed so shortly before that a second change would not show, means a
whole round. Nothing is decided by this file but whether there is anything to decide.
"""

from __future__ import annotations

import json
from contextlib import suppress

from recollect.disk import write_whole
from recollect.domain.errors import RecollectError
from recollect.vault.folder import UNSURE, fingerprint, walked
from recollect.vault.git import Repository
from recollect.vault.opened import Outcome, Synced, Vault
from recollect.vault.place import recorded, recorded_when

_FILE = "round.json"


def unchanged_since(vault: Vault, repository: Repository, remote: str | None, heads: str) -> str | None:
    """Our head, if neither memory nor the folder nor the remote has changed since the last round; else `None`."""
    try:
        said = json.loads((vault.place.private / _FILE).read_bytes())
        head = str(said["head"])
        same_settings = (said["machine"], said["remote"]) == (vault.place.machine, remote)
        ref = (repository.path / said["ref"]).read_text().strip()
    except (OSError, ValueError, KeyError, TypeError):
        return None
    space = vault.store.space(vault.space)
    if not same_settings or ref != head or said["seq"] != (space.seq if space else 0):
        return None
    if said["recorded"] != recorded_when(vault.place):
        return None
    found = walked(vault.place.folder)
    newest = max((modified for _, modified, _ in found.stats.values()), default=0)
    if found.problems or found.left_out or newest >= said["recorded"] - UNSURE:
        return None
    if said["folder"] != fingerprint(found.stats.items()):
        return None
    with suppress(RecollectError):
        return head if remote is None or said["refs"] == repository.refs_at(remote, heads) else None
    return None


def remember_round(
    vault: Vault, remote: str | None, ref: str, head: str | None, refs: dict[str, str], outcome: Synced, files: Outcome
) -> None:
    """Write down how a round ended, if it left nothing to do or to say."""
    known = recorded(vault.place)
    if head is None or outcome.problems or files.problems or files.held or files.left_out or outcome.seq != known.seq:
        (vault.place.private / _FILE).unlink(missing_ok=True)
        return
    said = {
        "machine": vault.place.machine,
        "remote": remote,
        "ref": ref,
        "head": head,
        "refs": refs,
        "seq": known.seq,
        "recorded": recorded_when(vault.place),
        "folder": fingerprint((path, (seen.size, seen.modified, seen.inode)) for path, seen in known.files.items()),
    }
    write_whole(vault.place.private / _FILE, json.dumps(said).encode())
