"""Write a small home with an earlier release: a store, a vault and a spool, and the answers that release gave.

    PYTHONPATH=EARLIER/src:. python -m tests.earlier_release.making

`EARLIER` is a checkout of the release. The home is packed into `home.tar.gz` beside this file, the answers into
`answers.json`. It is run once for a release and its results are kept; the tests read them with the code as it is now.
"""

from __future__ import annotations

import json
import shutil
import tarfile
from pathlib import Path
from tempfile import mkdtemp

from recollect import Memory
from recollect.domain.origin import Caller, Channel
from recollect.surfaces.hooks import spool
from recollect.surfaces.hooks.intake import Attendant
from recollect.surfaces.hooks.notice import heard
from tests.earlier_release.asking import SPACE, answers, files
from tests.support.clock import SteadyClock

HERE = Path(__file__).parent
MADE_IN = "/folder/of/an/earlier/release"  # stands in the files of the vault for the folder of the home
ASKED_AT = "2026-10-01T00:00:00+00:00"
HOOKS = (
    ("SessionStart", {"source": "startup"}),
    ("UserPromptSubmit", {"prompt": "Please rename the module of invoices to billing."}),
    ("UserPromptSubmit", {"prompt": "I prefer tabs over spaces in this project."}),
    ("SessionEnd", {"reason": "exit"}),
)


def write(home: Path) -> None:
    """A memory of some months, as files in a home."""
    clock = SteadyClock("2026-01-01T00:00:00+00:00")
    memory = Memory(home=home, principal="alice", space=SPACE, clock=clock, embedding="off")
    memory.open_vault(space=SPACE)
    memory.add("I live in Boston.", at="2026-01-05T09:00:00Z", session="winter", space=SPACE)
    memory.add(
        "My sister is Ines. I'm allergic to penicillin.", at="2026-01-06T09:00:00Z", session="winter", space=SPACE
    )
    clock.advance(days=70)
    memory.add("I moved to Berlin last week.", at="2026-03-09T09:00:00Z", session="spring", space=SPACE)
    memory.add(
        [
            {"role": "user", "content": "What did the plumber say about the boiler?"},
            {"role": "assistant", "content": "The plumber said the boiler needs a new valve."},
        ],
        at="2026-03-10T09:00:00Z",
        session="spring",
        space=SPACE,
    )
    clock.advance(days=80)
    memory.add("We're back in Austin!", at="2026-06-01T09:00:00Z", session="summer", space=SPACE)
    memory.end_session("summer", space=SPACE)
    release = memory.save("Release with `make release`, never from CI", tags=["howto"], pinned=True, space=SPACE)
    memory.update(release.id, text="Release with `make release`, on Tuesdays", space=SPACE)
    staging = memory.save("The staging server is called Vulcan", project="storefront", space=SPACE)
    memory.supersede(staging.id, "The staging server is called Juno", space=SPACE)
    wrong = memory.save("The moon is made of cheese", space=SPACE)
    memory.retract(wrong.id, space=SPACE)
    memory.add_lesson("Run migrations on a copy first", space=SPACE)
    memory.add_lesson("Run migrations on a copy first", space=SPACE)
    first = memory.add_action("Write the release notes", priority=2, space=SPACE)
    memory.add_action("Announce the release", depends_on=[first.id], space=SPACE)
    memory.set_slot("style", "Answer in short sentences.", pinned=True, space=SPACE)
    memory.sync(space=SPACE)
    memory.close()
    for number, (event, said) in enumerate(HOOKS):
        payload = json.dumps({"session_id": "s1", "hook_event_name": event, "cwd": "/nowhere", **said}).encode()
        at = f"2026-09-01T09:0{number}:00+00:00"
        notice = heard("claude-code", event, payload, at=at, new_id=clock.new_id(), space=SPACE).notice
        assert notice is not None
        assert spool.append(home, notice.as_line())


def ask(home: Path) -> dict[str, object]:
    """The answers before and after the spool is taken in, and the files of the vault once it was looked through."""
    clock = SteadyClock(ASKED_AT)
    memory = Memory(home=home, principal="alice", space=SPACE, clock=clock, embedding="off")
    before = answers(memory)
    memory.scan_vault(space=SPACE)
    pages = files(home / "vault" / SPACE)
    drained = Attendant(memory.acting_as(Caller(Channel.HOOK, "alice")), home).drain(wait=True)
    after = {"taken": drained.taken, "sessions": answers(memory)["sessions"], "messages": answers(memory)["messages"]}
    memory.close()
    return {"before": before, "after": after, "files": pages}


def moved(home: Path, there: str, here: str) -> None:
    """Name another place in the files by which a vault is found."""
    for file in home.rglob(".recollect/*.json"):
        file.write_text(file.read_text("utf-8").replace(there, here), "utf-8")


def main() -> None:
    home = Path(mkdtemp()) / "home"
    write(home)
    moved(home, str(home), MADE_IN)
    with tarfile.open(HERE / "home.tar.gz", "w:gz") as packed:
        packed.add(home, "home", filter=lambda each: None if each.name.endswith((".lock", "-shm", ".sample")) else each)
    moved(home, MADE_IN, str(home))
    (HERE / "answers.json").write_text(json.dumps(ask(home), indent=1, ensure_ascii=False) + "\n", "utf-8")
    shutil.rmtree(home.parent)


if __name__ == "__main__":
    main()
