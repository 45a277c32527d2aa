"""Print how processor time grows with messages and with hostile text: `python -m tests.bounds.figures`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from recollect import Memory
from tests.support.growth import processor_time

SIZES = (4_000, 16_000, 64_000, 256_000)


def messages(number: int) -> list[dict[str, str]]:
    """One value of one attribute in each."""
    names = ("".join(chr(97 + int(digit)) for digit in f"{each:05}") for each in range(number))
    return [{"role": "user", "content": f"I like {name} tea."} for name in names]


def adding(number: int) -> None:
    def told(at_once: int) -> float:
        said = messages(number)
        with tempfile.TemporaryDirectory() as home, Memory(home=Path(home), embedding="off") as memory:
            memory.add("I like green tea.")
            return processor_time(lambda: [memory.add(said[at : at + at_once]) for at in range(0, number, at_once)])

    one, ten = told(number), told(number // 10)
    print(  # noqa: T201
        f"{number:,} messages: {one:.1f} s in one call, {ten:.1f} s in ten calls, {one / ten:.2f} times as long"
    )


def asking() -> None:
    with tempfile.TemporaryDirectory() as home, Memory(home=Path(home), embedding="off") as memory:
        memory.add("My sister lives in Paris.")
        memory.search("where does my sister live")
        for unit in ("a", "\n", "? [", "my sister "):
            texts = [(unit * size)[:size] + "x" for size in SIZES]
            found = [processor_time(lambda text=text: memory.search(text)) for text in texts]  # type: ignore[misc]
            watched = [processor_time(lambda text=text: memory.watch(text)) for text in texts]  # type: ignore[misc]
            for verb, took in (("search", found), ("watch", watched)):
                print(  # noqa: T201
                    f"{verb:7}{unit!r:14}",
                    *(f"{size // 1000} k: {1000 * each:.0f} ms" for size, each in zip(SIZES, took, strict=True)),
                )


if __name__ == "__main__":
    asking()
    adding(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
