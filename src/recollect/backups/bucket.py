"""An S3-compatible bucket as a target, through boto3: in parts, a few at a time, never whole in memory.

Credentials, region and endpoint are found where every tool for such buckets finds them, unless the address says more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from recollect.backups.addresses import BucketAddress
from recollect.backups.targets import (
    MOST_MANIFEST_BYTES,
    Item,
    Moved,
    extra_missing,
    failed,
    full,
    no_credentials,
    not_there,
    object_not_there,
    refused,
    unreachable,
)
from recollect.domain.errors import Misconfigured, RecollectError

_SECONDS_TO_CONNECT = 15
_SECONDS_WITHOUT_A_BYTE = 60
_TRIES = 4
_PART = 16 << 20  # bytes; of 10,000 parts at most, so an object may have 160 GB
_AT_ONCE = 4  # parts in memory, and under way

_MISSING = {"NoSuchBucket", "NoSuchUpload"}
_NO_KEY = {"NoSuchKey", "404", "NotFound"}
_REFUSED = {
    "AccessDenied", "AllAccessDisabled", "AccountProblem", "ExpiredToken", "InvalidAccessKeyId", "InvalidToken",
    "InvalidClientTokenId", "RequestTimeTooSkewed", "SignatureDoesNotMatch", "401", "403", "Forbidden", "Unauthorized",
}  # fmt: skip
_FULL = {"QuotaExceeded", "ServiceQuotaExceeded", "XMinioStorageFull", "InsufficientStorage", "507"}
_LATER = {"SlowDown", "ServiceUnavailable", "InternalError", "RequestTimeout", "500", "502", "503", "504"}


class Bucket:
    """Objects of a bucket, below a folder of it."""

    def __init__(self, address: BucketAddress) -> None:
        try:
            import boto3
            from boto3.s3.transfer import TransferConfig
            from botocore.config import Config
        except ImportError:
            raise extra_missing("A bucket", "s3") from None
        self.shown = address.shown
        self._bucket = address.bucket
        self._folder = f"{address.folder}/" if address.folder else ""
        patience = Config(
            connect_timeout=_SECONDS_TO_CONNECT,
            read_timeout=_SECONDS_WITHOUT_A_BYTE,
            retries={"mode": "standard", "total_max_attempts": _TRIES},
        )
        with self._telling():
            self._client: Any = boto3.session.Session().client(
                "s3", endpoint_url=address.endpoint, region_name=address.region, config=patience
            )
        self._parts = TransferConfig(multipart_threshold=_PART, multipart_chunksize=_PART, max_concurrency=_AT_ONCE)

    def items(self) -> Sequence[Item]:
        with self._telling():
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=self._folder, Delimiter="/"
            )
            found = [each for page in pages for each in page.get("Contents", ())]
        return [Item(each["Key"].removeprefix(self._folder), each["Size"]) for each in found]

    def read(self, names: Collection[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for name in names:
            try:
                with self._telling(name):
                    answer = self._client.get_object(Bucket=self._bucket, Key=self._folder + name)
                    content = answer["Body"].read(MOST_MANIFEST_BYTES + 1)
            except RecollectError as problem:
                if problem.code != "backup_not_found":
                    raise
                continue
            found[name] = content if len(content) <= MOST_MANIFEST_BYTES else b""
        return found

    def put(self, name: str, file: Path, moved: Moved) -> None:
        with self._telling():
            self._client.upload_file(
                str(file), self._bucket, self._folder + name, Config=self._parts, Callback=_added_up(moved)
            )

    def fetch(self, name: str, into: Path, moved: Moved) -> None:
        with self._telling(name):
            self._client.download_file(
                self._bucket, self._folder + name, str(into), Config=self._parts, Callback=_added_up(moved)
            )

    def remove(self, names: Collection[str]) -> None:
        # One by one: the call for many asks for a checksum that not every S3-compatible store knows.
        with self._telling():
            for name in names:
                self._client.delete_object(Bucket=self._bucket, Key=self._folder + name)

    @contextmanager
    def _telling(self, name: str | None = None) -> Iterator[None]:
        """Errors of the library as ours. Theirs are not handed on: an address in one can hold a signature."""
        from boto3.exceptions import Boto3Error
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            yield
        except ClientError as problem:
            raise self._answered(problem, name) from None
        except (BotoCoreError, Boto3Error) as problem:
            cause = problem.__cause__ or problem.__context__
            if isinstance(cause, ClientError):
                raise self._answered(cause, name) from None
            raise self._unanswered(cause if isinstance(cause, BotoCoreError) else problem) from None

    def _answered(self, problem: Any, name: str | None) -> RecollectError:
        code = str(problem.response.get("Error", {}).get("Code", ""))
        if code in _NO_KEY and name is not None:
            return object_not_there(self.shown, name)
        if code in _MISSING or code in _NO_KEY:
            return not_there(f"bucket {self._bucket}", "Check its name and the endpoint, or make it.")
        if code in _REFUSED:
            return refused(self.shown, code)
        if code in _FULL:
            return full(self.shown)
        return unreachable(self.shown) if code in _LATER else failed(self.shown, code or "it did not say why")

    def _unanswered(self, problem: BaseException) -> RecollectError:
        from botocore import exceptions as known

        match problem:
            case known.NoCredentialsError() | known.PartialCredentialsError() | known.CredentialRetrievalError():
                hint = "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile with AWS_PROFILE."
                return no_credentials(self.shown, hint)
            case known.HTTPClientError() | known.ConnectionError() | known.ResponseStreamingError():
                return unreachable(self.shown)
            case (
                known.ProfileNotFound() | known.NoRegionError() | known.InvalidConfigError() | known.ConfigParseError()
            ):
                return Misconfigured(
                    f"The configuration for {self.shown} is not usable: {type(problem).__name__}.",
                    code="target_misconfigured",
                    hint="Check AWS_PROFILE, AWS_REGION and the files in ~/.aws.",
                )
            case _:
                return failed(self.shown, type(problem).__name__)


def _added_up(moved: Moved) -> Moved:
    """The library tells how many bytes each step moved, on several threads."""
    lock, done = Lock(), 0

    def told(more: int) -> None:
        nonlocal done
        with lock:
            done += more
            moved(done)

    return told
