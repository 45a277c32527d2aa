"""Products of a few thousand rows, by one thread.

The library that numpy multiplies with keeps a thread for every processor, and each waits busily for the next product:
a search of 20 ms cost 60 more of a second processor, which other questions were waiting for. So one vector is compared
without it, and many are in pieces that it does not share out, which is three times as fast as without it.
"""

from __future__ import annotations

from typing import Any

_UNSHARED = 200_000  # multiplications at once; OpenBLAS shares out more than 262,144


def with_each(rows: Any, one: Any) -> Any:
    """The product of each row with one vector."""
    import numpy as np

    return np.einsum("ij,j->i", rows, one)


def with_all(rows: Any, others: Any) -> Any:
    """The product of each row with each of some others."""
    import numpy as np

    products = np.empty((len(rows), len(others)), dtype="<f4")
    at_once = max(1, _UNSHARED // max(1, others.size))
    for start in range(0, len(rows), at_once):
        some = slice(start, start + at_once)
        np.matmul(rows[some], others.T, out=products[some])
    return products
