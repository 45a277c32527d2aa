"""Who may do what: every path with every kind of token, scope and space."""

from __future__ import annotations

import pytest

from recollect import RecollectError
from recollect.codecs.cwt import claims_in, keys_in, new_key_pair, signed_token, unpadded
from recollect.dialects.anda.anda_paths import DIALECT
from recollect.dialects.table import DialectPath
from tests.dialects.anda.client import KEYS, MANAGER, OLD_KEYS, capability, manager
from tests.dialects.anda.conftest import Brain

pytestmark = pytest.mark.xdist_group("dialect anda credentials")  # one after the other, on one server

PATHS = [each for each in DIALECT.paths if not each.open and not each.profile]
READ = {"recall", "execute_kip_readonly", "info", "status", "formation_status", "conversations", "delta"}


def _kind(path: DialectPath) -> str:
    if path.path.startswith("/admin/"):
        return "admin"
    if "/management/" in path.path:
        return "management"
    return "read" if any(part in READ for part in path.path.split("/")) else "write"


def _at(path: DialectPath) -> str:
    return path.path.replace("{space}", "brain").replace("{conversation}", "1")


# A credential, and which kinds of paths of the space `brain` it opens.
CREDENTIALS = {
    "none": (None, ()),
    "nonsense": ("x" * 80, ()),
    "short nonsense": ("STnothing", ()),
    "read": (capability("read", "brain"), ("read",)),
    "write": (capability("write", "brain"), ("write", "management")),
    "everything": (capability("*", "brain"), ("read", "write", "management")),
    "read everywhere": (capability("read", "*"), ("read",)),
    "write everywhere": (capability("write", "*"), ("write", "management")),
    "everything everywhere": (capability("*", "*"), ("read", "write", "management")),
    "another space": (capability("*", "other"), ()),
    "a manager": (manager(), ("read", "write", "management", "admin")),
    "a manager of one space": (capability("*", "brain", subject=MANAGER), ("read", "write", "management")),
    "not a manager": (capability("*", "*", subject="somebody"), ("read", "write", "management")),
    "over": (capability("*", "*", lasts=-1), ()),
    "endless": (capability("*", "*", claims={4: None}), ()),
    "not yet": (capability("*", "*", claims={5: 4_000_000_000}), ()),
    "nobody's": (capability("*", "*", subject=None), ()),
    "for no space": (capability("*", None), ()),
    "of no scope": (capability(None, "*"), ()),
    "of another scope": (capability("admin", "*"), ()),
    "of another key": (capability("*", "*", keys=new_key_pair()), ()),
    "of the old key": (capability("*", "*", keys=OLD_KEYS), ("read", "write", "management")),
    "without a tag": (capability("*", "*", tagged=False), ("read", "write", "management")),
    "with a key id": (capability("*", "*", key_id=b"first"), ("read", "write", "management")),
}


@pytest.mark.parametrize("name", CREDENTIALS)
def test_a_capability_opens_exactly_what_it_names(brain: Brain, name: str) -> None:
    token, opened = CREDENTIALS[name]
    for path in PATHS:
        told = brain.ask(path.method, _at(path), {} if path.method != "GET" else None, token=token)
        assert (told.status == 401) == (_kind(path) not in opened), (path.method, path.path, told.status, told.body)
        if told.status == 401:
            assert told.json == {"error": {"message": "authentication failed"}}
        else:
            assert told.status in (200, 400), told.body


@pytest.mark.parametrize("scope", ["read", "write", "*"])
def test_a_space_token_is_exact_for_one_space_and_manages_nothing(brain: Brain, scope: str) -> None:
    made = brain.result("POST", "/v1/brain/management/add_space_token", {"scope": scope, "name": f"for {scope}"})
    assert made["token"].startswith("ST") and made["scope"] == scope
    opened = {"read": ("read",), "write": ("write",), "*": ("read", "write")}[scope]
    for path in PATHS:
        told = brain.ask(path.method, _at(path), {} if path.method != "GET" else None, token=made["token"])
        assert (told.status == 401) == (_kind(path) not in opened), (path.path, told.status)
    assert brain.ask("GET", "/v1/other/info", token=made["token"]).status == 401
    bare = brain.client.send("GET", "/v1/brain/info", Authorization=made["token"])
    assert (bare.status == 200) == ("read" in opened)
    assert brain.client.get("/v1/spaces/brain/list", Authorization=f"Bearer {made['token'][2:]}").status == 401
    listed = brain.ask("GET", "/v1/brain/management/space_tokens").json["result"]
    [shown] = [each for each in listed if each["name"] == f"for {scope}"]
    assert made["token"].startswith(shown["token"]) and len(shown["token"]) < len(made["token"])
    assert brain.ask("GET", "/v1/brain/info", token=shown["token"]).status == 401  # the beginning of it opens nothing
    revoke = "/v1/brain/management/revoke_space_token"
    assert (
        brain.ask("POST", "/v1/other/management/revoke_space_token", {"token": made["token"]}).json["result"] is False
    )
    assert brain.result("POST", revoke, {"token": shown["token"]}) is True
    assert brain.result("POST", revoke, {"token": made["token"]}) is False
    assert brain.ask("GET", "/v1/brain/info", token=made["token"]).status == 401


def test_a_space_token_ends_when_it_was_said_to(brain: Brain) -> None:
    add = "/v1/brain/management/add_space_token"
    assert brain.ask("POST", add, {"scope": "read", "expires_at": 1_000_000}).status == 400
    made = brain.result("POST", add, {"scope": "read", "expires_at": 4_000_000_000_000})
    assert made["expires_at"] == 4_000_000_000_000


def test_what_a_token_of_an_administrator_makes_is_no_more_than_itself_and_ends_with_it(brain: Brain) -> None:
    add, access = "/v1/brain/management/add_space_token", brain.memory.access
    bound = access.issue(dialect="anda", scope="admin", space="brain", user="ana").secret
    assert brain.ask("POST", add, {"scope": "*"}, token=bound).status == 401
    owner = access.issue(dialect="anda", scope="admin", space="brain", expires="1h")
    assert brain.ask("POST", add, {"scope": "*", "expires_at": 4_000_000_000_000}, token=owner.secret).status == 401
    made = brain.result("POST", add, {"scope": "*"}, token=owner.secret)["token"]
    assert brain.ask("GET", "/v1/brain/info", token=made).status == 200
    access.revoke(owner.token.id)
    assert brain.ask("GET", "/v1/brain/info", token=made).status == 401


def test_a_public_space_is_read_by_everybody_and_written_by_nobody(brain: Brain) -> None:
    brain.memory.create_space("open")
    assert brain.ask("GET", "/v1/open/info", token=None).status == 401
    assert brain.ask("PATCH", "/v1/open/management/update_space", {"public": True}).status == 200
    assert brain.ask("GET", "/v1/open/info", token=None).json["result"]["public"] is True
    assert brain.ask("POST", "/v1/open/recall", {"query": "Who?"}, token=None).status == 200
    for path in ("formation", "maintenance", "management/add_space_token"):
        assert brain.ask("POST", f"/v1/open/{path}", {}, token=None).status == 401
    assert brain.ask("GET", "/v1/open/info", token=capability("read", "other")).status == 401
    brain.result("PATCH", "/v1/open/management/update_space", {"public": False})
    assert brain.ask("GET", "/v1/open/info", token=None).status == 401


def test_only_eddsa_by_a_known_key_counts_and_nothing_of_a_broken_token_does() -> None:
    keys = keys_in(unpadded(KEYS.public))
    sound = capability()
    assert claims_in(sound, keys)
    for place in range(0, len(sound), 7):
        broken = sound[:place] + ("A" if sound[place] != "A" else "B") + sound[place + 1 :]
        assert claims_in(broken, keys) is None
    for nonsense in ("", "A", "x y", "0oRA", "A" * 9000, sound + "AAAA"):
        assert claims_in(nonsense, keys) is None


def test_a_public_key_is_raw_or_a_cose_key_and_anything_else_is_a_wrong_setting() -> None:
    import base64

    import cbor2

    spelled = base64.b64encode(cbor2.dumps({1: 1, -1: 6, -2: KEYS.public, 2: b"k1"})).decode()
    named = keys_in(spelled)
    claims = {2: "a"}
    assert claims_in(signed_token(claims, KEYS.private, key_id=b"k1"), named) == claims
    assert claims_in(signed_token(claims, KEYS.private), named) == claims
    assert claims_in(signed_token(claims, KEYS.private, key_id=b"k2"), named) is None
    with pytest.raises(RecollectError, match="public key"):
        keys_in("bm90IGEga2V5")
