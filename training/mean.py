"""The mean of several trainings that began with the same numbers: one file, better than each of them.

python -m training.mean one.pt two.pt three.pt --to training/weights/reranker.pt
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch


def main() -> None:
    """Average the files number by number, and write the mean in half precision."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("files", type=Path, nargs="+")
    arguments.add_argument("--to", type=Path, required=True)
    given = arguments.parse_args()
    trained = [torch.load(file, weights_only=True) for file in given.files]
    torch.save(
        {name: sum(each[name].float() for each in trained).div(len(trained)).half() for name in trained[0]}, given.to
    )


if __name__ == "__main__":
    main()
