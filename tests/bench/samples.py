"""Tiny data sets in the shapes of the real ones, written by hand: nothing of them is taken from anywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LOCOMO: list[dict[str, Any]] = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ines",
            "speaker_b": "Tom",
            "session_1_date_time": "1:05 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ines", "dia_id": "D1:1", "text": "I adopted a greyhound called Biscuit yesterday."},
                {"speaker": "Tom", "dia_id": "D1:2", "text": "Lovely! I am learning the cello."},
            ],
            "session_2_date_time": "12:30 am on 2 June, 2023",
            "session_2": [
                {"speaker": "Tom", "dia_id": "D2:1", "text": "Look at this.", "blip_caption": "a lighthouse at dusk"},
                {"speaker": "Ines", "dia_id": "D2:2", "text": "Where was the picture taken?"},
            ],
        },
        "qa": [
            {"question": "What is the greyhound called?", "evidence": ["D1:1"], "category": 4},
            {
                "question": "Which instrument is Tom learning?",
                "evidence": ["D1:1"],
                "evidence_audited": ["D1:2"],
                "category": 1,
            },
            {"question": "Who showed a lighthouse?", "evidence": ["D:2:1; D1:2"], "category": 2},
            {"question": "Did Ines sell the greyhound?", "evidence": ["D1:1"], "category": 5},
            {"question": "What is the weather?", "evidence": [], "category": 3},
        ],
    },
    {
        "sample_id": "conv-2",
        "conversation": {
            "session_1_date_time": "9:00 am on 1 July, 2023",
            "session_1": [{"speaker": "Ada", "dia_id": "D1:1", "text": "My parrot Rumba sings tangos."}],
        },
        "qa": [{"question": "What does the parrot sing?", "evidence": ["D1:1"], "category": 4}],
    },
]


def _note(session: str, content: str) -> dict[str, Any]:
    return {"index": "x", "type": "Dynamic", "content": content, "session_uuid": session}


REALMEM = {
    "dialogues": [
        {
            "current_time": "2025-12-19 (Friday)",
            "session_uuid": "s1",
            "dialogue_turns": [{"speaker": "User", "is_query": False, "content": "Hello."}],
            "extracted_memory": [_note("s1", "User trains for a marathon."), _note("s1", "User hates early mornings.")],
        },
        {
            "current_time": "2025-12-22 (Monday)",
            "session_uuid": "s2",
            "dialogue_turns": [
                {"speaker": "User", "is_query": True, "content": "How is my marathon plan?", "category_name": "Plan"},
                {
                    "speaker": "Assistant",
                    "is_query": False,
                    "content": "Well.",
                    "memory_used": [{"session_uuid": "s1", "content": "User trains for a marathon."}],
                },
                {"speaker": "User", "is_query": True, "content": "Thanks."},
            ],
            "extracted_memory": [_note("s2", "User finished the marathon plan.")],
        },
    ]
}


def _message(number: int, role: str, content: str, day: str | None = None) -> dict[str, Any]:
    return {"id": number, "role": role, "content": content} | ({"time_anchor": day} if day else {})


BEAM_CHAT = [
    {
        "batch_number": 1,
        "turns": [
            [
                _message(0, "user", "My API answers in 400 ms.", "March-15-2024"),
                _message(1, "assistant", "You could cache the answers of the API."),
            ],
            [_message(2, "user", "After caching my API answers in 250 ms.", "April-01-2024")],
        ],
        "time_anchor": None,
    }
]
BEAM_QUESTIONS = {
    "abstention": [{"question": "What is my name?"}],
    "knowledge_update": [
        {
            "question": "How fast does my API answer?",
            "source_chat_ids": {"original_info": [0], "updated_info": [2]},
        }
    ],
    "event_ordering": [{"question": "What did we do with the API?", "source_chat_ids": [0, [1, 2]]}],
    "summarization": [{"question": "What did you advise?", "source_chat_ids": [1]}],
}

LIFEBENCH: dict[str, list[dict[str, Any]]] = {
    "sms": [
        {
            "message_content": "The boiler is fixed.",
            "contactName": "Plumber",
            "datetime": "2025-03-02 10:00:00",
            "message_type": "Receive",
            "phone_id": 1,
        }
    ],
    "calendar": [
        {
            "title": "Dentist",
            "description": "Checkup with Dr Lind",
            "datetime": "2025-03-01 09:00:00",
            "phone_id": 1,
        }
    ],
    "call": [{"type": "call", "contactName": "Mum", "datetime": "2025-03-03 18:00:00", "phone_id": 4}],
    "agent_chat": [
        {
            "date": "2025-03-04",
            "conversation": {
                "turn 1": {"user": {"content": "How do I bleed a radiator?"}, "assistant": {"content": "With a key."}}
            },
            "phone_id": 0,
        }
    ],
    "contact": [{"name": "Mum", "relation": "mother", "phone_id": 2}],
}
LIFEBENCH_QUESTIONS = [
    {
        "question": "Is the boiler fixed?",
        "question_type": "Extraction",
        "evidence": [{"type": "sms", "id": 1}],
        "ask_time": "2025-03",
    },
    {"question": "Who was in space?", "question_type": "Unanswerable", "ask_time": "2025-03"},
]

LONGMEMEVAL = [
    {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Which tea do I drink?",
        "question_date": "2023/06/01 (Thu) 10:00",
        "haystack_session_ids": ["late", "early"],
        "haystack_dates": ["2023/05/30 (Tue) 08:15", "2023/05/20 (Sat) 02:21"],
        "haystack_sessions": [
            [{"role": "user", "content": "What a day."}],
            [
                {"role": "user", "content": "I only drink oolong tea.", "has_answer": True},
                {"role": "assistant", "content": "Noted."},
            ],
        ],
        "answer_session_ids": ["early"],
    }
]


def write_all(folder: Path) -> None:
    """Every sample, called and laid out as the loaders look for them."""
    _write(folder / "locomo-tiny.json", LOCOMO)
    _write(folder / "realmem" / "Ana_dialogues.json", REALMEM)
    _write(folder / "beam-100k" / "1" / "chat.json", BEAM_CHAT)
    _write(folder / "beam-100k" / "1" / "probing_questions.json", BEAM_QUESTIONS)
    for kind, records in LIFEBENCH.items():
        _write(folder / "lifebench" / "ana" / "phone_data" / f"{kind}.json", records)
    _write(folder / "lifebench" / "ana" / "QA" / "QA.json", LIFEBENCH_QUESTIONS)
    _write(folder / "longmemeval-tiny.json", LONGMEMEVAL)


def _write(file: Path, content: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content), encoding="utf-8")
