"""Products of a few thousand rows, by one thread.

The library that numpy multiplies with keeps a thread for every processor, and each waits busily for the next product:
a search of 20 ms cost 60 more of a second processor, which other questions were waiting for. These are small enough.
"""

from __future__ import annotations

from typing import Any


def with_each(rows: Any, one: Any) -> Any:
    """The product of each row with one vector."""
    import numpy as np

    return np.einsum("ij,j->i", rows, one)


def with_all(rows: Any, others: Any) -> Any:
    """The product of each row with each of some others."""
    import numpy as np

    return np.einsum("ik,jk->ij", rows, others)
