"""Public questions with and without an answer in a sentence, written as the `near.jsonl` of a bank.

    python -m training.answerable dev-v2.0.json --to training/banks/p1

Reads the format of SQuAD 2.0 (CC BY-SA 4.0). Where a question has no answer, the annotators marked what seems to be
one: its sentence is the text that only seems to answer. The file is made where training runs, and is not kept here.
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
    """Write one line for each sentence that a question is about."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("files", type=Path, nargs="+")
    arguments.add_argument("--to", type=Path, required=True, help="the folder of the bank")
    given = arguments.parse_args()
    asked: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for file in given.files:
        for article in json.loads(file.read_text(encoding="utf-8"))["data"]:
            for paragraph in article["paragraphs"]:
                for sentence, question, answered in questions(paragraph):
                    asked[sentence][not answered].append(question)
    lines = [
        json.dumps({"text": text, "answered": answered, "near": near}, ensure_ascii=False)
        for text, (answered, near) in asked.items()
    ]
    given.to.mkdir(parents=True, exist_ok=True)
    (given.to / "near.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print({"sentences": len(lines), "questions": sum(len(a) + len(n) for a, n in asked.values())})


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


if __name__ == "__main__":
    main()
