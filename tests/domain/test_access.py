"""Access tokens: what they look like, what is kept of them, and when they end."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from recollect.domain.access import (
    AccessScope,
    AccessToken,
    digest_of,
    end_from,
    new_secret,
    opens,
    token_id_in,
    up_to,
)
from recollect.domain.clock import SystemClock
from recollect.domain.errors import InvalidInput
from recollect.redaction.redactor import redact

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def a_token(secret: str, scope: AccessScope = AccessScope.READ, space: str | None = None) -> AccessToken:
    return AccessToken(token_id_in(secret) or "", "tester", up_to(scope), space, NOW, digest=digest_of(secret))


def test_a_secret_carries_its_id_and_no_two_are_alike() -> None:
    token_id = SystemClock().new_id()
    secrets = {new_secret(token_id) for _ in range(100)}
    assert len(secrets) == 100
    assert {token_id_in(secret) for secret in secrets} == {token_id}
    assert all(secret.startswith(f"rcl_{token_id}_") for secret in secrets)


def test_every_mistyped_letter_is_noticed_without_asking_anybody() -> None:
    secret = new_secret(SystemClock().new_id())
    for place in range(len(secret)):
        other = "a" if secret[place] != "a" else "b"
        assert token_id_in(secret[:place] + other + secret[place + 1 :]) is None
    for wrong in ("", "rcl_", secret[:-1], secret + "0", f" {secret}", secret.upper(), "Bearer " + secret):
        assert token_id_in(wrong) is None


def test_only_its_own_secret_opens_a_token() -> None:
    secret = new_secret(SystemClock().new_id())
    token = a_token(secret)
    assert opens(token, secret, NOW)
    assert not opens(token, new_secret(token.id), NOW)
    assert not opens(replace(token, digest=""), secret, NOW)


def test_a_token_that_is_over_or_revoked_opens_nothing() -> None:
    secret = new_secret(SystemClock().new_id())
    ending = replace(a_token(secret), expires_at=NOW + timedelta(hours=1))
    assert opens(ending, secret, NOW + timedelta(minutes=59))
    assert not opens(ending, secret, NOW + timedelta(hours=1))
    assert not opens(replace(ending, revoked_at=NOW), secret, NOW)


def test_each_scope_includes_the_ones_before_it() -> None:
    secret = new_secret(SystemClock().new_id())
    reached = {
        scope: [asked for asked in AccessScope if a_token(secret, scope).reaches(asked)] for scope in AccessScope
    }
    assert reached == {
        AccessScope.READ: [AccessScope.READ],
        AccessScope.WRITE: [AccessScope.READ, AccessScope.WRITE],
        AccessScope.ADMIN: [AccessScope.READ, AccessScope.WRITE, AccessScope.ADMIN],
    }


def test_a_token_for_one_space_covers_neither_another_nor_all() -> None:
    bound = a_token(new_secret(SystemClock().new_id()), space="alice")
    assert [bound.covers(space) for space in ("alice", "bob", None)] == [True, False, False]
    everywhere = replace(bound, space=None)
    assert [everywhere.covers(space) for space in ("alice", "bob", None)] == [True, True, True]


@pytest.mark.parametrize(
    ("spelled", "end"),
    [
        ("90m", NOW + timedelta(minutes=90)),
        ("12h", NOW + timedelta(hours=12)),
        ("30d", NOW + timedelta(days=30)),
        (" 2w ", NOW + timedelta(days=14)),
        ("2027-01-01", datetime(2027, 1, 1, tzinfo=UTC)),
    ],
)
def test_an_end_is_a_duration_or_a_time(spelled: str, end: datetime) -> None:
    assert end_from(spelled, NOW) == end


@pytest.mark.parametrize(
    ("spelled", "code"),
    [
        ("soon", "invalid_time"),
        ("999999y", "invalid_time"),
        ("0d", "invalid_period"),
        ("2020-01-01", "invalid_period"),
        ("", "invalid_time"),
    ],
)
def test_an_end_that_makes_no_sense_is_refused(spelled: str, code: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        end_from(spelled, NOW)
    assert caught.value.code == code


def test_neither_secret_nor_digest_is_shown_when_a_token_is_printed() -> None:
    secret = new_secret(SystemClock().new_id())
    token = a_token(secret)
    assert token.digest not in repr(token)


def test_a_token_that_somebody_says_is_not_remembered() -> None:
    secret = new_secret(SystemClock().new_id())
    assert secret not in redact(f"The server's token is {secret}, keep it safe.").text
