"""A stand-in for the Hugging Face hub: the paths its client calls for a dataset repository, and what the hub answers.

Large files go by LFS, in one piece or in several, and are handed out by a redirect; small ones are in the commit.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

TOKEN = "hf_" + "t" * 34
PIECE = 40_000  # bytes; a longer file is uploaded in pieces of so many


@dataclass
class Repository:
    """Files of the newest commit, and how often there was one."""

    private: bool = True
    files: dict[str, bytes] = field(default_factory=dict)
    commits: int = 1


class StandInHub:
    """What the hub knows. Tests look into it, and change it behind everybody's back."""

    def __init__(self) -> None:
        self.endpoint = self.storage = ""
        self.repositories: dict[str, Repository] = {}
        self.lfs: dict[str, bytes] = {}
        self.pieces: dict[tuple[str, int], bytes] = {}
        self.moved_on = 0  # so many commits are refused, because somebody else's came first
        self.asked: list[str] = []
        self.lock = threading.Lock()

    def answer(self, method: str, path: str, token: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        path = unquote(urlsplit(path).path)
        with self.lock:
            self.asked.append(f"{method} {path}")
            if path.startswith("/signed/"):
                return self._storage(method, path.removeprefix("/signed/"), body)
            if token != f"Bearer {TOKEN}":
                return _told(401, {"error": "Invalid username or password."})
            if path == "/api/repos/create":
                return self._create(json.loads(body))
            found = re.match(r"/(?:api/)?datasets/([^/]+/[^/]+?)(?:\.git)?(?:/(.*))?$", path)
            repository = found and self.repositories.get(found[1])
            if not found or repository is None:
                return _told(404, {"error": "Repository not found"}, {"X-Error-Code": "RepoNotFound"})
            return self._within(found[1], repository, found[2] or "", method, body)

    def _create(self, asked: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        name = f"{asked['organization']}/{asked['name']}"
        if name in self.repositories:
            return _told(409, {"error": "You already created this dataset repo", "url": self._url(name)})
        assert asked["type"] == "dataset"
        self.repositories[name] = Repository(private=asked.get("visibility") == "private")
        return _told(200, {"url": self._url(name), "name": name})

    def _within(
        self, name: str, repository: Repository, rest: str, method: str, body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        if rest == "":
            return _told(200, {"id": name, "_id": "0", "private": repository.private, "sha": _sha(repository)})
        if rest == "preupload/main":
            asked = json.loads(body)["files"]
            modes = [{"path": each["path"], "uploadMode": _mode(each["path"]), "shouldIgnore": False} for each in asked]
            return _told(200, {"files": modes})
        if rest == "info/lfs/objects/batch":
            return _told(200, {"transfer": "basic", "objects": [self._upload(e) for e in json.loads(body)["objects"]]})
        if rest == "commit/main":
            return self._commit(name, repository, [json.loads(line) for line in body.splitlines()])
        if rest.startswith("tree/main"):
            return self._tree(repository, rest.removeprefix("tree/main").strip("/"))
        if rest.startswith("resolve/main/"):
            return self._resolved(repository, rest.removeprefix("resolve/main/"), method)
        return _told(404, {"error": "Not found"})

    def _upload(self, asked: dict[str, Any]) -> dict[str, Any]:
        oid, size = asked["oid"], asked["size"]
        if oid in self.lfs:
            return {"oid": oid, "size": size}
        place = f"{self.endpoint}/signed/{oid}"
        if size <= PIECE:
            return {"oid": oid, "size": size, "actions": {"upload": {"href": place}}}
        count = -(-size // PIECE)
        header = {"chunk_size": str(PIECE), **{str(number): f"{place}/{number}" for number in range(1, count + 1)}}
        return {"oid": oid, "size": size, "actions": {"upload": {"href": f"{place}/whole", "header": header}}}

    def _storage(self, method: str, rest: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        oid, _, piece = rest.partition("/")
        if method in ("GET", "HEAD"):
            return 200, {"Content-Type": "application/octet-stream"}, self.lfs[oid]
        if piece.isdigit():
            self.pieces[oid, int(piece)] = body
            return 200, {"ETag": f'"{hashlib.md5(body).hexdigest()}"'}, b""
        content = body
        if piece == "whole":
            numbers = [each["partNumber"] for each in json.loads(body)["parts"]]
            content = b"".join(self.pieces.pop((oid, number)) for number in numbers)
        if hashlib.sha256(content).hexdigest() != oid:
            return _told(400, {"error": "The content is not what was announced."})
        self.lfs[oid] = content
        return _told(200, {})

    def _commit(
        self, name: str, repository: Repository, lines: list[dict[str, Any]]
    ) -> tuple[int, dict[str, str], bytes]:
        if self.moved_on:
            self.moved_on -= 1
            return _told(412, {"error": "A commit has happened since. Please refresh and try again."})
        files = dict(repository.files)
        for line in lines:
            said = line["value"]
            match line["key"]:
                case "file":
                    files[said["path"]] = base64.b64decode(said["content"])
                case "lfsFile" if len(self.lfs.get(said["oid"], b"")) == said["size"]:
                    files[said["path"]] = self.lfs[said["oid"]]
                case "deletedFile" if said["path"] in files:
                    del files[said["path"]]
                case "header":
                    pass
                case _:
                    return _told(400, {"error": f"{line['key']} cannot be done"})
        repository.files = files
        repository.commits += 1
        return _told(200, {"commitUrl": f"{self._url(name)}/commit/{_sha(repository)}", "commitOid": _sha(repository)})

    def _tree(self, repository: Repository, folder: str) -> tuple[int, dict[str, str], bytes]:
        below = f"{folder}/" if folder else ""
        found = {path: content for path, content in repository.files.items() if path.startswith(below)}
        if folder and not found:
            return _told(404, {"error": "Entry not found"}, {"X-Error-Code": "EntryNotFound"})
        return _told(
            200,
            [
                {"type": "file", "path": path, "size": len(content), "oid": hashlib.sha1(content).hexdigest()}
                for path, content in sorted(found.items())
                if "/" not in path.removeprefix(below)
            ],
        )

    def _resolved(self, repository: Repository, path: str, method: str) -> tuple[int, dict[str, str], bytes]:
        content = repository.files.get(path)
        if content is None:
            return _told(404, {"error": "Entry not found"}, {"X-Error-Code": "EntryNotFound"})
        headers = {"X-Repo-Commit": _sha(repository), "ETag": f'"{hashlib.sha256(content).hexdigest()}"'}
        if _mode(path) == "regular":
            return 200, headers, content
        oid = hashlib.sha256(content).hexdigest()
        self.lfs[oid] = content
        linked = {"X-Linked-Size": str(len(content)), "X-Linked-Etag": f'"{oid}"'}
        return 302, {**headers, **linked, "Location": f"{self.storage}/signed/{oid}"}, b""

    def _url(self, name: str) -> str:
        return f"{self.endpoint}/datasets/{name}"


@contextmanager
def running_hub() -> Iterator[StandInHub]:
    """A hub on a free port of this machine."""
    hub = StandInHub()

    class Requests(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answered(self) -> None:
            if "chunked" in self.headers.get("Transfer-Encoding", ""):
                body = b"".join(iter(self._chunk, b""))
            else:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            token = self.headers.get("Authorization", "")
            status, headers, content = hub.answer(self.command, self.path, token, body)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        def _chunk(self) -> bytes:
            size = int(self.rfile.readline().strip(), 16)
            content = self.rfile.read(size)
            self.rfile.readline()
            return content

        def do_GET(self) -> None:
            self._answered()

        def do_HEAD(self) -> None:
            self._answered()

        def do_POST(self) -> None:
            self._answered()

        def do_PUT(self) -> None:
            self._answered()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Requests)
    server.daemon_threads = True
    hub.endpoint = f"http://127.0.0.1:{server.server_port}"
    hub.storage = f"http://localhost:{server.server_port}"  # another host, as it is with the real one
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _mode(path: str) -> str:
    return "lfs" if path.endswith(".gz") else "regular"


def _sha(repository: Repository) -> str:
    return hashlib.sha1(str(repository.commits).encode()).hexdigest()


def _told(status: int, said: Any, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    return status, {"Content-Type": "application/json", **(headers or {})}, json.dumps(said).encode()
