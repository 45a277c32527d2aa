"""The parts of a command: its words, its arguments, and the options that many commands share."""

from __future__ import annotations

from typing import Any

from recollect.domain.dataclass import dataclass
from recollect.operations import Operation, Shape
from recollect.surfaces.catalogue.wording import PARAMETERS

STANDARD = "-"  # instead of a file or a text: standard input or output


@dataclass(frozen=True, slots=True)
class Argument:
    """One thing that can be typed after a command: `--like-this` an option, otherwise known by its PLACE."""

    name: str
    spelled: str
    shape: Shape
    meaning: str
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    names_file: bool = False

    @property
    def is_option(self) -> bool:
        return self.spelled.startswith("--")

    @property
    def opposite(self) -> str:
        """The `--no-…` of a yes-or-no that is yes or open unless it is said; others have none."""
        can_be_denied = self.shape is Shape.TRUTH and self.default is not False
        return self.spelled.replace("--", "--no-", 1) if can_be_denied else ""

    @property
    def value_name(self) -> str:
        """The placeholder of its value in help texts; empty for a flag and for an argument given by place."""
        if not self.is_option or self.shape is Shape.TRUTH:
            return ""
        if self.meaning.startswith("ids "):
            return "ID"
        return _VALUES.get(self.name) or _VALUES_OF.get(self.shape) or self.spelled.rpartition("-")[2].upper()


@dataclass(frozen=True, slots=True)
class Command:
    """Something that can be run. `operation` is `None` for what is not a verb.

    `home` names the module and the class in which a verb is written.
    """

    words: tuple[str, ...]
    meaning: str
    chapter: str
    arguments: tuple[Argument, ...]
    operation: Operation | None = None
    home: tuple[str, str] | None = None

    @property
    def spelled(self) -> str:
        return " ".join(self.words)


_VALUES = {
    "derived_from": "ID",
    "clear": "FIELD",
    "space": "NAME",
    "store": "PLACE",
    "home": "FOLDER",
    "output": "FILE",
    "given": "PATH",
    "log": "FILE",
    "ignore": "PATTERN",
    "data": "FOLDER",
    "peers": "FOLDER",
    "sets": "NAME,NAME",
    "sizes": "N,N",
    "expires": "TIME",
    "host": "ADDRESS",
    "url": "ADDRESS",
    "token_file": "FILE",
    "transcript": "FILE",
    "agent": "NAME",
    "idle_stop": "MINUTES",
    "allow_hosts": "NAME",
    "plot": "FILE",
    "remote": "ADDRESS",
    "target": "TARGET",
    "backup": "NAME",
    "replaces": "VALUE",
    "agents": "NAME,NAME",
    "machine_id": "NAME",
}
_VALUES_OF = {Shape.MOMENT: "TIME", Shape.WHOLE: "N", Shape.NUMBER: "X", Shape.OBJECT: "JSON"}

# Options that many commands share; they can also stand before the command.
JSON = Argument("json", "--json", Shape.TRUTH, "answer as JSON, for programs", default=False)
SPACE = Argument("space", "--space", Shape.TEXT, PARAMETERS["space"])
STORE = Argument("store", "--store", Shape.TEXT, "where memory is kept: a path or an address", names_file=True)
HOME = Argument("home", "--home", Shape.TEXT, "the folder of Recollect's own files", names_file=True)
DRY_RUN = Argument("dry_run", "--dry-run", Shape.TRUTH, "show what would be written, and write nothing", default=False)
YES = Argument("yes", "--yes", Shape.TRUTH, "do not ask", default=False)
SHARED = (JSON, SPACE, STORE, HOME, DRY_RUN, YES)
