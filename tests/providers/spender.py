"""A program: ask a provider again and again until no more may be spent, and say how often it answered.

Run as `python -m tests.providers.spender STORE URL CAP`. It counts as spent nothing but what the ledger lets it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from recollect.domain.chat.chat_model import ChatMessage, ChatRole, ModelTask, RefusalCode
from recollect.domain.chat.provider_settings import ProviderSettings
from recollect.domain.chat.spend import spend_in
from recollect.domain.clock import SystemClock
from recollect.providers.configured_models import ConfiguredModels
from recollect.settings import Settings
from recollect.stores.opening import open_store

REPLY = 100  # tokens that an answer may have


def main(address: str, url: str, cap: int) -> None:
    # A price of nothing: money never stops it, tokens do.
    spend = spend_in({"day_tokens": cap, "prices": {"openai:small": {"input": 0}}})
    provider = ProviderSettings("openai", "openai", url, "small", key="none")
    settings = Settings(Path.cwd(), address, providers=(provider,), spend=spend)
    store = open_store(address, clock=SystemClock(), busy_timeout=60)
    model = ConfiguredModels(settings, store.spend, SystemClock()).for_task(ModelTask.ANSWER, space="team")
    assert model is not None
    answered = 0
    while True:
        reply = model.reply([ChatMessage(ChatRole.USER, "x" * 50)], max_tokens=REPLY, seconds=120)
        if reply.refusal is not None:
            assert reply.refusal.code is RefusalCode.SPEND_CAP, reply.refusal
            break
        answered += 1
    store.close()
    print(json.dumps(answered))  # noqa: T201 - it is what the program is for


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
