"""A private dataset repository of the Hugging Face hub as a target, through its own client.

The token is the one of the environment or the one the client keeps itself; it is never ours to store. A repository that
everybody can read is refused: a backup holds the whole memory.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Any

from recollect.backups.addresses import HubAddress
from recollect.backups.targets import (
    MOST_MANIFEST_BYTES,
    Item,
    Moved,
    disk_failure,
    extra_missing,
    failed,
    full,
    no_credentials,
    not_there,
    object_not_there,
    refused,
    unreachable,
)
from recollect.domain.errors import Busy, RecollectError, StoreFailure

_TRIES = 5  # when another machine commits in the same moment
_KIND = "dataset"
_BUSY = (409, 412)
_REFUSED = (401, 403)
_FULL = (402, 413, 507)


class Hub:
    """Files of a dataset repository, each put there by a commit of its own."""

    def __init__(self, address: HubAddress, scratch: Path, *, making: bool) -> None:
        try:
            from huggingface_hub import HfApi, get_token
        except ImportError:
            raise extra_missing("The Hugging Face hub", "hf") from None
        self.shown = address.shown
        self._repository = address.repository
        self._folder = f"{address.folder}/" if address.folder else ""
        self._scratch = scratch / "hub"
        token = get_token()
        if token is None:
            raise no_credentials(self.shown, "Set HF_TOKEN, or log in with `hf auth login`.")
        self._api = HfApi(endpoint=address.endpoint, token=token, library_name="recollect")
        self._require_private(making)

    def items(self) -> Sequence[Item]:
        from huggingface_hub.errors import RemoteEntryNotFoundError

        with self._telling():
            try:
                found = list(
                    self._api.list_repo_tree(self._repository, self._folder.rstrip("/") or None, repo_type=_KIND)
                )
            except RemoteEntryNotFoundError:
                return []  # the folder comes with the first file in it
        sizes = ((each.path, getattr(each, "size", None)) for each in found)
        return [Item(path.removeprefix(self._folder), size) for path, size in sizes if size is not None]

    def read(self, names: Collection[str]) -> dict[str, bytes]:
        sizes = {item.name: item.size or 0 for item in self.items()} if names else {}
        found: dict[str, bytes] = {}
        for name in names:
            if sizes.get(name, 0) > MOST_MANIFEST_BYTES:
                found[name] = b""
            elif name in sizes:
                found[name] = self._downloaded(name, lambda _: None).read_bytes()
        return found

    def put(self, name: str, file: Path, moved: Moved) -> None:
        from huggingface_hub import CommitOperationAdd

        with _Counted(FileIO(file), moved) as content:
            # An open file, and not its name, goes by plain HTTP: one way that every hub knows.
            self._commit(f"Add {name}", [CommitOperationAdd(self._folder + name, content)])

    def fetch(self, name: str, into: Path, moved: Moved) -> None:
        self._downloaded(name, moved).replace(into)

    def remove(self, names: Collection[str]) -> None:
        from huggingface_hub import CommitOperationDelete

        there = {item.name for item in self.items()}
        gone = [CommitOperationDelete(self._folder + name) for name in names if name in there]
        if gone:
            self._commit(f"Remove {len(gone)} files of older backups", gone)

    def _require_private(self, making: bool) -> None:
        from huggingface_hub.errors import HfHubHTTPError

        with self._telling():
            try:
                about = self._api.dataset_info(self._repository)
            except HfHubHTTPError as problem:
                if not making or problem.response.status_code != 404:
                    raise
                self._api.create_repo(self._repository, repo_type=_KIND, private=True, exist_ok=True)
                about = self._api.dataset_info(self._repository)
        if not about.private:
            raise StoreFailure(
                f"{self.shown} can be read by everybody; a backup holds the whole memory.",
                code="target_public",
                hint="Make the repository private, or name another one.",
            )

    def _commit(self, message: str, operations: Sequence[Any]) -> None:
        for tries_left in reversed(range(_TRIES)):
            try:
                with self._telling(), _without_advice():
                    self._api.create_commit(self._repository, list(operations), commit_message=message, repo_type=_KIND)
                return
            except Busy:
                if not tries_left:
                    raise

    def _downloaded(self, name: str, moved: Moved) -> Path:
        with self._telling(name), _without_advice():
            return Path(
                self._api.hf_hub_download(
                    self._repository,
                    self._folder + name,
                    repo_type=_KIND,
                    local_dir=self._scratch,
                    tqdm_class=_counting(moved),
                )
            )

    @contextmanager
    def _telling(self, name: str | None = None) -> Iterator[None]:
        """Errors of the client as ours. Theirs are not handed on: they show addresses, some of them signed."""
        import httpx2
        from huggingface_hub.errors import HfHubHTTPError

        try:
            yield
        except RecollectError:
            raise
        except Exception as problem:
            known = next((each for each in _chain(problem) if isinstance(each, HfHubHTTPError)), None)
            if known is not None:
                raise self._answered(known.response.status_code, name) from None
            if any(isinstance(each, httpx2.TransportError) for each in _chain(problem)):
                raise unreachable(self.shown) from None
            if isinstance(problem, OSError) and problem.errno is not None:
                raise disk_failure(problem, self.shown) from None
            if isinstance(problem, OSError):
                raise unreachable(self.shown) from None  # it broke off, or the client is told to stay offline
            raise failed(self.shown, type(problem).__name__) from None

    def _answered(self, status: int, name: str | None) -> RecollectError:
        if status == 404 and name is not None:
            return object_not_there(self.shown, name)
        if status == 404:
            return not_there(f"dataset repository {self.shown}", "Check its name; a backup makes a private one.")
        if status in _REFUSED:
            return refused(self.shown)
        if status in _FULL:
            return full(self.shown)
        if status in _BUSY:
            return Busy(f"Others keep writing to {self.shown}.", code="target_busy", hint="Try again.")
        return unreachable(self.shown) if status == 429 or status >= 500 else failed(self.shown, f"status {status}")


class _Counted(BufferedReader):
    """A file that tells how far it was read."""

    def __init__(self, raw: FileIO, moved: Moved) -> None:
        super().__init__(raw)
        self._moved = moved

    def read(self, size: int | None = -1, /) -> bytes:
        content = super().read(size)
        self._moved(self.tell())
        return content


def _counting(moved: Moved) -> Any:
    """A progress bar for the client, as a class: it draws nothing, and tells how far a download has come."""

    class Silent:
        def __init__(self, **about: Any) -> None:
            self._done = about.get("initial") or 0

        def __enter__(self) -> Silent:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def update(self, more: float | None = 1) -> None:
            self._done += int(more or 0)
            moved(self._done)

    return Silent


@contextmanager
def _without_advice() -> Iterator[None]:
    """The client writes advice to standard error, such as that another protocol would be faster."""
    log = logging.getLogger("huggingface_hub")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)


def _chain(problem: BaseException | None) -> Iterator[BaseException]:
    """An error and what led to it."""
    seen: set[int] = set()
    while problem is not None and id(problem) not in seen:
        seen.add(id(problem))
        yield problem
        problem = problem.__cause__ or problem.__context__
