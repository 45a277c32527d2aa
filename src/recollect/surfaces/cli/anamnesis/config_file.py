"""Anamnesis's settings of one machine: its variables, `config.json` beside its notes, and what counts otherwise."""

from __future__ import annotations

import json
import platform
import re
from pathlib import Path
from typing import Any

from recollect.disk import write_whole
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput
from recollect.settings import foreign_variables

_PROVIDERS = ("heuristic", "deepseek", "openai", "local")
# Each setting with its variables, the first that is set counts, and what counts without.
KEYS: dict[str, tuple[tuple[str, ...], Any]] = {
    "machine_id": (("ANAMNESIS_MACHINE_ID",), ""),
    "remote": (("ANAMNESIS_GIT_REMOTE",), ""),
    "reflection.provider": (("ANAMNESIS_REFLECTION_PROVIDER",), "heuristic"),
    "reflection.model": (("ANAMNESIS_REFLECTION_MODEL",), ""),
    "reflection.base_url": (("ANAMNESIS_REFLECTION_BASE_URL",), ""),
    "reflection.timeout": (("ANAMNESIS_REFLECTION_TIMEOUT",), 30.0),
    "reflection.max_tokens": (("ANAMNESIS_REFLECTION_MAX_TOKENS",), 120000),
    "reflection.auto": (("ANAMNESIS_REFLECT_AUTO",), False),
    "reflection.api_key": (("ANAMNESIS_REFLECTION_API_KEY", "DEEPSEEK_API_KEY", "OPENAI_API_KEY"), ""),
}
_ELSEWHERE = ("ANAMNESIS_HOME", "ANAMNESIS_IMPORT_NATIVE", "CLAUDE_CONFIG_DIR", "RECOLLECT_HOME")
_MUST = {
    "reflection.timeout": "a number",
    "reflection.max_tokens": "an integer",
    "reflection.auto": "true or false",
}
_TRUTHS = {**dict.fromkeys(("true", "1", "yes", "on"), True), **dict.fromkeys(("false", "0", "no", "off"), False)}


@dataclass(frozen=True, slots=True)
class MachineConfig:
    """The settings of a store of Anamnesis, read once."""

    root: Path
    said: dict[str, str]
    kept: dict[str, Any]

    def value(self, key: str) -> tuple[Any, str]:
        """A setting, and where it comes from: `env`, `file` or `default`."""
        variables, otherwise = KEYS[key]
        for name in variables:
            if name in self.said:
                return self.said[name], "env"
        held: Any = self.kept
        for part in key.split("."):
            held = held.get(part) if isinstance(held, dict) else None
        if held not in (None, ""):
            return held, "file"
        return (platform.node() or "unknown") if key == "machine_id" else otherwise, "default"

    @property
    def machine(self) -> str:
        """The name of this machine in the form that a ref can have."""
        return re.sub(r"[^a-z0-9]+", "-", str(self.value("machine_id")[0]).lower()).strip("-")[:63] or "unknown"

    @property
    def remote(self) -> str | None:
        return str(self.value("remote")[0]) or None

    @property
    def home(self) -> Path:
        """The folder of our own store: beside the notes, unless `RECOLLECT_HOME` names another."""
        return Path(self.said.get("RECOLLECT_HOME") or self.root / ".recollect").expanduser()

    @property
    def claude_home(self) -> Path:
        return Path(self.said.get("CLAUDE_CONFIG_DIR") or "~/.claude").expanduser()

    @property
    def imports_native(self) -> bool:
        """Whether Claude Code's own memory is taken in before every sync."""
        return self.said.get("ANAMNESIS_IMPORT_NATIVE") == "1"

    def changed(self, updates: dict[str, Any]) -> None:
        """Write settings; `None` takes one away. Only the owner can read the file, for it may hold a key."""
        kept = json.loads(json.dumps(self.kept))
        for key, value in updates.items():
            block, _, name = key.rpartition(".")
            place = kept.setdefault(block, {}) if block else kept
            place.pop(name, None) if value is None else place.update({name: value})
        if not kept.get("reflection", True):
            del kept["reflection"]
        self.root.mkdir(parents=True, exist_ok=True)
        write_whole(self.root / "config.json", (json.dumps(kept, indent=2) + "\n").encode())
        (self.root / "config.json").chmod(0o600)


def machine_config(root: str | None = None) -> MachineConfig:
    """The settings of the store that is named, or of the usual one."""
    names = [name for variables, _ in KEYS.values() for name in variables]
    said = foreign_variables([*names, *_ELSEWHERE])
    place = Path(root or said.get("ANAMNESIS_HOME") or "~/.anamnesis").expanduser().absolute()
    try:
        kept = json.loads((place / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        kept = {}
    return MachineConfig(place, said, kept if isinstance(kept, dict) else {})


def checked_setting(key: str, value: str) -> Any:
    """The value of a setting as it is kept, or a clear error."""
    if key not in KEYS:
        raise InvalidInput(f"unknown setting '{key}' (known: {', '.join(KEYS)})", code="unknown_setting")
    try:
        match key:
            case "reflection.provider":
                if value.lower() not in _PROVIDERS:
                    raise ValueError(f"provider must be one of: {', '.join(_PROVIDERS)}")
                return value.lower()
            case "reflection.timeout":
                return float(value)
            case "reflection.max_tokens":
                return int(value)
            case "reflection.auto":
                return _TRUTHS[value.strip().lower()]
            case "reflection.base_url" if not value.startswith(("http://", "https://")):
                raise ValueError("base_url must start with http:// or https://")
    except (ValueError, KeyError) as problem:
        said = str(problem) if "must" in str(problem) else f"{key.partition('.')[2]} must be {_MUST[key]}"
        raise InvalidInput(said, code="invalid_setting") from None
    return value


def masked(value: str) -> str:
    """The beginning and the end of a key."""
    return "" if not value else f"{value[:3]}...{value[-2:]}" if len(value) > 6 else "set"
