"""The cut-off of likely ties, chosen by authors who are left out.

`python -m bench.reminding.cut_off [FILE.toml …] [CUT-OFF …]` plays all sets, or those that are named, each with several
cut-offs. For each set it is then told what it gets with the cut-off that the other sets would choose: the lowest with
no more false alarms a session on average than are wanted. Each set and cut-off is a replay of a minute or more.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from bench.reminding.__main__ import SESSIONS
from bench.reminding.history import history
from bench.reminding.replay import replay
from recollect import Memory
from recollect.recall.reminders import likely_ties

CUT_OFFS = (-2.0, -1.0, 0.0, 1.0, 2.0)
WANTED = 0.6  # false alarms a session on average: sets that nobody had seen had up to 0.4 more than seen ones
Figures = Mapping[float, tuple[float, float]]  # told before the act and false alarms a session, by the cut-off


def figures(file: Path, cut_offs: Sequence[float], sessions: int = SESSIONS) -> Figures:
    """Play a set once for each cut-off."""
    found, shipped = dict[float, tuple[float, float]](), likely_ties.CUT_OFF
    try:
        for each in cut_offs:
            likely_ties.CUT_OFF = each  # type: ignore[misc]
            with tempfile.TemporaryDirectory() as folder, Memory(home=folder) as memory:
                place = Path(folder) / "project"
                place.mkdir()
                outcome = replay(memory, history(sessions, file=file), place)
            found[each] = (outcome.share, outcome.alarms)
    finally:
        likely_ties.CUT_OFF = shipped  # type: ignore[misc]
    return found


def chosen(sets: Sequence[Figures], wanted: float = WANTED) -> float:
    """The lowest cut-off with which sets have as few false alarms as are wanted; the highest, if none is enough."""
    cut_offs = sorted(sets[0])
    return next((each for each in cut_offs if fmean(one[each][1] for one in sets) <= wanted), cut_offs[-1])


def main(words: list[str]) -> int:
    """Play all sets, and print what each gets with the cut-off of the others."""
    files = [Path(each) for each in words if each.endswith(".toml")]
    files = files or sorted(Path(__file__).parent.glob("*.toml"))
    cut_offs = sorted(float(each) for each in words if not each.endswith(".toml")) or CUT_OFFS
    played = {file.stem: figures(file, cut_offs) for file in files}
    for cut_off in cut_offs:
        told, alarms = (fmean(one[cut_off][place] for one in played.values()) for place in (0, 1))
        print(f"cut-off {cut_off:>+5.1f} {told:>7.1%} told {alarms:>7.2f} false alarms a session", flush=True)
    for name, mine in played.items() if len(played) > 1 else ():
        cut_off = chosen([one for other, one in played.items() if other != name])
        print(
            f"{name:<24}{cut_off:>+5.1f} {mine[cut_off][0]:>7.1%} told {mine[cut_off][1]:>7.2f} false alarms a session"
        )
    print(f"{'all together':<24}{chosen(list(played.values())):>+5.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
