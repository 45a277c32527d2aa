"""The same notes and the same questions give the same answers in the same order, whatever database is underneath.

Each database stems words in its own way when it gathers. What only that found gives no word as its reason, comes
last, and may differ; decision 0004 names it as the price.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.answers.recollections import Hit, Recollection
from tests.support.clock import SteadyClock
from tests.support.postgres import Server

pytestmark = pytest.mark.postgres

NOTES: list[dict[str, Any]] = [
    {"text": "We deploy storefront with `make release`, never from CI", "tags": ["deploy"], "project": "storefront"},
    {"text": "The staging server of storefront is deployed on every push to main", "project": "storefront"},
    {"text": "Deployments need two approvals, one from the platform team", "tags": ["deploy", "rule"]},
    {"text": "Deploying on Fridays is forbidden since the outage in March", "title": "Friday deploys", "pinned": True},
    {"text": "The outage of 14 March was caused by an expired certificate", "kind": "episodic"},
    {"text": "Certificates are renewed by certbot on the gateway every sixty days"},
    {"text": "Alice prefers tea, green or black, and never coffee after noon", "subject": "user"},
    {"text": "Alice's favourite band is The Who"},
    {"text": "Alice lives in Boston and works from home on Tuesdays", "subject": "user", "attribute": "location"},
    {"text": "Bob drinks coffee, black, no sugar"},
    {"text": "Bob moved to Köln and learns German at the Volkshochschule"},
    {"text": "The café near the office closes at six", "tags": ["food"]},
    {"text": "Müller GmbH is our largest customer; invoices go to buchhaltung@mueller.example"},
    {"text": "Dashboards live at https://grafana.example.com/d/storefront/overview"},
    {"text": "The database password is kept in the vault under infra/postgres/storefront"},
    {"text": "src/recollect/stores/sqlite/database.py holds the connection per thread"},
    {"text": "PostgreSQL 16.4 is the oldest version we test against; 15 works too"},
    {"text": "Run `pytest -n 2 --dist loadgroup` before every push", "kind": "procedural"},
    {"text": "pytest collects tests in parallel only with pytest-xdist installed"},
    {"text": "user_id is the primary key of accounts, account_id of invoices"},
    {"text": "To reset a user's password call POST /api/v2/users/{id}/reset", "kind": "procedural"},
    {"text": "Passwords are hashed with argon2id"},
    {"text": "Чайковский написал «Щелкунчик»"},
    {"text": "東京 の オフィス は 九時 に 開く"},
    {"text": "한국어 문서 는 docs/ko 에 있다"},
    {"text": "The team meets every second Thursday; notes are in the wiki"},
    {"text": "Meetings without an agenda are cancelled", "tags": ["rule"]},
    {"text": "Carol leads the platform team"},
    {"text": "Carol is on leave until the end of the month"},
    {"text": "tests tests tests: write the test first, run the tests, then test by hand"},
    {"text": "One test is better than none"},
]

QUESTIONS = [
    "how do we deploy storefront", "deploy", "deployment approvals", "can I deploy on Friday", "outage", "March",
    "certificate renewal", "what does Alice drink", "who drinks coffee", "the who", "where does Alice live",
    "Köln", "koln", "café", "cafe closing time", "Müller", "muller invoices", "grafana", "grafana.example.com",
    "storefront password", "vault", "connection per thread", "sqlite database.py", "PostgreSQL", "16.4", "pytest",
    "pytest-xdist", "run the tests", "test", "user_id", "account", "reset password", "users", "чайковский", "東京",
    "한국어", "platform team", "Carol", "is Carol on leave", "meeting notes", "every", "team meetings agenda", "rule",
    "what is this all about", "black", "nothing of the kind zzz", "*", "\"deploy\" OR 'x'",
]  # fmt: skip

LOOKS: list[dict[str, Any]] = [
    {},
    {"project": "storefront"},
    {"kind": "procedural"},
    {"tag": "deploy"},
    {"state": "any"},
]


@pytest.fixture(scope="module")
def pair(postgres_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Memory, Memory]]:
    """One memory on each database, filled alike, so that even the ids are the same."""
    folder = tmp_path_factory.mktemp("congruence")
    (folder / "memory.db").touch()  # making the file would use up an id
    with (
        postgres_server.database() as address,
        _filled(address, folder) as remote,
        _filled(str(folder / "memory.db"), folder) as local,
    ):
        yield local, remote


def _filled(address: str, home: Path) -> Memory:
    memory = Memory(store=address, home=home, principal="tester", clock=SteadyClock())
    written = [memory.save(**note) for note in NOTES]
    memory.update(written[0].id, text="We ship storefront with `make release`, never from CI")
    memory.supersede(written[8].id, "Alice lives in Austin and works from home on Tuesdays")
    for verb in ("renews", "rotates", "replaces"):  # of equally good wordings the one it has now counts
        memory.update(written[5].id, text=f"The gateway {verb} its own certificates with certbot")
    memory.retract(written[27].id)
    memory.forget(written[29].id)
    return memory


@pytest.mark.parametrize("look", LOOKS, ids=[repr(look) for look in LOOKS])
def test_every_question_has_the_same_answer_on_both(pair: tuple[Memory, Memory], look: dict[str, Any]) -> None:
    local, remote = pair
    for question in QUESTIONS:
        ours, theirs = (_by_words(memory.search(question, **look)) for memory in (local, remote))
        assert [(hit.text, hit.score) for hit in ours] == [(hit.text, hit.score) for hit in theirs], question
        assert ours == theirs, question


def test_the_questions_are_telling(pair: tuple[Memory, Memory]) -> None:
    """Most of them find something, or agreeing would mean little."""
    found = [len(_by_words(pair[0].search(question))) for question in QUESTIONS]
    assert sum(count > 0 for count in found) >= len(QUESTIONS) * 0.85
    assert sum(count > 1 for count in found) >= len(QUESTIONS) * 0.4


def test_lists_histories_and_exports_are_the_same_on_both(pair: tuple[Memory, Memory]) -> None:
    local, remote = pair
    for look in LOOKS:
        assert local.list(limit=100, **look) == remote.list(limit=100, **look)
    for note in local.list(state="any", limit=100).items:
        assert local.history(note.id) == remote.history(note.id)
    assert local.export() == remote.export()
    assert local.audit(limit=100) == remote.audit(limit=100)
    assert local.spaces() == remote.spaces()


def _by_words(answer: Recollection) -> list[Hit]:
    return [hit for hit in answer.hits if any(reason.startswith("words:") for reason in hit.why)]
