"""Tokens are made, listed and revoked from a shell; the secret is shown once."""

from __future__ import annotations

from recollect import Memory
from tests.surfaces.shell import Shell


def test_a_token_is_shown_when_it_is_made_and_never_again(shell: Shell) -> None:
    made = shell.run("tokens", "create", "--space", "alice", "--scope", "write", "--expires", "30d")
    assert made.code == 0, made.err
    secret = made.out.strip()
    assert secret.startswith("rcl_")
    assert "only time it is shown" in made.err
    listed = shell.run("tokens", "list")
    assert "alice" in listed.out and "write" in listed.out
    assert secret[31:] not in listed.out
    with Memory(home=shell.home) as memory:
        assert memory.access.admit(secret) is not None


def test_a_revoked_token_is_listed_as_revoked(shell: Shell) -> None:
    made = shell.ok("tokens", "create", "--name", "the nightly job")
    assert (made["scope"], made["space"], made["name"]) == ("read", None, "the nightly job")
    shell.ok("tokens", "revoke", made["id"])
    [listed] = shell.ok("tokens", "list")["items"]
    assert listed["revoked_at"] is not None
    assert not {"digest", "token"} & set(listed)
    with Memory(home=shell.home) as memory:
        assert memory.access.admit(made["token"]) is None


def test_what_is_asked_wrongly_is_refused_with_a_code(shell: Shell) -> None:
    for words, code in (
        (("create", "--scope", "root"), "unknown_scope"),
        (("create", "--expires", "soon"), "invalid_time"),
        (("revoke", "nonsense"), "invalid_id"),
        (("revoke", "01J9ZZZZZZZZZZZZZZZZZZZZZZ"), "token_not_found"),
    ):
        assert shell.run("tokens", *words, "--json").error["code"] == code
    assert "There are no tokens" in shell.run("tokens", "list").err
