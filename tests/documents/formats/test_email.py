"""E-mails: fields, bodies, quotes, attachments, messages in messages, and broken ones."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents.blocks import BlockKind
from workbench.documents.draft import FinishedDraft
from workbench.documents.formats.email import FORMAT
from workbench.documents.formats.lines import split_lines
from workbench.documents.formats.text.patterns import is_rule
from workbench.documents.source import Source
from workbench.errors import UnsafeFile

from .office_files import blocks, read, texts_of, warnings


def message(body: str = "Hello.\n", **headers: str) -> EmailMessage:
    made = EmailMessage()
    made["Subject"] = "Delivery"
    made["From"] = "Ada <ada@example.org>"
    made["To"] = "Bob <bob@example.org>"
    made["Date"] = "Fri, 01 Mar 2024 10:00:00 +0000"
    made["Message-ID"] = "<1@example.org>"
    for name, value in headers.items():
        made[name] = value
    made.set_content(body)
    return made


def opened(tmp_path: Path, content: EmailMessage | bytes) -> FinishedDraft:
    path = tmp_path / "mail.eml"
    path.write_bytes(content if isinstance(content, bytes) else content.as_bytes())
    return read(FORMAT, path)


def test_a_message_has_a_subject_fields_and_paragraphs(tmp_path: Path) -> None:
    done = opened(tmp_path, message("Dear Bob,\n\nthe goods\nleft today.\n"))
    assert blocks(done) == [
        ("heading", 1, "Delivery"),
        ("form_field", 0, "From: Ada <ada@example.org>"),
        ("form_field", 0, "To: Bob <bob@example.org>"),
        ("form_field", 0, "Date: Fri, 01 Mar 2024 10:00:00 +0000"),
        ("paragraph", 0, "Dear Bob,"),
        ("paragraph", 0, "the goods\nleft today."),
    ]
    assert done.locators == ["subject", "from", "to", "date", "body", "body"]


def test_quoted_lines_are_paragraphs_of_their_own(tmp_path: Path) -> None:
    done = opened(tmp_path, message("Yes.\n> Did it\n> leave?\nIt did.\n"))
    assert list(zip(done.texts, done.locators, strict=True))[-3:] == [
        ("Yes.", "body"),
        ("> Did it\n> leave?", "quoted"),
        ("It did.", "body"),
    ]


def test_lists_are_items_but_a_dash_in_running_text_is_not(tmp_path: Path) -> None:
    done = opened(tmp_path, message("We need:\n- pens\n  and ink\n- paper\n\nIt costs 3\n- or 4 - a day.\n"))
    assert blocks(done)[-4:] == [
        ("paragraph", 0, "We need:"),
        ("list_item", 1, "- pens\nand ink"),
        ("list_item", 1, "- paper"),
        ("paragraph", 0, "It costs 3\n- or 4 - a day."),
    ]


def test_wrapped_lines_read_as_running_text_and_short_ones_stay_apart(tmp_path: Path) -> None:
    wrapped = "The machine was renamed on Friday and its agent\nkept the old name, so that the store refused it.\n\n"
    done = opened(tmp_path, message(wrapped + "Best regards\nIlse\nNorthfield\n"))
    assert done.texts[-2:] == [
        "The machine was renamed on Friday and its agent kept the old name, so that the store refused it.",
        "Best regards\nIlse\nNorthfield",
    ]


def test_a_list_below_its_announcement_is_nested_by_its_marks(tmp_path: Path) -> None:
    done = opened(tmp_path, message("What we change:\n\n1) the rule\n   - for some\n2) the name\n\nIMPORTANT\n"))
    assert blocks(done)[-5:] == [
        ("paragraph", 0, "What we change:"),
        ("list_item", 1, "1) the rule"),
        ("list_item", 2, "- for some"),
        ("list_item", 1, "2) the name"),
        ("paragraph", 0, "IMPORTANT"),
    ]


def test_one_attachment_is_told_in_the_singular(tmp_path: Path) -> None:
    made = message()
    made.add_attachment("a,b\n", subtype="csv", filename="data.csv")
    assert warnings(opened(tmp_path, made)) == {
        "attachments": "mail.eml has 1 attachment that was not read (data.csv (4 bytes)); save and open it by itself."
    }


def test_a_chinese_message_is_decoded(tmp_path: Path) -> None:
    made = message(Cc="张三 <z@example.cn>")
    made.replace_header("Subject", "交货通知")
    made.set_content("货物今天发出。\n", charset="gb18030")
    done = opened(tmp_path, made)
    assert (done.texts[0], done.texts[-1]) == ("交货通知", "货物今天发出。")
    assert "Cc: 张三 <z@example.cn>" in done.texts


def test_plain_text_is_preferred_to_html(tmp_path: Path) -> None:
    made = message("Plain.\n")
    made.add_alternative("<p>Rich.</p>", subtype="html")
    assert opened(tmp_path, made).texts[-1] == "Plain."


def test_html_is_read_where_there_is_no_plain_text(tmp_path: Path) -> None:
    made = message("\n")
    made.add_alternative("<html><body><h1>Big</h1><p>Rich.</p></body></html>", subtype="html")
    assert blocks(opened(tmp_path, made))[-2:] == [("heading", 1, "Big"), ("paragraph", 0, "Rich.")]


def test_attachments_are_listed_by_name_and_size(tmp_path: Path) -> None:
    made = message()
    made.add_attachment(b"x" * 12_345, maintype="application", subtype="pdf", filename="report.pdf")
    made.add_attachment("a,b\n", subtype="csv", filename="../../etc/data.csv")
    done = opened(tmp_path, made)
    assert texts_of(done, BlockKind.LIST_ITEM) == ["Attachment: report.pdf (12 KB)", "Attachment: data.csv (4 bytes)"]
    assert warnings(done) == {
        "attachments": "mail.eml has 2 attachments that were not read (report.pdf (12 KB), data.csv (4 bytes)); save "
        "and open them by themselves."
    }


def test_a_forwarded_message_is_read_below_its_own_heading(tmp_path: Path) -> None:
    inner = message("The original.\n")
    inner.replace_header("Subject", "First")
    outer = message("See below.\n")
    outer.add_attachment(inner)
    done = opened(tmp_path, outer)
    assert [block for block in blocks(done) if block[0] in ("heading", "paragraph")] == [
        ("heading", 1, "Delivery"),
        ("paragraph", 0, "See below."),
        ("heading", 2, "First"),
        ("paragraph", 0, "The original."),
    ]
    assert done.locators[-1] == "message 2, body"


def test_a_wrong_charset_is_mended_or_reported(tmp_path: Path) -> None:
    head = b"Subject: x\nFrom: a@b.c\nMIME-Version: 1.0\nContent-Type: text/plain; charset=%s\n\n"
    assert opened(tmp_path, head % b"no-such-charset" + "Grüße".encode()).texts[-1] == "Grüße"
    done = opened(tmp_path, head % b"utf-8" + b"Gr\xc3\xbc\xc3\x9fe an \xff alle, auch f\xc3\xbcr \xfe dich")
    assert done.texts[-1].startswith("Grüße an \ufffd")
    assert "characters of mail.eml do not fit its charset" in warnings(done)["replaced_characters"]


def test_malformed_headers_are_read_as_far_as_they_can_be(tmp_path: Path) -> None:
    raw = b'From: "=?utf-8?q?broken <a@b\nTo: ;;;@@<>,,\nSubject: =?nope?b?####?=\nDate: not a date\n\nBody.\n'
    assert opened(tmp_path, raw).texts[-1] == "Body."


def test_a_multipart_without_its_boundary_still_has_text(tmp_path: Path) -> None:
    raw = b"Subject: x\nFrom: a@b.c\nContent-Type: multipart/mixed\n\nStill here.\n"
    assert opened(tmp_path, raw).texts[-1] == "Still here."


def test_a_message_without_text_is_said_to_be_empty(tmp_path: Path) -> None:
    assert warnings(opened(tmp_path, b"X-Id: 1\n\n\n")) == {
        "empty": "mail.eml holds no text; there is nothing to read in it."
    }


def test_messages_nested_too_deeply_are_not_all_read(tmp_path: Path) -> None:
    made = message("Deepest.\n")
    for _ in range(14):
        outer = message("Level.\n")
        outer.add_attachment(made)
        made = outer
    done = opened(tmp_path, made)
    assert warnings(done) == {"nested_messages": "mail.eml nests more than 10 messages; the rest is not read."}
    assert "Deepest." not in done.texts


def test_parts_nested_absurdly_are_refused(tmp_path: Path) -> None:
    raw = b"From: a@b.c\nSubject: x\n"
    for number in range(3_000):
        raw += b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (number, number)
    with pytest.raises(UnsafeFile, match=r"mail\.eml nests its parts too deeply to be an e-mail; it was not opened\."):
        opened(tmp_path, raw + b"\nx\n")


@pytest.mark.parametrize(
    ("name", "content", "certain"),
    [
        ("a.eml", b"Subject: x\nFrom: a@b.c\n\nText", True),
        ("a.bin", b"Received: by x\n\tfrom y\nFrom: a@b.c\nMessage-ID: <1>\n\nText", True),
        ("a.txt", b"From: Ada\nTo: Bob\nSubject: Memo\n\nText", True),
        ("a.eml", b"just text\n", False),
        ("a.txt", b"Note: this\nis text: yes\n", False),
        ("a.py", b"import: x\nfrom os import path\n", False),
        ("a.yaml", b"name: x\nvalue: y\n", False),
    ],
)
def test_a_message_is_known_by_its_header_lines(tmp_path: Path, name: str, content: bytes, certain: bool) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert (FORMAT.sniff(Source(path)) >= 0.5) is certain


@given(body=st.text(st.sampled_from("ab> \n\r\t汉."), max_size=60))
def test_no_character_of_a_body_is_lost(tmp_path_factory: pytest.TempPathFactory, body: str) -> None:
    raw = b"Subject: x\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" + body.encode()
    done = opened(tmp_path_factory.getbasetemp(), raw)
    kept = "".join(
        body[line.start : line.end] for line in split_lines(body) if not is_rule(body[line.start : line.end])
    )
    assert "".join("".join(done.texts).split()) == "x" + "".join(kept.split())
