"""A memory with something of everything in it, a server before it, and one browser that is signed in."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request, sync_playwright

from recollect import Memory
from recollect.surfaces.server.application import application
from recollect.surfaces.server.lifespan import listening, server
from tests.support.clock import SteadyClock
from tests.support.project import ROOT
from tests.surfaces.http.client import LIMIT, UNLIMITED

SPACE = "sam"
SCREENS = re.findall(r'path: "([a-z-]*)", name:', (ROOT / "web/src/screens/table.ts").read_text(encoding="utf-8"))
SAID = (
    (27, "I moved to Berlin last week, and my sister Ana still lives in Paris."),
    (26, "I work at Northwind as a platform engineer."),
    (25, "My favourite tea is Darjeeling, without milk."),
    (22, "Please remember that I'm allergic to penicillin."),
    (20, "Tom is my manager."),
    (18, "We deploy the gateway with make release, never by hand."),
    (15, "I'm learning Portuguese, twice a week with Rita."),
    (12, "My car is a blue Volvo V60."),
    (9, "My daughter Mia started school in September."),
    (6, "We're back in Austin! Priya is my manager now."),
    (3, "I run ten kilometres every Sunday with Jonas."),
    (1, "The staging database moved to port 6543."),
)
NOTES = (
    (24, "procedural", "Deploy: bump the version, `make release`, watch the error budget for ten minutes.", ["deploy"]),
    (21, "lesson", "Migrations that rewrite a table lock it; add the column first, fill it after.", ["postgres"]),
    (17, "episodic", "Incident on Tuesday: the gateway had no connections left.", ["incident"]),
    (13, "semantic", "The invoices service is written in Go and owned by the billing team.", ["billing"]),
    (8, "pattern", "Reviews that come in after six are answered the next morning.", ["team"]),
    (2, "semantic", "The release of December is frozen from the 12th on.", ["deploy"]),
)  # fmt: skip

PROJECTS = {"deploy": "gateway", "incident": "gateway", "billing": "invoices", "postgres": "invoices"}


def seed(memory: Memory, clock: SteadyClock) -> None:
    """Four weeks of a memory, ending now: facts and how they changed, sessions, slots, actions, something to review."""
    now = datetime.now(UTC)
    said = dict(SAID)
    written = {age: (kind, text, tags) for age, kind, text, tags in NOTES}
    for age in sorted({*said, *written}, reverse=True):
        clock.moment = now - timedelta(days=age)
        if age in said:
            memory.add(said[age], space=SPACE)
        if age in written:
            kind, text, tags = written[age]
            memory.save(text, kind=kind, tags=tags, project=PROJECTS.get(tags[0]), space=SPACE)
    clock.moment = now - timedelta(minutes=5)
    _working_set(memory)
    first = memory.list(space=SPACE, attribute="manager").items[0]
    memory.pin(memory.list(space=SPACE, attribute="allergies").items[0].id, space=SPACE)
    for question in ("Where do I live?", "Who is my manager?", "How do we deploy?"):
        memory.search(question, space=SPACE)
        memory.recall(question, space=SPACE)
    memory.feedback(first.id, "wrong", space=SPACE)
    memory.create_space("team", description="what all of us know")
    memory.save("The team meets on Mondays at ten.", space="team")


def _working_set(memory: Memory) -> None:
    """A session of an agent, a slot, lessons and actions."""
    session = memory.start_session(title="Fix the connection leak", project="gateway", agent="claude-code", space=SPACE)
    memory.observe("prompt", text="Why does the gateway run out of connections?", session=session.id, space=SPACE)
    memory.observe("tool_use", tool="Read", arguments={"file_path": "src/pool.py"}, session=session.id, space=SPACE)
    memory.observe("tool_failure", tool="Bash", text="pytest: 1 failed", session=session.id, space=SPACE)
    memory.end_session(session.id, space=SPACE)
    memory.set_slot("focus", "Connection pool of the gateway; the leak is in retry().", project="gateway", space=SPACE)
    memory.add_lesson("Close the cursor before a retry.", project="gateway", space=SPACE)
    first = memory.add_action("Write a test for the leak", project="gateway", space=SPACE)
    memory.add_action("Release the fix", depends_on=[first.id], project="gateway", space=SPACE)


@contextmanager
def browsing() -> Iterator[Browser]:
    """The browser of the machine, without a window."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    assert program, "Chromium is missing: `make chromium` installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Desk:
    """A server on a memory. It can be stopped and started again on the same port."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._token = memory.access.issue(scope="admin", name="sam").token
        self._port = 0

    def start(self) -> None:
        """Answer, on the port of before if there was one."""
        self._taken = listening("127.0.0.1", self._port)
        self._port = self._taken.getsockname()[1]
        app = application(self._memory, limits=UNLIMITED)
        self._running = server(app, app.ending)
        self._thread = threading.Thread(target=self._running.run, kwargs={"sockets": [self._taken]})
        self._thread.start()

    def stop(self) -> None:
        """Answer no more."""
        self._running.should_exit = True
        self._thread.join(LIMIT)
        self._taken.close()
        assert not self._thread.is_alive(), "the server did not stop"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def link(self) -> str:
        """A link that signs a browser in."""
        return f"{self.url}/sign-in#{self._memory.access.link(self._token.id)}"

    def signed_in(self, browser: Browser, **options: object) -> BrowserContext:
        """A browser of its own, with a cookie."""
        context = browser.new_context(base_url=self.url, **options)  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(self.link())
        page.wait_for_url("**/ui/**")
        page.close()
        return context


class Watched:
    """What a page must never do: throw, open a dialog, break its policy, or speak to somebody else."""

    def __init__(self, page: Page, home: str) -> None:
        self.wrong: list[str] = []
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("dialog", self._dialog)
        page.on("console", self._console)
        page.on("request", self._request)
        self._home = home

    def _dialog(self, dialog: Dialog) -> None:
        self.wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self._home, "data:")):
            self.wrong.append(request.url)

    def _console(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text or "TrustedHTML" in message.text:
            self.wrong.append(message.text)
