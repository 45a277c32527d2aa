"""A text is told before an act that it is about, and not before one that heeds it already."""

from __future__ import annotations

import pytest

from recollect.recall.reminders.act import act_of
from recollect.recall.reminders.guidance import guidance, is_followed
from recollect.recall.reminders.likely_ties import Advice, likely_ties
from recollect.recall.reminders.shared_terms import only_looks, terms_of

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
    # In passing, and in other words than the act's.
    (
        "Everything below lib/rpc comes out of the compiler; what is typed in there is gone an hour later.",
        "edit lib/rpc/a.go",
    ),
    ("We lost an evening to a force push over Ola's branch.", "$ git push -f origin topic"),
    ("The bucket acme-scans keeps no old versions.", "$ aws s3 rm s3://acme-scans/2021 --recursive"),
    ("A full reload of the orders table costs a fortune.", "$ etl run --full-reload orders"),
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
    ("The bucket acme-scans keeps no old versions.", "$ aws s3 ls s3://acme-scans/2021"),
    ("The production database was changed by hand, and nobody knew.", '$ psql -h db-prod -c "SELECT 1"'),
    ("A full reload of the orders table costs a fortune; use --since instead.", "$ etl run --since 2024 orders"),
    ("kubectl is configured for two clusters.", "$ kubectl get events"),
]


def is_told(text: str, doing: str) -> bool:
    sort, _, what = doing.partition(" ")
    act = act_of((), what, ()) if sort == "$" else act_of((what,), "", ())
    if guidance(text, act, is_guidance=False) is not None:
        return True
    is_likely = bool(likely_ties([Advice(text, is_guidance=False)], terms_of(act)))
    return is_likely and not only_looks(act) and not is_followed(text, act)


@pytest.mark.parametrize(("text", "doing"), TOLD)
def test_advice_is_told_before_the_act_it_is_about(text: str, doing: str) -> None:
    assert is_told(text, doing)


@pytest.mark.parametrize(("text", "doing"), SILENT)
def test_advice_that_is_heeded_or_about_something_else_is_not_told(text: str, doing: str) -> None:
    assert not is_told(text, doing)


@pytest.mark.parametrize(
    ("command", "looks"), [("git branch -l", True), ("./release.sh -l", False), ("bash -l", False), ("make -l", False)]
)
def test_an_option_that_means_a_list_to_some_programs_says_nothing_of_others(command: str, looks: bool) -> None:
    assert only_looks(act_of((), command, ())) is looks
