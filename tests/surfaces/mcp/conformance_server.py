"""A server on an empty memory with what the conformance suite calls: `python -m tests.surfaces.mcp.conformance_server`.

It says its address on standard output, and lets everybody on this machine in.
"""

from __future__ import annotations

import json
import tempfile

from recollect import Memory
from recollect.surfaces.server.lifespan import serve
from tests.surfaces.mcp.fixtures import add_fixtures


def main() -> None:
    with tempfile.TemporaryDirectory() as home, Memory(home=home, embedding="off") as memory:
        memory.add("I live in Paris.")
        serve(
            memory,
            port=0,
            insecure=True,
            extended=add_fixtures,
            ready=lambda served: print(json.dumps({"url": served.url}), flush=True),  # noqa: T201
        )


if __name__ == "__main__":
    main()
