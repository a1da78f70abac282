"""Taking one's data along: what is exported comes back, and a wrong file is a sentence that changes nothing."""

from __future__ import annotations

import json

import pytest

from chatmem.app import App
from tests.app.tab import SETTINGS, Tab, running_app


def owner_of(app: App, chat_id: str) -> int:
    with app.store._database.read() as session:
        found = session.connection().exec_driver_sql("SELECT owner_id FROM conversations WHERE id = ?", (chat_id,))
        return int(found.scalar_one())


def a_tab_with_a_chat() -> tuple[Tab, int]:
    tab = Tab().open()
    tab.say("I live in Busan")
    owner_id = owner_of(running_app(), tab.chat_id)
    return tab, owner_id


def upload(tab: Tab, data: bytes) -> Tab:
    tab.at.file_uploader[0].set_value(("mine.json", data, "application/json"))
    tab.run()
    return tab.click("import-now")


def test_what_one_visitor_exports_another_can_import() -> None:
    _, owner_id = a_tab_with_a_chat()
    app = running_app()
    exported = app.archive.export(owner_id)
    newcomer = upload(Tab().open(SETTINGS), exported.encode())
    assert any("Imported 1 chats with 2 messages" in notice for notice in newcomer.notices)
    assert len(newcomer.chats) == 1
    newcomer.run()
    assert not newcomer.has_button("import-now"), "the file has left the field"


def test_importing_the_same_file_twice_adds_nothing() -> None:
    tab, owner_id = a_tab_with_a_chat()
    exported = running_app().archive.export(owner_id)
    tab.open(SETTINGS)
    upload(tab, exported.encode())
    assert any("Imported 0 chats" in notice for notice in tab.notices)
    assert len(tab.chats) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not json",
        b"[]",
        b'{"format": "other"}',
        json.dumps({"format": "chatmem", "version": 99, "conversations": [], "facts": []}).encode(),
        b"\xff\xfe\x00",
        b"[" * 100_000,
    ],
    ids=["empty", "no json", "a list", "another program's", "newer", "no text", "nested"],
)
@pytest.mark.parametrize("locale", ["en-US", "ko-KR"])
def test_a_wrong_file_is_a_sentence_and_changes_nothing(data: bytes, locale: str) -> None:
    tab = upload(Tab(locale).open(SETTINGS), data)
    assert len(tab.notices) == 1
    assert ("가져온 것은 없습니다" if locale == "ko-KR" else "Nothing was imported") in tab.notices[0]
    assert tab.chats == []


def test_a_hostile_file_is_shown_as_text() -> None:
    _, owner_id = a_tab_with_a_chat()
    archive = json.loads(running_app().archive.export(owner_id))
    archive["conversations"][0]["title"] = "<script>alert(1)</script> ![x](https://evil.test/a.png)"
    tab = upload(Tab().open(SETTINGS), json.dumps(archive).encode())
    assert "<script>alert" in tab.words
    assert not any("![x](" in (button.label or "") for button in tab.at.button)


def test_who_has_left_nothing_here_has_nothing_to_export() -> None:
    tab = Tab().open(SETTINGS)
    assert tab.at.download_button[0].disabled
    assert tab.at.download_button[0].label == "Export everything"
