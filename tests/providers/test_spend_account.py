"""Accounts of spending: what a provider claims is believed where it can be true, and counted in full where not."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.domain.chat.chat_model import ChatMessage, ChatRole, RefusalCode
from recollect.domain.chat.spend import SpendCaps, SpendSettings, price_of
from tests.providers.conftest import Opened
from tests.support.model_server import ModelServer, Says

ASKED = (ChatMessage(ChatRole.USER, "Where does Ana live? " * 20),)  # 420 bytes
PRICES = {"openai:small": price_of(1.0, 0.1, 10.0)}


@pytest.mark.parametrize(
    ("claimed", "counted"),
    [
        ((120, 20, 5), 125),
        ((10**15, 0, 5), 10**12),  # a lie that is too large is believed as far as numbers go
        ((0, 0, 0), 616),  # 420 bytes, 32 for the message, 64 for the call and 100 for the answer
        ((-500, 0, 5), 616),
        (("many", 0, 5), 616),
        ((1e400, 0, 5), 616),
        ((20, 900, 5), 616),  # more from the cache than was read
        (None, 616),
    ],
)
def test_usage_that_cannot_be_true_counts_in_full(
    claimed: Any, counted: int, opened: Opened, server: ModelServer
) -> None:
    server.script = [Says("Lisbon", usage=claimed)]
    reply = opened(server.provider(), SpendSettings(SpendCaps(), PRICES)).reply(ASKED, max_tokens=100)
    assert reply.text == "Lisbon"
    assert reply.usage.model_tokens == counted


def test_money_is_counted_with_the_price_of_the_cache_apart(opened: Opened, server: ModelServer) -> None:
    server.script = [Says("Lisbon", usage=(120, 20, 5))]
    model = opened(server.provider(), SpendSettings(SpendCaps(), PRICES))
    assert model.reply(ASKED, max_tokens=100).usage.cost_usd == pytest.approx((100 * 1.0 + 20 * 0.1 + 5 * 10) / 1e6)
    assert opened(server.provider(name="other")).reply(ASKED).usage.cost_usd is None


@pytest.mark.parametrize(
    ("caps", "told"),
    [
        (SpendCaps(day_tokens=615), "615 tokens for models is reached today, in all spaces"),
        (SpendCaps(space_tokens=615), "in this space"),
        (SpendCaps(session_tokens=615), "in this session"),
        (SpendCaps(day_micros=1515), "0.00 US dollars"),
        (SpendCaps(day_tokens=0), "0 tokens"),
    ],
)
def test_at_a_cap_nothing_is_sent_and_the_reply_says_so(
    caps: SpendCaps, told: str, opened: Opened, server: ModelServer
) -> None:
    model = opened(server.provider(), SpendSettings(caps, PRICES), session="s1")
    refusal = model.reply(ASKED, max_tokens=100).refusal
    assert refusal is not None and refusal.code is RefusalCode.SPEND_CAP
    assert told in refusal.message and "recollect spend" in refusal.hint
    assert server.asked == []


def test_the_repair_of_an_answer_is_paid_for_by_the_same_caps(opened: Opened, server: ModelServer) -> None:
    server.script = [Says("nonsense", usage=(200, 0, 50))]
    schema = {"type": "array", "items": {"type": "string"}}
    model = opened(server.provider(), SpendSettings(SpendCaps(day_tokens=900)))
    reply = model.reply(ASKED, schema=schema, max_tokens=100)
    assert reply.refusal is not None and reply.refusal.code is RefusalCode.SPEND_CAP
    assert (reply.usage.model_calls, reply.usage.model_tokens, len(server.asked)) == (1, 250, 1)
