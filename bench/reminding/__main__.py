"""Repeated mistakes told before the act: `python -m bench.reminding [looking|final|all] [FILE.toml] [OPTIONS]`.

The options are `--show`, `--words` and `--unseen-acts`.

100 sessions are played, with the encoder that is installed; `--words` leaves it out. A mistake is made before it is
known, and memory sees it; with `--unseen-acts` it does not.

The run fails if less than nine of ten repeated mistakes were told before the act, if there is more than one false alarm
a session, or if a call takes more than 60 ms of the processor.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import mean, quantiles

from bench.reminding.history import MISTAKES, history
from bench.reminding.replay import Outcome, replay
from recollect import Memory

SESSIONS = 100
LEAST_TOLD, MOST_ALARMS, MOST_MILLISECONDS = 0.90, 1.0, 60.0


def main(words: list[str]) -> int:
    """Play the history, print the figures, and say whether they are good enough."""
    half = next((each for each in words if each in ("looking", "final")), "all")
    file = next((Path(each) for each in words if each.endswith(".toml")), MISTAKES)
    embedding = "off" if "--words" in words else None
    with tempfile.TemporaryDirectory() as folder, Memory(home=folder, embedding=embedding) as memory:
        place = Path(folder) / "project"
        place.mkdir()
        played = history(SESSIONS, half=half, file=file, unseen_acts="--unseen-acts" in words)
        outcome = replay(memory, played, place)
    print(told(outcome))
    if "--show" in words:
        print("\nmissed:", *sorted(set(outcome.missed)), sep="\n  ")
        print("\nfalse alarms:", *sorted(set(outcome.false)), sep="\n  ")
    slow = quantiles(outcome.milliseconds, n=100)[98]
    return int(outcome.share < LEAST_TOLD or outcome.alarms > MOST_ALARMS or slow > MOST_MILLISECONDS)


def told(outcome: Outcome) -> str:
    """The figures of a replay as lines of text."""
    spent = quantiles(outcome.milliseconds, n=100)
    spoken = [each for each in outcome.tokens if each]
    lines = [
        f"acts                      {len(outcome.milliseconds):>7,}",
        f"repeated mistakes         {outcome.planted.total():>7,}",
        f"mistakes without a repeat {outcome.unrepeated:>7,}",
        f"told before the act       {outcome.share:>7.1%}",
        f"false alarms a session    {outcome.alarms:>7.2f}   (most in one: {max(outcome.false_alarms)})",
        f"acts with a reminder      {len(spoken) / len(outcome.tokens):>7.1%}   ({mean(spoken or [0]):.0f} tokens)",
        f"processor ms a call       {mean(outcome.milliseconds):>7.1f}   (99 %: {spent[98]:.1f})",
    ]
    lines += [
        f"  {known:<24}{outcome.told[known] / many:>7.1%}   of {many}"
        for known, many in sorted(outcome.planted.items())
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
