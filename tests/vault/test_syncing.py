"""Machines in step: what is written on one is on all, what is changed on several is merged, and nothing is lost."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest

from recollect import Caller, Channel, InvalidInput, Memory, RecollectError, Unsupported
from tests.support.raw import rows
from tests.vault.machines import (
    bare_remote,
    file_of,
    files_of,
    folder_of,
    git,
    in_step,
    machines,
    refusal,
    remote_bytes,
)


def test_a_note_written_here_is_there_after_a_sync(two: tuple[Memory, Memory]) -> None:
    here, there = two
    note = here.save("Alice prefers tea", subject="alice", attribute="drink", value="tea", tags=["drink"])
    in_step([here, there])
    came = there.get(note.id)
    assert (came.text, came.value, came.authority, came.origin.channel) == (note.text, "tea", note.authority, "sync")
    assert (came.recorded_at, came.updated_at) == (note.recorded_at, note.updated_at)
    assert [hit.id for hit in there.search("tea").hits] == [note.id]


def test_edits_of_one_note_on_both_machines_meet(two: tuple[Memory, Memory]) -> None:
    here, there = two
    note = here.save("one\ntwo\nthree\nfour", tags=["a"])
    in_step([here, there])
    here.update(note.id, text="one, here\ntwo\nthree\nfour", tags=["a", "here"])
    path = file_of(there, note.id)
    path.write_text(path.read_text().replace("four\n", "four, there\n").replace("tags:", "# a remark\ntags:"))
    in_step([here, there])
    assert here.get(note.id).text == "one, here\ntwo\nthree\nfour, there"
    assert here.get(note.id).tags == ("a", "here")
    assert b"# a remark\n" in file_of(here, note.id).read_bytes()
    assert here.review().items == ()


def test_edits_that_clash_are_both_kept_and_shown_for_review(two: tuple[Memory, Memory]) -> None:
    here, there = two
    note = here.save("tea", title="first")
    in_step([here, there])
    here.update(note.id, text="oolong", title="mine")
    there.update(note.id, text="coffee", title="theirs")
    in_step([here, there])
    now = here.get(note.id)
    assert (now.title, set(now.text.split("\n"))) == ("theirs", {"coffee", "oolong"})
    assert [item.path for item in there.review().items] == [note.id]
    assert "title: mine" in str(now.metadata["vault"]["conflicts"])
    assert len(here.history(note.id).steps[0].versions) >= 3
    here.update(note.id, text="tea after all", clear=["review"])
    in_step([here, there])
    assert there.review().items == ()
    assert b"conflicts" not in file_of(there, note.id).read_bytes()


def test_a_note_that_became_another_kind_on_both_machines_is_of_one_kind(two: tuple[Memory, Memory]) -> None:
    here, there = two
    note = here.save("Run the migrations first")
    in_step([here, there])
    here.update(note.id, kind="lesson")
    there.update(note.id, kind="episodic", title="Migrations")
    in_step([here, there])
    assert [memory.get(note.id).kind for memory in two] == ["episodic", "episodic"]
    assert "kind: lesson" in str(here.get(note.id).metadata["vault"]["conflicts"])
    assert [(each.sync().sent, each.sync().received) for each in two] == [((), ())] * 2


def test_an_edit_beats_a_deletion_and_a_deletion_travels(two: tuple[Memory, Memory]) -> None:
    here, there = two
    edited, gone = here.save("to be edited"), here.save("to go")
    for number in range(10):
        here.save(f"another {number}")
    in_step([here, there])
    file_of(here, edited.id).unlink()
    file_of(here, gone.id).unlink()
    there.update(edited.id, text="edited over there")
    in_step([here, there])
    assert here.get(edited.id).text == there.get(edited.id).text == "edited over there"
    assert here.get(edited.id).state == "active"
    assert (here.get(gone.id).state, there.get(gone.id).state) == ("retracted", "retracted")


def test_what_two_machines_learned_apart_becomes_one_history(two: tuple[Memory, Memory]) -> None:
    here, there = two
    austin = here.save("Alice lives in Austin", subject="alice", attribute="location", value="Austin")
    in_step([here, there])
    here.supersede(austin.id, "Alice lives in Boston", value="Boston", valid_from="2026-03-01")
    there.supersede(austin.id, "Alice lives in Chicago", value="Chicago", valid_from="2026-05-01")
    in_step([here, there], rounds=3)
    for memory in two:
        steps = memory.history(austin.id).steps
        assert [(step.note.value, step.note.state.value) for step in steps] == [
            ("Austin", "superseded"),
            ("Boston", "superseded"),
            ("Chicago", "active"),
        ]
        assert steps[1].note.valid_until == steps[2].note.valid_from


def test_first_values_learned_apart_are_settled_too(two: tuple[Memory, Memory]) -> None:
    here, there = two
    here.learn("user", "location", "Boston", at="2025-02-01")
    there.learn("user", "location", "Chicago", at="2025-04-01")
    in_step([here, there], rounds=3)
    for memory in two:
        [location] = [each for each in memory.profile(subject="user").fields if each.attribute == "location"]
        assert location.values == ("Chicago",)


def test_a_note_of_this_machine_never_leaves_it(two: tuple[Memory, Memory], tmp_path: Path) -> None:
    here, there = two
    local = here.save("the swordfish is local", machine="thinkpad")
    moved = here.save("the marlin was shared")
    in_step([here, there])
    here.update(moved.id, machine="thinkpad", text="the marlin stays here")
    in_step([here, there])
    assert b"swordfish" not in remote_bytes(tmp_path / "remote.git")
    assert b"stays here" not in remote_bytes(tmp_path / "remote.git")
    assert there.get(moved.id).state == "retracted"
    assert here.get(moved.id).state == "active"
    with pytest.raises(RecollectError):
        there.get(local.id)


SECRETS = "the key is AKIAIOSFODNN7EXAMPLQ and aws_secret_access_key = wJalrXUtnFEMI7MDENGbPxRfiCYzEXAMPLEKEY1"


def test_a_note_goes_without_its_secrets(two: tuple[Memory, Memory], tmp_path: Path) -> None:
    here, there = two
    note = here.save(SECRETS)
    assert here.sync().problems == ()
    there.sync()
    assert there.get(note.id).text == note.text
    assert "[redacted:" in note.text
    assert b"AKIA" not in remote_bytes(tmp_path / "remote.git")


def test_a_note_that_was_stored_with_a_secret_stays_and_the_others_go(
    two: tuple[Memory, Memory], tmp_path: Path
) -> None:
    here, there = two
    secret = here.save("as an earlier version kept it")
    rows(here._engine.store, f"UPDATE note_text SET text = '{SECRETS}' WHERE note_id = '{secret.id}'")
    fine = here.save("nothing to hide")
    assert [problem.path for problem in here.sync().problems] == [secret.id]
    there.sync()
    assert there.get(fine.id).text == "nothing to hide"
    assert b"AKIA" not in remote_bytes(tmp_path / "remote.git")
    here.update(secret.id, text="the key is in the safe")
    assert here.sync().problems == ()
    there.sync()
    assert there.get(secret.id).text == "the key is in the safe"


def test_what_is_forgotten_leaves_the_history_of_every_machine(two: tuple[Memory, Memory], tmp_path: Path) -> None:
    here, there = two
    doomed, kept = here.save("the swordfish swims at noon"), here.save("kept")
    in_step([here, there])
    there.update(doomed.id, text="the swordfish swims at dawn")
    there.update(kept.id, text="kept, and edited there")
    here.forget(doomed.id)
    in_step([here, there], rounds=3)
    assert here.get(kept.id).text == "kept, and edited there"
    for memory in two:
        repository = folder_of(memory) / ".recollect" / "repository.git"
        assert "swordfish" not in git("--git-dir", str(repository), "log", "-p", "--all")
        assert "unreachable" not in git("--git-dir", str(repository), "fsck", "--unreachable", "--no-reflogs")
        assert all(b"swordfish" not in each for each in files_of(memory).values())
        assert (memory.settings.home / "recollect.db").read_bytes().count(b"swordfish") == 0
    assert b"swordfish" not in remote_bytes(tmp_path / "remote.git")
    with pytest.raises(RecollectError, match="forgotten"):
        there.get(doomed.id)


def test_history_is_told_by_revision_note_and_machine(two: tuple[Memory, Memory]) -> None:
    here, there = two
    note = here.save("one\ntwo", title="Numbers")
    here.sync()
    there.sync()
    there.update(note.id, text="one\nthree")
    in_step([here, there])
    newest, first = here.log().revisions
    assert (newest.changed, first.written) == ((note.id,), (note.id,))
    names = {each.name: each for each in here.machines().machines}
    assert [name.is_this for name in names.values()].count(True) == 1
    assert names[newest.machine].revisions == names[first.machine].revisions == 1
    assert {"-two", "+three"} <= set(here.show(newest.id[:10]).differences[0].lines)
    assert {"-two", "+three"} <= set(here.diff(note.id).lines)
    lines = {line.text: line for line in here.blame(note.id).lines}
    assert (lines["one"].version, lines["three"].version, lines["three"].channel) == (1, 2, "sync")


def test_a_revision_is_taken_back_without_what_came_after(two: tuple[Memory, Memory]) -> None:
    here, there = two
    note, other = here.save("one\ntwo\nthree\nfour\nfive"), here.save("untouched")
    in_step([here, there])
    there.update(note.id, text="one\ntwo, wrong\nthree\nfour\nfive")
    wrong = there.save("this was wrong as a whole")
    in_step([here, there])
    revision = here.log().revisions[0].id
    here.update(note.id, text="one\ntwo, wrong\nthree\nfour\nfive, right")
    assert set(here.revert(revision).note_ids) == {note.id, wrong.id}
    in_step([here, there])
    for memory in two:
        assert memory.get(note.id).text == "one\ntwo\nthree\nfour\nfive, right"
        assert memory.get(wrong.id).state == "retracted"
        assert memory.get(other.id).version == 1
    with pytest.raises(RecollectError, match="no revision"):
        here.show("ffff")


def test_a_revert_names_every_note_it_did_not_set_back_and_why(two: tuple[Memory, Memory]) -> None:
    here, there = two
    notes = {name: here.save(f"{name}, right").id for name in ("plain", "back", "again", "forgotten", "gone")}
    in_step([here, there])
    for name, note_id in notes.items():
        there.update(note_id, text=f"{name}, wrong")
    new = there.save("should not be")
    in_step([here, there])
    revision = here.log().revisions[0].id
    here.update(notes["back"], text="back, right")
    here.update(notes["again"], text="again, better")
    here.retract(notes["gone"])
    here.retract(new.id)
    here.forget(notes["forgotten"])
    in_step([here, there])
    [revision] = [each.id for each in here.log(limit=50).revisions if notes["plain"] in each.changed]
    told = here.revert(revision)
    why = {problem.path: problem.code for problem in told.problems}
    assert why[notes["back"]] == "already_set_back" and why[new.id] == "already_set_back"
    named = {*told.note_ids, *why}
    assert len(named) == len(told.note_ids) + len(why), "a note is both set back and not"
    changed = here.show(revision).revision
    assert named == {*changed.written, *changed.changed, *changed.removed, *changed.erased}
    assert notes["plain"] in told.note_ids and all(each.message.endswith(".") for each in told.problems)
    again = here.revert(revision)
    assert not again.note_ids and {problem.path for problem in again.problems} == named


def test_a_revert_from_below_passes_over_what_ranks_higher(two: tuple[Memory, Memory]) -> None:
    here, there = two
    bot = here.acting_as(Caller(Channel.HTTP, "bot"))
    higher, lower = here.save("Deploy on Mondays"), bot.save("The office is in Bern")
    in_step([here, there])
    there.update(higher.id, text="Deploy on Fridays")
    there.update(lower.id, text="The office is in Basel")
    in_step([here, there])
    told = bot.revert(here.log().revisions[0].id)
    assert told.note_ids == (lower.id,) and here.get(lower.id).text == "The office is in Bern"
    [problem] = told.problems
    assert (problem.path, problem.code) == (higher.id, "authority_too_low")
    assert "`fact`" in problem.message and "Nothing was written" not in problem.message
    assert here.get(higher.id).text == "Deploy on Fridays"


def test_three_machines_that_all_change_at_once_end_the_same(tmp_path: Path) -> None:
    with machines(tmp_path, 3) as all_three:
        notes = [all_three[0].save(f"note {number}\nfirst\nsecond") for number in range(6)]
        in_step(all_three)
        for number, memory in enumerate(all_three):
            for note in notes:
                memory.update(note.id, text=f"{memory.get(note.id).text}\nby {number}", title=f"title {number}")
        in_step(all_three, rounds=3)
        for note in notes:
            assert {f"by {number}" for number in range(3)} <= set(all_three[2].get(note.id).text.split("\n"))


def test_offline_is_said_and_nothing_waits_for_it(two: tuple[Memory, Memory], tmp_path: Path) -> None:
    here, there = two
    note = here.save("written offline")
    remote = tmp_path / "remote.git"
    remote.rename(tmp_path / "away.git")
    problem = refusal(here)
    assert (problem.code, problem.retryable) == ("remote_unreachable", True)
    assert file_of(here, note.id).exists()
    assert here.log().revisions[0].written == (note.id,)
    (tmp_path / "away.git").rename(remote)
    in_step([here, there])
    assert there.get(note.id).text == "written offline"


def test_a_remote_that_takes_nothing_is_said_and_still_read(two: tuple[Memory, Memory], tmp_path: Path) -> None:
    here, there = two
    there.save("from the other machine")
    there.sync()
    hook = tmp_path / "remote.git" / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no >&2\nexit 1\n")
    hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    here.save("not taken yet")
    assert refusal(here).code == "remote_read_only"
    assert len(files_of(here)) == 2
    hook.unlink()
    in_step([here, there])


def test_a_rewritten_remote_loses_nothing(two: tuple[Memory, Memory], tmp_path: Path) -> None:
    here, there = two
    remote = tmp_path / "remote.git"
    for number in range(4):
        here.save(f"note {number}")
        in_step([here, there])
    refs = git("--git-dir", str(remote), "for-each-ref", "--format=%(refname)").split()
    oldest = git("--git-dir", str(remote), "rev-list", "--max-parents=0", refs[0]).split()[0]
    git("--git-dir", str(remote), "update-ref", refs[0], oldest)
    git("--git-dir", str(remote), "update-ref", "-d", refs[1])
    here.save("after the rewrite")
    in_step([here, there])
    assert len(files_of(there)) == 5


def test_histories_that_never_met_are_brought_together(tmp_path: Path) -> None:
    with machines(tmp_path, 1) as [here]:
        here.save("from one")
        here.sync()
        with machines(tmp_path / "other", 1) as [there]:
            there.save("the first of another")
            there.save("from another")
            there.sync()
            there.sync(remote=str(tmp_path / "remote.git"))
            in_step([here, there], rounds=3)
            # The clocks of the test made the same id on both: even that is one note with both texts.
            assert [len(files_of(each)) for each in (here, there)] == [2, 2]
            assert any(b"from one" in each and b"the first of another" in each for each in files_of(here).values())


@pytest.mark.parametrize("damage", ["lock", "half a pack", "an empty object", "no repository", "no record"])
def test_what_a_crash_leaves_is_repaired_by_the_next_sync(two: tuple[Memory, Memory], damage: str) -> None:
    here, there = two
    notes = [here.save(f"note {number}") for number in range(3)]
    in_step([here, there])
    repository = folder_of(here) / ".recollect" / "repository.git"
    match damage:
        case "lock":
            for ref in (repository / "refs" / "heads").iterdir():
                (ref.with_name(f"{ref.name}.lock")).touch()
            (repository / "packed-refs.lock").touch()
        case "half a pack":
            (repository / "objects" / "pack").mkdir(exist_ok=True)
            (repository / "objects" / "pack" / "tmp_pack_x").write_bytes(b"PACK\0\0\0\2half")
        case "an empty object":
            for each in (repository / "objects").glob("??/*"):
                each.chmod(0o600)
                each.write_bytes(b"")
        case "no repository":
            shutil.rmtree(repository)
        case _:
            (folder_of(here) / ".recollect" / "files.json").unlink()
    here.update(notes[0].id, text="edited here")
    there.update(notes[0].id, tags=["there"])
    there.update(notes[1].id, text="edited there")
    in_step([here, there])
    assert (here.get(notes[0].id).text, here.get(notes[0].id).tags) == ("edited here", ("there",))
    assert here.get(notes[1].id).text == "edited there"
    assert len(files_of(here)) == 3


def test_a_memory_set_back_to_a_backup_does_not_undo_what_others_did(
    two: tuple[Memory, Memory], tmp_path: Path
) -> None:
    here, there = two
    note = here.save("first")
    here.backup(str(tmp_path / "copy.db"))
    here.update(note.id, text="second")
    later = here.save("later")
    in_step([here, there])
    here.restore(str(tmp_path / "copy.db"))
    in_step([here, there])
    assert here.get(note.id).text == there.get(note.id).text == "second"
    assert here.get(later.id).text == "later"


def test_files_of_notes_that_a_backup_did_not_have_are_no_edits(two: tuple[Memory, Memory], tmp_path: Path) -> None:
    here, there = two
    here.backup(str(tmp_path / "copy.db"))
    notes = [there.save(f"note {number}\nfirst") for number in range(3)]
    in_step([there, here])
    there.update(notes[0].id, text="note 0\nfirst\nsecond")
    there.sync()
    here.restore(str(tmp_path / "copy.db"))
    by_hand = file_of(here, notes[1].id)
    by_hand.write_text(by_hand.read_text() + "by hand\n")
    in_step([here, there])
    assert [memory.get(notes[0].id).text for memory in two] == ["note 0\nfirst\nsecond"] * 2
    assert there.get(notes[1].id).text == "note 1\nfirst\nby hand"
    assert there.get(notes[2].id).version == 1
    assert there.review().items == ()


def test_a_clock_that_is_a_day_off_loses_nothing(two: tuple[Memory, Memory]) -> None:
    here, there = two
    note = here.save("one\ntwo")
    in_step([here, there])
    here._engine.clock.advance(days=1)  # type: ignore[attr-defined]
    here.update(note.id, text="one, tomorrow\ntwo")
    in_step([here, there])
    there.update(note.id, text="one, tomorrow\ntwo, today")
    in_step([here, there])
    assert here.get(note.id).text == "one, tomorrow\ntwo, today"


def test_one_malformed_file_keeps_nothing_else_back(two: tuple[Memory, Memory]) -> None:
    here, there = two
    bad, good = here.save("will be broken"), here.save("good")
    in_step([here, there])
    broken = file_of(here, bad.id)
    broken.write_bytes(b"\xff broken")
    here.update(good.id, text="better")
    there.update(bad.id, text="edited there")
    assert [problem.code for problem in here.sync().problems] == ["malformed"]
    there.sync()
    here.sync()
    assert there.get(good.id).text == "better"
    assert here.get(bad.id).text == "edited there"
    assert broken.read_bytes() == b"\xff broken"


def test_what_is_no_address_is_refused_before_git_sees_it(two: tuple[Memory, Memory]) -> None:
    for address in ("ext::sh -c touch% x", "--upload-pack=touch x", "-x", "host only"):
        with pytest.raises(InvalidInput, match="not the address"):
            two[0].sync(remote=address)
    with pytest.raises(Unsupported, match="no dry run"):
        two[0].dry_run().sync()


def test_git_is_called_by_plumbing_only(two: tuple[Memory, Memory], monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess

    from recollect.vault.git import COMMANDS

    called: set[str] = set()
    run = subprocess.run

    def watched(words: list[str], **rest: object) -> object:
        if words[0] == "git":
            called.add(next(word for word in words[1:] if word in COMMANDS or word.isalpha()))
        return run(words, **rest)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", watched)
    here, there = two
    note = here.save("x")
    in_step([here, there])
    here.forget(note.id)
    in_step([here, there])
    assert called <= set(COMMANDS)
    assert not {"rebase", "reset", "stash", "checkout", "add", "merge", "clean"} & {*COMMANDS, *called}


def test_a_bare_sync_without_a_remote_keeps_history_here(tmp_path: Path) -> None:
    with Memory(home=tmp_path / "home") as memory:
        note = memory.save("mine alone")
        memory.open_vault()
        assert memory.sync().sent == (note.id,)
        assert [each.written for each in memory.log().revisions] == [(note.id,)]
    bare_remote(tmp_path / "late.git")
    with Memory(home=tmp_path / "home") as memory:
        memory.sync(remote=str(tmp_path / "late.git"))
    assert b"mine alone" in remote_bytes(tmp_path / "late.git")
