"""No rule and no lesson is silent before the very act that it is about."""

from __future__ import annotations

import pytest

from recollect import Memory
from recollect.recall.reminders.act import act_of
from recollect.recall.reminders.guidance import guidance
from recollect.recall.reminders.shared_terms import only_looks


def ran(memory: Memory, command: str, session: str, *, failed: bool = False) -> None:
    kind = "tool_failure" if failed else "tool_use"
    memory.observe(kind, tool="Bash", arguments={"command": command}, session=session)


def told(memory: Memory, command: str, session: str) -> list[str]:
    return [each.line.text for each in memory.remind(command=command, session=session)]


@pytest.mark.parametrize(
    "line",
    [
        "make -Cbackend migrate",
        "make -Oline -j8 deploy",
        "make -fmain.mk release",
        "rsync -e nc -a maps/ store:maps/",
        "rsync -ensh maps/ store:maps/",
        "tar -xfbatch",
        "docker exec -it web tar xzf dump.tgz",
        "docker exec -t tar tar xzf dump.tgz",
        "psql -U admin events -f cleanup.sql",
        "psql -c 'select 1' -f cleanup.sql",
        "psql -c 'select pg_terminate_backend(7)'",
        "mysql -u root events -e 'DROP TABLE users'",
        "mysql events < cleanup.sql",
        "dropdb -h db events",
        "dropdb events",
        "dropdb status",
        "ssh prod env X=1 ./deploy.sh",
        "ssh prod rm -rf '/var/my logs' && ls",
        "ssh prod 'ls \"/srv; rm -rf /srv'",
        "ssh prod 'ls > /etc/motd'",
        "ssh logs reboot",
        "hostname newname",
        "date -s 2020-01-01",
        "brew install jq",
        "curl -Q 'DELE a' ftp://h/",
        "curl -K deploy.cfg",
        "aws logs delete-log-group --log-group-name a",
        "aws events put-rule --name a",
        "conda env remove -n prod",
        "terraform apply plan",
        "terraform state rm a.b",
        "helm upgrade search ./chart",
        "kubectl rollout restart deploy/web",
        "docker --log-level info compose down",
        "systemctl restart logs",
        "gcloud run deploy list",
        "go get example.org/maps",
        "npm version major",
        "git commit -m 'select the right port'",
        "mosquitto_pub -n -t status",
        "./wipe.sh status",
        "bash status",
        "cat <<EOF | sh\nrm -r maps\nEOF",
        "ls `rm -r maps`",
    ],
)
def test_what_changes_something_is_no_look(line: str) -> None:
    assert not only_looks(act_of((), line, ()))


@pytest.mark.parametrize(
    "line",
    [
        "make -sn deploy",
        "make -C app -n deploy",
        "rsync -avzn maps/ store:maps/",
        "docker exec -it web tar tzf dump.tgz",
        "docker exec db psql -c 'select 1 from maps'",
        "docker image ls",
        "docker compose -f all.yaml logs -f web",
        "aws --profile maps ec2 describe-images",
        "aws s3 ls maps",
        "gh pr view 7",
        "gcloud compute instances list",
        "conda env list",
        "git --no-pager log -5",
        "git stash list",
        "terraform -chdir=net plan",
        "kubectl -n maps rollout status deploy/web",
        "helm -n maps history web",
        "redis-cli -h store info",
        "hostname -f",
        "date +%F",
        "ssh store uptime",
        "npm version",
        "systemctl status mysql",
        "which psql",
    ],
)
def test_a_look_is_still_one(line: str) -> None:
    assert only_looks(act_of((), line, ()))


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("make -Cbackend migrate", "migrate"),
        ("make -Oline -j8 deploy", "deploy"),
        ("terraform apply plan", "deploy"),
        ("helm upgrade search ./chart", "deploy"),
        ("dropdb events", "delete"),
        ("brew install jq", "install"),
        ("go get example.org/maps", "install"),
    ],
)
def test_a_rule_about_a_step_is_about_what_takes_it(line: str, step: str) -> None:
    tie = guidance(f"Never {step} anything without asking Marek.", act_of((), line, ()), is_guidance=True)
    assert tie is not None and tie.named == step


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("No merge commits on main.", "git merge feature"),
        ("No commit directly to main.", "git commit -m x"),
        ("No push today, the mirror is moved.", "git push origin fix"),
        ("No deploy Fridays.", "fly deploy"),
        ("No deploy job on Fridays.", "fly deploy"),
        ("No deploys on Fridays.", "fly deploy"),
        ("No deploy after four.", "fly deploy"),
        ("No push without a review.", "git push origin fix"),
        ("No release.", "npm publish"),
    ],
)
def test_what_no_forbids_is_forbidden_whatever_follows(text: str, line: str) -> None:
    assert guidance(text, act_of((), line, ()), is_guidance=True) is not None


LESSON = "git push to main threw away the work of the others."
FORCED = "git push --force origin main"


@pytest.mark.parametrize("again", [FORCED, "git push  --force origin main", f"git fetch && {FORCED}"])
def test_the_line_that_a_lesson_was_learned_from_is_told_though_another_came_before_it(
    memory: Memory, again: str
) -> None:
    ran(memory, "git add -A", "s1")
    ran(memory, FORCED, "s1")
    memory.add_lesson(LESSON)
    ran(memory, again, "s2")
    assert told(memory, again, "s3") == [LESSON]


def test_a_line_that_failed_after_it_was_fine_is_told_again(memory: Memory) -> None:
    lesson, daily = "Beware of restic: it threw away the snapshots of the winter.", "restic backup /srv/maps"
    ran(memory, "restic forget --prune --keep-last 3", "s1")
    memory.add_lesson(lesson)
    ran(memory, daily, "s2")
    assert told(memory, daily, "s3") == []
    ran(memory, daily, "s4", failed=True)
    assert told(memory, daily, "s5") == [lesson]
    ran(memory, daily, "s6")
    assert told(memory, daily, "s7") == [], "it was fine again"


def test_a_guess_has_to_be_a_good_one_only_beside_what_is_told_now(memory: Memory) -> None:
    """A rule that the session was told already does not make a lesson silent."""
    act, lesson = "tofu import vpc.tidewater", "The import of tidewater lost its gauges."
    memory.add_lesson(lesson)
    assert told(memory, act, "s1") == [lesson], "it is a guess"
    memory.save("Never run tofu import, ask Marek.", authority="instruction")
    assert told(memory, act, "s2") == ["Never run tofu import, ask Marek."], "one thing is certain"
    assert told(memory, act, "s2") == [lesson], "nothing else is left to be told"
