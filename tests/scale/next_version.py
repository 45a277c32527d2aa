"""`recollect` as a later version will be, with more steps of its schema. The first argument is the folder of all."""

from __future__ import annotations

import sys
from pathlib import Path

from recollect.stores import migrations
from recollect.surfaces.cli.main import main

if __name__ == "__main__":
    migrations._FOLDER = Path(sys.argv.pop(1))
    sys.exit(main())
