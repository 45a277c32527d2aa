"""How far a note's word goes is set by the door it came through, and only ever falls."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.errors import InvalidInput
from recollect.domain.origin import Authority, Caller, Channel, Origin, lowest

LADDER = [Authority.QUOTED, Authority.FACT, Authority.INSTRUCTION]
PERSONAL = {Channel.LIBRARY, Channel.CLI, Channel.DASHBOARD, Channel.VAULT_EDIT}


@pytest.mark.parametrize("channel", list(Channel))
def test_every_channel_has_its_ceiling(channel: Channel) -> None:
    expected = Authority.INSTRUCTION if channel in PERSONAL else Authority.QUOTED
    assert Caller(channel).ceiling is expected


@pytest.mark.parametrize(("channel", "asked"), list(product(Channel, Authority)))
def test_nobody_gives_more_than_their_channel_allows(channel: Channel, asked: Authority) -> None:
    caller = Caller(channel)
    if LADDER.index(asked) <= LADDER.index(caller.ceiling):
        assert caller.authority(asked) is asked
        return
    with pytest.raises(
        InvalidInput, match=f"through {channel.value} cannot have the authority `{asked.value}`"
    ) as refusal:
        caller.authority(asked)
    assert refusal.value.code == "authority_too_high"


@pytest.mark.parametrize("channel", list(Channel))
def test_what_is_not_asked_for_is_a_fact_from_a_person_and_a_quotation_from_anything_else(channel: Channel) -> None:
    expected = Authority.FACT if channel in PERSONAL else Authority.QUOTED
    assert Caller(channel).authority(None) is expected


@given(st.lists(st.sampled_from(LADDER)))
def test_the_lowest_of_several_is_below_or_equal_to_each(authorities: list[Authority]) -> None:
    found = lowest(authorities)
    assert all(LADDER.index(found) <= LADDER.index(each) for each in authorities)
    assert found in authorities or not authorities


def test_of_no_authority_at_all_the_lowest_is_a_quotation() -> None:
    assert lowest([]) is Authority.QUOTED


def test_an_origin_says_who_through_which_door_and_from_where() -> None:
    caller = Caller(Channel.MCP, "bot", "session-1")
    assert caller.origin("file.txt") == Origin(Channel.MCP, "bot", "session-1", "file.txt")
    assert caller.origin() == Origin(Channel.MCP, "bot", "session-1", None)
