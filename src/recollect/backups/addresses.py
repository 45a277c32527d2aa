"""Backup targets, from their addresses or configured names. Nothing is opened here, and no password is ever shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qs, unquote, urlsplit

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, NotFound
from recollect.vault.git import checked_remote

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_BUCKET = re.compile(r"[a-z0-9A-Z][a-zA-Z0-9.:_-]{1,127}")
_REPOSITORY = re.compile(r"datasets/([\w-][\w.-]*/[\w-][\w.-]*)((?:/[\w.-]+)*)/?")
_PLAIN_PATH = re.compile(r"(?:[\w.=+-]+/)*[\w.=+-]+")  # of folders in a bucket
_KNOWN = "Write a folder, git+ssh://…, s3://bucket/folder, hf://datasets/owner/name, or a name from `targets`."


@dataclass(frozen=True, slots=True)
class FolderAddress:
    """A folder of this machine, or one that is mounted."""

    path: Path

    @property
    def shown(self) -> str:
        return str(self.path)


@dataclass(frozen=True, slots=True)
class GitAddress:
    """Any git remote."""

    remote: str

    @property
    def shown(self) -> str:
        return "git+" + re.sub(r"://[^@/]*@", "://", self.remote)


@dataclass(frozen=True, slots=True)
class BucketAddress:
    """A folder in an S3-compatible bucket. Without endpoint or region, what the library is configured with."""

    bucket: str
    folder: str
    endpoint: str | None = None
    region: str | None = None

    @property
    def shown(self) -> str:
        return "/".join(part for part in (f"s3://{self.bucket}", self.folder) if part)


@dataclass(frozen=True, slots=True)
class HubAddress:
    """A folder in a dataset repository of the Hugging Face hub. Without endpoint, the one of the library."""

    repository: str
    folder: str
    endpoint: str | None = None

    @property
    def shown(self) -> str:
        return "/".join(part for part in (f"hf://datasets/{self.repository}", self.folder) if part)


Address: TypeAlias = FolderAddress | GitAddress | BucketAddress | HubAddress


def resolved(named: str, targets: Mapping[str, str], *, only_by_name: bool) -> Address:
    """The target that is meant. A bare word is a name from the settings; `only_by_name` allows nothing else.

    Whoever asks from elsewhere must not be able to send this machine, and its credentials, to a place of their choice.
    """
    named = named.strip()
    if named in targets:
        return parsed(targets[named])
    if only_by_name:
        raise InvalidInput(
            "From here a target is named, and there is none of that name.",
            code="target_not_configured",
            hint="Whoever runs the server names targets under `targets` in recollect.toml.",
        )
    if _NAME.fullmatch(named) and named not in (".", ".."):
        raise NotFound(
            f"There is no target named `{named}`.",
            code="target_not_configured",
            hint=f"Name it under `targets` in recollect.toml, or write ./{named} for a folder.",
        )
    return parsed(named)


def parsed(address: str) -> Address:
    """An address as it is written, taken apart; `InvalidInput` if it is none."""
    scheme, separator, rest = address.partition("://")
    if address.startswith("git+"):
        return GitAddress(checked_remote(address.removeprefix("git+")))
    if not separator:
        if not address or "\0" in address:
            raise _unknown(address)
        return FolderAddress(Path(address).expanduser().absolute())
    match scheme:
        case "file":
            return FolderAddress(Path(unquote(urlsplit(address).path)).absolute())
        case "s3":
            return _bucket(address)
        case "hf":
            return _hub(address, rest)
        case _:
            raise _unknown(address)


def _bucket(address: str) -> BucketAddress:
    parts = urlsplit(address)
    folder = unquote(parts.path).strip("/")
    asked = _asked(address, parts.query, ("endpoint", "region"))
    if not _BUCKET.fullmatch(parts.netloc) or (folder and not _PLAIN_PATH.fullmatch(folder)):
        raise _unknown(address)
    return BucketAddress(parts.netloc, folder, asked.get("endpoint"), asked.get("region"))


def _hub(address: str, rest: str) -> HubAddress:
    place, _, query = rest.partition("?")
    found = _REPOSITORY.fullmatch(place)
    if found is None:
        raise _unknown(address)
    return HubAddress(found[1], found[2].strip("/"), _asked(address, query, ("endpoint",)).get("endpoint"))


def _asked(address: str, query: str, known: tuple[str, ...]) -> dict[str, str]:
    """The query parameters of an address: only known ones, each once, and a valid endpoint; else `InvalidInput`."""
    try:
        said = parse_qs(query, strict_parsing=True) if query else {}
    except ValueError:
        raise _unknown(address) from None
    endpoint = urlsplit(said.get("endpoint", ["http://unsaid"])[0])
    if (
        set(said) - set(known)
        or any(len(values) > 1 for values in said.values())
        or endpoint.scheme not in ("http", "https")
        or not endpoint.hostname
        or endpoint.username is not None
    ):
        raise _unknown(address)
    return {name: values[0].rstrip("/") for name, values in said.items()}


def _unknown(address: str) -> InvalidInput:
    shown = re.sub(r"://[^@/]*@", "://", address.partition("?")[0])[:80]
    return InvalidInput(f"`{shown}` is not a target for backups.", code="unknown_target", hint=_KNOWN)
