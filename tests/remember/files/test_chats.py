"""Exported chats: who said what when, from every shape they come in."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from recollect.domain.text import MAX_TEXT_BYTES
from recollect.redaction.clean_records import checked_text
from recollect.remember.files.chunks import ChatTurn, Conversation, FileDocument, FileKind
from recollect.remember.files.file_reader import parse_document
from recollect.verbs.listening import ROLES


def at(hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 3, 9, hour, minute, tzinfo=UTC)


def parsed(content: Any, name: str = "conversations.json") -> FileDocument:
    source = content if isinstance(content, str) else json.dumps(content)
    document = parse_document(name, source.encode("utf-8", "surrogatepass"))
    assert isinstance(document, FileDocument)
    return document


def conversations(content: Any, name: str = "conversations.json") -> tuple[Conversation, ...]:
    document = parsed(content, name)
    assert document.kind is FileKind.CHAT, f"it was read as {document.kind}"
    return document.conversations


def said(content: Any, name: str = "conversations.json") -> list[tuple[str, str]]:
    return [(turn.role, turn.text) for conversation in conversations(content, name) for turn in conversation.turns]


def node(parent: str | None, role: str = "", *parts: Any, time: float | None = None, **more: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": list(parts)}
    message = {"author": {"role": role}, "content": content, "create_time": time, **more} if role else None
    return {"parent": parent, "children": [], "message": message}


CHATGPT = {
    "title": "Moving",
    "conversation_id": "c-1",
    "create_time": at(9).timestamp(),
    "current_node": "4",
    "mapping": {
        "root": node(None),
        "1": node("root", "system", "Be kind.", metadata={"is_visually_hidden_from_conversation": True}),
        "2": node("1", "user", "I moved to Berlin.", time=at(10).timestamp()),
        "3-abandoned": node("2", "assistant", "An answer nobody kept.", time=at(10, 1).timestamp()),
        "3": node("2", "assistant", "Welcome!", {"content_type": "image_asset_pointer"}, time=at(10, 2).timestamp()),
        "4": node("3", "user", "Thank you."),
    },
}


def test_a_chatgpt_export_follows_the_branch_that_was_last_shown() -> None:
    [conversation] = conversations([CHATGPT])
    assert conversation == Conversation(
        "c-1",
        "Moving",
        (
            ChatTurn("user", "I moved to Berlin.", at(10)),
            ChatTurn("assistant", "Welcome!", at(10, 2)),
            ChatTurn("user", "Thank you.", at(10, 2)),
        ),
    )


def test_a_chatgpt_export_without_a_current_node_follows_its_last_leaf() -> None:
    assert said([{**CHATGPT, "current_node": None}])[-1] == ("user", "Thank you.")


def test_a_tree_that_is_a_circle_ends() -> None:
    circle = {"a": node("b", "user", "One."), "b": node("a", "assistant", "Two.")}
    assert said([{"mapping": circle, "current_node": "a"}]) == [("assistant", "Two."), ("user", "One.")]


@pytest.mark.parametrize("mapping", [{}, {"a": None}, {"a": node("a")}, {"a": {"parent": ["x"], "message": "x"}}])
def test_an_empty_conversation_is_left_out(mapping: dict[str, Any]) -> None:
    assert len(conversations([CHATGPT, {"mapping": mapping, "current_node": "a"}])) == 1


def test_a_claude_export_has_its_messages_in_a_list() -> None:
    export = {
        "uuid": "u-1",
        "name": "Plans",
        "created_at": "2026-03-09T09:00:00Z",
        "chat_messages": [
            {"sender": "human", "text": "Hello.", "content": [{"type": "text", "text": "Hello."}],
             "created_at": "2026-03-09T10:00:00.000000Z",
             "attachments": [{"file_name": "cv.txt", "extracted_content": "I live in Rome."}]},
            {"sender": "assistant", "text": "Hi.", "created_at": "nonsense"},
        ],
    }  # fmt: skip
    [conversation] = conversations([export])
    assert (conversation.id, conversation.title) == ("u-1", "Plans")
    assert conversation.turns == (
        ChatTurn("user", "Hello.", at(10)),
        ChatTurn("tool", "I live in Rome.", at(10)),
        ChatTurn("assistant", "Hi.", at(10)),
    )  # fmt: skip


GENERIC = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hi."}]
SAME = [("user", "Hello."), ("assistant", "Hi.")]


@pytest.mark.parametrize(
    "content",
    [
        GENERIC,
        {"messages": GENERIC},
        [{"messages": GENERIC}],
        {"conversations": [{"messages": GENERIC}]},
        {"conversations": [{"from": "human", "value": "Hello."}, {"from": "gpt", "value": "Hi."}]},
        [{"role": "user", "parts": [{"text": "Hello."}]}, {"role": "model", "parts": [{"text": "Hi."}]}],
        [{"role": "user", "content": [{"type": "text", "text": "Hello."}]}, GENERIC[1]],
        [{"author": {"role": "user"}, "content": {"parts": ["Hello."]}}, GENERIC[1]],
        [{"role": "Human", "text": "Hello."}, {"role": "AI", "text": "Hi."}],
        [*GENERIC, {"role": "assistant", "content": [{"type": "tool_use", "input": {}}]}, {"role": "user"}],
        [GENERIC[0], {"role": "assistant", "content": [{"type": "thinking", "text": "Hm."}, "Hi."]}],
    ],
    ids=repr,
)
def test_roles_and_contents_are_understood_in_their_usual_shapes(content: Any) -> None:
    assert said(content) == SAME


def test_json_lines_may_be_messages_and_belong_to_the_session_they_name() -> None:
    lines = [
        {"role": "user", "content": "One.", "session_id": "a", "timestamp": at(9).timestamp()},
        {"role": "user", "content": "Two.", "session_id": "b", "timestamp": at(9, 1).timestamp() * 1000},
        {"role": "assistant", "content": "Three.", "session_id": "a", "timestamp": "2026-03-09T09:02:00Z"},
    ]
    found = conversations("\n".join(map(json.dumps, lines)), "log.jsonl")
    assert found == (
        Conversation("a", None, (ChatTurn("user", "One.", at(9)), ChatTurn("assistant", "Three.", at(9, 2)))),
        Conversation("b", None, (ChatTurn("user", "Two.", at(9, 1)),)),
    )


def test_json_lines_may_be_conversations() -> None:
    text = "\n".join(json.dumps({"messages": GENERIC}) for _ in range(2))
    assert [conversation.id for conversation in conversations(text, "train.jsonl")] == ["0", "1"]


def test_a_coding_agents_transcript_is_a_chat() -> None:
    lines = [
        {"type": "user", "sessionId": "s", "timestamp": "2026-03-09T10:00:00Z",
         "message": {"role": "user", "content": "Fix it."}},
        {"type": "assistant", "sessionId": "s", "timestamp": "2026-03-09T10:01:00Z",
         "message": {"role": "assistant", "content": [{"type": "text", "text": "Looking."}, {"type": "tool_use"}]}},
        {"type": "user", "sessionId": "s", "timestamp": "2026-03-09T10:02:00Z",
         "message": {"role": "user", "content": [{"type": "tool_result", "content": "I live in a file."}]}},
    ]  # fmt: skip
    [conversation] = conversations("\n".join(map(json.dumps, lines)), "session.jsonl")
    assert conversation.id == "s"
    assert conversation.turns == (
        ChatTurn("user", "Fix it.", at(10)),
        ChatTurn("assistant", "Looking.", at(10, 1)),
        ChatTurn("tool", "I live in a file.", at(10, 2)),
    ), "what a tool answered was not said by the user"


def test_what_is_no_message_is_kept_beside_the_chat() -> None:
    text = "\n".join([*map(json.dumps, GENERIC), '{"kind": "summary", "of": "things"}', '{"cut o'])
    document = parsed(text, "log.jsonl")
    assert [turn.text for turn in document.conversations[0].turns] == ["Hello.", "Hi."]
    assert "summary" in document.chunks[0].text
    assert '{"cut o' in document.chunks[0].text


def test_people_in_a_chat_of_several_have_names() -> None:
    [conversation] = conversations(
        [{"role": "Ana", "content": "Hi."}, {"role": "user", "name": "Bo", "content": "Hey."}]
    )
    assert [(turn.role, turn.speaker) for turn in conversation.turns] == [("user", "Ana"), ("user", "Bo")]


@pytest.mark.parametrize(
    "content",
    [
        {"name": "package", "version": "1.0"},
        [{"from": "a@example.org", "text": "a mail"}],
        [{"author": "Somebody", "text": "a comment"}],
        [1, 2, 3],
        [],
        {"messages": {"hello": "Hello"}},
        {"messages": []},
        [*GENERIC, 1, 2, 3],
        "null",
        '"text"',
    ],
    ids=repr,
)
def test_other_json_is_text(content: Any) -> None:
    document = parsed(content, "data.json")
    assert (document.kind, document.conversations) == (FileKind.JSON, ())


def test_json_on_one_long_line_is_spread_out_to_be_read() -> None:
    document = parsed(json.dumps({f"key {n}": f"value {n}" for n in range(200)}), "data.json")
    assert '  "key 0": "value 0",\n  "key 1": "value 1"' in document.chunks[0].text


def test_json_written_to_be_read_keeps_its_lines() -> None:
    document = parsed('{\n  "a": 1,\n\n  "b": 2\n}\n', "data.json")
    assert [chunk.text for chunk in document.chunks] == ['{\n  "a": 1,\n\n  "b": 2\n}']


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "source",
    [
        "[" * 200_000,
        "[" * 500 + "]" * 500,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "[" * 400 + ",".join(["1"] * 100_000) + "]" * 400,
        '{"a": ' + "9" * 100_000 + "}",
        "{ // settings with comments\n}",
        '[{"role": "user", "content": "x", "at": 1e999}, {"role": "user", "content": "y", "at": -1}]',
        '[{"role": "user", "content": "x", "at": ' + "9" * 400 + "}]",
        '[{"role": "user", "content": "\\ud800 half \\u0000 a pair"}]',
    ],
    ids=lambda source: source[:10],
)
def test_json_made_to_break_readers_is_read_or_kept_as_text(source: str) -> None:
    for name in ("a.json", "a.jsonl"):
        document = parsed(source, name)
        assert document.chunks or document.conversations
        for conversation in document.conversations:
            for turn in conversation.turns:
                checked_text(turn.text)


def test_a_turn_longer_than_a_text_may_be_is_several() -> None:
    turns = conversations([{"role": "user", "content": "漢" * 900_000}])[0].turns
    assert len(turns) > 1
    assert all(len(turn.text.encode()) <= MAX_TEXT_BYTES and turn.role in ROLES for turn in turns)
    assert "".join(turn.text for turn in turns) == "漢" * 900_000


def test_a_secret_across_the_border_of_two_chunks_is_still_found() -> None:
    secret = "BEGIN " + "x1 " * 800 + "END"
    source = f"{'word ' * 150}{secret}{' word' * 100}".encode()
    for name in ("a.md", "a.txt", "a.json", "a.jsonl", "a.html", "a.rs"):
        document = parse_document(name, source, redact=lambda text: text.replace(secret, "[secret]"))
        assert isinstance(document, FileDocument)
        kept = " ".join(chunk.text for chunk in document.chunks)
        assert "x1" not in kept
        assert "[secret]" in kept
