"""A person can say that a link is none. It is shown with its score and model, and the word holds."""

from __future__ import annotations

import pytest

from recollect import Memory
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.origin import Caller, Channel
from recollect.verbs import vault
from tests.links.test_judged_writes import links, say
from tests.links.tiny_judge import TinyJudge, UnsureJudge, with_judge
from tests.support.clock import SteadyClock


@pytest.fixture
def phones(judging: Memory, clock: SteadyClock) -> tuple[str, str]:
    """Two messages of which the newer replaces the older, as the judge sees it."""
    older = say(judging, "My phone is a Nokia")
    clock.advance(days=1)
    return older, say(judging, "My phone is a Fairphone")


def test_links_are_shown_from_both_ends(judging: Memory, phones: tuple[str, str]) -> None:
    [to_newer] = judging.relations(phones[0])
    [to_older] = judging.relations(phones[1])
    assert (to_newer.relation, to_newer.id, to_newer.text) == ("replaced_by", phones[1], "My phone is a Fairphone")
    assert (to_older.relation, to_older.id, to_older.model) == ("replaces", phones[0], "tiny/1")
    assert to_older.score is not None and to_older.score > 0.8


def test_a_note_shows_its_links_beside_what_was_said_of_it(judging: Memory, clock: SteadyClock) -> None:
    note, other = judging.save("My phone is a Nokia"), judging.save("Phones are fragile")
    judging.relate(note.id, other.id)
    clock.advance(days=1)
    newer = say(judging, "My phone is a Fairphone")
    shown = {(link.relation.value, link.id) for link in judging.relations(note.id)}
    assert shown == {("related", other.id), ("replaced_by", newer)}
    [link] = judging.history(note.id).links
    assert (link.older, link.newer) == (note.id, newer)


def test_why_shows_the_links_of_an_answer(judging: Memory, phones: tuple[str, str]) -> None:
    receipt = judging.recall("What phone do I have?").receipt
    assert receipt is not None
    assert [(link.older, link.newer) for link in judging.why(receipt).links] == [phones]


@pytest.mark.parametrize("turned", [False, True])
def test_a_refuted_link_holds_for_every_model(judging: Memory, phones: tuple[str, str], turned: bool) -> None:
    one, other = reversed(phones) if turned else phones
    refuted = judging.refute(one, other)
    assert (refuted.is_refuted, refuted.refuted_by) == (True, "tester")
    judging.reindex()
    with_judge(judging, TinyJudge("tiny/2"))
    judging.reindex()
    [link] = links(judging)
    assert (link.is_refuted, link.is_change) == (True, False)
    assert [each.refuted for each in judging.relations(phones[0])] == [True]

    judging.refute(one, other, undo=True)
    [link] = links(judging)
    assert link.is_change


def test_only_what_a_model_linked_can_be_refuted(judging: Memory, phones: tuple[str, str]) -> None:
    other = say(judging, "My bike is red")
    for one, two in ((phones[0], other), (phones[0], phones[0])):
        with pytest.raises(NotFound) as refused:
            judging.refute(one, two)
        assert refused.value.code == "link_not_found"


def test_a_program_cannot_refute_what_a_person_said(judging: Memory, phones: tuple[str, str]) -> None:
    with pytest.raises(InvalidInput) as refused:
        judging.acting_as(Caller(Channel.MCP, "bot")).refute(*phones)
    assert refused.value.code == "authority_too_low"
    assert [link.is_refuted for link in links(judging)] == [False]


def test_refutations_travel_with_an_export_and_links_do_not(
    judging: Memory, phones: tuple[str, str], clock: SteadyClock
) -> None:
    say(judging, "My phone is a Pixel")
    assert len(links(judging)) == 3
    judging.refute(*phones)
    lines = [record for record in judging.export().records if record["type"] == "refutation"]
    assert [(each["older"], each["newer"], each["refuted_by"]) for each in lines] == [(*phones, "tester")]

    import json

    everything = [json.dumps(record) for record in judging.export().records]
    report = judging.import_(everything, trust=True, space="copy")
    assert report.failures == ()
    [copied] = links(judging, "copy")
    assert (copied.is_refuted, copied.refuted_by, copied.refuted_at) == (True, "tester", links(judging)[0].refuted_at)
    assert judging.import_(everything, trust=True, space="copy").imported == 0

    told = judging.import_([json.dumps({**lines[0], "refuted_by": "mallory"})], space="copy")
    assert told.imported == 0


def test_a_stranger_s_file_cannot_refute_what_a_person_said(judging: Memory, phones: tuple[str, str]) -> None:
    import json

    judging.refute(*phones)
    [line] = [json.dumps(each) for each in judging.export().records if each["type"] == "refutation"]
    judging.refute(*phones, undo=True)
    [failure] = judging.import_([line]).failures
    assert failure.code == "authority_too_low"
    [broken] = judging.import_([line.replace('"score": 0.', '"score": 7.')]).failures
    assert broken.code == "invalid_number"


def test_a_change_in_doubt_waits_in_review_until_it_is_refuted(judging: Memory, clock: SteadyClock) -> None:
    with_judge(judging, UnsureJudge())
    older = say(judging, "My phone is a Nokia")
    clock.advance(days=1)
    newer = say(judging, "My phone is a Fairphone")

    assert (judging.review().doubts, judging.review().items) == ((), ())
    [doubt] = judging.review(doubts=True).doubts
    assert (doubt.older_id, doubt.newer_id, doubt.relation.value) == (older, newer, "replaces")
    assert (doubt.older, doubt.newer) == ("My phone is a Nokia", "My phone is a Fairphone")
    judging.refute(older, newer)
    assert judging.review(doubts=True).doubts == ()


def test_pairs_in_doubt_that_no_longer_stand_take_no_place_in_review(
    judging: Memory, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vault, "_MOST_DOUBTS", 1)
    with_judge(judging, UnsureJudge())
    note = judging.save("My phone is a Nokia")
    clock.advance(days=1)
    say(judging, "My phone is a Fairphone")
    bike = say(judging, "My bike is a Gazelle")
    clock.advance(days=1)
    other = say(judging, "My bike is a Batavus")
    assert [each.older_id for each in judging.review(doubts=True).doubts] == [note.id]

    judging.retract(note.id)

    assert [(each.older_id, each.newer_id) for each in judging.review(doubts=True).doubts] == [(bike, other)]
    judging.retract(other)
    assert judging.review(doubts=True).doubts == ()
