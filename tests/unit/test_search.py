"""The search index: whose messages are found, which never are, and that no text breaks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert, update

from chatmem.domain import Status, new_id
from chatmem.errors import NotFound
from chatmem.store import Store
from chatmem.store.search import LONGEST_LIST, Found, index_messages
from chatmem.store.tables import ConversationRow, MessageRow

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


class Shelf:
    """A store, its owner, and chats put into it at once."""

    def __init__(self, url: str) -> None:
        self.store = Store(url)
        self.owner_id = self.store.owners.enter("a" * 64, "browser").id

    def add(self, texts: Sequence[str], owner_id: int | None = None, **values: object) -> str:
        chat_id = new_id()
        with self.store._database.write() as session:
            session.add(
                ConversationRow(
                    id=chat_id, owner_id=owner_id or self.owner_id, title="", title_settled=True, memory_epoch=0,
                    last_number=len(texts), created_at=MONDAY, updated_at=MONDAY,
                )
            )  # fmt: skip
            session.flush()
            rows = [
                {
                    "conversation_id": chat_id, "number": number, "role": "user" if number % 2 else "assistant",
                    "text": text, "tokens": 1, "status": Status.COMPLETE, "void": False, "model": "",
                    "stop_requested": False, "created_at": MONDAY + timedelta(days=number), **values,
                }
                for number, text in enumerate(texts, 1)
            ]  # fmt: skip
            ids = session.scalars(insert(MessageRow).returning(MessageRow.id), rows).all()
            index_messages(session, chat_id, ids)
        return chat_id

    def change(self, chat_id: str, number: int, reindex: bool = True, **values: object) -> None:
        with self.store._database.write() as session:
            which = (MessageRow.conversation_id == chat_id, MessageRow.number == number)
            changed = session.scalars(update(MessageRow).where(*which).values(**values).returning(MessageRow.id))
            ids = changed.all()
            if reindex:
                index_messages(session, chat_id, ids)

    def search(self, chat_id: str, question: str, through: int = 10_000, owner_id: int | None = None) -> Found:
        return self.store.search.messages(owner_id or self.owner_id, chat_id, question, through)

    def hits(self, chat_id: str, question: str, through: int = 10_000) -> list[int]:
        """Numbers of the messages that hold a term themselves."""
        return [one.message.number for one in self.search(chat_id, question, through).candidates if one.own]


@pytest.fixture
def shelf(database_url: str) -> Iterator[Shelf]:
    shelf = Shelf(database_url)
    yield shelf
    shelf.store.close()


def test_a_message_is_found_by_its_words_in_any_inflection(shelf: Shelf) -> None:
    chat = shelf.add(["We visited Lisbon.", "Nice.", "My sister paints boats.", "Lovely."])
    assert shelf.hits(chat, "When did I visit Lisbon?") == [1]
    assert shelf.hits(chat, "Who is painting?") == [3]


def test_korean_is_found_with_and_without_particles(shelf: Shelf) -> None:
    chat = shelf.add(["배포는 금요일이야", "알겠습니다", "고양이 이름은 나비야", "귀엽네요"])
    assert shelf.hits(chat, "배포") == [1]
    assert shelf.hits(chat, "배포일이 언제였지?") == [1]
    assert shelf.hits(chat, "고양이가 누구더라?") == [3]


def test_neighbours_of_a_hit_come_with_it(shelf: Shelf) -> None:
    chat = shelf.add(["What is your favourite harbour?", "The one in Porto.", "I see.", *["Hm."] * 9])
    found = {one.message.number: one for one in shelf.search(chat, "favourite harbour").candidates}
    assert sorted(found) == [1, 2, 3]
    assert (found[2].own, found[2].with_previous) == (0, 1)
    assert (found[3].with_previous, found[3].near) == (0, 1)


def test_rare_terms_weigh_more_than_frequent_ones(shelf: Shelf) -> None:
    chat = shelf.add(["the garden"] * 12 + ["the orchid"] + ["nothing"] * 30)
    found = {one.message.number: one.own for one in shelf.search(chat, "garden orchid").candidates}
    assert found[13] > found[1] > 0


def test_a_message_is_found_by_its_date(shelf: Shelf) -> None:
    chat = shelf.add(["one", "two", "three", "four"])
    found = shelf.search(chat, "What did we talk about on March 5?")
    assert 3 in [one.message.number for one in found.candidates]


def test_only_messages_up_to_the_given_number_are_found(shelf: Shelf) -> None:
    chat = shelf.add(["a tomato", "b", "c tomato", "d"])
    assert shelf.hits(chat, "tomato", through=2) == [1]
    assert shelf.hits(chat, "tomato", through=0) == []


@pytest.mark.parametrize(
    "values",
    [{"retired_at": MONDAY}, {"void": True}, {"status": Status.STREAMING}],
    ids=["retired", "void", "streaming"],
)
@pytest.mark.parametrize("reindex", [True, False])
def test_what_is_not_live_is_never_found(shelf: Shelf, values: dict[str, object], reindex: bool) -> None:
    chat = shelf.add(["a tomato", "b"])
    shelf.change(chat, 1, reindex, **values)
    assert shelf.search(chat, "tomato").candidates == () or 1 not in shelf.hits(chat, "tomato")


def test_what_comes_back_is_found_again(shelf: Shelf) -> None:
    chat = shelf.add(["a tomato", "b"])
    shelf.change(chat, 1, reindex=False, retired_at=MONDAY)
    shelf.change(chat, 1, reindex=False, retired_at=None)
    assert shelf.hits(chat, "tomato") == [1]


def test_a_redacted_text_is_not_found_any_more(shelf: Shelf) -> None:
    chat = shelf.add(["my pin is sesame", "noted"])
    shelf.change(chat, 1, text="(forgotten)")
    assert shelf.hits(chat, "sesame") == []


def test_indexing_twice_changes_nothing(shelf: Shelf) -> None:
    chat = shelf.add(["a tomato", "b"])
    shelf.change(chat, 1, text="a tomato")
    assert shelf.hits(chat, "tomato") == [1]


def test_other_chats_are_never_searched(shelf: Shelf) -> None:
    stranger_id = shelf.store.owners.enter("b" * 64, "browser").id
    theirs = shelf.add(["a tomato", "b"], owner_id=stranger_id)
    mine = shelf.add(["a tomato", "b"])
    own_other = shelf.add(["nothing", "of it"])
    assert shelf.hits(mine, "tomato") == [1]
    assert shelf.hits(own_other, "tomato") == []
    with pytest.raises(NotFound):
        shelf.search(theirs, "tomato")


def test_a_message_is_only_indexed_for_its_own_chat(shelf: Shelf) -> None:
    one, other = shelf.add(["a tomato", "b"]), shelf.add(["c", "d"])
    with shelf.store._database.write() as session:
        (id_, *_) = session.scalars(MessageRow.__table__.select().with_only_columns(MessageRow.id)).all()
        index_messages(session, one, [id_])
    assert shelf.hits(other, "tomato") == []


def test_a_term_that_is_nearly_everywhere_does_not_count(shelf: Shelf) -> None:
    chat = shelf.add([f"Anna: the day {n}" if n % 2 else "Ben: hm" for n in range(60)] + ["Anna: the orchid"])
    found = shelf.search(chat, "What did Anna say about the orchid?")
    assert found.common == {"anna"}
    assert [one.message.number for one in found.candidates if one.own] == [61]


def test_what_is_common_is_so_however_many_terms_are_asked(shelf: Shelf) -> None:
    chat = shelf.add([f"the tomatoes {n}" for n in range(400)] + ["the orchid"])
    asked = " ".join(f"word{n}" for n in range(22))
    assert shelf.search(chat, f"tomatoes orchid {asked}").common == {"tomato"}


def test_a_question_of_common_terms_alone_still_finds_something(shelf: Shelf) -> None:
    chat = shelf.add(["the tomatoes"] * 60)
    assert shelf.hits(chat, "tomatoes")


def test_a_term_in_very_many_messages_is_read_from_the_newest_only(shelf: Shelf) -> None:
    chat = shelf.add([f"tomato {n}" if n % 8 == 0 else f"hm {n}" for n in range(8 * LONGEST_LIST * 2)])
    numbers = shelf.hits(chat, "tomato basil")
    assert 0 < len(numbers) <= LONGEST_LIST
    assert min(numbers) > 8 * LONGEST_LIST - 16


@pytest.mark.parametrize(
    "text",
    ["🙂🙂🙂", "", " \n\t", "x" * 1_000_000, "'; DROP TABLE messages; --", '" OR "a" NEAR(b) * ^ - col:x',
     "<script>alert(1)</script>", "\u0000\u200b\ufeff", "a\u0301\u0301", "§20260303", "\ud7a3" * 5_000],
    ids=range(11),
)  # fmt: skip
def test_odd_texts_are_stored_and_asked_without_failing(shelf: Shelf, text: str) -> None:
    chat = shelf.add([text.replace("\u0000", ""), "an orchid", "c"])
    shelf.search(chat, text)
    assert shelf.hits(chat, "orchid") == [2]


def test_a_question_of_very_many_terms_is_answered(shelf: Shelf) -> None:
    chat = shelf.add(["an orchid", "b"])
    assert shelf.hits(chat, "orchid " + " ".join(f"word{n}" for n in range(3_000))) == [1]


def test_a_question_of_very_many_dates_is_answered(shelf: Shelf) -> None:
    chat = shelf.add(["an orchid", "b"])
    dates = " ".join(f"{year}-{month:02}-01" for year in range(1950, 2026) for month in range(1, 13))
    assert shelf.hits(chat, f"orchid {dates}") == [1]


def test_vectors_of_the_asked_model_come_along(shelf: Shelf) -> None:
    chat = shelf.add(["an orchid", "a tomato"])
    id_ = shelf.search(chat, "orchid").candidates[0].message.id
    shelf.store.message_vectors.save(shelf.owner_id, chat, "one", [(id_, b"12")])
    for model, vector in (("one", b"12"), ("two", None)):
        found = shelf.store.search.messages(shelf.owner_id, chat, "orchid", 9, model)
        assert [one.vector for one in found.candidates] == [vector, None]
