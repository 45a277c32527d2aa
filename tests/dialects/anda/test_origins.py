"""Pages that the settings of Anda Brain let ask may ask here, too."""

from __future__ import annotations

import pytest

from recollect.dialects.anda.anda_paths import DIALECT
from recollect.domain.errors import InvalidInput
from recollect.surfaces.server.lifespan import checked_origin


def test_origins_are_taken_from_the_variable_of_the_old_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORS_ORIGINS", "https://app.example.com, http://localhost:3000/")
    monkeypatch.delenv("ED25519_PUBKEYS", raising=False)
    assert DIALECT.origins() == (), "the name is used by other programs too"

    monkeypatch.setenv("ED25519_PUBKEYS", "any")

    assert [checked_origin(each) for each in DIALECT.origins()] == ["https://app.example.com", "http://localhost:3000"]
    monkeypatch.setenv("CORS_ORIGINS", "*")
    with pytest.raises(InvalidInput, match="not an origin"):
        checked_origin(*DIALECT.origins())
