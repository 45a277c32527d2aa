"""Files that come with messages: kept once, found by the words about them, handed out byte for byte, on every store."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

import pytest

from recollect import AsyncMemory, Attachment, Conflict, InvalidInput, Memory, NotFound, QuotaReached, TooLarge
from recollect.domain.attachments.limits import MAX_FILE_BYTES, MAX_FILES
from tests.support.raw import rows, store_of
from tests.support.small_files import GIF, JPEG, PDF, PNG, TEXT, WEBP, ZIP, picture, png


def _bytes_kept(memory: Memory) -> int:
    return memory.describe_space("default").attachment_bytes


def test_a_file_comes_back_byte_for_byte_with_what_was_said_of_it(memory: Memory) -> None:
    given = Attachment("kitchen.png", PNG, alt="a red stove", caption="where we cook")
    kept = memory.add("Look at our new place", attachments=[given])
    [file] = kept.attachments
    assert file.digest == hashlib.sha256(PNG).hexdigest()
    found = memory.attachment(file.digest)
    assert found.content == PNG
    assert (found.name, found.media_type, found.size) == ("kitchen.png", "image/png", len(PNG))
    assert (found.alt, found.caption) == ("a red stove", "where we cook")
    assert found.observation_id == kept.observation_ids[0]


@pytest.mark.parametrize("content", [PNG, JPEG, GIF, WEBP, PDF, TEXT])
def test_every_type_that_is_kept_can_be_attached(memory: Memory, content: bytes) -> None:
    [file] = memory.add("Here it is", attachments=[Attachment("it", content)]).attachments
    assert memory.attachment(file.digest).content == content


@pytest.mark.parametrize("asked", ["Where is the cast iron skillet?", "grandmother cook", "stove photo"])
def test_a_message_is_found_by_the_words_about_its_file(memory: Memory, asked: str) -> None:
    memory.add("The weather is fine and the trains are late.")
    seen = Attachment("stove-photo.png", PNG, alt="a cast iron skillet", caption="how grandmother used to cook")
    said = memory.add("Look what I found!", attachments=[seen]).observation_ids[0]
    assert memory.search(asked).hits[0].id == said
    assert "stove-photo.png" in memory.recall(asked).block


def test_nothing_is_read_as_a_fact_from_the_words_about_a_file(memory: Memory) -> None:
    kept = memory.add("Look!", attachments=[picture(caption="I live in Berlin"), picture(alt="my dog is called Rex")])
    assert not kept.learned
    assert not memory.list().items


def test_a_message_may_be_nothing_but_a_picture(memory: Memory) -> None:
    part = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": _base64(PNG)}}
    kept = memory.add([{"role": "user", "content": [part]}])
    assert [file.name for file in kept.attachments] == ["file.png"]
    assert memory.replay(kept.session_id).beats[0].observation.text == "attached file.png"


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


PARTS: dict[str, dict[str, Any]] = {
    "anthropic": {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": _base64(PNG)}},
    "openai": {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{_base64(PNG)}"}},
    "openai responses": {"type": "input_image", "image_url": f"data:image/png;base64,{_base64(PNG)}"},
    "openai file": {
        "type": "file",
        "file": {"filename": "a.png", "file_data": f"data:image/png;base64,{_base64(PNG)}"},
    },
    "mcp": {"type": "image", "data": _base64(PNG), "mimeType": "image/png"},
    "mcp resource": {"type": "resource", "resource": {"uri": "file:///a.png", "blob": _base64(PNG)}},
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_pictures_in_the_messages_of_other_programs_are_kept(part: dict[str, Any]) -> None:
    with Memory(store=":memory:") as memory:
        shown: dict[str, Any] = {"role": "user", "content": [{"type": "text", "text": "See here"}, part]}
        kept = memory.add([shown, {"content": "Well?"}])
        [file] = kept.attachments
        found = memory.attachment(file.digest)
        assert (found.content, found.observation_id) == (PNG, kept.observation_ids[0])


def test_an_address_of_a_picture_is_not_followed() -> None:
    with Memory(store=":memory:") as memory:
        part = {"type": "image_url", "image_url": {"url": "https://example.com/kitchen.png"}}
        kept = memory.add([{"role": "user", "content": [{"type": "text", "text": "See here"}, part]}])
        assert (kept.attachments, len(kept.observation_ids)) == ((), 1)


def test_two_messages_with_the_same_file_share_its_bytes(memory: Memory) -> None:
    first = memory.add("The kitchen", attachments=[picture("one.png")])
    second = memory.add("The kitchen again", attachments=[picture("two.png"), picture("three.png")])
    assert first.attachments[0].digest == second.attachments[0].digest
    assert len(second.attachments) == 1
    assert _bytes_kept(memory) == len(PNG)


def test_the_same_request_again_keeps_nothing_twice(memory: Memory) -> None:
    asked: dict[str, Any] = {"attachments": [picture()], "at": "2026-01-01", "idempotency_key": "k"}
    first = memory.add("The kitchen", **asked)
    assert memory.add("The kitchen", **asked).attachments == first.attachments
    with pytest.raises(Conflict):
        memory.add("The kitchen", **{**asked, "attachments": [picture(seed="another")]})
    assert memory.describe_space("default").observations == 1


def test_every_verb_that_keeps_messages_keeps_files(memory: Memory) -> None:
    watched = memory.watch("Please remember that the view is lovely.", attachments=[picture("view.png", seed="view")])
    assert watched is not None
    memory.start_session("work")
    seen = {"name": "screen.png", "data": _base64(png(rest=b"screen")), "alt": "an error dialogue"}
    memory.observe("tool_use", "done", tool="Screenshot", session="work", attachments=[seen])
    [beat] = memory.replay("work").beats
    for file in (*watched.attachments, *beat.observation.attachments):
        assert memory.attachment(file.digest).name == file.name
    assert memory.search("error dialogue").hits[0].id == beat.observation.id


# -- What is refused, and that nothing is left of it.


def _refused(memory: Memory, code: str, *attachments: Attachment | dict[str, Any]) -> InvalidInput:
    with pytest.raises(InvalidInput) as refused:
        memory.add("Look at this", attachments=list(attachments))
    assert refused.value.code == code
    return refused.value


def test_what_is_of_no_known_type_is_refused_whatever_its_name(memory: Memory) -> None:
    _refused(memory, "attachment_type", Attachment("harmless.png", ZIP))
    _refused(memory, "attachment_type", Attachment("empty.png", b""))
    _refused(memory, "attachment_type_differs", Attachment("photo.jpg", PNG, media_type="image/jpeg"))
    _refused(
        memory, "attachment_type_differs", {"name": "a.svg", "data": _base64(b"<svg/>"), "media_type": "image/svg+xml"}
    )
    assert memory.describe_space("default").observations == 0


def test_what_is_too_much_is_refused_as_a_whole(memory: Memory) -> None:
    whole = MAX_FILE_BYTES - len(PNG)
    _refused(memory, "attachment_too_large", Attachment("big.png", PNG + bytes(whole + 1)))
    _refused(memory, "attachment_too_large", {"name": "big.png", "data": "A" * (3 * MAX_FILE_BYTES)})
    _refused(memory, "attachment_too_large", Attachment("book.txt", b"word " * 300_000))
    halves = [Attachment("half.png", png(rest=bytes([each])) + bytes(3_000_000)) for each in range(3)]
    _refused(memory, "attachment_too_large", *halves)
    many = [picture(seed=str(each)) for each in range(MAX_FILES + 1)]
    _refused(memory, "too_many_attachments", *many)
    _refused(memory, "attachment_words", picture(alt="x" * 3000))
    assert isinstance(_refused(memory, "too_many_attachments", *many), TooLarge)
    assert memory.describe_space("default").observations == 0
    assert not rows(store_of(memory), "SELECT digest FROM attachment")
    assert memory.add("Just right", attachments=[Attachment("big.png", PNG + bytes(whole))]).attachments


@pytest.mark.parametrize(
    "given",
    [
        {"name": "a.png"},
        {"name": "a.png", "data": "not base64!"},
        {"name": "a.png", "data": 12},
        {"name": 12, "data": _base64(PNG)},
        {"name": "a.png", "data": _base64(PNG), "path": "/etc/passwd"},
        "a.png",
        None,
    ],
    ids=str,
)
def test_what_is_no_file_is_refused(given: Any) -> None:
    with Memory(store=":memory:") as memory:
        with pytest.raises(InvalidInput) as refused:
            memory.add("Look at this", attachments=[given])
        assert refused.value.code in ("invalid_attachments", "unknown_field")
        with pytest.raises(InvalidInput):
            memory.add("Look at this", attachments=given)


def test_a_picture_that_would_unpack_into_gigabytes_is_never_opened(memory: Memory) -> None:
    bomb = Attachment("bomb.png", png(width=2**31 - 1, height=2**31 - 1))
    [file] = memory.add("Do not open this", attachments=[bomb]).attachments
    assert memory.attachment(file.digest).content == bomb.content


def test_secrets_are_taken_out_of_names_captions_and_text_files(memory: Memory) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    given = [
        Attachment(f"{secret}.png", PNG, alt=f"a screen with {secret}", caption=f"token {secret}"),
        Attachment("notes.txt", f"The key is {secret}, mind it.".encode()),
    ]
    kept = memory.add("Two files", attachments=given)
    assert kept.redacted
    assert "The key is [redacted:" in memory.attachment(kept.attachments[1].digest).content.decode()
    for table in ("observation", "observation_text", "attachment"):
        assert secret not in repr(rows(store_of(memory), f"SELECT * FROM {table}"))
        assert secret.encode() not in b"".join(
            bytes(cell)
            for row in rows(store_of(memory), f"SELECT * FROM {table}")
            for cell in row
            if isinstance(cell, bytes)
        )


def test_a_space_holds_as_many_bytes_as_it_may(memory: Memory) -> None:
    memory.limit_space("default", max_attachment_bytes=len(PNG) + 10)
    first = memory.add("The kitchen", attachments=[picture()])
    with pytest.raises(QuotaReached) as refused:
        memory.add("The garden", attachments=[picture(seed="garden")])
    assert refused.value.code == "attachment_quota"
    assert (memory.describe_space("default").observations, _bytes_kept(memory)) == (1, len(PNG))
    again = memory.add("The kitchen again", attachments=[picture()])
    for said in (*first.observation_ids, *again.observation_ids):
        memory.forget(said)
    memory.add("A light garden", attachments=[Attachment("garden.gif", GIF)])
    assert memory.describe_space("default").max_attachment_bytes == len(PNG) + 10


def test_a_file_that_nobody_has_is_not_found(memory: Memory) -> None:
    with pytest.raises(NotFound) as absent:
        memory.attachment("0" * 64)
    assert absent.value.code == "attachment_not_found"
    with pytest.raises(InvalidInput) as odd:
        memory.attachment("../../etc/passwd")
    assert odd.value.code == "invalid_digest"


def test_spaces_do_not_share_files(memory: Memory) -> None:
    [file] = memory.add("The kitchen", attachments=[picture()], space="alice").attachments
    with pytest.raises(NotFound):
        memory.attachment(file.digest, space="bob")


def test_a_dry_run_keeps_no_file(memory: Memory) -> None:
    rehearsal = memory.dry_run()
    rehearsal.add("The kitchen", attachments=[picture()])
    assert [type(edit).__name__ for edit in rehearsal.changes[0].edits][-1] == "KeepAttachment"
    assert not rows(store_of(memory), "SELECT digest FROM attachment")


def test_files_can_be_awaited(tmp_path: Path) -> None:
    import asyncio

    async def kept() -> bytes:
        async with AsyncMemory(store=":memory:", home=tmp_path) as memory:
            [file] = (await memory.add("The kitchen", attachments=[picture()])).attachments
            return (await memory.attachment(file.digest)).content

    assert asyncio.run(kept()) == PNG
