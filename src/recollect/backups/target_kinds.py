"""The target at an address: a folder, a git remote, a bucket or a hub. Each is loaded only when it is meant."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from recollect.backups.addresses import Address, BucketAddress, FolderAddress, GitAddress, HubAddress
from recollect.backups.targets import Target


def opened(address: Address, scratch: Path, *, making: bool) -> Target:
    """The target at an address. `making` it may be made, where that needs no more than a name.

    Raises `extra_missing` if its library is not installed. `scratch` is an empty folder for whatever it needs.
    """
    match address:
        case FolderAddress():
            from recollect.backups.folder import Folder

            return Folder(address, making=making)
        case GitAddress():
            from recollect.backups.git_remote import GitRemote

            return GitRemote(address, scratch)
        case BucketAddress():
            from recollect.backups.bucket import Bucket

            return Bucket(address)
        case HubAddress():
            from recollect.backups.hub import Hub

            return Hub(address, scratch, making=making)
        case _:
            assert_never(address)
