"""Git as a store of objects: a private bare repository, driven by plumbing commands only.

No work tree and no index: nothing here can touch a file that a person edits. Only refs of this machine are written.
The commands that may be called stand in `COMMANDS`, and a test holds the code to them.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, RecollectError, StoreFailure, Unreachable, Unsupported
from recollect.redaction.clean_records import holds_secret
from recollect.settings import environment_for

COMMANDS = (
    "init", "config", "hash-object", "fast-import", "mktree", "update-ref", "for-each-ref", "ls-tree", "cat-file",
    "merge-base", "rev-list", "ls-remote", "fetch", "push", "gc",
)  # fmt: skip

_REMOTE = re.compile(r"(?:ssh|https?|file)://\S+|[\w.@-]+:[^:\s][^\s]*|[./~].*|[A-Za-z]:[\\/].*")
_PUSHED_MEANWHILE = ("(fetch first)", "(non-fast-forward)", "(stale info)", "cannot lock ref")
_NO_REWRITING = ("denying non-fast-forward", "[remote rejected] (non-fast-forward)")
_NOT_ALLOWED = ("permission denied", "read-only", "unable to create", "insufficient permission", "declined", "denied")
_TOO_LONG = 120.0  # seconds for one command, of which only those over a network come near it


class GitFailure(StoreFailure):
    """Git could not do what was asked."""

    code = "git_failure"
    hint = "Nothing is lost: memory has everything, and the next sync goes on from here."


@dataclass(frozen=True, slots=True)
class GitCommit:
    """A commit, as far as history is told: who, when, why, and from what."""

    id: str
    tree: str
    parents: tuple[str, ...]
    author: str
    at: int  # seconds since 1970
    message: str


class GitRepository:
    """A bare repository of our own. Whoever uses it holds the lock of the vault."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._files: dict[str, dict[str, str]] = {}  # of commits, which never change
        self.sorted_out: dict[str, object] = {}  # what a reader made of the files of a commit
        self._refs: dict[str, str] | None = None

    # -- making and mending --

    def prepare(self) -> None:
        """Make the repository if it is not there; remove locks that a killed process left in it."""
        self._refs = None
        if not (self.path / "HEAD").exists():
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._run("init", "--bare", "--quiet", "--template=", str(self.path), inside=False)
            settings = {"core.fsync": "all", "gc.auto": "0", "core.logAllRefUpdates": "false", "core.autocrlf": "false"}
            for name, value in settings.items():
                self._run("config", name, value)
        for lock in (*self.path.glob("*.lock"), *(self.path / "refs").rglob("*.lock")):
            with suppress(OSError):
                lock.unlink()

    # -- objects --

    def keep(self, contents: Iterable[bytes]) -> list[str]:
        """Keep some files; their ids, in order. What is there already is not written again."""
        made = list(contents)
        names = [blob_id(content) for content in made]
        missing = self._missing(names)
        if missing:
            fresh = {name: content for name, content in zip(names, made, strict=True) if name in missing}
            self._keep_blobs(fresh)
        return names

    def tree(self, files: Mapping[str, str]) -> str:
        """A tree of files, each `folder/name` or `name`, by the ids of their contents."""
        folders: dict[str, list[str]] = {}
        for path, blob in files.items():
            folder, _, name = path.rpartition("/")
            folders.setdefault(folder, []).append(f"100644 blob {blob}\t{name}")
        top = folders.pop("", [])
        names = sorted(folders)
        told = b"\0\0".join(b"\0".join(line.encode() for line in folders[name]) for name in names)
        if names:
            made = self._run("mktree", "-z", "--batch", stdin=told + b"\0").split()
            top += (f"040000 tree {oid}\t{name}" for name, oid in zip(names, made, strict=True))
        return self._run("mktree", "-z", stdin=b"".join(line.encode() + b"\0" for line in top)).strip()

    def files(self, commit: str | None) -> dict[str, str]:
        """The ids of the files of a commit, by their paths. What we would never write is not seen.

        Others may push what they like to a remote: links, modules, folders in folders, names that are no text.
        """
        if commit is None:
            return {}
        if commit in self._files:
            return self._files[commit]
        listed = self._run("ls-tree", "-r", "-z", "--full-tree", commit)
        found: dict[str, str] = {}
        for line in listed.split("\0"):
            about, _, path = line.partition("\t")
            if about.startswith("100") and path.count("/") <= 1 and path.isprintable():
                found[path] = about.split()[2]
        self._files[commit] = found
        return found

    def contents(self, blobs: Iterable[str]) -> dict[str, bytes]:
        """The contents of files by their ids, all in one call. Raises `GitFailure` if one is not whole."""
        asked = list(dict.fromkeys(blobs))
        if not asked:
            return {}
        # With a buffer, for git would otherwise write each object by itself.
        told = self._run_bytes("cat-file", "--batch", "--buffer", stdin="".join(f"{each}\n" for each in asked).encode())
        found, place = {}, 0
        for oid in asked:
            end = told.index(b"\n", place)
            head = told[place:end].split()
            if len(head) != 3:
                raise GitFailure(f"The object {oid} is missing in {self.path}.", code="git_object_missing")
            size = int(head[2])
            found[oid] = told[end + 1 : end + 1 + size]
            place = end + 2 + size
        return found

    def commit(self, tree: str, parents: Sequence[str], *, author: str, at: int, message: str) -> str:
        """A commit. The same arguments give the same id on every machine."""
        return self.keep_commit(GitCommit("", tree, tuple(parents), author, at, message))

    def keep_commit(self, commit: GitCommit) -> str:
        """A commit from its parts; its id is given, not taken."""
        by = f"{commit.author} <recollect@{commit.author}> {commit.at} +0000"
        lines = [
            f"tree {commit.tree}",
            *(f"parent {each}" for each in commit.parents),
            f"author {by}",
            f"committer {by}",
        ]
        told = "\n".join(lines) + f"\n\n{commit.message}\n"
        return self._run("hash-object", "-t", "commit", "-w", "--stdin", stdin=told.encode()).strip()

    def commits(self, ids: Iterable[str]) -> dict[str, GitCommit]:
        """Commits by their ids."""
        return {oid: _commit(oid, content) for oid, content in self.contents(ids).items()}

    # -- refs and history --

    def ref(self, name: str) -> str | None:
        """The commit a ref points to; `None` if there is none."""
        return self._all_refs().get(name)

    def refs(self, below: str) -> dict[str, str]:
        """Refs below a folder of them, by their names, with the commits they point to."""
        return {name: commit for name, commit in self._all_refs().items() if name.startswith(f"{below}/")}

    def point(self, name: str, to: str, *, was: str | None) -> None:
        """Move a ref of ours from one commit to another; raises `GitFailure` if it is elsewhere by now."""
        self._run("update-ref", name, to, was or "0" * 40)
        self._all_refs()[name] = to

    def drop_ref(self, name: str) -> None:
        self._run("update-ref", "-d", name)
        self._all_refs().pop(name, None)

    def _all_refs(self) -> dict[str, str]:
        """Every ref, asked for once: whoever uses the repository holds the lock, and only a fetch brings others."""
        if self._refs is None:
            listed = self._run("for-each-ref", "--format=%(refname) %(objectname)")
            self._refs = dict(line.split(" ", 1) for line in listed.splitlines())
        return self._refs

    def bases(self, one: str, two: str) -> list[str]:
        """The newest commits that two have in common, in a fixed order."""
        return sorted(self._run("merge-base", "--all", one, two, may_fail=True).split())

    def independent(self, commits: Iterable[str]) -> list[str]:
        """Those of the commits that no other of them contains, in a fixed order."""
        some = sorted(set(commits))
        return some if len(some) < 2 else sorted(self._run("merge-base", "--independent", *some).split())

    def contains(self, commit: str, other: str) -> bool:
        """Whether a commit is the other, or came after it."""
        return self.bases(commit, other) == [other]

    def history(self, commit: str, *, limit: int, first_parent: bool = False) -> list[str]:
        """The ids of a commit and of what came before it, newest first."""
        how = ("--first-parent",) if first_parent else ("--date-order",)
        return self._run("rev-list", *how, f"--max-count={limit}", commit).split()

    def new_blobs(self, commit: str, known: Iterable[str]) -> list[str]:
        """The files that a commit brings along and the known ones have not."""
        told = self._run("rev-list", "--objects", "--no-object-names", commit, *(f"^{each}" for each in known))
        kinds = self._run("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=told.encode())
        return [line.split()[0] for line in kinds.splitlines() if line.endswith(" blob")]

    def touching(self, commit: str, paths: Sequence[str]) -> bool:
        """Whether any commit up to this one ever had one of the files."""
        some = (paths[start : start + 500] for start in range(0, len(paths), 500))
        return any(self._run("rev-list", "--max-count=1", "--full-history", commit, "--", *each) for each in some)

    def prune(self) -> None:
        """Remove every object that no ref leads to."""
        self._run("gc", "--prune=now", "--quiet")

    # -- the remote --

    def refs_at(self, remote: str, below: str) -> dict[str, str]:
        """The refs that a remote has below a folder of them, and their commits. It is asked, and nothing is written."""
        told = self._run("ls-remote", "--quiet", "--refs", "--", checked_remote(remote), f"{below}*", inside=False)
        lines = (line.partition("\t") for line in told.splitlines())
        return {name: commit for commit, _, name in lines}

    def fetch(self, remote: str, source: str, into: str) -> None:
        """Bring every machine's ref of a remote here, forced: what others did to their refs is theirs to say."""
        self._refs = None
        refs = f"+{source}*:{into}*"
        self._run(
            "fetch", "--quiet", "--no-tags", "--prune", "--no-write-fetch-head", "--", checked_remote(remote), refs
        )

    def push(self, remote: str, name: str, commit: str, *, over: str | None = None) -> None:
        """Put our own ref there. `over` is what it must still be where history was rewritten to erase something."""
        lease = (f"--force-with-lease={name}:{over}",) if over else ()
        self._run("push", "--quiet", "--no-verify", *lease, "--", checked_remote(remote), f"{commit}:{name}")

    # -- how a command is run --

    def _missing(self, names: Sequence[str]) -> set[str]:
        listed = self._run("cat-file", "--batch-check", stdin="".join(f"{each}\n" for each in names).encode())
        return {line.split()[0] for line in listed.splitlines() if line.endswith(" missing")}

    def _keep_blobs(self, blobs: Mapping[str, bytes]) -> None:
        """All in one stream: one process, and one sync of the disk, however many there are."""
        told = b"".join(b"blob\ndata %d\n%s\n" % (len(content), content) for content in blobs.values())
        self._run("fast-import", "--quiet", stdin=told)

    def _run(
        self,
        *words: str,
        stdin: bytes = b"",
        may_fail: bool = False,
        inside: bool = True,
    ) -> str:
        told = self._run_bytes(*words, stdin=stdin, may_fail=may_fail, inside=inside)
        return told.decode("utf-8", "surrogateescape")

    def _run_bytes(
        self,
        *words: str,
        stdin: bytes = b"",
        may_fail: bool = False,
        inside: bool = True,
    ) -> bytes:
        import subprocess

        # No hooks: a user's own would run inside our repository.
        where = ["-c", f"core.hooksPath={os.devnull}", *(["--git-dir", str(self.path)] if inside else [])]
        try:
            done = subprocess.run(  # noqa: S603
                ["git", *where, *words],  # noqa: S607
                input=stdin,
                capture_output=True,
                env=surroundings(),
                timeout=_TOO_LONG,
                check=False,
            )
        except FileNotFoundError:
            raise Unsupported("Git is not installed.", hint="Install git; sync and history need it.") from None
        except subprocess.TimeoutExpired:
            raise Unreachable("Git waited too long for an answer.", hint="Try again.") from None
        if done.returncode and not may_fail:
            raise failure(words[0], done.stderr.decode("utf-8", "replace"))
        return done.stdout


def blob_id(content: bytes) -> str:
    """The id that git gives a file."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def checked_remote(remote: str) -> str:
    """The address of a remote, if it is one of a path, ssh or https; others can run commands."""
    if not _REMOTE.fullmatch(remote) or remote.startswith("-") or "::" in remote:
        raise InvalidInput(
            f"`{remote[:80]}` is not the address of a git remote.",
            code="invalid_remote",
            hint="Write a path, user@host:path, ssh://… or https://….",
        )
    return remote


def named_remote(remote: str) -> str:
    """The address of a remote as it is kept: a path is the same from every folder."""
    if holds_secret(remote):
        raise InvalidInput(
            "The address of the git remote holds a password or a token; it was not kept.",
            code="secret_in_remote",
            hint="Leave it out, and let git ask its credential helper or use a key.",
        )
    is_path = checked_remote(remote).startswith((".", "/", "~"))
    return os.path.normpath(Path(remote).expanduser().absolute()) if is_path else remote


def failure(command: str, said: str) -> RecollectError:
    """Translate the error output of a git command into one of our errors."""
    told = " ".join(line.removeprefix("fatal: ").removeprefix("error: ") for line in said.split("\n"))
    told = " ".join(told.split()).rstrip(".")
    told = re.sub(r"(://[^:@/\s]+):[^@/\s]+@", r"\1:***@", told)[:300]
    if command not in ("ls-remote", "fetch", "push"):
        return GitFailure(f"Git could not do `{command}`: {told or 'it did not say why'}.")
    if command == "push" and any(each in said for each in _NO_REWRITING):
        return GitFailure(
            f"The remote does not let history be rewritten: {told}.",
            code="remote_keeps_history",
            hint="What was forgotten is gone here and still there. Let it be rewritten there, and sync again.",
        )
    if any(each in said for each in _PUSHED_MEANWHILE):
        return GitFailure(f"The remote has moved on: {told}.", code="push_rejected", hint="Sync again.")
    if command == "push" and any(each in said.lower() for each in _NOT_ALLOWED):
        return GitFailure(
            f"The remote cannot be written to: {told}.",
            code="remote_read_only",
            hint="Memory and vault are in step here; give this machine the right to push, and sync again.",
        )
    return Unreachable(
        f"The remote does not answer: {told}.",
        code="remote_unreachable",
        hint="Nothing is lost. Sync again when it can be reached.",
    )


def surroundings(ssh: str = "ssh -o BatchMode=yes") -> dict[str, str]:
    """The environment for git: the user's own, for ssh and credentials, but none of its switches and no questions."""
    return {
        "GIT_SSH_COMMAND": ssh,
        **environment_for("git"),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "file:ssh:https:http",
        "LC_ALL": "C",
    }


def _commit(oid: str, content: bytes) -> GitCommit:
    head, _, message = content.decode("utf-8", "replace").partition("\n\n")
    said: dict[str, list[str]] = {}
    for line in head.splitlines():
        key, _, value = line.partition(" ")
        said.setdefault(key, []).append(value)
    author = said["author"][0].rpartition(" <")[0]
    at = int(said["author"][0].split()[-2])
    return GitCommit(oid, said["tree"][0], tuple(said.get("parent", ())), author, at, message.strip())
