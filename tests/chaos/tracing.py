"""What a program asked of the file system, call by call, as strace saw it.

Everything that changes a file or a folder is understood, or refused loudly: a call that were overlooked here would
be a hole in every conclusion drawn from the trace.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.chaos.children import Child, Fact

# Understood by `disks.Disk`.
UNDERSTOOD = (
    "openat", "close", "write", "pwrite64", "ftruncate", "fsync", "fdatasync", "rename", "link", "unlink", "mkdir",
    "rmdir",
)  # fmt: skip
# The same calls by another name, which is all that some processors have. They are understood where the whole path is
# named; relative to an open folder they are refused.
BY_PATH = {"renameat": "rename", "linkat": "link", "unlinkat": "unlink", "mkdirat": "mkdir"}
# Would change a file too; a trace in which one of these touches the watched folder is refused.
REFUSED = (
    "open", "creat", "openat2", "dup", "dup2", "dup3", "writev", "pwritev", "pwritev2", "truncate", "fallocate",
    "renameat2", "symlink", "symlinkat", "mmap", "sendfile", "copy_file_range", "splice", "sync", "syncfs",
    "sync_file_range", "lseek", *BY_PATH,
)  # fmt: skip

_LINE = re.compile(r"(?P<pid>\d+) +(?P<name>\w+)\((?P<arguments>.*)\) += (?P<result>-?\d+|0x[0-9a-f]+)(?:<.*)?(?: .*)?")
_HEX = re.compile(r"(?:\\x[0-9a-f]{2})+")


@dataclass(frozen=True, slots=True)
class Call:
    """A system call that succeeded; text arguments are as they were, descriptors are their numbers."""

    name: str
    arguments: tuple[bytes | str, ...]
    result: int

    def number(self, position: int) -> int:
        argument = self.arguments[position]
        assert isinstance(argument, str)
        return int(argument.partition("<")[0])

    def data(self, position: int) -> bytes:
        argument = self.arguments[position]
        assert isinstance(argument, bytes)
        return argument

    @property
    def says(self) -> bool:
        """Whether the program told the test something with it."""
        return self.name == "write" and self.number(0) == 1

    def path(self, position: int) -> Path:
        return Path(self.data(position).decode())


def traced(folder: Path, log: Path, program: str, *arguments: object) -> tuple[list[Call], list[Fact]]:
    """Run a program under strace; return its calls that concern a folder or its standard output, and what it said."""
    tracer = shutil.which("strace")
    if tracer is None:
        pytest.fail(
            "strace is missing: without it nobody knows what survives a power loss. "
            "Install it (Debian, Ubuntu: apt-get install strace); this test is never skipped."
        )
    # -y and -xx: descriptors with their paths, and every text in hexadecimal, so that no text can look like syntax.
    options = ["-f", "-y", "-xx", "-s", "100000000", "-o", str(log), "-e", f"trace={','.join((*UNDERSTOOD, *REFUSED))}"]
    with Child(program, *arguments, under=(tracer, *options)) as child:
        said = child.finish()
    watched = "".join(f"\\x{byte:02x}" for byte in str(folder).encode())
    calls = []
    with log.open() as lines:
        for line in lines:
            if watched in line or " close(" in line or " write(1<" in line:
                call = understood(line.rstrip("\n"))
                if call is not None:
                    calls.append(call)
    return calls, said


def understood(line: str) -> Call | None:
    """A line of the trace as a call; `None` if the call failed, and so changed nothing."""
    parts = _LINE.fullmatch(line)
    if parts is None:
        raise AssertionError(f"this line of the trace cannot be read: {shown(line)}")
    if int(parts["result"], 0) < 0:
        return None
    arguments = tuple(_value(argument) for argument in parts["arguments"].split(", "))
    call = _by_path(Call(parts["name"], arguments, int(parts["result"], 0)))
    if call.name in REFUSED and not _harmless(call.name, line):
        raise AssertionError(f"the trace has a call that is not modelled: {shown(line)}")
    return call if call.name in UNDERSTOOD else None


def _by_path(call: Call) -> Call:
    """A call as it is known, if it names whole paths beside the folder they would be relative to."""
    if call.name not in BY_PATH:
        return call
    paths = tuple(each for each in call.arguments if isinstance(each, bytes))
    options = str(call.arguments[-1])
    if not all(path.startswith(b"/") for path in paths) or (call.name == "linkat" and options != "0"):
        return call
    removes_a_folder = call.name == "unlinkat" and options == "AT_REMOVEDIR"
    return Call("rmdir" if removes_a_folder else BY_PATH[call.name], paths, call.result)


def _harmless(name: str, line: str) -> bool:
    """Asking for a position moves nothing, and the shared memory beside a database need not survive."""
    if name == "lseek":
        return "0, SEEK_CUR)" in line
    return name == "mmap" and ("MAP_PRIVATE" in line or shown("-shm>") in shown(line))


def _value(argument: str) -> bytes | str:
    if argument.startswith('"'):
        return bytes.fromhex(argument.strip('"').replace("\\x", ""))
    return argument


def shown(line: str) -> str:
    """A line of the trace for people: hexadecimal as text, cut off if long."""
    text = _HEX.sub(lambda run: bytes.fromhex(run[0].replace("\\x", "")).decode(errors="replace"), line)
    return text if len(text) <= 300 else f"{text[:300]}…"
