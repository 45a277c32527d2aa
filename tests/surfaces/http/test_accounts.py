"""People sign in by name and password, by a link of an administrator, or by an issuer of identities."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from recollect import Memory, RecollectError
from recollect.sealing import Sealing
from recollect.surfaces.reception.issuer import Issuer, IssuerSettings
from recollect.surfaces.reception.limits import Limits
from tests.surfaces.http.client import Client, served

PASSWORD = "four quiet herons waiting"


def basic(name: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()


def cookie_of(answer: Any) -> str:
    return str(answer.headers["set-cookie"]).partition(";")[0]


def own_page(client: Client) -> dict[str, str]:
    return {"Origin": f"http://127.0.0.1:{client.port}"}


def chosen(client: Client, link: str, password: str = PASSWORD) -> Any:
    """Sign in by a link, and choose a password there."""
    came = client.post("/v1/session", Authorization=f"Bearer {link}", **own_page(client))
    assert came.status == 200
    return client.post("/v1/session/password", {"password": password}, Cookie=cookie_of(came), **own_page(client))


def test_a_person_chooses_a_password_by_a_link_and_signs_in_with_it(memory: Memory) -> None:
    memory.save("Ana drinks tea", space="ana")
    memory.save("Ben drinks rum", space="ben")
    account, link = memory.access.accounts.create("ana", space="ana")
    with served(memory) as client:
        assert chosen(client, link).json == {"account": "ana"}
        wrong = client.post("/v1/session", Authorization=basic("ana", "three loud herons"), **own_page(client))
        nobody = client.post("/v1/session", Authorization=basic("eve", PASSWORD), **own_page(client))
        assert (wrong.status, wrong.json["code"]) == (nobody.status, nobody.json["code"]) == (401, "not_recognised")
        came = client.post("/v1/session", Authorization=basic("ana", PASSWORD), **own_page(client))
        assert came.json["personal"] is True
        shown = {"Cookie": cookie_of(came)}
        assert "tea" in str(client.get("/v1/spaces/ana/list", **shown).json)
        assert client.get("/v1/spaces/ben/list", **shown).status == 404
        memory.access.accounts.remove("ana")
        assert client.get("/v1/spaces/ana/list", **shown).status == 401
        assert client.post("/v1/session", Authorization=basic("ana", PASSWORD), **own_page(client)).status == 401
    assert account.token_id in {token.id for token in memory.access.tokens() if token.revoked_at}


def test_a_password_is_kept_as_a_digest_and_must_not_be_easy(memory: Memory) -> None:
    account, link = memory.access.accounts.create("ana")
    with served(memory) as client:
        for easy in ("short", "aaaaaaaaaaaaaaaa", "ana ana ana ana"):
            assert chosen(client, memory.access.accounts.link("ana"), easy).json["code"] == "invalid_password"
        assert chosen(client, link).status == 200
    [(kept, _)] = memory.access.accounts.every()
    assert kept.password is not None
    assert kept.password.startswith("$argon2id$")
    assert PASSWORD not in repr(kept)
    with pytest.raises(RecollectError, match="taken"):
        memory.access.accounts.create("ana")
    assert len([token for token in memory.access.tokens() if token.revoked_at is None]) == 1
    assert account.name == "ana"


def test_another_password_signs_every_other_browser_out(one_memory: Memory) -> None:
    _, link = one_memory.access.accounts.create("ana")
    with served(one_memory) as client:
        assert chosen(client, link).status == 200
        stolen, own = (
            {"Cookie": cookie_of(client.post("/v1/session", Authorization=basic("ana", PASSWORD), **own_page(client)))}
            for _ in range(2)
        )
        said = {"password": "five loud herons leaving"}
        again = {"Cookie": cookie_of(client.post("/v1/session/password", said, **own, **own_page(client)))}
        assert [client.get("/v1/session", **shown).status for shown in (stolen, own, again)] == [401, 401, 200]


def test_a_name_by_which_nobody_could_sign_in_is_no_name(one_memory: Memory) -> None:
    with pytest.raises(RecollectError, match="colon"):
        one_memory.access.accounts.create("team:ana")
    with served(one_memory) as client:
        for name, password in (("a\0b", "x"), ("x" * 5000, "x"), ("ana", "x" * 5000), ("", "")):
            tried = client.post("/v1/session", Authorization=basic(name, password), **own_page(client))
            assert (tried.status, tried.json["code"]) == (401, "not_recognised")


def test_many_wrong_passwords_for_one_name_are_slowed_down(one_memory: Memory) -> None:
    one_memory.access.accounts.create("ana")
    with served(one_memory, limits=Limits(refused_per_second=0.001, refused_burst=3)) as client:
        tried = [client.post("/v1/session", Authorization=basic("ana", "x" * 20), **own_page(client)) for _ in range(5)]
    assert [answer.status for answer in tried][-1] == 429


class _IssuerServer(BaseHTTPRequestHandler):
    """An issuer as its specification has it: it publishes addresses and keys, and exchanges a code once."""

    def do_GET(self) -> None:
        self.server.asked.release()  # type: ignore[attr-defined]
        self.server.answering.wait(60)  # type: ignore[attr-defined]
        own = self.server.address  # type: ignore[attr-defined]
        if self.path == self.server.moved:  # type: ignore[attr-defined]
            self.send_response(302)
            self.send_header("Location", f"{own}/elsewhere")
            self.end_headers()
            return
        if self.path == "/.well-known/openid-configuration":
            names = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
            self._say({"issuer": own, **{name: f"{own}/{path}" for name, path in names.items()}})
        else:
            public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.server.key.public_key()))  # type: ignore[attr-defined]
            self._say({"keys": [{**public, "kid": "one", "use": "sig", "alg": "RS256"}]})

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        claims = self.server.codes.pop(form["code"][0], None)  # type: ignore[attr-defined]
        if claims is None:
            self.send_response(400)
            self.end_headers()
            return
        self._say({"id_token": self.server.signed(claims)})  # type: ignore[attr-defined]

    def _say(self, told: Any) -> None:
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def issuer() -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), _IssuerServer)
    server.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    server.codes, server.moved, server.answering = {}, None, threading.Event()
    server.asked = threading.Semaphore(0)
    server.answering.set()
    server.address = f"http://127.0.0.1:{server.server_address[1]}"

    def signed(claims: dict[str, Any], key: Any = None) -> str:
        now = int(time.time())
        full = {"iss": server.address, "aud": "us", "sub": "s-1", "iat": now, "exp": now + 600, **claims}
        return jwt.encode(full, key or server.key, algorithm="RS256", headers={"kid": "one"})

    server.signed = signed
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def known(issuer: Any, tmp_path: Path) -> Issuer:
    """The issuer, as a server is told of it."""
    return Issuer(IssuerSettings(issuer.address, "us"), Sealing(tmp_path))


def test_an_identity_token_signs_in_the_account_it_vouches_for_and_no_forged_one_does(
    one_memory: Memory, issuer: Any, known: Issuer
) -> None:
    one_memory.access.accounts.create("ana", identity="Ana@Example.org")
    with served(one_memory, issuer=known) as client:

        def tried(token: str) -> int:
            return int(client.post("/v1/session", Authorization=f"Bearer {token}", **own_page(client)).status)

        proven = {"email": "ana@example.org", "email_verified": True}
        assert tried(issuer.signed(proven)) == 200
        assert tried(issuer.signed({**proven, "email_verified": False})) == 401
        assert tried(issuer.signed({**proven, "aud": "others"})) == 401
        assert tried(issuer.signed({**proven, "iss": "https://elsewhere.example"})) == 401
        assert tried(issuer.signed({**proven, "exp": 1})) == 401
        assert tried(issuer.signed({**proven, "email": "eve@example.org"})) == 401
        assert tried(issuer.signed(proven, rsa.generate_private_key(public_exponent=65537, key_size=2048))) == 401
        weak = jwt.encode({"sub": "s-1", **proven}, "secret" * 8, algorithm="HS256", headers={"kid": "one"})
        assert tried(weak) == 401


def test_a_browser_goes_to_the_issuer_and_comes_back_signed_in(one_memory: Memory, issuer: Any, known: Issuer) -> None:
    one_memory.access.accounts.create("ana", identity="s-1", scope="read")
    with served(one_memory, issuer=known) as client:
        assert client.get("/sign-in/ways").json == {"ways": ["token", "password", "issuer"]}
        left = client.get("/sign-in/issuer")
        assert left.status == 303
        asked = {name: said[0] for name, said in parse_qs(urlsplit(left.headers["location"]).query).items()}
        assert asked["redirect_uri"] == f"http://127.0.0.1:{client.port}/sign-in/issuer/back"
        issuer.codes["c-1"] = {"nonce": asked["nonce"]}
        back = f"/sign-in/issuer/back?code=c-1&state={asked['state']}"
        assert client.get(back).status == 401  # without the cookie that left with it
        assert client.get(back.replace("state=", "state=%C3%A9"), Cookie=cookie_of(left)).status == 401
        other = client.get(back.replace(asked["state"], "x" * 43), Cookie=cookie_of(left))
        assert (other.status, other.json["code"]) == (401, "identity_refused")
        # A person who clicked at the issuer comes from another site, and so does whoever got a link by mail.
        followed = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
        assert [client.get(path, **followed).status for path in ("/sign-in", "/ui/")] == [200, 200]
        assert client.get("/sign-in", **{**followed, "Sec_Fetch_Dest": "iframe"}).json["code"] == "cross_site"
        assert client.get("/v1/info", **followed).json["code"] == "cross_site"
        came = client.get(back, Cookie=cookie_of(left), **followed)
        assert came.status == 303
        assert client.get("/v1/session", Cookie=cookie_of(came)).json["token"]["name"] == "ana"
        assert client.get(back, Cookie=cookie_of(left)).status == 401  # a code is exchanged once


def test_an_issuer_that_does_not_answer_keeps_nobody_else_waiting(
    one_memory: Memory, issuer: Any, known: Issuer
) -> None:
    secret = one_memory.access.issue(scope="read").secret
    with served(one_memory, issuer=known) as client:
        issuer.answering.clear()
        statuses: list[int] = []

        def tried() -> None:
            shown = {"Authorization": f"Bearer {issuer.signed({})}", **own_page(client)}
            statuses.append(client.post("/v1/session", **shown).status)

        waiting = [threading.Thread(target=tried) for _ in range(3)]
        for each in waiting:
            each.start()
        issuer.asked.acquire()
        assert [client.get("/v1/info", Authorization=f"Bearer {secret}").status for _ in range(5)] == [200] * 5
        assert statuses == []  # those still wait
        issuer.answering.set()
        for each in waiting:
            each.join()
    assert statuses == [401] * 3


def test_keys_are_taken_from_where_the_issuer_says_and_not_from_where_that_leads(
    one_memory: Memory, issuer: Any, known: Issuer
) -> None:
    one_memory.access.accounts.create("ana", identity="s-1")
    issuer.moved = "/keys"
    with served(one_memory, issuer=known) as client:
        tried = client.post("/v1/session", Authorization=f"Bearer {issuer.signed({})}", **own_page(client))
        assert (tried.status, tried.json["code"]) == (503, "issuer_unreachable")


def test_without_an_issuer_the_page_says_so(one_memory: Memory) -> None:
    with served(one_memory) as client:
        answer = client.get("/sign-in/issuer")
        assert (answer.status, answer.json["code"]) == (404, "issuer_not_configured")
        assert client.get("/sign-in/ways").json == {"ways": ["token"]}
