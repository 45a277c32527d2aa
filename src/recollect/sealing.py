"""Secrets of others that the store has to keep are sealed with a key that stands beside it, and in no backup.

Whoever finds the database, or a copy of it, finds nothing to open them with. A seal is ChaCha20-Poly1305, and holds for
one context: put under another name, it does not open. The key is the setting `sealing_key`, for several machines with
one database, or else a file in Recollect's own folder that is made when something is first sealed.
"""

from __future__ import annotations

import base64
import binascii
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from recollect.disk import sync_folder, write_draft
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import Misconfigured, Unsupported

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

KEY_FILE = "sealing.key"

_MARK = "sealed:1:"  # then the name of the key, a colon, and base64 of nonce and cipher text
_KEY_BYTES = 32
_NONCE_BYTES = 12
_OTHERS = 0o077  # rights of anybody but the owner of a file


@dataclass(frozen=True, slots=True)
class Sealing:
    """Seals secrets and opens them. Without a key of its own it takes the one that lies in the folder."""

    home: Path
    key: str = field(default="", repr=False)

    def seal(self, secret: bytes, context: str) -> str:
        """A text that the store may keep. `context` says whose secret it is, and is needed to open it."""
        key = self._key() or self._made()
        nonce = os.urandom(_NONCE_BYTES)
        sealed = nonce + _cipher(key).encrypt(nonce, secret, context.encode())
        return f"{_MARK}{_name_of(key)}:{base64.b64encode(sealed).decode('ascii')}"

    def open(self, sealed: str, context: str) -> bytes:
        """The secret. Raises `Misconfigured` (`seal_key_missing`, `seal_broken`) if it cannot be had here."""
        name, _, encoded = sealed.removeprefix(_MARK).partition(":")
        key = self._key()
        if key is None or _name_of(key) != name:
            raise Misconfigured(
                "A secret was sealed with a key that is not here.",
                code="seal_key_missing",
                hint=f"Set the secret again, or bring `{KEY_FILE}` or RECOLLECT_SEALING_KEY from where it was sealed.",
            )
        from cryptography.exceptions import InvalidTag

        try:
            content = base64.b64decode(encoded, validate=True)
            return _cipher(key).decrypt(content[:_NONCE_BYTES], content[_NONCE_BYTES:], context.encode())
        except (InvalidTag, binascii.Error, ValueError):
            raise Misconfigured(
                "A sealed secret was changed, or belongs to something else.",
                code="seal_broken",
                hint="Set the secret again.",
            ) from None

    def _key(self) -> bytes | None:
        """The key that there is; `None` if nothing has been sealed here yet."""
        if self.key:
            return key_in(self.key)
        path = self.home / KEY_FILE
        try:
            said, mode = path.read_text(encoding="ascii").strip(), path.stat().st_mode
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as problem:
            raise _bad_file(path, f"cannot be read: {problem}", "Give it to the user that Recollect runs as.") from None
        if os.name == "posix" and mode & _OTHERS:
            raise _bad_file(path, "can be read by others", f"chmod 600 {path}")
        try:
            return key_in(said)
        except ValueError:
            raise _bad_file(path, "holds no key", "Bring it back from where it was copied.") from None

    def _made(self) -> bytes:
        """A new key, on disk before anything is sealed with it. Of two that make one at once, the first is taken."""
        path, written = self.home / KEY_FILE, new_key()
        draft = path.with_name(f".{KEY_FILE}.{os.getpid()}.{os.urandom(4).hex()}.draft")
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            write_draft(draft, f"{written}\n".encode())
            try:
                os.link(draft, path)
            except FileExistsError:
                return self._key() or key_in(written)
            finally:
                draft.unlink()
            sync_folder(self.home)
        except OSError as problem:
            with suppress(OSError):
                draft.unlink()
            raise _bad_file(path, f"cannot be made: {problem}", "Set RECOLLECT_SEALING_KEY instead.") from None
        return key_in(written)


def is_sealed(text: str) -> bool:
    """Whether a text of the store is a sealed secret."""
    return text.startswith(_MARK)


def new_key() -> str:
    """A key as it is written down. Not from the clock: a test that holds chance still must not hold this still."""
    return base64.b64encode(os.urandom(_KEY_BYTES)).decode("ascii")


def key_in(text: str) -> bytes:
    """A key as it is written down. Raises `ValueError` for anything else."""
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != _KEY_BYTES:
        raise ValueError(f"it must be {_KEY_BYTES} random bytes in base64, as `openssl rand -base64 32` makes them.")
    return key


def _name_of(key: bytes) -> str:
    """Tells keys apart, and says nothing about them."""
    import hashlib  # not for whoever only checks the setting

    return hashlib.sha256(b"recollect sealing key\n" + key).hexdigest()[:12]


def _cipher(key: bytes) -> ChaCha20Poly1305:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    except ImportError:
        raise Unsupported(
            "Sealing a secret needs the package `cryptography`.",
            code="sealing_missing",
            hint="Install it with: pip install 'recollect[server]'",
        ) from None
    return ChaCha20Poly1305(key)


def _bad_file(path: Path, problem: str, hint: str) -> Misconfigured:
    return Misconfigured(f"The key of sealed secrets, {path}, {problem}.", code="sealing_key", hint=hint)
