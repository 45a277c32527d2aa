"""PDF by page; what is locked, broken or empty is named."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from recollect.remember.files.chunks import FileDocument, FileKind, Unreadable
from recollect.remember.files.file_reader import parse_document, read_document


def pdf(*pages: str, title: str = "") -> bytes:
    """A sound PDF with one line of text after another on each page."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for page in pages:
        lines = " ".join(f"({line}) Tj 0 -14 Td" for line in page.split("\n"))
        stream = f"BT /F1 12 Tf 72 720 Td {lines} ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        box = "/MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R {box} /Contents {len(objects)} 0 R >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    objects.append(f"<< /Title ({title}) >>")
    body = "%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R /Info {len(objects)} 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    return f"{body}xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode("latin-1")


def locked(password: str, owner: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("The plan."))))
    writer.encrypt(password, owner, algorithm="RC4-128")
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def test_a_pdf_is_read_page_by_page(tmp_path: Path) -> None:
    (tmp_path / "plan.pdf").write_bytes(pdf("The plan.\nIt is good.", "Page two.", title="Plans"))
    document = read_document(tmp_path / "plan.pdf", root=tmp_path)
    assert isinstance(document, FileDocument)
    assert document.kind is FileKind.PDF
    assert [chunk.text for chunk in document.chunks] == [
        "The plan.\nIt is good.",
        "Page two.",
    ]
    assert document.chunks[0].title_path == ("Plans",)


def test_a_pdf_is_known_by_its_first_bytes_too() -> None:
    document = parse_document("plan", pdf("The plan."))
    assert isinstance(document, FileDocument)
    assert document.kind is FileKind.PDF


def test_what_is_redacted_is_not_in_a_page() -> None:
    document = parse_document("a.pdf", pdf("My key is s3cret."), redact=lambda text: text.replace("s3cret", "[secret]"))
    assert isinstance(document, FileDocument)
    assert document.chunks[0].text == "My key is [secret]."


def test_a_pdf_locked_with_an_empty_password_is_open_to_everybody() -> None:
    document = parse_document("a.pdf", locked("", "owner"))
    assert isinstance(document, FileDocument)
    assert document.chunks[0].text == "The plan."


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (locked("password", "owner"), "encrypted"),
        (b"%PDF-1.4\nand then nothing", "broken"),
        (b"", "broken"),
        (b"not a pdf at all", "broken"),
        (pdf("The plan.")[:150], "broken"),
        (pdf(""), "no_text"),
        (b"%PDF-1.4\n" + b"[" * 100_000, "broken"),
        (b"%PDF-1.4\ntrailer\n<< /Root " + b"<< /A " * 50_000, "broken"),
    ],
    ids=["encrypted", "header only", "empty", "text", "cut off", "no text", "deep", "deep dictionary"],
)
def test_a_pdf_that_cannot_be_read_is_named(source: bytes, code: str) -> None:
    found = parse_document("a.pdf", source)
    assert isinstance(found, Unreadable)
    assert (found.path, found.code) == ("a.pdf", code)
    assert found.message.startswith("`a.pdf` ")


def test_without_the_extra_the_report_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    found = parse_document("a.pdf", pdf("The plan."))
    assert isinstance(found, Unreadable)
    assert found.code == "missing_extra"
    assert "recollect[files]" in found.message


def test_a_broken_pdf_says_nothing_on_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    parse_document("a.pdf", pdf("The plan.").replace(b"startxref", b"startxxxx"))
    assert capfd.readouterr() == ("", "")
