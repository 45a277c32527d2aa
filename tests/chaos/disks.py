"""A disk as a power loss may leave it: what was synced is there, of the rest anything may be or not be.

The model is that of ALICE (Pillai et al., OSDI 2014), without the kindness of any one file system. The contents of
a file are safe once the file was synced; a name is safe once the folder that holds it was. Until then any part of
it may be missing: contents without their names, names without their contents, sizes without the bytes, single
sectors, single writes. What is not modelled: a disk that lies about a sync, and bits that rot.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from tests.chaos.tracing import Call

SECTOR = 512  # bytes; what a disk writes whole or not at all

Image: TypeAlias = dict[str, bytes | None]  # by path below the root, folders before what is in them; None is a folder


@dataclass(frozen=True, slots=True)
class Put:
    """Bytes written at a place in a file."""

    offset: int
    data: bytes

    def sectors(self) -> Iterator[Put]:
        """The same bytes, a sector of the disk at a time."""
        start = self.offset
        while start < self.offset + len(self.data):
            end = min((start // SECTOR + 1) * SECTOR, self.offset + len(self.data))
            yield Put(start, self.data[start - self.offset : end - self.offset])
            start = end

    def to(self, content: bytearray) -> None:
        if len(content) < self.offset:
            content.extend(bytes(self.offset - len(content)))
        content[self.offset : self.offset + len(self.data)] = self.data


@dataclass(frozen=True, slots=True)
class Resize:
    """A file cut off or filled up with zeros."""

    size: int

    def to(self, content: bytearray) -> None:
        del content[self.size :]
        content.extend(bytes(self.size - len(content)))


Piece: TypeAlias = Put | Resize


@dataclass(eq=False, slots=True)
class File:
    """A file: what of it is safe, and what was done to it since."""

    safe: bytes = b""
    pending: list[Piece] = field(default_factory=list)

    def sync(self) -> None:
        self.safe = self.content(self.pending)
        self.pending.clear()

    @property
    def size(self) -> int:
        size = len(self.safe)
        for piece in self.pending:
            size = piece.size if isinstance(piece, Resize) else max(size, piece.offset + len(piece.data))
        return size

    def content(self, pieces: Iterable[Piece]) -> bytes:
        """What is in it if of all that was done since the last sync only these pieces arrived."""
        arrived = list(pieces)
        if not arrived:
            return self.safe  # the same object each time: its hash is computed once
        content = bytearray(self.safe)
        for piece in arrived:
            piece.to(content)
        return bytes(content)


@dataclass(eq=False, slots=True)
class Folder:
    """A folder: the names in it that are safe."""

    safe: dict[str, Node] = field(default_factory=dict)


Node: TypeAlias = File | Folder


@dataclass(frozen=True, slots=True)
class Naming:
    """One atomic change of names: each name in its folder now means that, or nothing."""

    names: tuple[tuple[Folder, str, Node | None], ...]

    def touches(self, folder: Folder) -> bool:
        return any(each is folder for each, _, _ in self.names)

    def to(self, folder: Folder, entries: dict[str, Node]) -> None:
        for each, name, node in self.names:
            if each is folder and node is None:
                entries.pop(name, None)
            elif each is folder and node is not None:
                entries[name] = node


class Disk:
    """The files below a root, as a running program sees them and as a power loss would leave them.

    `before` holds what was there when the program started.
    """

    def __init__(self, root: Path, before: Path) -> None:
        self._root = root
        self._top = _loaded(before)
        self._pending: list[Naming] = []
        self._open: dict[int, tuple[Node, int]] = {}  # by descriptor, with the place of the next `write`
        self._last: tuple[File, Put] | None = None

    def perform(self, call: Call) -> bool:
        """Do what a call did. Whether it can have changed what a power loss would leave."""
        self._last = None
        match call.name:
            case "openat":
                return self._opened(call)
            case "close":
                self._open.pop(call.number(0), None)
                return False
            case "write":
                node, place = self._open[call.number(0)]
                self._open[call.number(0)] = (node, place + call.result)
                return self._put(node, Put(place, call.data(1)[: call.result]))
            case "pwrite64":
                return self._put(self._open[call.number(0)][0], Put(call.number(3), call.data(1)[: call.result]))
            case "ftruncate":
                return self._resize(self._open[call.number(0)][0], call.number(1))
            case "fsync" | "fdatasync":
                self._sync(self._open[call.number(0)][0])
                return True
            case "mkdir":
                return self._name((*self._place(call.path(0)), Folder()))
            case "link":
                return self._name((*self._place(call.path(1)), self._found(call.path(0))))
            case "rename":
                source, target = call.path(0), call.path(1)
                return self._name((*self._place(target), self._found(source)), (*self._place(source), None))
            case "unlink" | "rmdir":
                return self._name((*self._place(call.path(0)), None))
            case _:
                raise AssertionError(f"{call.name} is not modelled")

    def images(self, chance: random.Random) -> Iterator[tuple[str, Image]]:
        """What a power loss may leave now, each with the story of how."""
        names = self._pending
        yield "everything arrived", self._image(names, _all)
        yield "only what was synced arrived", self._image([], _none)
        yield "names arrived, contents did not", self._image(names, _none)
        yield "contents arrived, names did not", self._image([], _all)
        yield "sizes arrived, bytes did not", self._image(names, lambda file: [Resize(file.size)])
        yield "the last change of a name did not arrive", self._image(names[:-1], _all)
        if self._last is not None:
            torn, put = self._last
            sectors = list(put.sectors())
            for kept in sorted({1, len(sectors) // 2, len(sectors) - 1} - {0, len(sectors)}):
                for story, part in ((f"first {kept}", sectors[:kept]), (f"last {kept}", sectors[-kept:])):
                    yield f"of the last write the {story} sectors arrived", self._image(names, _torn(torn, part))
        for attempt in (1, 2):
            some = names[: chance.randint(0, len(names))]
            yield f"some names and sectors arrived, {attempt}", self._image(some, lambda file: _some(file, chance))

    def _opened(self, call: Call) -> bool:
        path, flags = call.path(1), str(call.arguments[2]).split("|")
        changed = False
        if path != self._root and "O_CREAT" in flags and self._place_is_empty(path):
            changed = self._name((*self._place(path), File()))
        node = self._found(path)
        if "O_TRUNC" in flags:
            changed = self._resize(node, 0) or changed
        assert "O_APPEND" not in flags, "appending is not modelled"
        self._open[call.result] = (node, 0)
        return changed

    def _put(self, node: Node, put: Put) -> bool:
        assert isinstance(node, File)
        node.pending.append(put)
        self._last = (node, put)
        return True

    def _resize(self, node: Node, size: int) -> bool:
        assert isinstance(node, File)
        node.pending.append(Resize(size))
        return True

    def _sync(self, node: Node) -> None:
        if isinstance(node, File):
            node.sync()
            return
        for naming in self._pending:
            if naming.touches(node):
                for folder, _, _ in naming.names:
                    naming.to(folder, folder.safe)
        self._pending = [naming for naming in self._pending if not naming.touches(node)]

    def _name(self, *names: tuple[Folder, str, Node | None]) -> bool:
        self._pending.append(Naming(names))
        return True

    def _entries(self, folder: Folder, names: Sequence[Naming]) -> dict[str, Node]:
        """The names in a folder if of the pending changes only these arrived."""
        entries = dict(folder.safe)
        for naming in names:
            naming.to(folder, entries)
        return entries

    def _place(self, path: Path) -> tuple[Folder, str]:
        folder: Node = self._top
        for part in path.relative_to(self._root).parts[:-1]:
            assert isinstance(folder, Folder)
            folder = self._entries(folder, self._pending)[part]
        assert isinstance(folder, Folder)
        return folder, path.name

    def _place_is_empty(self, path: Path) -> bool:
        folder, name = self._place(path)
        return name not in self._entries(folder, self._pending)

    def _found(self, path: Path) -> Node:
        if path == self._root:
            return self._top
        folder, name = self._place(path)
        return self._entries(folder, self._pending)[name]

    def _image(self, names: Sequence[Naming], kept: Callable[[File], Iterable[Piece]]) -> Image:
        image: Image = {}

        def visit(folder: Folder, prefix: str) -> None:
            for name, node in sorted(self._entries(folder, names).items()):
                if isinstance(node, Folder):
                    image[prefix + name] = None
                    visit(node, f"{prefix}{name}/")
                else:
                    image[prefix + name] = node.content(kept(node))

        visit(self._top, "")
        return image


def lay_out(image: Image, root: Path) -> None:
    """Make the files of an image below a root."""
    root.mkdir()
    for path, content in image.items():
        if content is None:
            (root / path).mkdir()
        else:
            (root / path).write_bytes(content)


def _loaded(root: Path) -> Folder:
    """What is there before the program starts; it has been there long enough to be safe."""
    top = Folder()
    for path in root.iterdir():
        top.safe[path.name] = _loaded(path) if path.is_dir() else File(path.read_bytes())
    return top


def _all(file: File) -> Iterable[Piece]:
    return file.pending


def _none(file: File) -> Iterable[Piece]:
    return ()


def _torn(torn: File, part: Sequence[Put]) -> Callable[[File], Iterable[Piece]]:
    """Everything arrived, but of one file's last write only a part."""
    return lambda file: [*file.pending[:-1], *part] if file is torn else file.pending


def _some(file: File, chance: random.Random) -> Iterator[Piece]:
    """About half of what was done, sector by sector, still in its order."""
    for piece in file.pending:
        for part in piece.sectors() if isinstance(piece, Put) else (piece,):
            if chance.random() < 0.5:
                yield part
