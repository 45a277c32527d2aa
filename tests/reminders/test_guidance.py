"""A text is told before an act that it is about, and not before one that heeds it already."""

from __future__ import annotations

import pytest

from recollect.recall.reminders.act import act_of
from recollect.recall.reminders.guidance import guidance

TOLD = [
    ("Do not push with --force.", "$ git push --force"),
    ("Run the linter before you push.", "$ git push"),
    ("Always run make check before committing.", "$ git commit -m x"),
    ("Only Petra deploys.", "$ fly deploy"),
    ("Use uv run pytest; bare pytest is another version.", "$ pytest -q"),
    ("pytest needs -n0 here.", "$ .venv/bin/pytest tests"),
    ("jest without --runInBand eats the memory.", "$ npx jest"),
    ("docker compose down -v deletes the database.", "$ docker compose down -v"),
    ("alembic downgrade must not be run.", "$ alembic downgrade -1"),
    ("scripts/seed.py must never see production.", "$ python scripts/seed.py"),
    ("Files ending in .pb.go are generated.", "edit rpc/user.pb.go"),
    ("Never touch the vendor folder.", "edit vendor/zlib/x.c"),
    ("Ask before changing config/prod.yml.", "edit /srv/app/config/prod.yml"),
    ("The Dockerfile must stay as it is.", "edit web/Dockerfile"),
]
SILENT = [
    ("Do not push with --force.", "$ git push"),
    ("Do not use git push --force. Use --force-with-lease.", "$ git push --force-with-lease"),
    ("Use uv run pytest; bare pytest is another version.", "$ uv run pytest -q"),
    ("pytest needs -n0 here.", "$ pytest -n0 tests"),
    ("jest without --runInBand eats the memory.", "$ npx jest --runInBand"),
    ("docker compose down -v deletes the database.", "$ docker compose down"),
    ("alembic downgrade must not be run.", "$ alembic upgrade head"),
    ("Tests are written with pytest.", "$ pytest"),
    ("The first commit was made in 2016.", "$ git commit -m x"),
    ("Nobody writes to release branches.", "$ git push"),
    ("Never touch the vendor folder.", "edit src/vendors.py"),
    ("Ask before changing config/prod.yml.", "edit config/dev.yml"),
]


def is_told(text: str, doing: str) -> bool:
    sort, _, what = doing.partition(" ")
    act = act_of((), what, ()) if sort == "$" else act_of((what,), "", ())
    return guidance(text, act, is_guidance=False) is not None


@pytest.mark.parametrize(("text", "doing"), TOLD)
def test_advice_is_told_before_the_act_it_is_about(text: str, doing: str) -> None:
    assert is_told(text, doing)


@pytest.mark.parametrize(("text", "doing"), SILENT)
def test_advice_that_is_heeded_or_about_something_else_is_not_told(text: str, doing: str) -> None:
    assert not is_told(text, doing)
