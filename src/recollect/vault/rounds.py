"""One round of a sync, from the folder to the remote and back.

Every step can be done again, and what one step needs is safe before it begins; so it does not matter where a round
was cut off. What cannot be reached is said at the end, when everything that can be done without it is done.
"""

from __future__ import annotations

from recollect.disk import write_whole
from recollect.domain.errors import RecollectError, StoreFailure, Unreachable
from recollect.vault.commits import files_of, paths_of
from recollect.vault.git import GitFailure, Repository
from recollect.vault.last_round import remember_round, unchanged_since
from recollect.vault.opened import Outcome, Synced, Vault
from recollect.vault.projecting import in_step
from recollect.vault.syncing import HEADS, THEIRS, applied, committed, joined, own_ref, refused, tombstones

_TRIES = 4  # when others push to the ref of this very machine, which only a copied disk does


def synced(vault: Vault, remote: str | None) -> tuple[Synced, Outcome, str | None]:
    """Bring folder, memory and remote in step; our head then. The caller holds the lock of the vault."""
    repository = Repository(vault.place.repository)
    repository.prepare()
    head = unchanged_since(vault, repository, remote, HEADS)
    if head is not None:
        return Synced(), Outcome(), head
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


def _round(vault: Vault, repository: Repository, remote: str | None) -> tuple[Synced, Outcome, str | None]:
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


def _fetched(repository: Repository, remote: str | None) -> RecollectError | None:
    """Bring in what others sent; why that could not be done."""
    if remote is None:
        return None
    try:
        repository.fetch(remote, "refs/heads/m-", THEIRS)
    except (Unreachable, GitFailure) as problem:
        return problem
    return None


def _pushed(vault: Vault, repository: Repository, remote: str, head: str) -> None:
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


def _cleaned(vault: Vault, repository: Repository) -> None:
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


def _both(first: Outcome, second: Outcome) -> Outcome:
    return Outcome(
        first.taken_in + second.taken_in,
        first.retracted + second.retracted,
        first.written + second.written,
        first.removed + second.removed,
        second.held,
        second.problems,
        second.left_out,
    )
