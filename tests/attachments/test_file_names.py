"""A name leads nowhere, hides nothing, fits every file system, and ends as its bytes deserve."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.attachments.limits import ENDINGS, MAX_FILE_NAME, safe_name

NAMES = {
    "kitchen.png": "kitchen.png",
    "KITCHEN.PNG": "KITCHEN.png",
    "../../etc/passwd": "passwd.png",
    "..\\..\\windows\\win.ini": "win.ini.png",
    "/etc/shadow.png": "shadow.png",
    "C:\\Users\\ana\\kitchen.png": "kitchen.png",
    "photo.png\0.exe": "photo.png.exe.png",
    "a\r\nSet-Cookie: x=1.png": "aSet-Cookie_ x=1.png",
    "photo\u202egnp.exe": "photognp.exe.png",  # shows as photoexe.png
    "zero\u200bwidth.png": "zerowidth.png",
    "page.html": "page.html.png",
    "": "file.png",
    ".": "file.png",
    "..": "file.png",
    ".png": "png.png",
    "   ": "file.png",
    ".hidden": "hidden.png",
    "con.png": "_con.png",
    "LPT1": "_LPT1.png",
    'a"b<c>d|e?f*g:h.png': "a_b_c_d_e_f_g_h.png",
    "Küche.png": "Küche.png",
    "Ku\u0308che.png": "Küche.png",
    "台所.png": "台所.png",
    "two  spaces .png": "two spaces.png",
}


@pytest.mark.parametrize(("said", "kept"), NAMES.items())
def test_a_name_is_kept_as_far_as_it_is_harmless(said: str, kept: str) -> None:
    assert safe_name(said, "image/png") == kept


def test_a_photo_may_be_called_either_way() -> None:
    assert safe_name("a.jpeg", "image/jpeg") == "a.jpeg"
    assert safe_name("a.JPG", "image/jpeg") == "a.jpg"
    assert safe_name("notes.md", "text/plain") == "notes.md.txt", "no vault takes it for a page of its own"


@pytest.mark.parametrize("letter", ["x", "é", "台", "🦊"])
def test_a_long_name_is_cut_and_keeps_its_ending(letter: str) -> None:
    kept = safe_name(f"{letter * 300}.png", "image/png")
    assert kept.endswith(f"{letter}.png")
    assert len(kept) <= MAX_FILE_NAME
    assert len(kept.encode()) <= 200


@given(said=st.text(max_size=400), kind=st.sampled_from(sorted(ENDINGS)))
def test_no_name_leads_anywhere(said: str, kind: str) -> None:
    kept = safe_name(said, kind)
    assert kept.isprintable()
    assert not set(kept) & set('/\\:<>"|?*')
    assert not kept.startswith(".")
    assert 0 < len(kept) <= MAX_FILE_NAME
    assert kept.endswith((f".{ENDINGS[kind]}", ".jpeg"))
    assert safe_name(kept, kind) == kept, "it is a name already"
