"""One frozen value that says how Recollect runs: defaults < file < environment < arguments.

Read once, by `assembly`, and handed down; nothing else reads the environment. The file is looked for in
Recollect's own folder only: a `recollect.toml` in a working directory could come with a cloned repository and
would re-point the store.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.domain.dataclass import dataclass, field, names_of
from recollect.domain.errors import InvalidInput, Misconfigured
from recollect.domain.late import Late
from recollect.domain.scopes import DEFAULT_SPACE, checked_space
from recollect.home import PREFIX, home_folder

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.domain.chat.provider_settings import ProviderSettings
    from recollect.domain.chat.spend import SpendSettings
    from recollect.domain.jobs.webhook import WebhookSettings

T = TypeVar("T")

FILE = "recollect.toml"
READERS = ("rules", "none")
_SECRET = ("webhooks", "sealing_key", "redis", "replica", "routes")  # with secrets in them, which no message repeats
EMBEDDING_ELSEWHERE = "provider"  # the setting `embedding`, where texts become vectors at a provider
# Variables that configure a provider of language models, looked at before anything is loaded for it.
PROVIDER_VARIABLES = (
    "RECOLLECT_PROVIDER_URL",
    "OPENROUTER_API_KEY",
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "DEEPSEEK_API_KEY",
)

_MOST_CHANGES = 1_000_000_000
_NAME = Late(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PASSWORD = Late(r"(?i)([?&]\w*password=)[^&]*")


def _models_folder() -> Path:
    from pathlib import Path

    return Path("models")


@dataclass(frozen=True, slots=True)
class Settings:
    """How Recollect runs."""

    home: Path
    store: str
    space: str = DEFAULT_SPACE
    principal: str = ""
    busy_timeout: float = 10.0
    statement_timeout: float = 60.0
    models: Path = field(default_factory=_models_folder)
    embedding: str = "auto"
    judge: str = "auto"
    reranker: str = "auto"
    reader: str = "rules"
    targets: Mapping[str, str] = field(default_factory=dict)
    webhooks: tuple[WebhookSettings, ...] = ()
    sealing_key: str = field(default="", repr=False)
    redis: str = field(default="", repr=False)
    replica: str = field(default="", repr=False)
    routes: Mapping[str, str] = field(default_factory=dict, repr=False)
    providers: tuple[ProviderSettings, ...] = ()
    tasks: Mapping[str, str] = field(default_factory=dict)
    spend: SpendSettings | None = None
    maintain_after: int = 0
    dialects: str = ""
    oidc: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, and where its value came from: `default`, a file, a variable or `argument`."""

    name: str
    value: str
    source: str


# What each setting is, for people. The keys are the fields of `Settings`.
MEANINGS = {
    "home": "the folder of Recollect's own files",
    "store": "where memory is kept: a path, sqlite:///path, :memory: or postgresql://…",
    "space": "the space that is used when none is named",
    "principal": "in whose name notes are written; your login name by default",
    "models": "the folder of installed models",
    "embedding": "`auto` for the best model installed, `off`, a model's name, `hashed`, a folder, or `provider`",
    "judge": "`auto` for the judge if it is installed, `off`, or its folder: tells which message replaces which",
    "reranker": "`auto` for the reranker if it is installed, `off`, or its folder: reads best hits beside the question",
    "reader": "how facts are read from messages: `rules`, or `none` to keep messages only; several are joined by `+`",
    "targets": "places for backups by name, each a folder, git+ssh://…, s3://… or hf://datasets/…",
    "webhooks": "addresses that are told of changes, by name, each a table of the file",
    "sealing_key": "seals keys of others in the store: 32 random bytes in base64; by default a file in the home folder",
    "redis": "redis://… or rediss://…, a Redis or Valkey through which processes wake each other; none by default",
    "replica": "postgresql://…, a replica of the store for callers who accept older answers; none by default",
    "routes": "spaces that stand in other PostgreSQL databases than the store, each with its postgresql://…",
    "providers": "providers of language models by name, each a table of the file, or known by the variable of its key",
    "tasks": "the provider and model of each task (read, settle, reflect, answer, embed), or `off`",
    "spend": "caps on what language models may cost, and prices of models, a table of the file",
    "maintain_after": "put a space in order each time it has changed so often, while a server runs; 0 for never",
    "dialects": "memory systems whose clients a server answers: names, `all` or `none`; all on loopback by default",
    "oidc": "the issuer of identities by which people sign in, a table of the file: issuer, client_id, key_variable",
    "busy_timeout": "seconds to wait for another process's lock, each of three times",
    "statement_timeout": "seconds that PostgreSQL may work on one statement, or wait within a transaction; 0 for ever",
}


def load_settings(
    arguments: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None
) -> tuple[Settings, tuple[Setting, ...]]:
    """The settings, and for each one where it came from. Arguments that are `None` count as not given."""
    from pathlib import Path

    environment = os.environ if environment is None else environment
    given = {name: value for name, value in (arguments or {}).items() if value is not None}
    names = set(names_of(Settings))
    unknown = sorted(set(given) - names)
    if unknown:
        raise Misconfigured(f"There is no setting `{unknown[0]}`.", hint=_meant(unknown[0], names))
    from_environment = {
        name: environment[PREFIX + name.upper()] for name in names if environment.get(PREFIX + name.upper())
    }

    home = home_folder(given.get("home"), environment)
    file, from_file = _read_file(home, environment, names)

    values: dict[str, Any] = {
        "home": home,
        "store": str(home / "recollect.db"),
        "space": DEFAULT_SPACE,
        "principal": _login_name(),
        "busy_timeout": 10.0,
        "statement_timeout": 60.0,
        "models": home / "models",
        "embedding": "auto",
        "judge": "auto",
        "reranker": "auto",
        "reader": "rules",
        "targets": {},
        "webhooks": {},
        "sealing_key": "",
        "redis": "",
        "replica": "",
        "routes": {},
        "providers": {},
        "tasks": {},
        "spend": {},
        "maintain_after": 0,
        "dialects": "",
        "oidc": {},
    }
    sources = dict.fromkeys(values, "default")
    for source, layer in ((str(file), from_file), ("", from_environment), ("argument", given)):
        for name, value in layer.items():
            values[name] = value
            sources[name] = source or PREFIX + name.upper()

    values["home"] = home
    tasks = _checked(values, sources, "tasks", _tasks)
    settings = Settings(
        home=home,
        store=_checked(values, sources, "store", _text),
        space=_checked(values, sources, "space", checked_space),
        principal=_checked(values, sources, "principal", _text_or_nothing),
        busy_timeout=_checked(values, sources, "busy_timeout", _seconds),
        statement_timeout=_checked(values, sources, "statement_timeout", _seconds),
        models=Path(_checked(values, sources, "models", _text)).expanduser().absolute(),
        embedding=_checked(values, sources, "embedding", _text),
        judge=_checked(values, sources, "judge", _text),
        reranker=_checked(values, sources, "reranker", _text),
        reader=_checked(values, sources, "reader", _reader),
        maintain_after=_checked(values, sources, "maintain_after", _whole),
        targets=_checked(values, sources, "targets", _addresses),
        webhooks=_checked(values, sources, "webhooks", _webhooks),
        sealing_key=_checked(values, sources, "sealing_key", _sealing_key),
        redis=_checked(values, sources, "redis", _redis_address),
        replica=_checked(values, sources, "replica", _server_address),
        routes=_checked(values, sources, "routes", _routes),
        providers=_checked(values, sources, "providers", lambda table: _providers(table, tasks, environment, file)),
        tasks=tasks,
        spend=_checked(values, sources, "spend", _spend),
        dialects=_checked(values, sources, "dialects", _text_or_nothing),
        oidc=_checked(values, sources, "oidc", _oidc),
    )
    shown = {name: _shown(getattr(settings, name)) for name in values}
    shown |= {name: without_password(getattr(settings, name)) for name in ("redis", "replica")}
    shown["sealing_key"] = settings.sealing_key and "***"
    if settings.providers:
        sources["providers"] = ", ".join(dict.fromkeys(each.source for each in settings.providers))
    return settings, tuple(Setting(name, value, sources[name]) for name, value in shown.items())


def environment_for(program: str) -> dict[str, str]:
    """The environment for a program that we start: the user's own, without that program's own switches.

    A hook of git that starts us has some set that would lead our own repository astray.
    """
    prefix, kept = f"{program.upper()}_", f"{program.upper()}_SSH_COMMAND"
    return {name: value for name, value in os.environ.items() if not name.startswith(prefix) or name == kept}


def foreign_variables(names: Iterable[str]) -> dict[str, str]:
    """The variables of another memory system that are set and not empty, for the dialect that takes its place."""
    return {name: os.environ[name] for name in names if os.environ.get(name)}


def _read_file(home: Path, environment: Mapping[str, str], names: set[str]) -> tuple[Path, dict[str, Any]]:
    from pathlib import Path

    named = environment.get(PREFIX + "CONFIG")
    file = Path(named).expanduser() if named else home / FILE
    if not file.is_file():
        if named:
            raise Misconfigured(f"{PREFIX}CONFIG names {file}, which is not there.")
        return file, {}
    import tomllib

    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as problem:
        raise Misconfigured(f"{file} cannot be read: {problem}.", hint="Correct the file, or move it away.") from None
    unknown = sorted(set(found) - (names - {"home"}))
    if unknown:
        hint = _meant(unknown[0], names - {"home"})
        raise Misconfigured(f"{file} has a setting `{unknown[0]}` that there is not.", hint=hint)
    return file, found


def _meant(name: str, names: set[str]) -> str:
    from recollect.domain.suggestions import meant_by

    meant, there = meant_by(name, names), f"There are: {', '.join(sorted(names))}."
    return f"Did you mean `{meant[0]}`? {there}" if meant else there


def _login_name() -> str:
    """As `getpass.getuser` finds it, which loads the terminal's library for that."""
    if named := next(filter(None, map(os.environ.get, ("LOGNAME", "USER", "LNAME", "USERNAME"))), None):
        return named
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):  # a container's user need not have a name
        return ""


def _checked(values: Mapping[str, Any], sources: Mapping[str, str], name: str, check: Callable[[Any], T]) -> T:
    """A setting in its own type, or an error that says where the wrong value came from."""
    try:
        return check(values[name])
    except (InvalidInput, ValueError) as problem:
        told = _shown(values[name]) if isinstance(values[name], Mapping) else values[name]
        told = "…" if name in (*_SECRET, "providers") else told
        raise Misconfigured(
            f"The setting `{name}` is {told!r}, from {sources[name]}: {problem}",
            hint=f"It is {MEANINGS[name]}.",
        ) from None


def _redis_address(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("it must be text.")
    address = value.strip().replace("valkey://", "redis://", 1).replace("valkeys://", "rediss://", 1)
    if address and not address.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("it must begin with redis://, rediss:// or unix://.")
    from urllib.parse import urlsplit

    try:
        urlsplit(address).port  # noqa: B018 - reading it is the check
    except ValueError:  # which quotes what it could not read, and that may be a password
        raise ValueError("its host or its port cannot be read.") from None
    return address


def _server_address(value: Any) -> str:
    if value and not str(value).startswith(("postgresql://", "postgres://")):
        raise ValueError("it must begin with postgresql://.")
    return _text_or_nothing(value)


def _text(value: Any) -> str:
    from pathlib import Path

    if isinstance(value, Path):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise ValueError("it must be text.")
    return value.strip()


def _text_or_nothing(value: Any) -> str:
    return _text(value) if value != "" else ""


def _reader(value: Any) -> str:
    names = str(value).split("+")
    if any(name not in READERS for name in names) or len(set(names)) < len(names):
        raise ValueError(f"it must be one of: {', '.join(READERS)}; or several of them, each once, joined by `+`.")
    return "+".join(names)


def _oidc(value: Any) -> Mapping[str, str]:
    known = ("issuer", "client_id", "key_variable")
    if not isinstance(value, Mapping) or any(not isinstance(each, str) for each in value.values()):
        raise ValueError("it is a table of texts.")
    wrong = [name for name in value if name not in known]
    missing = [name for name in known[:2] if value and name not in value]
    if wrong or missing:
        raise ValueError(f"it has no `{wrong[0]}`." if wrong else f"`{missing[0]}` is missing.")
    return dict(value)


def _named_values(value: Any) -> dict[str, str]:
    """Names and addresses: a table in the file, `name=address` and spaces between them in a variable."""
    if isinstance(value, str):
        pairs = [each.partition("=") for each in value.split()]
        value = {name: address for name, _, address in pairs}
    if not isinstance(value, Mapping):
        raise ValueError("it must be names and addresses.")
    for name, address in value.items():
        if not isinstance(address, str) or not address.strip():
            raise ValueError(f"`{name}` has no address.")
    return {name: address.strip() for name, address in value.items()}


def _addresses(value: Any) -> dict[str, str]:
    found = _named_values(value)
    if not all(isinstance(name, str) and _NAME.fullmatch(name) for name in found):
        raise ValueError("a name has letters, digits, `-`, `_` and `.` only.")
    return found


def _routes(value: Any) -> dict[str, str]:
    return {checked_space(name): _server_address(address) for name, address in _named_values(value).items()}


def _webhooks(value: Any) -> tuple[WebhookSettings, ...]:
    if value == {}:
        return ()
    from recollect.domain.jobs.webhook import webhooks_in

    return webhooks_in(value)


def _sealing_key(value: Any) -> str:
    if value == "":
        return ""
    from recollect.sealing import key_in

    key_in(_text(value))
    return _text(value)


def _tasks(value: Any) -> dict[str, str]:
    if value == {}:
        return {}
    from recollect.domain.chat.provider_settings import tasks_in

    return tasks_in(value)


def _providers(
    table: Any, tasks: Mapping[str, str], environment: Mapping[str, str], file: Path
) -> tuple[ProviderSettings, ...]:
    if table == {} and not tasks and not any(environment.get(each) for each in PROVIDER_VARIABLES):
        return ()
    from recollect.domain.chat.provider_settings import providers_in

    return providers_in(table, tasks, environment, str(file))


def _spend(value: Any) -> SpendSettings | None:
    if value == {}:
        return None
    from recollect.domain.chat.spend import spend_in

    return spend_in(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not str(value).strip().isdecimal() or not 0 <= int(value) <= _MOST_CHANGES:
        raise ValueError(f"must be a whole number from 0 to {_MOST_CHANGES:,}")
    return int(value)


def _seconds(value: Any) -> float:
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        raise ValueError("it must be a number.") from None
    if not 0 <= seconds <= 3600:
        raise ValueError("it must be from 0 to 3600.")
    return seconds


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(each.name for each in value)  # their addresses may hold secrets
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={without_password(str(address))}" for name, address in value.items())
    return without_password(str(value))


def without_password(value: str) -> str:
    """An address without what should not be seen over a shoulder."""
    if "password=" in value.casefold():  # a glance is cheaper than the pattern, which would have to be compiled
        value = _PASSWORD.sub(r"\1***", value)
    scheme, separator, rest = value.partition("://")
    user, at, host = rest.rpartition("@")
    if not separator or not at or ":" not in user:
        return value
    return f"{scheme}://{user.partition(':')[0]}:***@{host}"
