"""An address that asks for TLS gets it or nothing: no name, no password and no question goes over an open line.

The PostgreSQL of the tests was built without TLS, so what answers here is a few lines that begin as a server does.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from recollect.domain.errors import Unreachable
from recollect.stores.opening import open_store
from tests.support.clock import SteadyClock

ASKS_FOR_TLS = bytes.fromhex("0000000804d2162f")
SECRET = "s3cret"


def certificate(folder: Path, name: str) -> Path:
    """A certificate for `localhost` that vouches for itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    whose = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(whose)
        .issuer_name(whose)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    spelled = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM) + spelled)
    return file


@contextmanager
def answering(answer: Callable[[socket.socket], bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """A port where somebody answers each who connects, and everything that was said there afterwards."""
    said: list[bytes] = []
    with closing(socket.create_server(("127.0.0.1", 0))) as door:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    line, _ = door.accept()
                    line.settimeout(10)
                    with line, suppress(OSError):
                        said.append(line.recv(8))
                        said.append(answer(line))

        served = Thread(target=serve)
        served.start()
        try:
            yield door.getsockname()[1], said
        finally:
            with suppress(OSError):  # where a door that only listens cannot be shut down
                door.shutdown(socket.SHUT_RDWR)
            served.join(30)


def open_at(port: int, asked: str, clock: SteadyClock) -> None:
    address = f"postgresql://alice:{SECRET}@localhost:{port}/db?hostaddr=127.0.0.1&gssencmode=disable&{asked}"
    open_store(address, clock=clock, busy_timeout=2).close()


def test_a_server_without_tls_is_told_nothing(clock: SteadyClock) -> None:
    def has_none(line: socket.socket) -> bytes:
        line.sendall(b"N")
        return line.recv(1000)

    with answering(has_none) as (port, said), pytest.raises(Unreachable, match="SSL"):
        open_at(port, "sslmode=require", clock)
    assert said == [ASKS_FOR_TLS, b""]


@pytest.mark.parametrize("known", [True, False], ids=["vouched for", "a stranger"])
def test_a_name_goes_only_to_a_server_that_the_given_root_vouches_for(
    tmp_path: Path, clock: SteadyClock, known: bool
) -> None:
    own, other = certificate(tmp_path, "own"), certificate(tmp_path, "other")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own)

    def has_tls(line: socket.socket) -> bytes:
        line.sendall(b"S")
        with context.wrap_socket(line.dup(), server_side=True) as secured:
            return secured.recv(1000)

    with answering(has_tls) as (port, said), pytest.raises(Unreachable) as refusal:
        open_at(port, f"sslmode=verify-full&sslrootcert={own if known else other}", clock)
    assert said[0] == ASKS_FOR_TLS
    assert (b"alice" in b"".join(said)) is known
    assert ("certificate verify failed" in refusal.value.message) is not known
    assert SECRET not in refusal.value.message
