"""Whether anything is known: by likeness where a model measured it, by words where none did."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from recollect import Memory
from recollect.domain.answers.recollections import Candidate, Coverage, Hit
from recollect.domain.dataclass import replace
from recollect.domain.notes import Kind, Note
from recollect.inference.models import DEFAULT, model_named
from recollect.recall.coverage import CoverageSigns, coverage, is_far, scale_of, signs_of
from recollect.recall.question import understand
from recollect.recall.weights import WEIGHTS

NOW = datetime(2026, 3, 2, tzinfo=UTC)
SCALE = WEIGHTS.coverage.scales["arctic-embed-s"]


def signs(
    likeness: float | None = None,
    best: float = 0.0,
    together: float | None = None,
    *,
    attribute: bool = False,
    strangers: bool = False,
    hits: int = 5,
) -> CoverageSigns:
    return CoverageSigns(hits, likeness, best, best if together is None else together, attribute, strangers)


@pytest.mark.parametrize(
    ("told_by", "known"),
    [
        (signs(0.55), Coverage.NONE),
        (signs(0.55, 0.2), Coverage.NONE),
        (signs(0.58, attribute=True), Coverage.PARTIAL),
        (signs(0.65, 0.3), Coverage.PARTIAL),
        (signs(0.66, 0.3, strangers=True), Coverage.NONE),
        (signs(0.66, 0.5, 1.0), Coverage.FULL),
        (signs(0.75), Coverage.FULL),
        (signs(0.75, hits=0), Coverage.NONE),
    ],
)
def test_with_a_model_likeness_decides_and_words_help(told_by: CoverageSigns, known: Coverage) -> None:
    assert coverage(told_by, SCALE) is known


@pytest.mark.parametrize(
    ("told_by", "known"),
    [
        (signs(hits=0), Coverage.NONE),
        (signs(best=0.3), Coverage.PARTIAL),
        (signs(best=0.3, together=1.0), Coverage.FULL),
        (signs(best=0.3, strangers=True), Coverage.NONE),
        (signs(best=0.9, strangers=True), Coverage.PARTIAL),
        (signs(attribute=True), Coverage.PARTIAL),
    ],
)
def test_without_a_model_words_decide(told_by: CoverageSigns, known: Coverage) -> None:
    assert coverage(told_by, None) is known


def test_the_likeness_of_a_model_that_was_not_measured_is_not_trusted() -> None:
    assert coverage(signs(0.1, 0.5), None) is Coverage.PARTIAL


FAR = CoverageSigns(5, 0.5, 0.0, 0.0, attribute=False, strangers=False, asks=True)  # strength -0.6


@pytest.mark.parametrize(
    ("answered", "nothing", "known"),
    [
        (None, None, Coverage.NONE),
        (0.2, None, Coverage.NONE),
        (0.5, None, Coverage.PARTIAL),
        (0.2, 0.1, Coverage.PARTIAL),
        (0.2, 0.7, Coverage.NONE),
        (0.05, 0.1, Coverage.NONE),
        (0.5, 0.95, Coverage.NONE),
    ],
    ids=["unread", "hardly", "likely", "one of them", "rather none", "no single one", "none"],
)
def test_a_model_that_read_the_hits_is_believed_though_their_words_are_far(
    answered: float | None, nothing: float | None, known: Coverage
) -> None:
    assert coverage(replace(FAR, answered=answered, nothing=nothing), SCALE) is known
    unasked = replace(FAR, answered=answered, nothing=nothing, asks=False)
    assert coverage(unasked, SCALE) is Coverage.NONE


def test_hits_a_little_far_are_known_where_a_model_has_read_them() -> None:
    near = replace(FAR, likeness=0.57, answered=0.2)
    assert coverage(near, SCALE) is Coverage.PARTIAL
    assert coverage(replace(near, answered=None), SCALE) is Coverage.NONE
    assert coverage(replace(near, answered=0.05, nothing=0.8), SCALE) is Coverage.NONE


def test_somebody_nobody_spoke_of_takes_a_sure_answer() -> None:
    strange = replace(FAR, strangers=True, nothing=0.1)
    assert coverage(replace(strange, answered=0.5), SCALE) is Coverage.NONE
    assert coverage(replace(strange, answered=0.8), SCALE) is Coverage.PARTIAL


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("who do we ring for fish", True),
        ("what's my roster like now", True),
        ("Do we have a vet?", True),
        ("how do i write a roster", False),
        ("When the deploy fails roll back", False),
        ("What a day", False),
        ("What I want is a script", False),
        ("the roster of the ward", False),
    ],
)
def test_a_question_is_one_without_its_mark(text: str, asks: bool) -> None:
    assert signs_of(understand(text, now=NOW, zone=UTC), [], []).asks is asks


@pytest.mark.parametrize("likeness", [0.5, 0.6, 0.7, 0.8])
def test_more_never_covers_less(likeness: float) -> None:
    order = [Coverage.NONE, Coverage.PARTIAL, Coverage.FULL]
    ranks = [order.index(coverage(signs(likeness, share), SCALE)) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize(
    ("question", "strangers"),
    [
        ("Where does Caroline live?", False),
        ("Where does Gertrude live?", True),
        ("Did Gertrude visit Caroline?", False),
        ("Who was there in March, on a Tuesday?", False),
        ("where do I live", False),
        ("A quick one: Where do I park the van?", False),
        ("In May 2024: Which broker do we run?", False),
        ("For the form: Would Gertrude sign it?", True),
        ("For the form: Gertrude's dentist?", True),
        ("Where does Will live?", True),
    ],
)
def test_who_is_named_and_never_occurs_is_a_stranger(question: str, strangers: bool) -> None:
    note = Note("01JB0000000000000000000000", "s", 1, Kind.SEMANTIC, "Caroline lives in Boston", NOW, NOW)
    asked = understand(question, now=NOW, zone=UTC)
    told_by = signs_of(asked, [Candidate(note.text, note, likeness=0.7)], [Hit(note, 1.0, (), likeness=0.7)])
    assert told_by.strangers is strangers
    assert told_by.likeness == 0.7


def test_where_the_best_hit_has_no_vector_yet_words_decide() -> None:
    old = Note("01JB0000000000000000000000", "s", 1, Kind.SEMANTIC, "The dentist is Dr Osei", NOW, NOW)
    new = Note("01JB0000000000000000000001", "s", 1, Kind.SEMANTIC, "The bakery closes at six", NOW, NOW)
    found = [Candidate(old.text, old), Candidate(new.text, new, likeness=0.05)]
    asked = understand("who is the dentist?", now=NOW, zone=UTC)
    told_by = signs_of(asked, found, [Hit(old, 1.0, ()), Hit(new, 0.1, (), likeness=0.05)])
    assert told_by.likeness is None
    assert coverage(told_by, SCALE) is Coverage.FULL


def test_somebody_nobody_spoke_of_is_not_known(memory: Memory) -> None:
    memory.save("Caroline lives in Boston and likes pottery")
    assert memory.search("Where does Caroline live?").coverage is not Coverage.NONE
    assert memory.search("What does Gertrude like to cook?").coverage is Coverage.NONE


def test_the_default_model_has_a_scale_under_the_id_that_its_vectors_bear() -> None:
    assert scale_of(model_named(DEFAULT).id) == WEIGHTS.coverage.scales["encoder"]
    assert scale_of("folder:elsewhere/384/0") is None


@pytest.mark.parametrize(("likeness", "far"), [(0.5, True), (-0.1, True), (0.53, False), (0.7, False), (0.0, False)])
def test_a_text_is_far_by_the_scale_of_the_model_that_measured_it(likeness: float, far: bool) -> None:
    assert is_far(likeness, SCALE) is far
    assert not is_far(likeness, None)
