"""What redaction finds, and how long it takes on one processor.

An ordinary message, a megabyte of prose, and a megabyte of the worst for each family of rules.

`python -m tests.redaction.measured` prints tables; with `rules` behind it, every rule is tried alone as well,
which takes minutes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from functools import partial

from bench.corpus import texts
from recollect.redaction.names import VENDORS
from recollect.redaction.redactor import RULES, redact
from tests.redaction.corpus import benign, planted
from tests.redaction.worst import FAMILIES, LONE, MEGABYTE, filled, for_keywords, for_rule

MESSAGE = 300  # characters, as people write to an assistant


def main(arguments: list[str]) -> None:
    corpus, harmless = list(planted()), benign()
    caught = sum(item.secret not in redact(item.text).text for item in corpus)
    changed = sum(redact(text).text != text for text in harmless)
    print(f"{len(RULES)} rules and {len(VENDORS)} vendors known by name")
    print(f"caught {caught} of {len(corpus)} secrets, changed {changed} of {len(harmless)} benign texts\n")
    prose = " ".join(texts(20_000, seed=7))
    messages = [prose[at : at + MESSAGE] for at in range(0, 1_000 * MESSAGE, MESSAGE)]
    one, with_pii = _seconds(lambda: _each(messages)), _seconds(lambda: _each(messages, pii=True))
    print(f"{'a message of 300 characters':<44} {one / len(messages) * 1e6:9.1f} µs")
    print(f"{'the same, with personal data':<44} {with_pii / len(messages) * 1e6:9.1f} µs")
    print(f"{'a megabyte of prose':<44} {_seconds(lambda: redact(prose[:MEGABYTE])) * 1e3:9.1f} ms")
    print("\na megabyte of the worst, with personal data")
    _table(("alone", name, filled(piece)) for name, piece in LONE.items())
    for family, keywords in FAMILIES.items():
        _table((family, name, text) for name, text in for_keywords(keywords))
    if "rules" in arguments:
        print("\nthe worst of each rule")
        for rule in RULES:
            _table(((rule.kind, name, text) for name, text in for_rule(rule)), only_worst=True)


def _each(messages: list[str], *, pii: bool = False) -> None:
    for message in messages:
        redact(message, pii=pii)


def _table(inputs: Iterable[tuple[str, str, str]], *, only_worst: bool = False) -> None:
    rows = [(_seconds(partial(redact, text, pii=True), times=1), group, name) for group, name, text in inputs]
    for seconds, group, name in [max(rows)] if only_worst else rows:
        print(f"{group + ': ' + name:<44} {seconds * 1e3:9.1f} ms")


def _seconds(action: Callable[[], object], *, times: int = 3) -> float:
    """The best of several."""
    best = float("inf")
    for _ in range(times):
        begin = time.process_time()
        action()
        best = min(best, time.process_time() - begin)
    return best


if __name__ == "__main__":
    main(sys.argv[1:])
