"""Secrets that the store has to keep can be opened only beside their key."""

from __future__ import annotations

import base64
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from recollect.domain.errors import Misconfigured
from recollect.sealing import KEY_FILE, Sealing, is_sealed
from recollect.settings import load_settings

SECRET = b"whsec_not-a-real-one"
KEY = base64.b64encode(bytes(range(32))).decode()


def test_what_was_sealed_opens_again_and_shows_nothing(tmp_path: Path) -> None:
    sealed = Sealing(tmp_path).seal(SECRET, "webhook alice ops")

    assert Sealing(tmp_path).open(sealed, "webhook alice ops") == SECRET
    assert is_sealed(sealed)
    assert not is_sealed(SECRET.decode())
    assert base64.b64encode(SECRET).decode()[:-2] not in sealed
    assert Sealing(tmp_path).seal(SECRET, "webhook alice ops") != sealed  # nor whether two are the same


def test_the_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with ThreadPoolExecutor(8) as threads:
        sealed = list(threads.map(lambda _: Sealing(home).seal(SECRET, "x"), range(16)))

    assert {Sealing(home).open(each, "x") for each in sealed} == {SECRET}
    assert [each.name for each in home.iterdir()] == [KEY_FILE]
    if os.name == "posix":
        assert (home / KEY_FILE).stat().st_mode & 0o777 == 0o600


def test_a_seal_belongs_to_its_context_and_cannot_be_changed(tmp_path: Path) -> None:
    sealing = Sealing(tmp_path)
    sealed = sealing.seal(SECRET, "webhook alice ops")
    for tried, context in (
        (sealed, "webhook bob ops"),
        (sealed[:-6] + "AAAA==", "webhook alice ops"),
        (sealed[:-8], "webhook alice ops"),
    ):
        with pytest.raises(Misconfigured) as refused:
            sealing.open(tried, context)
        assert refused.value.code == "seal_broken"


def test_a_copy_without_the_key_says_what_to_do(tmp_path: Path) -> None:
    sealed = Sealing(tmp_path / "here").seal(SECRET, "x")
    for elsewhere in (Sealing(tmp_path / "there"), Sealing(tmp_path / "here", KEY)):
        with pytest.raises(Misconfigured, match="not here") as refused:
            elsewhere.open(sealed, "x")
        assert refused.value.code == "seal_key_missing"
        assert "Set the secret again" in refused.value.hint
    assert not (tmp_path / "there").exists()


def test_machines_with_one_database_share_a_key_by_a_setting(tmp_path: Path) -> None:
    sealed = Sealing(tmp_path / "one", KEY).seal(SECRET, "x")

    assert Sealing(tmp_path / "two", KEY).open(sealed, "x") == SECRET
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="rights of files are told by their mode on POSIX only")
def test_a_key_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    Sealing(tmp_path).seal(SECRET, "x")
    (tmp_path / KEY_FILE).chmod(0o644)
    with pytest.raises(Misconfigured, match="read by others"):
        Sealing(tmp_path).seal(SECRET, "x")


def test_a_damaged_key_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).touch(0o600)
    with pytest.raises(Misconfigured, match="holds no key"):
        Sealing(tmp_path).seal(SECRET, "x")
    assert (tmp_path / KEY_FILE).read_bytes() == b""


def test_the_key_is_a_setting_that_nobody_is_shown(tmp_path: Path) -> None:
    settings, sources = load_settings({"home": tmp_path}, {"RECOLLECT_SEALING_KEY": KEY})
    assert settings.sealing_key == KEY
    assert KEY not in repr(settings) + repr(sources)

    with pytest.raises(Misconfigured, match="32 random bytes") as refused:
        load_settings({"home": tmp_path}, {"RECOLLECT_SEALING_KEY": "c2hvcnQ="})
    assert "c2hvcnQ=" not in refused.value.message
