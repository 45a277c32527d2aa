"""A stand-in for `msvcrt.locking` where Windows cannot be had.

Like the real one it locks a range of bytes exclusively, from where the file stands, for one open file: another one of
the same process is kept out as well, and closing lets go. Linux calls these locks of open file descriptions. Not stood
in for: Windows also refuses to read and write locked bytes, and to rename a file that is open.
"""

from __future__ import annotations

import fcntl
import os
import struct

LK_NBLCK = 2
AVAILABLE = hasattr(fcntl, "F_OFD_SETLK")


def locking(descriptor: int, mode: int, count: int) -> None:
    assert mode == LK_NBLCK
    place = os.lseek(descriptor, 0, os.SEEK_CUR)
    assert place + count <= 0x7FFF_FFFF, "the real one cannot lock there"
    wish = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, place, count, 0)
    fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, wish)
