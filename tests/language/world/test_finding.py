"""Words of any language are found, on every store, also where no spaces stand between them."""

# ruff: noqa: RUF001 - people write in every script

from __future__ import annotations

from recollect import Memory
from tests.support.raw import rows, store_of

SAID = {
    "Meine Schwester wohnt in einem alten Haus in der Hauptstraße.": ("Welche Häuser?", "hauptstrasse", "Schwestern"),
    "Nos deux chevaux s'appellent Éclair et Brume.": ("Où est le cheval ?", "eclair"),
    "Siskoni asuu pienessä talossa Oulun lähellä.": ("Missä talo on?",),
    "Moją siostrę boli ząb, idzie do dentysty.": ("Kiedy są wizyty u dentystów?", "zab"),
    "Наших кошек зовут Муся и Барсик.": ("Муся", "Кого зовут Барсиком?"),
    "قرأت الكِتاب أمس": ("كتاب", "متى الكـتاب؟"),
    "मुझे किताबें पसंद हैं।": ("किताब",),
    "我们家的猫叫小白，住在苏州。": ("小白", "猫在哪里？", "苏州"),
    "飼っている犬はポチといいます。": ("ポチ", "犬の名前は？"),
    "우리 고양이는 서울에서 왔어요.": ("고양이의 이름", "서울"),
    "แมวของเราชื่อมะลิ": ("มะลิ", "แมว"),
    "My neighbour is called 田中 and plays the ＢＡＳＳ.": ("田中さん", "bass"),
}


def test_a_question_finds_a_note_by_other_forms_of_its_words(memory: Memory) -> None:
    for text in SAID:
        memory.save(text)
    missed = {
        question: text
        for text, questions in SAID.items()
        for question in questions
        if text not in [hit.text for hit in memory.search(question, limit=5).hits]
    }
    assert not missed


def test_a_message_is_found_and_nothing_is_read_from_it(memory: Memory) -> None:
    for number, text in enumerate(SAID):
        memory.add(text, session=f"s{number}")
    assert not memory.list().items
    assert memory.search("Wem gehören die Häuser?").hits[0].text == next(iter(SAID))
    assert "小白" in memory.search("猫叫什么？").hits[0].text


def test_texts_of_before_are_found_as_they_were_and_better_once_indexed_anew(memory: Memory) -> None:
    memory.save("我们家的猫叫小白。")
    memory.save("Alice prefers tea")
    memory.add("弟弟住在苏州。", session="talk")
    for table in ("note_text", "observation_text"):
        rows(store_of(memory), f"UPDATE {table} SET forms = NULL")

    assert not memory.search("小白").hits
    assert [hit.text for hit in memory.search("tea").hits] == ["Alice prefers tea"]
    assert any("3 texts are from before" in check.detail for check in memory.doctor().checks)

    assert memory.reindex().healthy
    assert memory.search("小白").hits[0].text == "我们家的猫叫小白。"
    assert memory.search("苏州").hits
    assert not any("from before" in check.detail for check in memory.doctor().checks)


def test_what_is_forgotten_leaves_no_form_behind(memory: Memory) -> None:
    note = memory.save("我们家的猫叫小白。")
    memory.update(note.id, text="我们家的狗叫大黄。")
    memory.forget(note.id)
    assert not memory.search("小白").hits
    assert not rows(store_of(memory), "SELECT forms FROM note_text")
    assert memory.doctor().healthy


def test_other_spaces_are_not_searched(memory: Memory) -> None:
    memory.save("我们家的猫叫小白。", space="one")
    memory.save("我们家的猫叫小黑。", space="two")
    assert [hit.text for hit in memory.search("猫", space="two").hits] == ["我们家的猫叫小黑。"]
