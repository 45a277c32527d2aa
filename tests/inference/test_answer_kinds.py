"""The kind of answer a question wants, told from its vector by weights that come along."""

from __future__ import annotations

import pytest

from recollect.domain.meanings import AnswerKind
from recollect.inference.answer_kinds import kind_head
from recollect.inference.encoder import OnnxEmbedder
from recollect.inference.models import ARCTIC, ENCODER
from recollect.inference.ways_of_asking import WaysOfAsking


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which desk by the window is mine?", AnswerKind.NOW),
        ("The gas man needs the number of our meter cupboard, which one do we have?", AnswerKind.NOW),
        ("remind me whose turn it is to close the shop", AnswerKind.NOW),
        ("Which medicines am I taking?", AnswerKind.SEVERAL),
        ("Where did our office use to be, before this street?", AnswerKind.PAST),
        ("Which trainers has the swimming team had, from the first to the last?", AnswerKind.HISTORY),
        ("Since when has Petra run the bakery?", AnswerKind.CHANGE),
        ("Why did Jonas leave the meeting early on Thursday?", AnswerKind.ONCE),
        ("Write a polite refusal to the caterer.", AnswerKind.TASK),
        ("Phew, what a long shift, I am going to bed now.", AnswerKind.TALK),
    ],
)
def test_the_likeliest_kind_is_the_one_a_reader_would_name(
    embedder: OnnxEmbedder, question: str, kind: AnswerKind
) -> None:
    kinds = WaysOfAsking(embedder).kinds_of(question)

    assert sum(kinds.values()) == pytest.approx(1)
    assert max(kinds, key=lambda each: kinds[each]) is kind


def test_the_weights_are_of_the_default_encoder_and_of_no_other_model() -> None:
    assert kind_head(ENCODER.id, ENCODER.dimension) is not None
    assert kind_head(ARCTIC.id, ARCTIC.dimension) is None
