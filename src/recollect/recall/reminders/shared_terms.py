"""Pure: how much an act and a text have in common, word by word.

People write down what went wrong in their own words, and name what it was about in passing: a bucket, an option, a
folder, a host. A name that both have says much, a word of every session says little; enough of both is a tie.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from recollect.domain.dataclass import dataclass
from recollect.recall.reminders.act import Act
from recollect.recall.reminders.shell_line import BROAD, ShellCommand
from recollect.recall.words import STOP_WORDS, stem

NAME, PHRASE, OPTION, WORD, COMMON = 2.0, 2.0, 1.7, 1.0, 0.35  # worth of what both have
ENOUGH = 2.0  # for a tie; of words alone, in a text that is no lesson and no rule, a little more
ENOUGH_WORDS = 2.5

_RAW = re.compile(r"[\w./:@+*%&-]+")
_PARTS = re.compile(r"[^\W_]+")
_VERSION = re.compile(r"(?<!\d)\d++(?:\.\d++)+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MESSAGE = frozenset({"-m", "--message", "--title", "--body"})  # what follows is about the work, and no part of the act
_SHORTEST_NAME = 4
_MOST_WORDS = 60  # by which texts are looked up
_CLAUSE = re.compile(r"[.,;:!?]\s+|\n")
_POINTING = frozenset({"it", "that", "this", "those"})
_ADVISING = frozenset("use using prefer instead always rather goes belongs through via".split())
# An act that only looks changes nothing that a text could warn of.
_LOOKING = frozenset(
    "ls list get describe show status diff log logs plan template validate view search info help version history blame "
    "top ps inspect explain which whoami cat less head tail grep rg find wc tree du env date outdated doctor "
    "events".split()
)
_DRY = frozenset({"--dry-run", "--help", "--version", "--check", "--noemit", "--list"})
_SQL_READ = re.compile(r"\bselect\b|\\d", re.IGNORECASE)
_SQL_WRITE = re.compile(r"\b(?:update|delete|insert|drop|alter|truncate)\b", re.IGNORECASE)

# Words of every session: one of them says nothing, several say a little.
_COMMON = frozenset(
    "git test tests testing build run src docs doc main lib app web api file files fix add commit push pull status "
    "diff log show list get set install config json yaml yml toml py js ts tsx md txt sh npm yarn pnpm python node "
    "make docker compose kubectl cargo go branch checkout origin master feature release version server service data "
    "bin tmp dev local localhost http https www com org io index home root user users new old unit script scripts "
    "package packages code line lines change changes use using update check name false true all out head page pages "
    "open read write start stop time first last next one two need make made work works move day week".split()
)
# Programs and options in the words of people who write about them.
_SAYS: dict[str, str] = {
    "rm": "remove delete", "rmdir": "remove delete", "mv": "move rename", "cp": "copy", "chmod": "permission mode",
    "chown": "owner permission", "psql": "database postgres sql", "mysql": "database sql", "sqlite3": "database sqlite",
    "mongosh": "database mongo", "redis-cli": "redis", "pg_restore": "database restore postgres",
    "pg_dump": "database dump postgres", "kubectl": "cluster kubernetes", "helm": "cluster chart kubernetes",
    "terraform": "infrastructure", "tofu": "terraform infrastructure", "wandb": "w&b", "ssh": "remote",
    "scp": "copy remote", "rsync": "copy sync", "crontab": "cron", "systemctl": "service systemd",
    "gradlew": "gradle", "mvnw": "maven", "mvn": "maven", "pip": "python dependency", "tsc": "typescript",
    "prod": "production", "production": "prod", "stg": "staging", "db": "database", "database": "db",
    "env": "environment", "cfg": "config", "repo": "repository", "deps": "dependency", "auth": "authentication",
    "migrate": "migration", "migrations": "migration", "i18n": "translation", "locales": "translation",
    "k8s": "kubernetes cluster",
    "h": "header", "hpp": "header", "proto": "protobuf", "tf": "terraform", "ipynb": "notebook", "lock": "lockfile",
}  # fmt: skip
# Options in words; a short one means this with some programs only.
_OPTIONS: dict[str, str] = {
    "--force": "force", "git -f": "force", "docker -f": "force", "rm -f": "force", "rm -rf": "force recursive",
    "--no-verify": "hook verify", "git -n": "hook verify", "--hard": "hard discard", "--recursive": "recursive",
    "chmod -R": "recursive", "chown -R": "recursive", "--yes": "confirm", "-auto-approve": "approve",
    "--delete": "remove delete", "--prune": "prune remove", "--amend": "amend", "jest -u": "snapshot update",
    "vitest -u": "snapshot update", "--no-edit": "message", "--skip-tests": "skip test",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ActTerms:
    """The terms of an act: `names` as they were typed, options as `phrases` of their words, and stems.

    A stem has its worth and the word it comes from: what one word can be called counts once.
    """

    names: frozenset[str]
    phrases: frozenset[tuple[str, ...]]
    stems: dict[str, tuple[float, str]]
    words: tuple[str, ...]  # by which texts are looked up, those that say most first


def only_looks(act: Act) -> bool:
    """Whether nothing is changed by an act, as far as its words tell."""
    return bool(act.commands) and not act.files and all(map(_looks, act.commands))


def _looks(command: ShellCommand) -> bool:
    words = [each.lower() for each in command.words]
    line, queries = " ".join(words), " ".join(each for each in words if " " in each or each.startswith("\\"))
    if command.bare[:1] == ("git",) and "-l" in words:
        return True
    if not _DRY.isdisjoint(words) or (_SQL_READ.search(queries) and not _SQL_WRITE.search(line)):
        return True
    verbs = command.bare[:3] if command.bare[:1] and command.bare[0] in BROAD else command.bare[:2]
    return any(each.lower() in _LOOKING for each in verbs)


def terms_of(act: Act) -> ActTerms:
    """The terms by which a text can be about an act."""
    names, phrases, stems = set[str](), set[tuple[str, ...]](), dict[str, tuple[float, str]]()
    spoken: dict[str, float] = {}

    def called(word: str, source: str, worth: float = WORD) -> None:
        if word not in STOP_WORDS and not (word.isdigit() and len(word) < 3):
            is_common = worth == WORD and (word in _COMMON or stem(word) in _COMMON)
            stems[stem(word)] = max(stems.get(stem(word), (0.0, "")), (COMMON if is_common else worth, source))
            spoken[word] = stems[stem(word)][0]

    for raw in _typed(act):
        spelled = raw.strip("'\"`,;:()[]{}")
        for piece in (spelled, *spelled.split("=", 1)) if "=" in spelled else (spelled,):
            plain, words = piece.lower().rstrip("/."), _words(piece)
            names.update(each for each in (plain, *_folders(plain), *_inside(plain)) if _is_name(each))
            if piece.startswith("--") and len(words) > 1:
                phrases.add(tuple(words))
            for word in words:
                called(word, word)
            for word in (*words, plain):
                for other in _SAYS.get(word, "").split():
                    called(other, word)
    for command in act.commands:
        for option, said in _said_options(command):
            for word in said:
                called(word, option, OPTION)
    phrases.update(pair for command in act.commands for pair in _with_options(command))
    sought = sorted(spoken, key=lambda word: -spoken[word])[:_MOST_WORDS]
    return ActTerms(frozenset(names), frozenset(phrases), stems, tuple(sought))


def tie_by_terms(text: str, terms: ActTerms, *, is_guidance: bool) -> str:
    """The term by which a text is about an act; empty if it is not, or advises what the act does already."""
    total, best = strength(text, terms)
    by_words = best.isalpha()
    if not best or total < (ENOUGH_WORDS if by_words and not is_guidance else ENOUGH):
        return ""
    return "" if _is_advised(text, terms) else best


def _is_advised(text: str, terms: ActTerms) -> bool:
    """Whether a name of the act stands where a text says what to do, and nowhere else in it."""
    named, advice = list[set[str]](), list[bool]()
    for clause in _CLAUSE.split(text):
        words = _words(clause)
        named.append(_spellings(_tokens(clause)) & terms.names)
        advice.append(not _ADVISING.isdisjoint(words))
        if advice[-1] and not _POINTING.isdisjoint(words[:4]) and len(advice) > 1:
            advice[-2] = True  # `X respects the lock, use that` is about the clause before it
    others = {name for names, advises in zip(named, advice, strict=True) if not advises for name in names}
    return any(names - others for names, advises in zip(named, advice, strict=True) if advises)


def strength(text: str, terms: ActTerms) -> tuple[float, str]:
    """How much of an act a text speaks of, and the term that says most."""
    tokens, stems = _tokens(text), _stems(text)
    best, total = "", 0.0
    told = set[str]()
    for name in sorted(terms.names & _spellings(tokens), key=len, reverse=True):
        total, best = total + NAME, best or name
        told.update(map(stem, _words(name)))
    for phrase in sorted(terms.phrases):
        wanted = [stem(each) for each in phrase]
        if _stand_together(stems, wanted):
            total, best = total + PHRASE, best or " ".join(phrase)
            told.update(wanted)
    sources: dict[str, float] = {}
    for each in dict.fromkeys(stems):
        worth, source = terms.stems.get(each, (0.0, ""))
        if worth > sources.get(source, 0.0) and each not in told:
            sources[source] = worth
            best = best or (each if worth >= WORD else "")
    return total + sum(sources.values()), best


def _inside(word: str) -> Iterator[str]:
    """Names inside a word: a file without its ending, a folder with the slash that shows it is one, a version."""
    *folders, last = word.split("/")[-12:]
    yield last.partition(".")[0]
    yield from (f"{each}/" for each in folders)
    yield from _VERSION.findall(word)


def _stand_together(stems: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether some words stand in their order, with at most two between the first and the last."""
    for start, each in enumerate(stems):
        if each == wanted[0]:
            rest = iter(stems[start + 1 : start + len(wanted) + 2])
            if all(word in rest for word in wanted[1:]):
                return True
    return False


def _folders(path: str) -> Iterator[str]:
    """A path from each of its folders on, and up to each of them."""
    parts = path.strip("/").split("/")[:12] if "/" in path else []
    yield from ("/".join(parts[start:end]) for start in range(len(parts)) for end in range(start + 1, len(parts) + 1))


def _said_options(command: ShellCommand) -> Iterator[tuple[str, list[str]]]:
    """The options of a command that people have words for."""
    for option in sorted(command.options):
        said = _OPTIONS.get(option, "") or _OPTIONS.get(f"{command.bare[0] if command.bare else ''} {option}", "")
        if said:
            yield option, said.split()


def _with_options(command: ShellCommand) -> Iterator[tuple[str, ...]]:
    """Pairs such as `force push`: an option in words, beside what it is an option of."""
    for _, said in _said_options(command):
        for verb in command.bare[:3]:
            if verb.isalpha():
                yield from (pair for word in said for pair in ((word, verb), (verb, word)))


def _typed(act: Act) -> Iterator[str]:
    for command in act.commands:
        words = iter(command.typed)
        for word in words:
            if word in _MESSAGE or (word.startswith("-") and word.endswith("m") and "git" in command.bare[:1]):
                next(words, "")
            else:
                yield from word.split() if " " in word else (word,)
        yield from command.bare[:1]
    yield from act.files
    yield from (part for path in act.files for part in path.split("/"))


def _is_name(word: str) -> bool:
    """Whether a word is a name of something, and not a word of the language."""
    inner = word.strip("-./*")
    if word.endswith("/") and len(inner) > 2:
        return True
    signs = any(sign in inner for sign in "_/.-:@") or (word.startswith("-") and len(inner) > 2)
    digits = any(each.isdigit() for each in inner)
    return (signs and len(inner) >= _SHORTEST_NAME) or (digits and len(inner) >= 3 and not inner.startswith("0."))


def _tokens(text: str) -> list[str]:
    return [each.lower().rstrip(".:") for each in _RAW.findall(text)]


@lru_cache(maxsize=4096)
def _words(piece: str) -> tuple[str, ...]:
    return tuple(each.lower().lstrip("0") or "0" for part in _PARTS.findall(piece) for each in _CAMEL.split(part))


@lru_cache(maxsize=2048)
def _stems(text: str) -> Sequence[str]:
    found = [stem(word) for raw in _RAW.findall(text) for word in _words(raw) if word not in STOP_WORDS]
    return (*found, *(raw.lower() for raw in _RAW.findall(text) if "&" in raw))


def _spellings(tokens: Sequence[str]) -> set[str]:
    """The names in a text, and the folders that stand before one: `infra/network` is in `infra/network/main.tf`."""
    return {each for token in tokens for each in (token, token.strip("`'\"/"))}
