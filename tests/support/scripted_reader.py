"""A model that reads perfectly: it knows each message by heart, and says of it what it was told to say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tests.support.model_server import Says

_PLAIN = {
    "subject": "user", "many": False, "polarity": "affirmed", "modality": "asserted", "tense": "present",
    "since": "", "until": "", "occurred": "", "corrects": False, "replaces": "",
}  # fmt: skip


def said(attribute: str, value: str, quote: str | None = None, **more: Any) -> dict[str, Any]:
    """A candidate as a model gives it; without a quote, the whole message says it."""
    return {**_PLAIN, "attribute": attribute, "value": value, "quote": quote, **more}


class ScriptedReader:
    """Answers requests to read, in the wire format of a vendor, from a table of texts."""

    def __init__(
        self, table: Mapping[str, Sequence[Mapping[str, Any]]], usage: tuple[int, int, int] = (900, 0, 100)
    ) -> None:
        self.table, self.usage = dict(table), usage
        self.shown: list[list[list[Any]]] = []  # the lines of each request

    def __call__(self, asked: dict[str, Any]) -> Says:
        told = asked["messages"][-1]["content"]
        lines = [json.loads(line) for line in told.splitlines() if line.startswith("[")]
        self.shown.append(lines)
        found = [
            {**_PLAIN, **each, "message": line[0], "quote": each.get("quote") or line[4]}
            for line in lines
            if line[3] == "read"
            for each in self.table.get(line[4], ())
        ]
        return Says(json.dumps({"statements": found}), usage=self.usage)

    @property
    def read(self) -> list[str]:
        """The texts that it was asked to read, in order."""
        return [line[4] for lines in self.shown for line in lines if line[3] == "read"]
