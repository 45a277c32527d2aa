"""Runs where a peer is installed and Recollect is not: tells it texts, asks it questions, and times both.

It is started as a file, with the name of the peer. A JSON value comes in on standard input and one goes out on
standard output. It needs the standard library and the peer, and vectors are handed to it: no model runs here.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

Vector = list[float]


class Peer(Protocol):
    """One store of a peer, for one corpus. What is found is given as the places of the texts that were told."""

    def tell(self, texts: Sequence[str]) -> None: ...

    def ask(self, question: str, limit: int) -> list[int]: ...


class Chroma:
    """A collection in memory, cosine, with vectors of ours."""

    def __init__(self, name: str, vectors: dict[str, Vector]) -> None:
        import chromadb
        from chromadb.config import Settings

        self._vectors = vectors
        client = chromadb.EphemeralClient(Settings(anonymized_telemetry=False))
        self._texts = client.create_collection(name, metadata={"hnsw:space": "cosine"}, embedding_function=None)

    def tell(self, texts: Sequence[str]) -> None:
        for place, text in enumerate(texts):
            self._texts.add(ids=[str(place)], documents=[text], embeddings=[self._vectors[text]])

    def ask(self, question: str, limit: int) -> list[int]:
        found = self._texts.query(query_embeddings=[self._vectors[question]], n_results=limit)
        return [int(place) for place in found["ids"][0]]


class LangGraph:
    """The store that LangGraph keeps in memory, with an index over the text."""

    def __init__(self, name: str, vectors: dict[str, Vector]) -> None:
        from langgraph.store.memory import InMemoryStore

        def embed(texts: Sequence[str]) -> list[Vector]:
            return [vectors[text] for text in texts]

        self._space = (name,)
        dimension = len(next(iter(vectors.values())))
        self._store = InMemoryStore(index={"dims": dimension, "embed": embed, "fields": ["text"]})

    def tell(self, texts: Sequence[str]) -> None:
        for place, text in enumerate(texts):
            self._store.put(self._space, str(place), {"text": text})

    def ask(self, question: str, limit: int) -> list[int]:
        return [int(found.key) for found in self._store.search(self._space, query=question, limit=limit)]


class Mem0:
    """mem0 with its own vector store on disk and without a language model: what is told is kept as it is."""

    def __init__(self, name: str, vectors: dict[str, Vector]) -> None:
        folder = Path.cwd()
        os.environ |= {"MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "unused", "MEM0_DIR": str(folder)}
        from mem0 import Memory

        class Known:
            """The embedder mem0 asks for vectors."""

            def embed(self, text: str, *_: Any, **__: Any) -> Vector:
                return vectors[text]

            def embed_batch(self, texts: Sequence[str], *_: Any, **__: Any) -> list[Vector]:
                return [vectors[text] for text in texts]

        dimension = len(next(iter(vectors.values())))
        place = {"collection_name": name, "path": str(folder / name), "embedding_model_dims": dimension}
        history = str(folder / f"{name}.history.db")
        self._user = name
        self._memory = Memory.from_config(
            {"vector_store": {"provider": "qdrant", "config": place}, "history_db_path": history}
        )
        self._memory.embedding_model = Known()

    def tell(self, texts: Sequence[str]) -> None:
        for place, text in enumerate(texts):
            self._memory.add(text, user_id=self._user, infer=False, metadata={"place": place})

    def ask(self, question: str, limit: int) -> list[int]:
        found = self._memory.search(question, filters={"user_id": self._user}, top_k=limit, threshold=0.0)
        return [int(each["metadata"]["place"]) for each in found["results"]]


PEERS: dict[str, Callable[[str, dict[str, Vector]], Peer]] = {"chroma": Chroma, "langgraph": LangGraph, "mem0": Mem0}


def main() -> None:
    given = json.load(sys.stdin)
    sys.stdout, answers = sys.stderr, sys.stdout  # whatever a peer prints is not the answer
    found: list[list[list[int]]] = []
    told_in = 0.0
    asked_in: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # whatever a peer leaves behind is gone afterwards
        for number, corpus in enumerate(given["corpora"]):
            peer = PEERS[sys.argv[1]](f"corpus-{number}", given["vectors"])
            begin = time.perf_counter()
            peer.tell(corpus["texts"])
            told_in += time.perf_counter() - begin
            found.append([])
            for question in corpus["questions"]:
                begin = time.perf_counter()
                found[-1].append(peer.ask(question, given["limit"]))
                asked_in.append(time.perf_counter() - begin)
        json.dump({"found": found, "told_in": told_in, "asked_in": asked_in}, answers)


if __name__ == "__main__":
    main()
