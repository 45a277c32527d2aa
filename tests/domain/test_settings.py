"""Arguments before the environment, the environment before the file, the file before the defaults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.errors import Misconfigured
from recollect.settings import MEANINGS, Setting, Settings, load_settings


def _environment(home: Path, **variables: str) -> dict[str, str]:
    return {"RECOLLECT_HOME": str(home), **{f"RECOLLECT_{name.upper()}": value for name, value in variables.items()}}


def _source(sources: tuple[Setting, ...], name: str) -> str:
    [found] = [setting.source for setting in sources if setting.name == name]
    return found


def test_without_anything_the_data_folder_of_the_platform_is_used(tmp_path: Path) -> None:
    settings, sources = load_settings({}, {"XDG_DATA_HOME": str(tmp_path)})

    assert settings.home == tmp_path / "recollect"
    assert settings.store == str(tmp_path / "recollect" / "recollect.db")
    assert (settings.space, settings.busy_timeout) == ("default", 10.0)
    assert {setting.source for setting in sources} == {"default"}


def test_each_source_stands_before_the_next(tmp_path: Path) -> None:
    file = tmp_path / "recollect.toml"
    file.write_text('space = "from-file"\nprincipal = "from-file"\nbusy_timeout = 3\n')
    environment = _environment(tmp_path, space="from-environment", principal="from-environment")

    settings, sources = load_settings({"space": "from-argument"}, environment)

    assert (settings.space, settings.principal, settings.busy_timeout) == ("from-argument", "from-environment", 3.0)
    assert [_source(sources, name) for name in ("space", "principal", "busy_timeout", "store", "home")] == [
        "argument",
        "RECOLLECT_PRINCIPAL",
        str(file),
        "default",
        "RECOLLECT_HOME",
    ]


def test_an_argument_that_is_none_and_a_variable_that_is_empty_count_as_not_given(tmp_path: Path) -> None:
    (tmp_path / "recollect.toml").write_text('space = "from-file"')
    settings, _ = load_settings({"space": None, "home": None}, _environment(tmp_path, space=""))
    assert settings.space == "from-file"


def test_a_file_elsewhere_can_be_named(tmp_path: Path) -> None:
    named = tmp_path / "elsewhere.toml"
    named.write_text('space = "from-there"')
    (tmp_path / "recollect.toml").write_text('space = "from-home"')
    settings, sources = load_settings({}, _environment(tmp_path, config=str(named)))
    assert (settings.space, _source(sources, "space")) == ("from-there", str(named))


def test_a_named_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="which is not there"):
        load_settings({}, _environment(tmp_path, config=str(tmp_path / "missing.toml")))


@pytest.mark.parametrize("nested", [False, True], ids=["beside", "above"])
def test_a_file_in_the_working_directory_is_never_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nested: bool
) -> None:
    """It may have come with a repository somebody has just cloned."""
    clone = tmp_path / "clone"
    (clone / "deeper").mkdir(parents=True)
    (clone / "recollect.toml").write_text('store = "postgresql://thief.example/all"\nspace = "theirs"')
    (clone / ".env").write_text("RECOLLECT_SPACE=theirs")
    monkeypatch.chdir(clone / "deeper" if nested else clone)

    settings, sources = load_settings({}, _environment(tmp_path / "home"))
    assert (settings.space, settings.store) == ("default", str(tmp_path / "home" / "recollect.db"))
    assert not any("clone" in setting.source for setting in sources)

    for name, value in _environment(tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    with Memory() as memory:
        memory.save("Mine")
        assert memory.status().location == str(tmp_path / "home" / "recollect.db")


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"space = ", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        (b"[space]\nname = 'x'\n", "`space`"),
        (b"space = 'two words'", "`space`"),
        (b"colour = 'red'", "has a setting `colour` that there is not"),
        (b"home = '/tmp/elsewhere'", "has a setting `home` that there is not"),
        (b"store = 5", "`store`"),
        (b"store = ''", "`store`"),
        (b"busy_timeout = 'long'", "`busy_timeout`"),
        (b"busy_timeout = -1", "`busy_timeout`"),
        (b"busy_timeout = nan", "`busy_timeout`"),
        (b"busy_timeout = inf", "`busy_timeout`"),
        (b"principal = ['x']", "`principal`"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path: Path, content: bytes, error: str) -> None:
    (tmp_path / "recollect.toml").write_bytes(content)
    with pytest.raises(Misconfigured, match=error) as refusal:
        load_settings({}, _environment(tmp_path))
    assert str(tmp_path / "recollect.toml") in refusal.value.message


@pytest.mark.parametrize(("name", "value"), [("space", "two words"), ("busy_timeout", "long"), ("store", "  ")])
def test_a_bad_variable_is_named_too(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(Misconfigured, match=f"`{name}`.*RECOLLECT_{name.upper()}"):
        load_settings({}, _environment(tmp_path, **{name: value}))


def test_a_setting_that_there_is_not_is_refused_with_those_there_are() -> None:
    with pytest.raises(Misconfigured, match="There is no setting `colour`") as refusal:
        load_settings({"colour": "red"}, {})
    assert all(name in refusal.value.hint for name in MEANINGS)


def test_a_variable_that_is_no_setting_is_left_alone(tmp_path: Path) -> None:
    load_settings({}, _environment(tmp_path, colour="red", test_postgres="x"))


@pytest.mark.parametrize(
    ("store", "shown"),
    [
        ("postgresql://alice:secret@host/db", "postgresql://alice:***@host/db"),
        ("postgresql://alice:se:cr@et@host:5432/db", "postgresql://alice:***@host:5432/db"),
        ("postgresql://alice@host/db", "postgresql://alice@host/db"),
        ("postgresql://host/db?user=alice&password=secret", "postgresql://host/db?user=alice&password=***"),
        ("postgresql://host/db?password=secret&sslmode=require", "postgresql://host/db?password=***&sslmode=require"),
        ("postgresql://host/db?sslpassword=secret", "postgresql://host/db?sslpassword=***"),
        ("postgresql://host/db?PASSWORD=secret", "postgresql://host/db?PASSWORD=***"),
        ("/home/alice/memory.db", "/home/alice/memory.db"),
        ("sqlite:///home/alice/memory.db", "sqlite:///home/alice/memory.db"),
    ],
)
def test_a_password_is_never_shown(tmp_path: Path, store: str, shown: str) -> None:
    settings, sources = load_settings({"store": store, "home": tmp_path}, {})
    assert settings.store == store
    assert [setting.value for setting in sources if setting.name == "store"] == [shown]


def test_every_setting_is_explained(tmp_path: Path) -> None:
    _, sources = load_settings({}, _environment(tmp_path))
    assert {setting.name for setting in sources} == set(Settings.__slots__) == set(MEANINGS)


def test_settings_cannot_be_changed_in_place(tmp_path: Path) -> None:
    settings, _ = load_settings({}, _environment(tmp_path))
    changed: Any = settings
    with pytest.raises(AttributeError):
        changed.space = "another"
