"""One round of a sync, from the folder to the remote and back, and the state after the last whole one.

Every step can be done again, and what one step needs is safe before it begins; so it does not matter where a round
was cut off. What cannot be reached is said at the end, when everything that can be done without it is done.

Memory is compared by the number of its newest change, the folder by the sizes, times and inodes of its files, and the
remote by its refs. Whatever differs, or was changed so shortly before that a second change would not show, means a
whole round. Nothing is decided by this file but whether there is anything to decide.
"""

from __future__ import annotations

import json
from contextlib import suppress

from recollect.disk import write_whole
from recollect.domain.errors import RecollectError, StoreFailure, Unreachable
from recollect.vault.commits import files_of, paths_of
from recollect.vault.folder import UNSURE, fingerprint, walked
from recollect.vault.git import GitFailure, GitRepository
from recollect.vault.open_vault import Synced, Vault, VaultOutcome
from recollect.vault.place import recorded, recorded_when
from recollect.vault.projection import in_step
from recollect.vault.sync import HEADS, THEIRS, applied, committed, joined, own_ref, refused, tombstones

_FILE = "round.json"


def unchanged_since(vault: Vault, repository: GitRepository, remote: str | None, heads: str) -> str | None:
    """Our head, if neither memory nor the folder nor the remote has changed since the last round; else `None`."""
    try:
        said = json.loads((vault.place.private / _FILE).read_bytes())
        head = str(said["head"])
        same_settings = (said["machine"], said["remote"]) == (vault.place.machine, remote)
        ref = (repository.path / said["ref"]).read_text().strip()
    except (OSError, ValueError, KeyError, TypeError):
        return None
    space = vault.store.space(vault.space)
    if not same_settings or ref != head or said["seq"] != (space.seq if space else 0):
        return None
    if said["recorded"] != recorded_when(vault.place):
        return None
    found = walked(vault.place.folder)
    newest = max((modified for _, modified, _ in found.stats.values()), default=0)
    if found.problems or found.left_out or newest >= said["recorded"] - UNSURE:
        return None
    if said["folder"] != fingerprint(found.stats.items()):
        return None
    with suppress(RecollectError):
        return head if remote is None or said["refs"] == repository.refs_at(remote, heads) else None
    return None


def remember_round(
    vault: Vault,
    remote: str | None,
    ref: str,
    head: str | None,
    refs: dict[str, str],
    outcome: Synced,
    files: VaultOutcome,
) -> None:
    """Write down how a round ended, if it left nothing to do or to say."""
    known = files.record or recorded(vault.place)
    if head is None or outcome.problems or files.problems or files.held or files.left_out or outcome.seq != known.seq:
        (vault.place.private / _FILE).unlink(missing_ok=True)
        return
    said = {
        "machine": vault.place.machine,
        "remote": remote,
        "ref": ref,
        "head": head,
        "refs": refs,
        "seq": known.seq,
        "recorded": recorded_when(vault.place),
        "folder": fingerprint((path, (seen.size, seen.modified, seen.inode)) for path, seen in known.files.items()),
    }
    write_whole(vault.place.private / _FILE, json.dumps(said).encode())


_TRIES = 4  # when others push to the ref of this very machine, which only a copied disk does


def synced(vault: Vault, remote: str | None) -> tuple[Synced, VaultOutcome, str | None]:
    """Bring folder, memory and remote in step; our head then. The caller holds the lock of the vault."""
    repository = GitRepository(vault.place.repository)
    repository.prepare()
    head = unchanged_since(vault, repository, remote, HEADS)
    if head is not None:
        return Synced(), VaultOutcome(), head
    try:
        return _round(vault, repository, remote)
    except GitFailure as problem:
        if problem.code not in ("git_failure", "git_object_missing"):
            raise
    import shutil

    # Our repository is not whole. Memory has every note and the remote every commit: it is made anew.
    broken = vault.place.repository.with_suffix(".broken")
    shutil.rmtree(broken, ignore_errors=True)
    vault.place.repository.rename(broken)
    repository.prepare()
    return _round(vault, repository, remote)


def _round(vault: Vault, repository: GitRepository, remote: str | None) -> tuple[Synced, VaultOutcome, str | None]:
    outcome = Synced()
    files = in_step(vault)
    problem: RecollectError | None = None
    head: str | None = None
    for tries_left in reversed(range(_TRIES)):
        problem = _fetched(repository, remote)
        outcome.problems.clear()
        sent = committed(vault, repository, outcome)
        whole = joined(vault, repository, sent)
        applied(vault, repository, sent, whole, outcome)
        head = committed(vault, repository, outcome)  # with what settling the two sides has changed
        if remote is None or problem is not None or head is None:
            break
        try:
            _pushed(vault, repository, remote, head)
            break
        except GitFailure as why:
            if why.code != "push_rejected" or not tries_left:
                problem = why
                break
    files = _both(files, in_step(vault))
    _cleaned(vault, repository)
    if problem is not None:
        raise problem
    theirs = repository.refs(THEIRS.rpartition("/")[0]) if remote else {}
    refs = {f"{HEADS}{name.removeprefix(THEIRS)}": commit for name, commit in theirs.items()}
    remember_round(vault, remote, own_ref(vault), head, refs, outcome, files)
    return outcome, files, head


def _fetched(repository: GitRepository, remote: str | None) -> RecollectError | None:
    """Bring in what others sent; why that could not be done."""
    if remote is None:
        return None
    try:
        repository.fetch(remote, "refs/heads/m-", THEIRS)
    except (Unreachable, GitFailure) as problem:
        return problem
    return None


def _pushed(vault: Vault, repository: GitRepository, remote: str, head: str) -> None:
    """Send our own ref, after a last look that nothing in it is to stay here."""
    theirs = repository.refs(THEIRS.rpartition("/")[0])
    there = theirs.get(f"{THEIRS}{vault.place.machine}")
    if there == head:
        return
    why = refused(repository, head, theirs.values())
    if why is not None:
        raise StoreFailure(f"Nothing was sent: {why}.", code="local_note", hint="Please report this as a bug.")
    rewritten = there is not None and not repository.contains(head, there)
    repository.push(remote, own_ref(vault), head, over=there if rewritten else None)
    repository.point(f"{THEIRS}{vault.place.machine}", head, was=there)


def _cleaned(vault: Vault, repository: GitRepository) -> None:
    """Leave no object of a forgotten note: refs that still lead to one are let go of, and the rest is removed."""
    forgotten = frozenset(tombstones(vault))
    theirs = repository.refs(THEIRS.rpartition("/")[0]).items()
    unaware = [(ref, forgotten - files_of(repository, head).erased) for ref, head in theirs]
    touched = [ref for ref, left in unaware if left and repository.touching(str(repository.ref(ref)), paths_of(left))]
    for ref in touched:
        repository.drop_ref(ref)
    done = vault.place.private / "pruned"  # for how many forgotten notes; a crash before it is written does no harm
    if touched or (str(len(forgotten)) != (done.read_text() if done.exists() else "0")):
        repository.prune()
        write_whole(done, str(len(forgotten)).encode())


def _both(first: VaultOutcome, second: VaultOutcome) -> VaultOutcome:
    return VaultOutcome(
        first.taken_in + second.taken_in,
        first.retracted + second.retracted,
        first.written + second.written,
        first.removed + second.removed,
        second.held,
        second.problems,
        second.left_out,
        record=second.record,
    )
