"""CBOR web tokens: signed claims (COSE_Sign1, RFC 9052), with Ed25519 and nothing else.

Only the algorithm EdDSA is known, so no token can choose another. The signature is looked at before any claim is. A
token may carry its tag or not, and name its key or not.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from typing import Any

from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import InvalidInput, Misconfigured

ISSUER, SUBJECT, AUDIENCE, EXPIRES, NOT_BEFORE, ISSUED, SCOPE = 1, 2, 3, 4, 5, 6, 9  # labels of claims

_SIGN1, _CWT = 18, 61  # tags
_ALGORITHM, _CRITICAL, _KEY_ID = 1, 2, 4  # headers
_EDDSA = -8
_OKP, _ED25519 = 1, 6  # the kind and the curve of a COSE_Key
_LONGEST = 8192  # characters of a token
_KEY_BYTES = 32
_DEEPEST = 64  # containers within each other
_BASE64 = re.compile(r"[A-Za-z0-9_\-+/]+={0,2}")


@dataclass(frozen=True, slots=True)
class VerifyingKey:
    """A public Ed25519 key, and its id if it has one."""

    raw: bytes
    key_id: bytes | None = None


def claims_in(token: str, keys: Sequence[VerifyingKey]) -> Mapping[Any, Any] | None:
    """The claims of a token that one of the keys has signed; `None` for anything else. Times are not looked at."""
    import cbor2
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        protected, unprotected, payload, signature = _parts(cbor_value(_bytes_in(token)))
        head = cbor_value(protected) if protected else {}
        if not isinstance(head, Mapping) or head.get(_ALGORITHM) != _EDDSA or _CRITICAL in head:
            return None
        named = head.get(_KEY_ID, unprotected.get(_KEY_ID))
        signed = cbor2.dumps(["Signature1", protected, b"", payload])
        for key in keys:
            if named is not None and key.key_id is not None and named != key.key_id:
                continue
            try:
                Ed25519PublicKey.from_public_bytes(key.raw).verify(signature, signed)
            except InvalidSignature:
                continue
            claims = cbor_value(payload)
            return claims if isinstance(claims, Mapping) else None
    except (ValueError, TypeError):
        return None
    return None


def signed_token(
    claims: Mapping[int, Any], private_key: bytes, *, key_id: bytes | None = None, tagged: bool = True
) -> str:
    """A token with these claims, in base64url."""
    import cbor2
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    protected = cbor2.dumps({_ALGORITHM: _EDDSA})
    payload = cbor2.dumps(dict(claims))
    signature = Ed25519PrivateKey.from_private_bytes(private_key).sign(
        cbor2.dumps(["Signature1", protected, b"", payload])
    )
    parts = [protected, {} if key_id is None else {_KEY_ID: key_id}, payload, signature]
    return unpadded(cbor2.dumps(cbor2.CBORTag(_SIGN1, parts) if tagged else parts))


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A new key pair, each half as 32 bytes."""

    public: bytes
    private: bytes = field(repr=False)


def new_key_pair() -> KeyPair:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.generate()
    return KeyPair(private.public_key().public_bytes_raw(), private.private_bytes_raw())


def keys_in(spelled: str) -> tuple[VerifyingKey, ...]:
    """Public keys in a list with commas: each is 32 raw bytes or a COSE_Key, in base64 or base64url."""
    return tuple(_key_in(each.strip()) for each in spelled.split(",") if each.strip())


def bytes_of_key(spelled: str) -> bytes:
    """The 32 bytes of a key that is written in base64 or base64url."""
    try:
        raw = _bytes_in(spelled.strip())
    except ValueError:
        raw = b""
    if len(raw) != _KEY_BYTES:
        raise InvalidInput(
            "This is no Ed25519 key.", code="invalid_key", hint="`recollect anda keygen` makes a pair of them."
        )
    return raw


def unpadded(raw: bytes) -> str:
    """Bytes in base64url without padding."""
    return base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")


def _key_in(spelled: str) -> VerifyingKey:
    try:
        raw = _bytes_in(spelled)
        if len(raw) == _KEY_BYTES:
            return VerifyingKey(raw)
        said = cbor_value(raw)
        if (
            isinstance(said, Mapping)
            and (said.get(1), said.get(-1)) == (_OKP, _ED25519)
            and len(said[-2]) == _KEY_BYTES
        ):
            return VerifyingKey(said[-2], said.get(2))
    except (ValueError, TypeError, KeyError):
        pass
    raise Misconfigured(
        "A public key is neither 32 bytes of Ed25519 nor a COSE_Key of them.",
        code="invalid_public_key",
        hint="`recollect anda keygen` prints one; several are joined by commas.",
    )


def cbor_value(raw: bytes) -> Any:
    """The one value that bytes are, without a field said twice and without anything behind it; `ValueError` if not."""
    from io import BytesIO

    import cbor2

    source = BytesIO(raw)
    try:
        found = cbor2.CBORDecoder(source, max_depth=_DEEPEST, allow_duplicate_keys=False).decode()
    except (cbor2.CBORError, TypeError, RecursionError, MemoryError, OverflowError) as problem:
        raise ValueError(f"not CBOR: {problem}") from None
    if source.tell() != len(raw):
        raise ValueError("not CBOR: something stands behind it")
    return found


def _parts(said: Any) -> tuple[bytes, Mapping[Any, Any], bytes, bytes]:
    """The four parts of a signed message, with its tags or without."""
    for tag in (_CWT, _SIGN1):
        if getattr(said, "tag", None) == tag:
            said = said.value
    protected, unprotected, payload, signature = said
    if not isinstance(unprotected, Mapping) or not all(
        isinstance(each, bytes) for each in (protected, payload, signature)
    ):
        raise ValueError("not a signed message")
    return protected, unprotected, payload, signature


def _bytes_in(text: str) -> bytes:
    """Bytes in base64 of either alphabet, padded or not; `ValueError` for anything else."""
    if len(text) > _LONGEST or not _BASE64.fullmatch(text):
        raise ValueError("not base64")
    plain = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        raw = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error as problem:
        raise ValueError("not base64") from problem
    if base64.b64encode(raw).decode("ascii").rstrip("=") != plain:
        raise ValueError("not the one spelling of these bytes")
    return raw
