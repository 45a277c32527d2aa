"""Measure exported models on authors that were in no training: the files that ship, run one text at a time.

Needs numpy and onnxruntime only. Without models it prints the plain cosine of the encoder it is given as `--start`.

    python -m training.evaluate --judge training/weights/judge-1 --encoder training/weights/encoder-1
    python -m training.evaluate --judge weights/judge --blind    # once, at the very end
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from recollect.inference.wordpiece import WordPiece, read_vocabulary
from training.data import RELATIONS, STANCES, Bank, Question, banks, messages, pairs, questions
from training.settings import BANKS, settings

CHANGES = ("replaces", "ends")
_LONGEST = 128
_DRAWS = 500  # questions are drawn anew this often for an interval
_SEED = 7


class Scorer:
    """An exported model: ids in, its outputs out."""

    def __init__(self, folder: Path, threads: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(folder / "model.onnx", options)
        self._pieces = WordPiece(read_vocabulary(folder))

    def of(self, *texts: str, output: str) -> Any:
        """The named output for one text or two."""
        bare = [self._pieces.bare_ids(text, most=_LONGEST) for text in texts]
        while sum(map(len, bare)) > _LONGEST - 1 - len(bare):
            max(bare, key=len).pop()
        ids = [self._pieces.start]
        kinds = [0]
        for number, part in enumerate(bare):
            ids += [*part, self._pieces.end]
            kinds += [number] * (len(part) + 1)
        row = np.array([ids], dtype=np.int64)
        given = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.array([kinds])}
        return self._session.run([output], given)[0][0]

    def vector(self, text: str) -> Any:
        """The mean state of a text, of length one."""
        state = self.of(text, output="last_hidden_state").mean(axis=0)
        return state / np.linalg.norm(state)


def main() -> None:
    """Print every figure as JSON; the texts themselves are never printed."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("--banks", type=Path, default=BANKS)
    arguments.add_argument("--start", type=Path, default=Path(".models/minilm-l6"), help="the encoder before tuning")
    arguments.add_argument("--judge", type=Path)
    arguments.add_argument("--encoder", type=Path)
    arguments.add_argument("--blind", action="store_true")
    arguments.add_argument("--card", metavar="VERSION", help="write judge.json, with temperatures, beside the judge")
    arguments.add_argument("--threads", type=int, default=1)
    given = arguments.parse_args()
    chosen = settings()
    material = banks(given.banks, chosen["banks"]["blind" if given.blind else "validation"])
    figures: dict[str, Any] = {"authors": [bank.author for bank in material]}
    encoders = {"before": Scorer(given.start, given.threads)}
    if given.encoder:
        encoders["tuned"] = Scorer(given.encoder, given.threads)
    for sort, asked in _asked(material).items():
        figures[f"dense, {sort}"] = {name: dense(encoder, asked) for name, encoder in encoders.items()}
    if given.judge:
        judge = Scorer(given.judge, given.threads)
        figures["relation"] = relation(judge, material, chosen["data"])
        figures["stance"] = stance(judge, material)
        figures["calibration"] = calibrated(judge, material, chosen["data"])
        if given.card:
            card = {"version": given.card, "relations": RELATIONS, "stances": STANCES}
            card["temperatures"] = {name: each["temperature"] for name, each in figures["calibration"].items()}
            (given.judge / "judge.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))


def relation(judge: Scorer, material: Sequence[Bank], data: Any) -> dict[str, Any]:
    """Precision, recall and F1 of every relation, apart for slots and for talk; wrong kinds of newer message."""
    drawn = pairs(material, Random(_SEED), each=30, swapped=0.0, talk_unrelated=data["talk_unrelated"])
    found = [RELATIONS[int(judge.of(each.older, each.newer, output="relation").argmax())] for each in drawn]
    figures: dict[str, Any] = {}
    for part, is_talk in (("slots", False), ("talk", True)):
        rows = [(p.relation, f) for p, f in zip(drawn, found, strict=True) if p.kind.startswith("talk ") is is_talk]
        if rows:
            figures[part] = by_class(rows, RELATIONS)
    is_change = [each in CHANGES for each in found]
    figures["a change"] = _found_again([pair.relation in CHANGES for pair in drawn], is_change)
    asserted = [
        change and STANCES[int(judge.of(pair.newer, output="stance").argmax())] == "asserted"
        for pair, change in zip(drawn, is_change, strict=True)
    ]
    figures["a change, and asserted"] = _found_again([pair.relation in CHANGES for pair in drawn], asserted)
    taken = [p.kind for p, said in zip(drawn, is_change, strict=True) if p.relation == "unrelated" and said]
    all_of = Counter(pair.kind for pair in drawn if pair.relation == "unrelated")
    figures["unrelated taken for a change"] = {
        kind: f"{count}/{all_of[kind]}" for kind, count in Counter(taken).most_common()
    }
    return figures


def stance(judge: Scorer, material: Sequence[Bank]) -> dict[str, Any]:
    """Accuracy, and precision, recall and F1 of every stance, apart for slots and for talk."""
    told = messages(material, Random(_SEED), swapped=0.0)
    found = [STANCES[int(judge.of(each.text, output="stance").argmax())] for each in told]
    figures: dict[str, Any] = {}
    for part, is_talk in (("slots", False), ("talk", True)):
        rows = [(m.stance, f) for m, f in zip(told, found, strict=True) if (m.kind == "talk") is is_talk]
        if rows:
            right = sum(wanted == got for wanted, got in rows)
            figures[part] = {"accuracy": round(right / len(rows), 3), **by_class(rows, STANCES)}
    return figures


def calibrated(judge: Scorer, material: Sequence[Bank], data: Any) -> dict[str, Any]:
    """For each head the temperature at which its probabilities are least wrong, and the loss before and after."""
    drawn = pairs(material, Random(_SEED + 1), each=20, swapped=0.0, talk_unrelated=data["talk_unrelated"])
    told = messages(material, Random(_SEED + 1), swapped=0.0)
    heads = {
        "relation": [(judge.of(p.older, p.newer, output="relation"), RELATIONS.index(p.relation)) for p in drawn],
        "stance": [(judge.of(m.text, output="stance"), STANCES.index(m.stance)) for m in told],
    }
    figures = {}
    for name, rows in heads.items():
        losses = {heat: _loss(rows, heat) for heat in _TEMPERATURES}
        best = min(losses, key=lambda heat: losses[heat])
        figures[name] = {"temperature": best, "before": round(losses[1.0], 3), "after": round(losses[best], 3)}
    return figures


def _loss(rows: Sequence[tuple[Any, int]], temperature: float) -> float:
    """The mean logarithm of how unlikely the right class is held."""
    scores = np.stack([scores for scores, _ in rows]) / temperature
    wanted = np.array([right for _, right in rows])
    highest = scores.max(axis=1)
    every = np.log(np.exp(scores - highest[:, None]).sum(axis=1)) + highest
    return float((every - scores[np.arange(len(rows)), wanted]).mean())


_TEMPERATURES = tuple(round(0.5 + 0.1 * step, 1) for step in range(31))


def dense(encoder: Scorer, asked: Sequence[Question]) -> dict[str, Any]:
    """Recall by cosine: over a question's own conversation, and over all texts of its sort together."""
    vectors = {text: encoder.vector(text) for text in dict.fromkeys(t for each in asked for t in each.texts)}
    names = list(vectors)
    together = np.stack([vectors[name] for name in names])
    own, pooled = [], []
    for each in asked:
        if not each.right:
            continue
        ask = encoder.vector(each.ask)
        scores = np.stack([vectors[text] for text in each.texts]) @ ask
        own.append(_places(each.texts, scores, each))
        pooled.append(_places(names, together @ ask, each))
    return {"own conversation": _recalls(own), "all together": _recalls(pooled)}


def _asked(material: Sequence[Bank]) -> dict[str, list[Question]]:
    """Questions about slots and about talk."""
    every = questions(material, Random(_SEED), swapped=0.0)
    parts = {
        "slots": [each for each in every if each.kind.startswith("slot ")],
        "talk": [each for each in every if not each.kind.startswith("slot ")],
    }
    return {name: found for name, found in parts.items() if found}


def _places(texts: Sequence[str], scores: Any, question: Question) -> list[int]:
    """The places of a question's right texts in the order of the scores, from 1."""
    right = {question.texts[at] for at in question.right}
    return [place for place, at in enumerate(np.argsort(-scores, kind="stable"), start=1) if texts[at] in right]


def _recalls(ranks: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Recall of the right texts at depths, the first one's reciprocal place, and an interval for R@1 and MRR."""
    if not ranks:
        return {}
    by_depth = {
        f"R@{depth}": [sum(p <= depth for p in places) / len(places) for places in ranks] for depth in (1, 5, 10)
    }
    by_depth["first@1"] = [float(min(places) == 1) for places in ranks]
    by_depth["MRR"] = [1 / min(places) for places in ranks]
    return {"questions": len(ranks), **{name: _with_interval(values) for name, values in by_depth.items()}}


def _with_interval(values: Sequence[float]) -> str:
    """The mean, and in brackets where it lies with 95 % certainty."""
    draw = np.random.default_rng(0)
    array = np.array(values)
    means = np.sort(array[draw.integers(0, len(array), (_DRAWS, len(array)))].mean(axis=1))
    return f"{array.mean():.3f} [{means[int(0.025 * _DRAWS)]:.3f} {means[int(0.975 * _DRAWS)]:.3f}]"


def _found_again(wanted: Sequence[bool], said: Sequence[bool]) -> str:
    return by_class([(str(one), str(other)) for one, other in zip(wanted, said, strict=True)], ["True"])["True"]


def by_class(rows: Sequence[tuple[str, str]], classes: Sequence[str]) -> dict[str, str]:
    """`precision recall F1 (how many there are)` of every class that is there."""
    figures = {}
    for name in classes:
        there = sum(wanted == name for wanted, _ in rows)
        said = sum(found == name for _, found in rows)
        right = sum(wanted == found == name for wanted, found in rows)
        if there or said:
            precision, recall = right / max(1, said), right / max(1, there)
            f1 = 2 * precision * recall / max(1e-9, precision + recall)
            figures[name] = f"P {precision:.3f} R {recall:.3f} F1 {f1:.3f} ({there})"
    return figures


if __name__ == "__main__":
    main()
