"""`python -m recollect` is the command line."""

from __future__ import annotations

import sys

from recollect.surfaces.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
