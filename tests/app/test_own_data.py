"""Taking one's data along: what is exported comes back, and a wrong file is a sentence that changes nothing."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from chatmem.app import App
from tests.app.tab import CHAT, HISTORY, MEMORY, SETTINGS, Tab, running_app
from tests.conftest import Person
from tests.scripted import ScriptedModel
from tests.stored import rows
from tests.unit.test_foreign import CHATGPT, CLAUDE, line
from tests.unit.test_learning import learns_what_is_said


def owner_of(app: App, chat_id: str) -> int:
    with app.store._database.read() as session:
        found = session.connection().exec_driver_sql("SELECT owner_id FROM conversations WHERE id = ?", (chat_id,))
        return int(found.scalar_one())


def a_tab_with_a_chat() -> tuple[Tab, int]:
    tab = Tab().open()
    tab.say("I live in Busan")
    owner_id = owner_of(running_app(), tab.chat_id)
    return tab, owner_id


def upload(tab: Tab, data: bytes, name: str = "mine.json") -> Tab:
    tab.at.file_uploader[0].set_value((name, data, "application/octet-stream"))
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


# --- what other programs hand out -------------------------------------------------------------------


def in_zip(file: object, name: str = "conversations.json") -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, json.dumps(file))
        archive.writestr("chat.html", "<html></html>")
    return packed.getvalue()


FOREIGN = {
    "ChatGPT": (CHATGPT, 2, "해운대가 좋아요."),
    "Claude": (CLAUDE, 1, "칼국수 어때요?"),
}


@pytest.mark.parametrize("packed", [False, True], ids=["file", "zip"])
@pytest.mark.parametrize("program", FOREIGN)
def test_the_chats_of_another_program_are_read_and_can_be_opened(
    person: Person, program: str, packed: bool
) -> None:
    file, chats, words = FOREIGN[program]
    data, name = (in_zip(file), "export.zip") if packed else (json.dumps(file).encode(), "conversations.json")
    tab = upload(Tab().open(SETTINGS), data, name)
    assert any(f"Imported {chats} chats" in notice for notice in tab.notices)
    assert len(tab.chats) == chats
    shown = []
    for chat in tab.chat_ids:
        tab.at.query_params = {"chat": chat}
        shown.append(tab.open(CHAT).words)
    assert any(words in chat for chat in shown)


def test_the_uploader_says_which_files_it_reads(tab: Tab, korean_tab: Tab) -> None:
    assert (
        "the exports of ChatGPT and Claude (conversations.json, or the ZIP it comes in)"
        in tab.open(SETTINGS).words
    )
    assert "ChatGPT·Claude에서 내보낸 파일" in korean_tab.open(SETTINGS).words


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("en-US", "Messages of other branches in the file, left out: 1."),
        ("ko-KR", "다른 갈래 메시지 1개는 빼고"),
    ],
)
def test_messages_of_other_branches_that_were_left_out_are_counted(person: Person, locale: str, told: str) -> None:
    tab = upload(Tab(locale).open(SETTINGS), json.dumps(CHATGPT).encode())
    assert any(told in notice for notice in tab.notices)
    assert "다시 만들기 전의 답" not in tab.open(HISTORY).words


def test_what_comes_without_other_branches_says_nothing_of_them(person: Person) -> None:
    tab = upload(Tab().open(SETTINGS), json.dumps(CLAUDE).encode())
    assert not any("branches" in notice for notice in tab.notices)


def test_nothing_is_learned_from_imported_chats_unless_somebody_asks(
    person: Person, model: ScriptedModel, database: Path
) -> None:
    model.answers["extract"] = learns_what_is_said
    tab = upload(Tab().open(SETTINGS), json.dumps([line("I live in Busan.", "Nice.")]).encode())
    person.app.background.wait()
    assert model.asked("extract") == []
    assert tab.button("learn-now").label == "Learn facts from the new chats (1)"
    assert "Nothing is learned from them unless you ask." in tab.words
    tab.click("learn-now")
    assert "Learning in the background. New facts appear on the Memory page." in tab.notices
    assert not tab.has_button("learn-now")
    person.app.background.wait()
    assert rows(database, "SELECT text FROM facts") == [("I live in Busan.",)]
    assert "I live in Busan." in tab.open(MEMORY).words


def test_the_offer_to_learn_waits_for_an_answer_on_other_pages_too(person: Person) -> None:
    tab = upload(Tab("ko-KR").open(SETTINGS), json.dumps([line("나는 부산에 살아", "네.")]).encode())
    assert tab.button("learn-now").label == "새 대화 1개에서 기억 만들기"
    assert tab.open(CHAT).open(SETTINGS).has_button("learn-now")
    another = json.dumps([line("나는 차를 마셔", "네.", id="b", conversation_id="b")]).encode()
    assert upload(tab, another).button("learn-now").label == "새 대화 2개에서 기억 만들기"


def test_the_same_chats_again_are_known_and_nothing_is_offered(person: Person) -> None:
    data = json.dumps(CLAUDE).encode()
    upload(Tab().open(SETTINGS), data)
    tab = upload(Tab().open(SETTINGS), data)
    assert any("Imported 0 chats" in notice for notice in tab.notices)
    assert not tab.has_button("learn-now")
    assert len(tab.chats) == 1


def test_forgetting_everything_takes_the_offer_to_learn_with_it(person: Person) -> None:
    tab = upload(Tab().open(SETTINGS), json.dumps(CLAUDE).encode())
    tab.click("forget-everything").at.text_input(key="forget-word").set_value("forget")
    tab.run().click("everything-confirm")
    assert not tab.has_button("learn-now")


def bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b"[" + b" " * 300_000_000 + b"]")
    return packed.getvalue()


HOSTILE = {
    "an empty ZIP": lambda: b"PK\x05\x06" + b"\0" * 18,
    "half a ZIP": lambda: in_zip(CHATGPT)[:200],
    "a ZIP without chats": lambda: in_zip({}, "../../etc/passwd"),
    "a bomb": bomb,
    "a list of nothing": lambda: b"[{}]",
    "a circle": lambda: json.dumps([line("a", "b") | {"mapping": {"x": {"parent": "x"}}}]).encode(),
    "deep": lambda: b'[{"mapping":' * 5_000,
}


@pytest.mark.parametrize("locale", ["en-US", "ko-KR"])
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_of_another_program_is_a_sentence_and_changes_nothing(
    person: Person, what: str, locale: str
) -> None:
    tab = upload(Tab(locale).open(SETTINGS), HOSTILE[what](), "export.zip")
    assert len(tab.notices) == 1
    assert ("가져온 것은 없습니다" if locale == "ko-KR" else "Nothing was imported") in tab.notices[0]
    assert tab.chats == []
    assert not tab.has_button("learn-now")


def test_titles_of_other_programs_are_shown_as_text(person: Person) -> None:
    title = "<script>alert(1)</script> ![x](https://evil.test/a.png) :red[a]"
    tab = upload(Tab().open(SETTINGS), json.dumps([line("a", "b", title=title)]).encode())
    assert title in tab.words
    assert not any("![x](" in (button.label or "") for button in tab.at.button)


# --- what chats are kept on ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locale", "welcome", "settings"),
    [
        ("en-US", "Nothing is kept here for long", "Chats are gone when this app restarts"),
        ("ko-KR", "오래 남지 않습니다", "앱이 다시 시작되면 대화가 사라집니다"),
    ],
)
def test_where_the_disk_is_not_kept_the_first_screen_and_the_settings_say_so(
    environment: pytest.MonkeyPatch, locale: str, welcome: str, settings: str
) -> None:
    environment.setenv("CHATMEM_DISK_KEPT", "0")
    tab = Tab(locale).open()
    assert any(welcome in caption.value for caption in tab.at.main.caption)
    tab.open(SETTINGS)
    assert any(settings in caption.value for caption in tab.at.main.caption)


def test_where_the_disk_is_kept_the_first_screen_has_no_such_line(tab: Tab) -> None:
    tab.open()
    assert not any("kept" in caption.value for caption in tab.at.main.caption)
    tab.open(SETTINGS)
    assert any("a file on the disk" in caption.value for caption in tab.at.main.caption)
