"""mem0's own Python client, plain and asynchronous, through every public method it has."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable
from typing import Any

os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": tempfile.mkdtemp()}
sys.path = [each for each in sys.path if not each.endswith("clients")]  # this file is not the package `mem0`

from mem0 import AsyncMemoryClient, MemoryClient  # noqa: E402
from mem0.exceptions import MemoryError as Mem0Error  # noqa: E402
from mem0.exceptions import MemoryNotFoundError  # noqa: E402

ANA = {"user_id": "ana"}


def refused(call: Callable[..., Any], *given: Any, of: type[Exception] = Mem0Error, **named: Any) -> str:
    """The sentence that a call is refused with."""
    try:
        call(*given, **named)
    except of as problem:
        return str(problem)
    raise AssertionError(f"{call.__name__} was not refused")


def plain(url: str, secret: str) -> None:
    client = MemoryClient(api_key=secret, host=url)
    said = [{"role": "user", "content": "I'm Ana. I'm a vegetarian and I'm allergic to nuts."}]
    made = client.add(said, user_id="ana", metadata={"team": "ops"})
    assert made["status"] == "PENDING"
    assert len(made["results"]) == 3
    client.add("The cat threw up on the sofa", user_id="ana", run_id="monday")
    [stored] = client.add("My locker is 42", user_id="ana", infer=False)["results"]
    found = client.search("what is her diet", filters=ANA, top_k=3)["results"]
    assert found[0]["memory"] == "User's diet is vegetarian."
    [of_run] = client.get_all(filters={"AND": [ANA, {"run_id": "monday"}]})["results"]
    assert of_run["memory"] == "The cat threw up on the sofa"
    page = client.get_all(filters=ANA, page=2, page_size=2)
    assert (page["count"], len(page["results"])) == (5, 2)
    assert client.get_all(filters={"metadata": {"team": "ops"}})["count"] == 3

    locker = stored["id"]
    assert client.update(locker, text="My locker is 43")["memory"] == "My locker is 43"
    assert client.get(locker)["memory"] == "My locker is 43"
    client.batch_update([{"memory_id": locker, "text": "My locker is 44"}])
    assert [each["event"] for each in client.history(locker)] == ["ADD", "UPDATE", "UPDATE"]
    assert client.feedback(locker, "POSITIVE")["feedback"] == "POSITIVE"
    assert {each["name"] for each in client.users()["results"]} == {"ana", "monday"}
    assert client.get_profile("ana")["profile"]["diet"] == ["vegetarian"]
    assert "nuts" in client.get_summary(ANA)["summary"]
    assert client.project.get()["custom_categories"] == []
    hook = client.create_webhook("https://example.org/told", "my hook", "p", ["memory_add"])
    assert [each["name"] for each in client.get_webhooks("p")] == [hook["name"]]
    client.update_webhook(hook["webhook_id"], hook["name"], "https://example.org/other", ["memory_delete"])
    client.delete_webhook(hook["webhook_id"])

    for call, given in (
        (client.create_memory_export, ("{}",)),
        (client.get_memory_export, ()),
        (client.generate_profile, ("ana",)),
        (client.get_profile_settings, ()),
        (client.sample_profiles, ()),
        (client.project.get_members, ()),
    ):
        assert "not taken" in refused(call, *given)
    client.delete(locker)
    refused(client.get, locker, of=MemoryNotFoundError)
    client.batch_delete([{"memory_id": of_run["id"]}])
    client.delete_users(run_id="monday")
    client.delete_all(user_id="ana")
    assert client.get_all(filters=ANA)["count"] == 0
    client.add("I like tea", agent_id="bot")
    client.reset()
    assert client.users()["count"] == 0


async def awaited(url: str, secret: str) -> None:
    async with AsyncMemoryClient(api_key=secret, host=url) as client:
        await client.add("I live in Rome", user_id="zoe")
        [found] = (await client.search("where", filters={"user_id": "zoe"}))["results"]
        assert found["memory"] == "User lives in Rome."
        assert await client.history(found["id"])
        await client.delete_all(user_id="zoe")


if __name__ == "__main__":
    plain(*sys.argv[1:3])
    asyncio.run(awaited(*sys.argv[1:3]))
