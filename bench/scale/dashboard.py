"""How the dashboard holds up among many notes: search as you type, the first page of the list, and scrolling.

`python -m bench.scale.dashboard [--notes 1000 100000]` fills a SQLite store of each size with made-up notes and asks
all of them in turns, so that a busy machine falls on all alike. Search is timed where the server times it: in the
verb, asked as the page asks it, for a question that grows letter by letter; by words alone, or with vectors as well
(`--embedding hashed`, which needs no model). The list is timed in the system's Chromium, before a real server.
`--folder` keeps the stores, and takes those that are there.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from time import process_time
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bench import corpus
from bench.measuring import cpu, say, spread, timed
from bench.places import Places, take_in
from recollect import Memory
from recollect.surfaces.server.application import application
from recollect.surfaces.server.lifespan import listening, server

_SEED = 7
_HITS = 50  # as many as the list shows
_WITHOUT = ("reranker",)  # as the page asks while somebody types
_SHORTEST = 2  # letters that a search begins with
_SCROLLED = 30  # turns of the wheel

# Turns the wheel once for each frame, and measures how far frames are apart.
_SCROLL = """async (turns) => {
  const list = [...document.querySelectorAll("div")].find((each) => each.querySelector(":scope > ul > li[data-index]"));
  const apart = [];
  let last = performance.now();
  for (let turn = 0; turn < turns; turn++) {
    list.scrollBy(0, 600);
    const now = await new Promise((done) => requestAnimationFrame(done));
    apart.push((now - last) / 1000);
    last = now;
  }
  return apart;
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, nargs="+", default=[1_000, 100_000])
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--embedding", default="off")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = asked.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(exist_ok=True)
        places = Places(folder, models=asked.models)
        stores = {size: stack.enter_context(_filled(places, size, asked.embedding)) for size in asked.notes}
        for row in (*_typed(stores, asked.questions), *_listed(stores)):
            print(json.dumps(row))


@contextmanager
def _filled(places: Places, size: int, embedding: str) -> Iterator[Memory]:
    with closing(places.open(f"{size}", embedding=embedding)) as memory:
        if not memory.status().spaces:
            say(f"dashboard: filling a store with {size:,} notes")
            take_in(memory, corpus.lines(corpus.entries(size, seed=_SEED), space=memory.settings.space))
        memory._embed_what_is_missing(memory.settings.space, lambda *_: None)
        yield memory


def _typed(stores: dict[int, Memory], questions: int) -> Iterator[dict[str, Any]]:
    """Each question, letter by letter, of every store in turns."""
    typed = [
        each.text[:letters]
        for each in corpus.pointed_questions(questions, seed=_SEED)
        for letters in range(_SHORTEST, len(each.text) + 1)
        if each.text[:letters].strip()
    ]
    seconds: dict[int, list[float]] = {size: [] for size in stores}
    worked: dict[int, list[float]] = {size: [] for size in stores}
    for text in typed:
        for size, memory in stores.items():
            begun = process_time()
            seconds[size].append(timed(memory.search, text, limit=_HITS, without=_WITHOUT)[0])
            worked[size].append(process_time() - begun)
    for size, memory in stores.items():
        told = memory.activity(limit=1)[0]
        times = {**spread(seconds[size]), **cpu(worked[size]), "server_mean_ms": told.mean_ms}
        yield {"notes": size, "search": "as you type", "asked": len(typed), **_rounded(times)}


def _listed(stores: dict[int, Memory]) -> Iterator[dict[str, Any]]:
    """The list in a browser: until its first row can be seen, and how far frames are apart while it is scrolled."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for size, memory in stores.items():
            with _served(memory) as address:
                yield {"notes": size, **_looked_at(browser, memory, address)}
        browser.close()


def _looked_at(browser: Browser, memory: Memory, address: str) -> dict[str, Any]:
    token = memory.access.issue(scope="admin", name="bench").token
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{address}/sign-in#{memory.access.link(token.id)}")
    page.wait_for_url("**/ui/**")
    row = page.locator("li[data-index='0']")

    def first() -> None:
        page.goto(f"{address}/ui/{memory.settings.space}/memories")
        row.wait_for()

    opened = [timed(first)[0] for _ in range(3)]
    apart = page.evaluate(_SCROLL, _SCROLLED)
    page.close()
    frames = {f"frame_{name}": figure for name, figure in spread(apart).items()}
    return {"list": "in Chromium", **_rounded({"first_page_best_ms": min(opened) * 1000, **frames})}


@contextmanager
def _served(memory: Memory) -> Iterator[str]:
    taken = listening("127.0.0.1", 0)
    app = application(memory)
    running = server(app, app.ending)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [taken]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
    finally:
        running.should_exit = True
        thread.join()
        taken.close()


def _rounded(figures: dict[str, float]) -> dict[str, float]:
    return {name: round(figure, 1) for name, figure in figures.items()}


if __name__ == "__main__":
    main()
