"""The name of a project is the same on every machine, however its repository is reached."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.projects import ProjectRule, Sighting, normalised_remote, project_from

SHOP = "github.com/acme/shop"


@pytest.mark.parametrize(
    "address",
    [
        "git@github.com:acme/shop.git",
        "git@github.com:/acme/shop",
        "github.com:Acme/Shop.git",
        "ssh://git@github.com/acme/shop.git",
        "ssh://git@github.com:22/acme/shop",
        "ssh://git@ssh.github.com:443/acme/shop.git",
        "git+ssh://git@github.com/acme/shop.git",
        "https://github.com/acme/shop",
        "https://github.com/acme/shop.git/",
        "https://alice:s3cret@GitHub.com/Acme/Shop.git",
        "https://x-access-token:s3cret@github.com//acme//shop.git?x=1#y",
        "http://github.com:8080/acme/shop.git",
        "git://github.com/acme/shop.git",
        "  https://github.com/acme/shop.git\n",
        "https://github.com/acme/%73hop",
    ],
)
def test_every_way_to_reach_a_repository_has_the_same_name(address: str) -> None:
    assert normalised_remote(address) == SHOP


@pytest.mark.parametrize(
    "address",
    ["/srv/git/shop.git", "../shop", "file:///srv/git/shop.git", r"C:\git\shop", "C:/git/shop", "https://", ""],
)
def test_a_folder_of_this_machine_is_no_name(address: str) -> None:
    assert normalised_remote(address) is None


@given(st.text(max_size=80))
def test_whatever_a_remote_is_its_name_has_no_password_and_is_one_line(address: str) -> None:
    for spelled in (address, f"https://alice:s3cret@{address}"):
        name = normalised_remote(spelled)
        assert name is None or (name and name.isprintable() and not name.startswith("alice:"))


@pytest.mark.parametrize(
    ("seen", "name", "rule"),
    [
        (Sighting("/w/shop/api", marker="Shop API", marker_folder="/w/shop/api", repository="/w/shop",
                  remote="git@github.com:acme/shop.git"), "Shop API", ProjectRule.MARKER),
        (Sighting("/w/shop/api", marker="", marker_folder="/w/shop/api", marker_place="api", repository="/w/shop",
                  remote="git@github.com:acme/shop.git"), f"{SHOP}/api", ProjectRule.MARKER),
        (Sighting("/w/shop", marker="", marker_folder="/w/shop", repository="/w/shop",
                  remote="git@github.com:acme/shop.git"), SHOP, ProjectRule.REMOTE),
        (Sighting("/w/shop/src", repository="/w/shop", remote="git@github.com:acme/shop.git"),
         SHOP, ProjectRule.REMOTE),
        (Sighting("/w/shop/src", repository="/w/shop", remote="/srv/shop.git"), "shop", ProjectRule.REPOSITORY),
        (Sighting("/w/shop-fix", repository="/w/shop-fix", repository_name="shop"), "shop", ProjectRule.REPOSITORY),
        (Sighting("/w/notes"), "notes", ProjectRule.FOLDER),
        (Sighting("/"), "root", ProjectRule.FOLDER),
    ],
)  # fmt: skip
def test_the_strongest_rule_that_finds_a_name_decides(seen: Sighting, name: str, rule: ProjectRule) -> None:
    found = project_from(seen)
    assert (found.name, found.rule) == (name, rule)
    assert [each.rule for each in found.findings] == list(ProjectRule)
