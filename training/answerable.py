"""Public questions with and without an answer, written as a bank.

    python -m training.answerable dev-v2.0.json --to training/banks/p1
    python -m training.answerable friendsqa_dev.json friendsqa_tst.json --to training/banks/p2

Reads two formats. SQuAD 2.0 (CC BY-SA 4.0) becomes `near.jsonl`: where a question has no answer, the annotators marked
what seems to be one, and its sentence is the text that only seems to answer. FriendsQA (Apache-2.0) becomes
`talk.jsonl`: scenes of a play with questions, whose messages nobody has labelled. The files are made where training
runs, and are not kept here.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“(])")


def main() -> None:
    """Write one line for each sentence that a question is about, or for each conversation."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("files", type=Path, nargs="+")
    arguments.add_argument("--to", type=Path, required=True, help="the folder of the bank")
    given = arguments.parse_args()
    asked: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    talks: list[Any] = []
    for file in given.files:
        for article in json.loads(file.read_text(encoding="utf-8"))["data"]:
            for paragraph in article["paragraphs"]:
                if _UTTERANCES in paragraph:
                    talks.append(conversation(paragraph))
                    continue
                for sentence, question, answered in questions(paragraph):
                    asked[sentence][not answered].append(question)
    nears: list[Any] = [{"text": text, "answered": answered, "near": near} for text, (answered, near) in asked.items()]
    given.to.mkdir(parents=True, exist_ok=True)
    for name, lines in (("near", nears), ("talk", talks)):
        if lines:
            written = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            (given.to / f"{name}.jsonl").write_text(written, encoding="utf-8")
    print({"sentences": len(nears), "questions": sum(len(n["answered"] + n["near"]) for n in nears)})
    print({"conversations": len(talks), "questions": sum(len(talk["questions"]) for talk in talks)})


def questions(paragraph: Any) -> Iterator[tuple[str, str, bool]]:
    """The questions of a paragraph, each with the sentence that answers it or seems to, and which of the two it is."""
    text = paragraph["context"]
    starts = [0, *(match.end() for match in _END.finditer(text))]
    for each in paragraph["qas"]:
        answers = each["answers"] or each.get("plausible_answers") or ()
        if answers:
            begin = max(start for start in starts if start <= answers[0]["answer_start"])
            end = min((start for start in starts if start > begin), default=len(text))
            yield text[begin:end].strip(), each["question"].strip(), not each["is_impossible"]


def conversation(paragraph: Any) -> dict[str, Any]:
    """A scene as a conversation without stances, and each question with the utterances that answer it."""
    said = [
        {"id": each["uid"], "who": ", ".join(each["speakers"]), "text": _joined(each["utterance"]), "stance": None}
        for each in paragraph[_UTTERANCES]
    ]
    asked = [
        {
            "ask": _joined(each["question"]),
            "evidence": sorted({answer["utterance_id"] for answer in each["answers"]}),
            "kind": "single",
        }
        for each in paragraph["qas"]
    ]
    return {"messages": said, "changes": [], "questions": asked}


def _joined(words: str) -> str:
    """Text in which marks stood apart from words."""
    return _APART.sub(r"\1", words).strip()


_UTTERANCES = "utterances:"
_APART = re.compile(r"\s+([.,!?;:’']|n't\b|'\w+)")

if __name__ == "__main__":
    main()
