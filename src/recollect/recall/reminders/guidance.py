"""Pure: whether a text gives guidance about an act, by the files, commands and steps that it names.

Silence is the rule. A text counts if it says what to do or not to do, names what is touched, and is not heeded already:
`never push with --force` is not told before a push without it, nor `use uv run pytest` before that very command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from recollect.domain.dataclass import dataclass
from recollect.language.english import directions
from recollect.language.english.directions import is_forbidden, is_required
from recollect.recall.reminders.act import Act, path_fits
from recollect.recall.reminders.shared_terms import only_looks
from recollect.recall.reminders.shell_line import BROAD, ShellCommand
from recollect.recall.words import stem, words_of

_LONGEST = 4000  # characters of a text that are looked at
_REACH = 6  # words before an option or a command in which a denial belongs to it

_INTERPRETERS = frozenset("python python3 node ruby perl php bash sh deno bun".split())
# Programs of which every session is full: nothing is told for their sake.
_EVERYDAY = frozenset(
    "ls cat echo grep rg find head tail wc pwd sed awk sort uniq cut tr diff which test true false sleep mkdir cp mv "
    "rm in "
    "touch chmod xargs tee printf cd export set read ps kill curl wget tar less more date env jq for while if".split()
)

# Each begins only where a word does, so that a long run of signs is gone through once.
_PATH = re.compile(
    r"(?<![\w@.*~+/-])(?:[\w@.*~+-]*(?:/[\w@.*+-]+)+/?|[\w@.*+-]*\.[A-Za-z*][\w*]{0,9}(?:\.[\w*]+)*|[\w@.+-]+/)"
)
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_TOKEN = re.compile(rf"{_OPTION.pattern}|(?<![\w@./:+*-])[\w@./:+*-]*[\w*/]|[.;!?](?=\s)")
_ENDS = frozenset(".;!?")  # of a sentence, among its words
_KNOWN_NAMES = re.compile(r"\b(?:Make|Docker|Jenkins|Proc|Gem|Rake|Vagrant|Just|Brew|Pip)file\b")
_IDENTIFIER = re.compile(r"(?<!\w)(?:[a-z]+(?:_[a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)")


@dataclass(frozen=True, slots=True)
class Guided:
    """The tie between a text and an act, for whoever is told why: a path, a command, a step or a term."""

    by: str
    named: str

    @property
    def is_program(self) -> bool:
        """Whether it is a program, and nothing says what of all that it does."""
        return self.by == "command" and " " not in self.named


def guidance(text: str, act: Act, *, is_guidance: bool) -> Guided | None:
    """Find the tie between a text and an act that it names. `is_guidance` is known of lessons and instructions."""
    looked_at = text[:_LONGEST]
    words = _lowered(looked_at)
    if not is_guidance and not _gives_guidance(looked_at, words):
        return None
    heeded = any(_options_heeded(words, command) for command in act.commands)
    for command in act.commands:
        named = _names_command(words, command)
        if named and not _is_heeded(words, command, named):
            return Guided("command", " ".join(named))
        heeded = heeded or bool(named)
    path = next((path for path in act.files if _names_file(looked_at, path)), None)
    if path is not None:
        return Guided("file", path)
    step = next((step for step in sorted(act.steps) if _names_step(words, step)), None)
    if step is not None and not heeded and not only_looks(act):
        return Guided("before", step)
    term = next((term for term in act.terms if _names_term(looked_at, term)), None)
    return None if term is None else Guided("term", term)


def is_followed(text: str, act: Act, before: Sequence[Act] = ()) -> bool:
    """Whether an act is what a text says to use, or has an option that it clearly asks for: `X without --y fails`.

    An act `before` the text was learned that is so as well shows that the text does not mean that.
    """
    return _follows(text, act) and not any(_follows(text, each) for each in before)


def _follows(text: str, act: Act) -> bool:
    words = _lowered(text[:_LONGEST])
    if any(_is_recommended(words, command, command.bare[:1]) for command in act.commands if command.bare):
        return True
    there = {option.lower() for command in act.commands for option in command.options}
    for place, word in enumerate(words):
        if word in there:
            before = _said_before(words, place)
            if not directions.DEMANDING.isdisjoint(before) and not is_forbidden(before):
                return True
    return False


def asked_options(text: str) -> frozenset[str]:
    """The options that a text names and does not speak against."""
    named, denied, _ = _sorted_options(text)
    return named - denied


def required_options(text: str) -> frozenset[str]:
    """The options that a text asks for."""
    _, denied, wanted = _sorted_options(text)
    return wanted - denied


def warned_options(text: str) -> frozenset[str]:
    """The options that a text speaks against, or names without asking for them."""
    named, denied, wanted = _sorted_options(text)
    return (named | denied) - (wanted - denied)


@lru_cache(maxsize=512)
def named_options(text: str) -> frozenset[str]:
    """All options that a text names."""
    return frozenset(word for word in _lowered(text[:_LONGEST]) if word.startswith("-"))


@lru_cache(maxsize=512)
def gives_guidance(text: str) -> bool:
    """Whether a text says what to do or not to do."""
    return _gives_guidance(text[:_LONGEST], _lowered(text[:_LONGEST]))


def _sorted_options(text: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The options that a text names, those of them that it speaks against elsewhere, and those that it asks for."""
    words = _lowered(text[:_LONGEST])
    named, denied, wanted = set[str](), set[str](), set[str]()
    for place, word in enumerate(words):
        if word.startswith("-"):
            before = _said_before(words, place)
            (denied if is_forbidden(before) else named).add(word)
            if is_required(_of_clause(before)) and not is_forbidden(before):
                wanted.add(word)
    return frozenset(named), frozenset(denied), frozenset(wanted)


def is_sought(command: ShellCommand) -> bool:
    """Whether something can be known about a command at all."""
    return bool(command.bare) and command.bare[0] not in _EVERYDAY


def _gives_guidance(text: str, words: Sequence[str]) -> bool:
    """Whether a text says what to do: by a word that binds, or by a clause that begins with a request."""
    if not directions.BINDING.isdisjoint(words):
        return True
    begun = (words_of(clause)[:1] for clause in directions.CLAUSE_END.split(text))
    return any(first and first[0] in directions.IMPERATIVE for first in begun)


def _lowered(text: str) -> list[str]:
    """The words of a text, options and ends of sentences among them."""
    plain = text.replace("`", " ").replace("\u2019", "'").replace("n't", "nt")
    return [token.lower() for token in _TOKEN.findall(plain)]


# -- commands ----------------------------------------------------------------------------------------------------------


def _names_command(words: Sequence[str], command: ShellCommand) -> tuple[str, ...]:
    """The words by which a text names a command; empty if it does not."""
    if not is_sought(command):
        return ()
    for named in _names_of(command):
        if any(len(named) > 1 or not _is_other_command(words, place, command) for place in _places(words, named)):
            return named
    return ()


def _is_other_command(words: Sequence[str], place: int, command: ShellCommand) -> bool:
    """Whether a program is named with another subcommand than the act has."""
    mine, following = command.bare[1:2], words[place + 1 : place + 2]
    if not mine or not re.fullmatch(r"[a-z][a-z-]*", mine[0]) or not following or following[0].startswith("-"):
        return False
    return following[0] not in directions.GOING_ON | directions.BINDING | directions.REQUIRING | _ENDS


def _names_of(command: ShellCommand) -> Iterator[tuple[str, ...]]:
    """The ways to name a command, the longest first."""
    program, *rest = (word.lower() for word in command.bare)
    plain = [word for word in rest[:2] if re.fullmatch(r"[a-z][\w:.-]*", word)]
    if program in _INTERPRETERS and rest and ("." in rest[0] or "/" in rest[0]):
        yield (rest[0].rpartition("/")[2],)
    elif program in BROAD:
        yield from ((program, *plain[:length]) for length in range(len(plain), 0, -1))
        if plain and program in _WITH_TARGETS and plain[-1] not in _PLAIN_TARGETS:
            yield from ((plain[-1], "target"), (plain[-1], "script"))
    elif len(program) > 2 and program not in directions.ALSO_PROGRAMS:
        if plain:
            yield (program, plain[0])
        yield (program,)


_WITH_TARGETS = frozenset("make just task npm pnpm yarn rake bun".split())
_PLAIN_TARGETS = frozenset({"run", "install", "test", "build"})


def _places(words: Sequence[str], named: Sequence[str]) -> Iterator[int]:
    """Where some words stand one after the other, options between them left out; never inside another command."""
    for start, word in enumerate(words):
        if not _same(word, named[0]) or (start and words[start - 1] in BROAD and words[start - 1] != word):
            continue
        rest = [each for each in words[start + 1 : start + 8] if not each.startswith("-")][: len(named) - 1]
        if len(rest) == len(named) - 1 and all(map(_same, rest, named[1:])):
            yield start


def _same(word: str, named: str) -> bool:
    return word == named or word.rpartition("/")[2] == named


def _is_heeded(words: Sequence[str], command: ShellCommand, named: Sequence[str]) -> bool:
    """Whether the command does already what a text asks for, or not what it warns of."""
    return _options_heeded(words, command) or _is_recommended(words, command, named)


def _options_heeded(words: Sequence[str], command: ShellCommand) -> bool:
    """Whether a command has the options that a text asks for, and none of those it warns of.

    An option that is only named, as in `docker compose down -v deletes the data`, is one that is warned of, unless the
    text asks for another one.
    """
    there = {option.lower() for option in _OPTION.findall(" ".join(command.typed))}
    wanted, denied, named = set[str](), set[str](), set[str]()
    for place, word in enumerate(words):
        if word.startswith("-"):
            before = _said_before(words, place)
            (denied if is_forbidden(before) else wanted if is_required(before) else named).add(word)
    wanted -= denied
    if not wanted and not denied and not named:
        return False
    warned = denied if wanted or denied else named
    return warned.isdisjoint(there) and wanted <= there


def _said_before(words: Sequence[str], place: int) -> Sequence[str]:
    """The last words before a place, of the same sentence."""
    before = words[max(0, place - _REACH) : place]
    end = next((back for back in range(len(before) - 1, -1, -1) if before[back] in _ENDS), -1)
    return before[end + 1 :]


def _of_clause(before: Sequence[str]) -> Sequence[str]:
    """The words after the last one that begins a clause; between two options such a word begins none."""
    for place in range(len(before) - 1, -1, -1):
        if before[place] in directions.JOINING and not (place and before[place - 1].startswith("-")):
            return before[place + 1 :]
    return before


def _is_recommended(words: Sequence[str], command: ShellCommand, named: Sequence[str]) -> bool:
    """Whether a text says to use these very words, as they were typed."""
    typed = [word.lower() for word in command.typed if not word.startswith("-")]
    for length in range(min(4, len(typed)), 0, -1):
        spelled = typed[:length]
        if length < len(named) and _same(spelled[0], named[0]):
            break
        if any(_is_led(_said_before(words, start)) for start in _exact_places(words, spelled)):
            return True
    return False


def _is_led(before: Sequence[str]) -> bool:
    """Whether the words before a command recommend it: `use X`, `always X`, and not `before you use X`."""
    if not before or before[-1] not in directions.RECOMMENDING or is_forbidden(before):
        return False
    inside_another = len(before) > 1 and before[-2] in BROAD  # `uv run X` is another command
    return not inside_another and directions.AHEAD.isdisjoint(before[-4:-1])


def _exact_places(words: Sequence[str], spelled: Sequence[str]) -> Iterator[int]:
    for start in range(len(words) - len(spelled) + 1):
        if list(words[start : start + len(spelled)]) == list(spelled):
            yield start


# -- files, steps and terms --------------------------------------------------------------------------------------------


def _names_file(text: str, path: str) -> bool:
    """Whether a text names a file: by a path or pattern, by its folder, or by the name of what is in it."""
    name = path.rpartition("/")[2]
    if any(_is_path_of(found.rstrip(".,:;").lstrip("~"), path, name) for found in _PATH.findall(text)):
        return True
    folders = path.split("/")[:-1]
    return (
        any(folder in folders for folder in directions.NAMED_FOLDER.findall(text))
        or name in _KNOWN_NAMES.findall(text)
        or name.partition(".")[0] in _IDENTIFIER.findall(text)
    )


def _is_path_of(pattern: str, path: str, name: str) -> bool:
    if pattern.startswith(("*.", ".")):
        return len(pattern.strip("*.")) > 1 and name.endswith(pattern.lstrip("*"))
    if not pattern.strip("*/."):
        return False
    is_folder = "/" in pattern and not pattern.endswith("/") and "." not in pattern.rpartition("/")[2]
    return path_fits(path, pattern) or (is_folder and path_fits(path, f"{pattern}/"))


def _names_step(words: Sequence[str], step: str) -> bool:
    """Whether a text speaks of what to do around a step: `before you push`, `never commit`, `when releasing`."""
    wanted = {stem(step), stem(f"{step}ing"), stem(f"{step}{step[-1:]}ing"), step}
    for place, word in enumerate(words):
        before = _said_before(words, place)[-4:]
        if (word not in wanted and stem(word) not in wanted) or (before and before[-1] in BROAD):
            continue
        if not (directions.AHEAD | directions.FORBIDDING | directions.ANYBODY).isdisjoint(before[-2:]):
            return True
    return False


def _names_term(text: str, term: str) -> bool:
    wanted = [stem(word) for word in words_of(term)]
    there = [stem(word) for word in words_of(text)]
    return bool(wanted) and any(
        there[start : start + len(wanted)] == wanted for start in range(len(there) - len(wanted) + 1)
    )
