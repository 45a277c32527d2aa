"""Pure: the acts that were done shortly before something was learned, and how far another act repeats one of them.

A lesson is learned from what was just done, so its session says what it is about, whatever its words are. An act that
other sessions did as well says little: people do it every day.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import timedelta
from functools import lru_cache
from statistics import fmean, pstdev

from recollect.domain.dataclass import dataclass
from recollect.domain.meanings import Vector
from recollect.domain.observations import Activity, Observation, ObservationKind
from recollect.recall.reminders.act import Act, act_of
from recollect.recall.reminders.command_parts import has_part, subcommand_of
from recollect.recall.reminders.guidance import (
    Guided,
    asked_options,
    guidance,
    is_sought,
    named_options,
    required_options,
    warned_options,
)
from recollect.recall.reminders.shared_terms import only_looks, stems_of, terms_of
from recollect.recall.reminders.shell_line import BROAD, ShellCommand

REACH = 10  # observations before a lesson among which its acts are
WITHIN = timedelta(hours=1)  # before a lesson; of acts before that it does not tell
MOST_PRIOR = 3  # acts of one lesson
_LEAST_COMPARED = 8  # acts, for a likeness to stand out among them
_UNSEEN = 20  # acts that are taken to be there as well: among a few every term is rare
_WORD_WORTH = 2  # acts nearer to the lesson, that a word which both have makes up for
_LONGEST_CLUSTER = 6  # signs of an option that may be several letters in one word
_CHANGING = frozenset({Activity.COMMAND, Activity.EDIT, Activity.WRITE})


@dataclass(frozen=True, slots=True)
class PriorAct:
    """An act that was done shortly before something was learned."""

    observation_id: str
    session_id: str
    act: Act
    spelled: tuple[str, tuple[str, ...]]  # its command or its files


@dataclass(frozen=True, slots=True)
class Repetition:
    """How far an act repeats what was done before a lesson, and which act that was.

    `likeness` says by how many standard deviations it is more alike than other acts are; `terms` is the share of terms
    that both have, from 0 to 1, and `share` the same with each term by how few acts have it.
    """

    done: str = ""
    likeness: float | None = None
    terms: float = 0.0
    share: float = 0.0
    same_step: bool = False
    same_file: bool = False
    same_program: bool = False  # one that does a single thing, wherever it stands in the line
    same_option: bool = False  # one that the text names
    is_spoken_of: bool = False  # the text has a word of that act
    is_rule: bool = False  # what it is about was decided, and not learned by that act


def chosen_acts(text: str, before: Sequence[Observation]) -> list[Observation]:
    """The acts that a text was likely learned from, of observations before it, the nearest first.

    Those that failed come first; a word that a text shares with an act makes up for some acts between them.
    """
    words, ranked = stems_of(text), list[tuple[bool, int, Observation]]()
    for each in before:
        done = act_done(each)
        if done is not None:
            shared = min(2, len(words & _stems(done)))
            ranked.append((each.kind is not ObservationKind.TOOL_FAILURE, len(ranked) - _WORD_WORTH * shared, each))
    return [each for *_, each in sorted(ranked, key=lambda one: one[:2])[:MOST_PRIOR]]


def act_done(observation: Observation) -> Act | None:
    """The act that an observation tells of; `None` if nothing was changed by it."""
    spelled = _spelled(observation)
    return None if spelled is None else _act_of(*spelled)


def _spelled(observation: Observation) -> tuple[str, tuple[str, ...]] | None:
    if observation.activity not in _CHANGING:
        return None
    is_command = observation.activity is Activity.COMMAND
    return (observation.title or "", ()) if is_command else ("", observation.files)


@lru_cache(maxsize=512)
def _act_of(command: str, files: tuple[str, ...]) -> Act | None:
    act = act_of(files, command, ())
    return None if only_looks(act) or not (act.commands or act.files) else act


@lru_cache(maxsize=2048)
def _stems(act: Act) -> frozenset[str]:
    return frozenset(terms_of(act).stems)


def prior_act(observation: Observation) -> PriorAct | None:
    """An observation as an act before something was learned; `None` if it changed nothing."""
    spelled, act = _spelled(observation), act_done(observation)
    if spelled is None or act is None:
        return None
    return PriorAct(observation.id, observation.session_id, act, spelled)


def owned(found: Iterable[tuple[str, Sequence[PriorAct]]], takers: Set[str]) -> dict[str, tuple[PriorAct, ...]]:
    """The acts of each text, texts given in the order in which they were learned.

    An act belongs to the first of the `takers`, by their ids; other texts leave it to those after them.
    """
    taken, acts = set[str](), dict[str, tuple[PriorAct, ...]]()
    for record_id, prior in found:
        acts[record_id] = tuple(each for each in prior if each.observation_id not in taken)
        if record_id in takers:
            taken |= {each.observation_id for each in prior}
    return acts


def unusual(prior: Sequence[PriorAct], runs: Mapping[tuple[str, tuple[str, ...]], Set[str]]) -> tuple[PriorAct, ...]:
    """The acts that no other session did as well; see `sessions_of`."""
    return tuple(each for each in prior if runs.get(each.spelled, frozenset()) <= {each.session_id})


def sessions_of(runs: Sequence[Observation]) -> dict[tuple[str, tuple[str, ...]], set[str]]:
    """The sessions in which each act was done, and not as a failure."""
    done: dict[tuple[str, tuple[str, ...]], set[str]] = {}
    for run in runs:
        if run.kind is ObservationKind.TOOL_USE and (spelled := _spelled(run)) is not None:
            done.setdefault(spelled, set()).add(run.session_id)
    return done


def is_borne_out(tie: Guided, act: Act, prior: Sequence[PriorAct], *, is_rule: bool = False) -> bool:
    """Whether one word is enough to tie a text to an act: the acts before it, if there are some, have it as well.

    A step that a rule speaks of needs no such act: rules are decided, and not learned.
    """
    if is_rule and tie.by == "before":
        return True
    if not prior or not (tie.is_program or tie.by == "before"):
        return True
    return any(_programs(act) & _programs(each.act) or act.steps & each.act.steps for each in prior)


def is_of_another(text: str, tie: Guided, act: Act, prior: Sequence[PriorAct]) -> bool:
    """Whether a text that names the command or a file of an act was learned from another act.

    That are other lines of the same program, and none of them the act's own; if the act has an option that the text
    names, it may repeat such a line all the same. Of files it is an act that touched none that the text names.
    """
    if tie.by == "file":
        ties = [guidance(text, each.act, is_guidance=True) for each in prior]
        return bool(prior) and all(each is None or each.by != "file" for each in ties)
    if tie.by != "command" or not named_options(text).isdisjoint(_spellings(act)):
        return False
    same = [each.act for each in prior if _programs(act) & _programs(each.act)]
    return bool(same) and not any(_is_same_line(act, each) for each in same)


def _is_same_line(act: Act, before: Act) -> bool:
    """Whether a line is another one, blanks aside, or has a command of its program in common with it."""
    if act.line.split() == before.line.split():
        return True
    return any(each.words == other.words and is_sought(each) for each in act.commands for other in before.commands)


def is_put_right(text: str, act: Act, prior: Sequence[PriorAct], *, is_rule: bool = False) -> bool:
    """Whether an act has an option that a text names, and that the same program was run without before it.

    The other way round it is put right as well: the same was done with an option that the text names and does not ask
    for, and the act is without it. A rule may forbid the act with any option: only one that it asks for puts it right.
    """
    programs, asked = _programs(act), required_options(text) if is_rule else asked_options(text)
    then = [each.act for each in prior if programs & _programs(each.act)]
    without = [("option", option) for each in then for option in _options(each)]
    if any(option.lower() in asked and not has_part(("option", option), without) for option in _options(act) if then):
        return True
    harmful = [] if is_rule else list(_harmful_options(text, act, then))
    return bool(harmful) and not any(_may_mean(each, option) for each in _options(act) for option in harmful)


def _harmful_options(text: str, act: Act, then: Sequence[Act]) -> Iterator[str]:
    """The options that a text names without asking for them, and that what the act does was never done without."""
    alike = [each for one in then for each in one.commands if any(_does_the_same(mine, each) for mine in act.commands)]
    warned = warned_options(text)
    given = [[("option", option) for option in each.options] for each in alike]
    for option in dict.fromkeys(spelled for options in given for _, spelled in options):
        if option.lower() in warned and all(has_part(("option", option), options) for options in given):
            yield option


def repetitions(
    act: Act, prior: Mapping[str, Sequence[PriorAct]], texts: Mapping[str, str], alike: Mapping[str, float]
) -> dict[str, Repetition]:
    """How far an act repeats what was done before each text, by the id of the text.

    `alike` has the likeness of earlier acts, by how they are spelled.
    """
    standing = _outstanding(alike)
    shares = _shares(act, {each.act.spelled: each.act for acts in prior.values() for each in acts})
    strength = {spelled: share + 0.05 * standing.get(spelled, 0.0) for spelled, share in shares.items()}
    found = dict[str, Repetition]()
    for record_id, acts in prior.items():
        if acts:
            best = max((each.act for each in acts), key=lambda one: strength[one.spelled])
            likeness, share = standing.get(best.spelled), shares[best.spelled]
            found[record_id] = _repetition(act, best, texts[record_id], likeness, share)
    return found


def _shares(act: Act, acts: Mapping[str, Act]) -> dict[str, float]:
    """The share of terms that each of some acts has in common with an act; the fewer have a term, the more it says."""
    many = Counter(term for each in acts.values() for term in _stems(each))
    terms = {*many, *_stems(act)}
    worth = {term: math.log((len(acts) + _UNSEEN) / (many[term] + 1)) ** 2 for term in terms}
    mine = _stems(act)
    whole = sum(worth[term] for term in mine)
    found = dict.fromkeys(acts, 0.0)
    for spelled, each in acts.items():
        theirs = _stems(each)
        both = sum(worth[term] for term in mine & theirs)
        if both:
            found[spelled] = both / (whole * sum(worth[term] for term in theirs)) ** 0.5
    return found


def likenesses(asked: Vector, vectors: Mapping[str, Vector]) -> dict[str, float]:
    """The likeness of each vector to the one that is asked about."""
    import numpy as np

    if not vectors:
        return {}
    rows = np.frombuffer(b"".join(vectors.values()), dtype="<f4").reshape(len(vectors), -1)
    return dict(zip(vectors, (rows @ np.frombuffer(asked, dtype="<f4")).tolist(), strict=True))


def _repetition(act: Act, before: Act, text: str, likeness: float | None, share: float) -> Repetition:
    mine, theirs, named = _stems(act), _stems(before), named_options(text)
    shared = len(mine & theirs) / (len(mine) * len(theirs)) ** 0.5 if mine and theirs else 0.0
    files = {_name(path) for path in _paths(act)} & {_name(path) for path in _paths(before)}
    return Repetition(
        before.spelled,
        likeness,
        shared,
        share,
        same_step=bool(act.steps & before.steps),
        same_file=bool(files),
        same_program=not _single_words(act).isdisjoint(_own_programs(before)),
        same_option=bool(named) and not named.isdisjoint(_spellings(act) & _spellings(before)),
        is_spoken_of=not theirs.isdisjoint(stems_of(text)),
    )


def _outstanding(likenesses: Mapping[str, float]) -> dict[str, float]:
    values = list(likenesses.values())
    spread = pstdev(values) if len(values) >= _LEAST_COMPARED else 0.0
    mean = fmean(values) if spread else 0.0
    return {spelled: (each - mean) / spread for spelled, each in likenesses.items()} if spread else {}


def _programs(act: Act) -> set[str]:
    return {each.bare[0] for each in act.commands if each.bare}


def _own_programs(act: Act) -> set[str]:
    return {each.bare[0] for each in act.commands if is_sought(each) and each.bare[0] not in BROAD}


def _single_words(act: Act) -> set[str]:
    """The words of an act that may be a program: paths by their last part, and no text in quotes."""
    return {_name(word) for each in act.commands for word in (*each.words, *each.bare[:1]) if " " not in word}


def _does_the_same(mine: ShellCommand, before: ShellCommand) -> bool:
    """Whether a command runs the program of an earlier one and has all words of its subcommand, in their order."""
    if not mine.bare or mine.bare[:1] != before.bare[:1]:
        return False
    rest = iter(mine.bare[1:])
    return all(word in rest for word in subcommand_of(before))


def _may_mean(given: str, option: str) -> bool:
    """Whether an option may be another one: in one word with others, by its long name or by a longer one."""
    one, other = given.lower(), option.lower()
    if one.startswith(other) or has_part(("option", one), [("option", other)]):
        return True
    return (_is_cluster(one) or _is_cluster(other)) and not _letters(one).isdisjoint(_letters(other))


def _is_cluster(option: str) -> bool:
    """Whether an option may be several letters in one word, as in `-rf`."""
    return not option.startswith("--") and len(option) <= _LONGEST_CLUSTER


def _letters(option: str) -> frozenset[str]:
    """The letters that may stand for an option: each of a cluster, the first one of a long name."""
    name = option.lstrip("-")
    return frozenset(name if _is_cluster(option) else name[:1])


def _options(act: Act) -> Iterator[str]:
    yield from (option for each in act.commands for option in each.options)


def _spellings(act: Act) -> frozenset[str]:
    """The options of an act as a text may name them: `-am` is `-a` as well."""
    given = {option.lower() for option in _options(act)}
    return frozenset(given | {f"-{letter}" for option in given if _is_cluster(option) for letter in option[1:]})


def _paths(act: Act) -> Iterator[str]:
    yield from act.files
    yield from act.given


def _name(path: str) -> str:
    return path.rpartition("/")[2]
