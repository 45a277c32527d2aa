"""A note says when it wants to be told: by a file, a command or a step."""

from __future__ import annotations

import json
from typing import Any

import pytest

from recollect import InvalidInput, Memory
from recollect.domain.errors import TooLarge
from recollect.domain.origin import Caller, Channel
from recollect.domain.triggers import parsed_trigger
from recollect.recall.reminders.act import Act, act_of, meets
from recollect.recall.reminders.shell_line import commands_in


def act_said(said: dict[str, Any]) -> Act:
    return act_of(said.get("files", ()), said.get("command", ""), said.get("terms", ()))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("git push", [("git", "push")]),
        ("cd app && sudo -u deploy FOO=1 git push | tee log", [("git", "push"), ("tee", "log")]),
        ("/usr/bin/git -C app push --tags origin", [("git", "push", "origin")]),
        ("env -u HOME timeout 60 npm run build", [("npm", "run", "build")]),
        ("bash -lc 'uv run pytest -q tests'", [("pytest", "tests")]),
        (".venv/bin/python -m pytest tests", [("pytest", "tests")]),
        ("for f in *; do rm $f; done", [("for", "f", "in", "*"), ("rm", "$f")]),
        ("make build > out.txt 2>&1", [("make", "build")]),
        ("cat <<EOF\ngit push\nEOF", [("cat",)]),
        ("echo 'never closed", [("echo", "'never", "closed")]),
        (
            "ssh prod 'systemctl restart api'",
            [("ssh", "prod", "systemctl restart api"), ("systemctl", "restart", "api")],
        ),
        ("ssh -o 'ProxyCommand nc x' prod", [("ssh", "prod")]),
        ("docker compose exec -T -u root api alembic upgrade head", [("alembic", "upgrade", "head")]),
        ("docker exec --env-file .env api alembic upgrade", [("alembic", "upgrade")]),
        ("docker exec --detach-keys ctrl-q -it api alembic upgrade", [("alembic", "upgrade")]),
        ("docker compose -f live.yml --profile web exec api alembic upgrade", [("alembic", "upgrade")]),
        ("docker compose --project-name=shop -p x logs -f web", [("docker", "compose", "logs", "web")]),
        ("docker exec -it api", [("docker", "exec", "api")]),
        ("uv run --help", [("uv", "run")]),
        ("docker rm -f api", [("docker", "rm", "api")]),
        ("helm -n shop upgrade till ./till", [("helm", "upgrade", "till", "./till")]),
        ("cd somewhere", []),
    ],
)
def test_a_line_is_taken_apart_into_the_commands_that_do_the_work(line: str, words: list[tuple[str, ...]]) -> None:
    assert [each.bare for each in commands_in(line)] == words


@pytest.mark.parametrize(
    ("trigger", "act"),
    [
        ("file:src/db/*.py", {"files": ["src/db/orders.py"]}),
        ("file:src/db/*.py", {"files": ["/srv/shop/src/db/orders.py"]}),
        ("file:src/**/*.sql", {"files": ["src/a/b/c.sql"]}),
        ("file:*.lock", {"files": ["web/yarn.lock"]}),
        ("file:migrations/", {"files": ["app/migrations/0001/first.py"]}),
        ("file:src/gen/*.py", {"command": "sed -i s/a/b/ src/gen/x.py"}),
        ("file:notes.txt", {"command": "echo hello > notes.txt"}),
        ("command:git push", {"command": "cd x && git push origin main"}),
        ("command:git push", {"command": "git -C x push"}),
        ("command:docker compose down", {"command": "docker compose -f live.yml --profile web down --remove-orphans"}),
        ("command:docker-compose down", {"command": "docker-compose -f live.yml down"}),
        ("command:docker compose down", {"command": "docker compose --env-file .env -p shop down"}),
        ("command:docker exec", {"command": "docker exec -it api"}),
        ("command:kubectl delete", {"command": "kubectl --kubeconfig live.yml delete pod web"}),
        ("command:alembic upgrade", {"command": "docker exec api alembic upgrade head"}),
        ("command:alembic upgrade", {"command": "alembic -c live.ini upgrade head"}),
        ("command:ssh prod", {"command": "ssh -i key -p 2222 prod uptime"}),
        ("command:ssh prod", {"command": "ssh -J gate prod"}),
        ("command:uv run pytest", {"command": "uv run pytest -q"}),
        ("command:pytest", {"command": "uv run pytest -q"}),
        ("before:release", {"command": "twine upload dist/*"}),
        ("before:release", {"command": "./scripts/release.sh 1.2"}),
        ("before:deploy", {"command": "npm run deploy:prod"}),
        ("command:ssh prod", {"command": "ssh prod 'systemctl restart api'"}),
        ("command:systemctl restart", {"command": "ssh prod 'systemctl restart api'"}),
        ("before:publish", {"terms": ["release"]}),
        ("before:migrate", {"command": "python manage.py migrate"}),
    ],
)
def test_a_trigger_fires_before_what_it_names(trigger: str, act: dict[str, Any]) -> None:
    assert meets(act_said(act), parsed_trigger(trigger))


@pytest.mark.parametrize(
    ("trigger", "act"),
    [
        ("file:src/db/*.py", {"files": ["src/db/sub/orders.py"]}),
        ("file:src/db/*.py", {"files": ["test_src/db_x/orders.py"]}),
        ("file:orders.py", {"files": ["orders.pyc"]}),
        ("file:notes.txt", {"command": "cat notes.txt"}),
        ("command:git push", {"command": "git pull"}),
        ("before:deploy", {"command": "grep deploy README.md"}),
        ("before:deploy", {"command": "mkdir deploy"}),
        ("command:git push", {"command": "echo git push"}),
        ("command:git push", {"command": "git --no-pager stash push"}),
        ("command:helm rollback", {"command": "helm --debug history rollback"}),
        ("command:rm dist", {"command": "rm -r build dist"}),
        ("command:ssh prod", {"command": "ssh -v staging prod"}),
        ("command:docker compose down", {"command": "docker compose --dry-run config down"}),
        ("command:api", {"command": "docker exec -it api"}),
        ("before:release", {"command": "git status"}),
    ],
)
def test_a_trigger_is_silent_before_anything_else(trigger: str, act: dict[str, Any]) -> None:
    assert not meets(act_said(act), parsed_trigger(trigger))


def test_a_file_that_an_option_names_is_given_to_the_program() -> None:
    assert act_of((), "docker compose -f deploy/live.yml down", ()).given == ("deploy/live.yml",)


@pytest.mark.parametrize(
    "wrong", ["", "src/db", "folder:src", "file:", "command: ", "before:\x00", "file:" + "a" * 400]
)
def test_a_trigger_that_cannot_be_understood_is_refused_and_nothing_is_written(memory: Memory, wrong: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.save("Ask first", when=[wrong])
    assert caught.value.code == "invalid_when"
    assert not memory.list()


def test_a_note_has_a_limited_number_of_triggers(memory: Memory) -> None:
    with pytest.raises(TooLarge):
        memory.save("Ask first", when=[f"before:step-{number}" for number in range(17)])


def test_triggers_are_kept_filtered_changed_and_emptied(memory: Memory) -> None:
    memory.save("Of no moment")
    note = memory.save("Bump the version", when=["before:release", "before:release"], metadata={"team": "core"})
    assert note.metadata == {"team": "core", "when": ["before:release"]}
    assert [each.id for each in memory.list(where={"metadata.when": {"exists": True}})] == [note.id]
    assert [each.id for each in memory.list(where={"metadata.when": "before:release"})] == [note.id]

    changed = memory.update(note.id, metadata={"team": "web"})
    assert changed.metadata == {"team": "web", "when": ["before:release"]}, "other metadata is no reason to be silent"
    assert memory.update(note.id, when=["command:git tag"]).metadata == {"team": "web", "when": ["command:git tag"]}
    newer = memory.supersede(note.id, "Bump it in two places")
    assert newer.metadata["when"] == ["command:git tag"]
    assert "when" not in memory.update(newer.id, clear=["when"]).metadata


def test_facts_and_lessons_have_triggers_too(memory: Memory) -> None:
    learned = memory.learn("project:shop", "convention", "squash first", when=["before:merge"])
    lesson = memory.add_lesson("Ask Dana", when=["file:config/*.yml"])
    again = memory.add_lesson("Ask Dana", when=["file:settings/*.yml"])
    assert learned.note is not None and lesson.note is not None and again.note is not None
    assert memory.get(learned.note.id).metadata["when"] == ["before:merge"]
    assert lesson.note.metadata["when"] == ["file:config/*.yml"]
    assert again.note.id == lesson.note.id and again.note.metadata["when"] == ["file:settings/*.yml"]


def test_a_known_fact_is_told_when_a_person_says_so(memory: Memory) -> None:
    known = memory.learn("project:shop", "convention", "squash first")
    assert known.note is not None
    agent = memory.acting_as(Caller(Channel.MCP, "agent"))
    agent.learn("project:shop", "convention", "squash first", when=["command:ls"])
    assert "when" not in memory.get(known.note.id).metadata
    again = memory.learn("project:shop", "convention", "squash first", when=["before:merge"])
    assert (again.action, again.note and again.note.id) == ("reinforced", known.note.id)
    assert memory.get(known.note.id).metadata["when"] == ["before:merge"]


@pytest.mark.parametrize("verb", ["update", "save"])
def test_a_proposal_changes_when_a_note_is_told_once_it_is_accepted(memory: Memory, verb: str) -> None:
    mine = memory.save("Ask Dana first", key="dana", when=["before:deploy"], authority="instruction")
    agent = memory.acting_as(Caller(Channel.MCP, "agent"))
    if verb == "update":
        proposal = agent.update(mine.id, when=["before:release"])
    else:
        proposal = agent.save("Ask Dana first", key="dana", when=["before:release"])
    assert memory.get(mine.id).metadata["when"] == ["before:deploy"]
    assert memory.remind(terms=["release"]).block == "", "nobody is told what waits for review"
    accepted = memory.settle(proposal.id, "accept")
    assert (accepted.id, accepted.metadata["when"]) == (mine.id, ["before:release"])
    assert [each.line.text for each in memory.remind(terms=["release"])] == ["Ask Dana first"]


def test_triggers_are_exported_and_come_back(memory: Memory) -> None:
    note = memory.save("Bump the version", when=["before:release"])
    memory.import_([json.dumps(each) for each in memory.export()], space="other", trust=True)
    assert memory.get(note.id, space="other").metadata["when"] == ["before:release"]
