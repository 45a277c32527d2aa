"""What is said about a PostgreSQL server never shows its password."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.errors import Misconfigured
from recollect.stores.opening import open_store
from tests.support.clock import SteadyClock
from tests.support.postgres import Server

pytestmark = pytest.mark.postgres

SECRET = "s3cret"


@pytest.mark.parametrize("parameter", ["password", "sslpassword"])
def test_the_place_of_a_store_is_shown_without_its_password(
    postgres_server: Server, tmp_path: Path, parameter: str
) -> None:
    with postgres_server.database() as address:
        joint = "&" if "?" in address else "?"
        with Memory(store=f"{address}{joint}{parameter}={SECRET}", home=tmp_path) as memory:
            status = memory.status()
            assert status.store == "postgres"
            assert SECRET not in repr(status)
            assert SECRET not in repr(memory.doctor())


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://alice:{SECRET}%zz@localhost/db",
        f"postgresql://alice:{SECRET}@localhost/db?no_such_option=1",
        f"postgresql://alice:{SECRET}@[::1/db",
        f"postgresql://localhost/db?password={SECRET}%",
    ],
)
def test_an_address_that_cannot_be_read_is_an_error_without_the_password(address: str, clock: SteadyClock) -> None:
    with pytest.raises(Misconfigured, match="address of the PostgreSQL server") as refusal:
        closing(open_store(address, clock=clock, busy_timeout=1))
    assert SECRET not in refusal.value.message + refusal.value.hint
