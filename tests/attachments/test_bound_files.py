"""To know the digest of a file is not to have it: a bound memory reads files of its own part, and no others."""

from __future__ import annotations

import hashlib
import json

import pytest

from recollect import Memory, NotFound
from recollect.domain.attachments.attachment import Attachment
from recollect.domain.changes import Changes, KeepAttachment
from recollect.domain.origin import Origin
from tests.support.clock import SteadyClock
from tests.support.raw import rows, store_of
from tests.support.small_files import PNG, picture


def test_a_bound_memory_reads_its_own_files_and_no_others(memory: Memory) -> None:
    theirs = memory.add("Bob's desk", attachments=[picture(seed="bob")], user="bob").attachments[0].digest
    bound = memory.bound_to(user="ana")
    own = bound.add("My desk", attachments=[picture(seed="ana")]).attachments[0].digest
    assert bound.attachment(own).content == memory.attachment(own).content
    with pytest.raises(NotFound) as refused:
        bound.attachment(theirs)
    assert refused.value.code == "attachment_not_found"
    exported = [record for record in bound.export(space="default").records if record["type"] == "attachment"]
    assert [record["digest"] for record in exported] == [own]
    assert bound.describe_space("default").attachment_bytes == bound.attachment(own).size


def test_whoever_has_the_same_file_has_it_by_their_own_bytes(memory: Memory) -> None:
    memory.add("Bob's desk", attachments=[picture("bob.png", caption="the safe is 1234")], user="bob")
    bound = memory.bound_to(user="ana")
    [own] = bound.add("My desk", attachments=[picture("ana.png")]).attachments
    found = bound.attachment(own.digest)
    assert (found.name, found.caption) == ("ana.png", ""), "what others said of it stays theirs"
    assert memory.describe_space("default").attachment_bytes == len(PNG)


def _claim(memory: Memory, digest: str) -> list[str]:
    """A message that names a file which its writer does not have."""
    record = next(each for each in memory.export().records if each["type"] == "observation" and each["attachments"])
    file = {**record["attachments"][0], "digest": digest, "name": "mine.png"}
    forged = {**record, "id": "01J9ZZZZZZZZZZZZZZZZZZZZZZ", "scope": {}, "attachments": [file], "session_id": "forged"}
    session = {"type": "session", "space": "default", "id": "forged", "started_at": "2026-01-01T00:00:00Z"}
    return [json.dumps(session), json.dumps({**forged, "position": 1})]


def test_a_message_that_only_names_a_digest_does_not_get_the_file(memory: Memory) -> None:
    digest = memory.add("Bob's desk", attachments=[picture()], user="bob").attachments[0].digest
    lines = _claim(memory, digest)
    bound = memory.bound_to(user="ana")
    assert not bound.import_(lines).failures
    with pytest.raises(NotFound):
        bound.attachment(digest)
    with pytest.raises(NotFound):
        memory.bound_to(agent="scout").attachment(digest)
    assert memory.attachment(digest).name == "kitchen.png"


def test_a_claim_made_before_the_file_came_does_not_get_it_either(memory: Memory) -> None:
    lines = _claim_of(memory, picture(seed="alice"))
    bound = memory.bound_to(user="ana")
    assert not bound.import_(lines).failures

    digest = memory.add("Alice's desk", attachments=[picture(seed="alice")], user="alice").attachments[0].digest

    with pytest.raises(NotFound):
        bound.attachment(digest)
    assert memory.attachment(digest).content


def _claim_of(memory: Memory, file: Attachment) -> list[str]:
    """A message that names a file by its digest, before anybody has it."""
    memory.add("Bob's desk", attachments=[picture(seed="bob")], user="bob")
    return _claim(memory, hashlib.sha256(file.content).hexdigest())


def test_a_claim_does_not_keep_the_file_of_others_alive(memory: Memory) -> None:
    kept = memory.add("Bob's desk", attachments=[picture()], user="bob")
    memory.bound_to(user="ana").import_(_claim(memory, kept.attachments[0].digest))
    memory.forget(kept.observation_ids[0])
    assert not rows(store_of(memory), "SELECT digest FROM attachment")


def test_bytes_handed_in_by_one_part_serve_that_part_alone(memory: Memory, clock: SteadyClock) -> None:
    """Bob's message names a file whose bytes never came; Ana has the bytes, and that does not fill Bob's message."""
    kept = memory.add("Bob's desk", attachments=[picture()], user="bob")
    digest = kept.attachments[0].digest
    lines = _claim(memory, digest)
    memory.forget(kept.observation_ids[0])
    memory.bound_to(user="bob").import_(lines)
    memory.bound_to(user="ana").add("My desk", attachments=[picture()])
    with pytest.raises(NotFound):
        memory.bound_to(user="bob").attachment(digest)
    bob = memory.bound_to(user="bob")
    bob._engine.store.apply(Changes("default", "test", clock.now(), Origin(), (KeepAttachment(digest, PNG),)))
    assert bob.attachment(digest).content == PNG
