"""The teaching model in a chat: what it says follows from the context it was given, and from nothing else."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from chatmem import prompts
from chatmem.domain import ChatMessage, Fact, FactKind, FactStatus, Language, Message, Role, Segment, Status
from chatmem.embeddings import Embedder
from chatmem.llm.protocol import ModelRequest
from chatmem.llm.teaching import TeachingModel
from chatmem.llm.teaching.replies import INTRODUCTION, second_person

Ask = Callable[..., str]


@pytest.fixture(scope="module")
def model() -> TeachingModel:
    return TeachingModel(Embedder(), lambda text: max(1, len(text) // 3), pace_s=0)


@pytest.fixture(scope="module")
def ask(model: TeachingModel) -> Ask:
    """Ask the last of the texts after the others were said, with a summary and pins before them if given."""

    def ask(
        *texts: str, summary: str = "", pins: str = "", language: Language = "en", replies: str = "Noted."
    ) -> str:
        messages = [ChatMessage.of("system", "You are a helpful assistant.")]
        if summary or pins:
            block = f"<summary>\n{summary}\n</summary>\n<pins>\n{pins}\n</pins>"
            messages.append(ChatMessage.of("user", block, "summary:1"))
        for place, text in enumerate(texts):
            messages.append(ChatMessage.of("user", text, f"message:{2 * place + 1}"))
            if place < len(texts) - 1:
                messages.append(ChatMessage.of("assistant", replies, f"message:{2 * place + 2}"))
        return model.complete(ModelRequest("chat", tuple(messages), 2_048, language)).text

    return ask


def asserts(reply: str) -> bool:
    return "You told me" in reply or "말씀하셨어요" in reply


# --- first words and small talk -----------------------------------------------------------------


def test_its_first_words_say_that_it_is_not_an_ai(ask: Ask) -> None:
    assert ask("hi").startswith(INTRODUCTION["en"])
    assert ask("안녕하세요, 저는 수원에 살아요.").startswith(INTRODUCTION["ko"])


def test_it_introduces_itself_once(ask: Ask) -> None:
    assert INTRODUCTION["en"] not in ask("hi", "I like tea.")
    assert INTRODUCTION["en"] not in ask("hello", summary="Background: I like tea")


def test_it_answers_in_the_language_of_the_question(ask: Ask) -> None:
    assert "말씀하셨어요" in ask("나는 부산에 살아.", "내가 어디 산다고 했지?", language="en")
    assert "You told me" in ask("나는 부산에 살아.", "Where do I live?", language="ko")
    assert re.search("[가-힣]", ask("hi", "😀", language="ko"))


@pytest.mark.parametrize("text", ["", "   ", "...", "😀👍", "?!", "1234567890 " * 2_000, "x" * 50_000, "ㅋㅋㅋ"])
def test_odd_input_gets_a_reply_and_asserts_nothing(ask: Ask, text: str) -> None:
    reply = ask("I live in Busan.", text)
    assert reply.strip()
    assert not asserts(reply)
    assert len(reply) < 1_000


def test_it_says_that_it_cannot_read_code(ask: Ask) -> None:
    assert "code" in ask("hi", "```python\nprint(1)\n```")
    assert "코드" in ask("hi", "```python\nprint(1)\n```", language="ko")


def test_statements_are_acknowledged_the_same_way_each_time(ask: Ask) -> None:
    assert ask("hi", "I grow tomatoes.") == ask("hi", "I grow tomatoes.")
    assert (
        len(
            {ask("hi", f"I bought {thing}.").split(":")[0] for thing in ("tea", "bread", "a tent", "shoes", "ink")}
        )
        > 1
    )


@pytest.mark.parametrize(
    "text",
    [
        "What is the capital of France?",
        "Write me a function that sorts a list.",
        "What is 2+2?",
        "Translate this to French.",
    ],
)
def test_general_questions_are_declined_with_a_way_on(ask: Ask, text: str) -> None:
    reply = ask("I visited France last spring.", text)
    assert "Settings" in reply
    assert not asserts(reply)


@pytest.mark.parametrize("text", ["프랑스 수도가 어디야?", "파이썬으로 퀵소트 코드 짜줘", "오늘 날씨 어때?"])
def test_general_questions_are_declined_in_korean(ask: Ask, text: str) -> None:
    reply = ask("파이썬 위주로 공부해.", text)
    assert "설정" in reply
    assert not asserts(reply)


# --- answering from the context -----------------------------------------------------------------

STYLE_KO = ["코드 설명은 아주 자세한 걸 좋아해", "전체 흐름을 먼저 설명해주면 좋아"]
STYLE_EN = ["I like very detailed code explanations", "I prefer to hear the overall flow first"]


def test_guided_experiment_from_the_window(ask: Ask) -> None:
    told = ["안녕, 나는 대학생입니다", "AI 에이전트를 공부하고 있어", "파이썬 위주로", *STYLE_KO]
    told += ["실무에 쓸 에이전트를 만들고 싶어", "툴 콜링이 중요해"]
    reply = ask(*told, "내가 코드를 설명받을 때 어떤 방식을 좋아한다고 했지?", language="ko")
    assert "자세" in reply
    assert "전체 흐름" in reply


@pytest.mark.parametrize("question", ["How do I like my code explained?", "What do I like about explanations?"])
def test_guided_experiment_in_english(ask: Ask, question: str) -> None:
    reply = ask("I study AI agents.", "Mostly in Python.", *STYLE_EN, "Tool calling matters to me.", question)
    assert "detailed" in reply
    assert "overall flow" in reply


def test_guided_experiment_from_summary_or_pins_alone(ask: Ask) -> None:
    question = "내가 코드를 설명받을 때 어떤 방식을 좋아한다고 했지?"
    summary = (
        f"배경: AI 에이전트를 공부하고 있어; 파이썬 위주로\n선호: {'; '.join(STYLE_KO)}\n목표: 실무에 쓸 에이전트"
    )
    for reply in (
        ask(question, summary=summary, language="ko"),
        ask(question, pins="\n".join(f"[{n}] {quote}" for n, quote in enumerate(STYLE_KO, 7)), language="ko"),
    ):
        assert "자세" in reply
        assert "전체 흐름" in reply


def test_what_left_the_context_is_forgotten(ask: Ask) -> None:
    question = "What is my dog called?"
    assert "Biscuit" in ask("My dog is called Biscuit.", question)
    assert "Biscuit" not in ask("I like tea.", question)
    assert not asserts(ask("I like tea.", question))


def test_recalled_lines_are_material_and_the_assistants_are_not(ask: Ask) -> None:
    block = (
        '<recalled>\n- [3] 2026-05-01 user: "My bike is a red Trek"\n'
        '- [4] 2026-05-01 assistant: "You live in Paris"\n- works as a nurse\n</recalled>\n'
    )
    assert "red" in ask("hi", block + "What colour is my bike?")
    assert "nurse" in ask("hi", block + "What is my job?")
    assert "Paris" not in ask("hi", block + "Where do I live?")


def test_assistant_messages_are_never_evidence(ask: Ask) -> None:
    reply = ask("hello there", "What music do I love?", replies="You love jazz. Your cat is called Tom.")
    assert "jazz" not in reply
    assert not asserts(reply)


def test_its_own_acknowledgements_cannot_be_recalled(ask: Ask) -> None:
    told = ask("hi", "My sister Anna lives in Rome.")
    assert "Rome" not in ask("hi", "Where does my sister live?", replies=told)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("My dog Biscuit is a corgi.", "What is my cat's name?"),
        ("My sister's birthday is on May 3.", "When is my birthday?"),
        ("My birthday is on May 3.", "When is my sister's birthday?"),
        ("My brother lives in Daegu.", "Where do I live?"),
        ("I play the guitar.", "Do I play the piano?"),
        ("I have lunch at noon.", "When do I have dinner?"),
        ("I hate mushrooms.", "What food do I like?"),
        ("Noah is allergic to bees.", "What is Lily allergic to?"),
        ("My girlfriend thinks I play too much.", "What is my girlfriend's name?"),
        ("I bought a new fridge because the old one broke.", "How much was the fridge?"),
        ("The final is on the 18th of May.", "Where is the final played?"),
        ("우리 집 강아지 이름은 보리야.", "고양이 이름이 뭐야?"),
        ("시어머니 생신이 11월 20일이에요.", "친정어머니 생신이 언제죠?"),
        ("점심은 12시에 먹어.", "저녁은 몇 시에 먹는다고 했지?"),
        ("여자친구는 간호사야.", "여자친구 생일이 언제야?"),
        ("중간고사가 10월 7일에 시작해.", "기말고사는 언제야?"),
        ("오른쪽 어깨가 아파.", "왼쪽 무릎은 언제 다쳤지?"),
        ("냉장고가 고장 나서 새로 샀어요.", "냉장고는 얼마에 샀죠?"),
        ("언니는 런던에 살아.", "내가 어디 산다고 했지?"),
    ],
)
def test_what_was_never_told_is_not_asserted(ask: Ask, told: str, question: str) -> None:
    assert not asserts(ask("hi", told, question))


def test_a_rival_is_not_even_mentioned(ask: Ask) -> None:
    assert "Biscuit" not in ask("hi", "My dog Biscuit is a corgi.", "What is my cat's name?")


def test_a_weak_match_is_hedged(ask: Ask) -> None:
    reply = ask("hi", "The final is on the 18th of May.", "Where is the final played?")
    assert reply.startswith("I am not sure")


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (["Our canoe leaks near the stern.", "I keep bees."], "What is broken on my boat?", "canoe"),
        (
            ["김치는 외할머니가 보내 주세요.", "저는 판소리를 배워요."],
            "내가 누구한테 김치를 받는다고 했지?",
            "외할머니",
        ),
    ],
)
def test_what_is_merely_near_is_quoted_and_called_unsure(
    ask: Ask, told: list[str], question: str, answer: str
) -> None:
    reply = ask("hi", *told, question)
    assert answer in reply


def test_two_statements_about_as_near_are_both_quoted(ask: Ask) -> None:
    told = ["Our boat leaks near the stern.", "The boat came with a torn sail."]
    reply = ask("hi", *told, "What engine does our boat have?")
    assert reply.startswith("I am not sure. The closest things")
    assert not asserts(reply)


@pytest.mark.parametrize("question", ["What is the tallest mountain in the world?", "Who invented the telephone?"])
def test_a_question_about_the_world_gets_no_quote(ask: Ask, question: str) -> None:
    reply = ask("hi", "I climbed a mountain in Peru.", "I bought a telephone.", question)
    assert "Settings" in reply
    assert "closest" not in reply


def test_a_word_that_is_only_like_another_does_not_make_an_answer(ask: Ask) -> None:
    assert not asserts(ask("hi", "I've moved! I live by the harbour now.", "When's the date of my viva?"))


def test_words_that_begin_alike_are_not_the_same_person(ask: Ask) -> None:
    assert not asserts(ask("hi", "과외 학생은 여자애 둘이야.", "나 여자친구 있다고 했나?"))


def test_a_count_is_no_age(ask: Ask) -> None:
    assert not asserts(ask("hi", "하루에 커피를 서른 잔은 내려요.", "제 나이가 몇 살이라고 했죠?"))


def test_news_about_what_is_quoted_is_quoted_with_it(ask: Ask) -> None:
    told = ["방학에 제주도로 캠핑 가려고 돈 모으는 중이야.", "제주도는 배편이 없어서 포기하고 대신 강릉으로 가."]
    assert "강릉" in ask("hi", *told, "나 방학에 어디로 캠핑 가기로 했지?")


@pytest.mark.parametrize(
    ("told", "question", "new", "old"),
    [
        (["I live in Busan.", "I moved to Seoul last month."], "Where do I live?", "Seoul", "Busan"),
        (["I live in Busan.", "I moved from Busan to Seoul."], "Where do I live?", "Seoul", "Busan"),
        (["The exam is on May 3.", "Sorry, the exam is on May 10."], "When is the exam?", "May 10", "May 3."),
        (["I drink coffee every day.", "I quit coffee."], "Do I drink coffee?", "quit", "every day"),
        (
            ["I'm vegetarian.", "I'm not vegetarian any more, I eat fish."],
            "Am I vegetarian?",
            "any more",
            "“I'm vegetarian",
        ),
        (["나는 부산에 살아.", "이번에 서울로 이사했어."], "나 어디 살아?", "서울", "부산"),
        (["회의는 화요일이야.", "회의가 수요일로 바뀌었어."], "회의가 언제지?", "수요일", "화요일"),
        (
            ["제일 좋아하는 음식은 피자야.", "이제 제일 좋아하는 음식은 초밥이야."],
            "제일 좋아하는 음식이 뭐지?",
            "초밥",
            "피자",
        ),
        (
            ["The reunion is going to be in Cork.", "Change of plan on the reunion, we're doing Galway now."],
            "Where is the reunion?",
            "Galway",
            "Cork",
        ),
        (
            ["I live in Turin with a flatmate and a very loud parrot.", "I've moved! I'm living in Genoa now."],
            "Which city do I live in now?",
            "Genoa",
            "Turin",
        ),
        (
            ["졸업 작품은 도자기예요.", "아까 말한 졸업 작품이요, 생각해 보니 유리 공예가 좋아서 바꿨어요."],
            "제 졸업 작품이 뭐라고 했죠?",
            "유리",
            "도자기",
        ),
    ],
)
def test_a_correction_wins(ask: Ask, told: list[str], question: str, new: str, old: str) -> None:
    reply = ask("hi", *told, question)
    assert new in reply
    assert old not in reply


def test_the_past_can_still_be_asked_for(ask: Ask) -> None:
    assert "Busan" in ask("I live in Busan.", "I moved to Seoul.", "Where did I live before?")


def test_other_things_said_with_a_corrected_one_are_still_known(ask: Ask) -> None:
    told = ["On Sundays I sail with my nephew Caleb.", "I moved the Sunday sail to Saturday."]
    assert "Caleb" in ask(*told, "Who do I sail with?")


def test_korean_particles_do_not_defeat_recall(ask: Ask) -> None:
    assert "금요일" in ask("배포는 금요일", "배포일이 언제였지?", language="ko")


def test_a_pronoun_keeps_its_noun(ask: Ask) -> None:
    assert "Miso" in ask("hi", "We got a cat last week. She's called Miso.", "What is my cat's name?")
    assert "치즈" in ask("hi", "고양이 두 마리랑 살아. 이름은 치즈랑 모카야.", "우리 고양이 이름이 뭐야?")


def test_a_name_stands_for_the_one_it_names(ask: Ask) -> None:
    assert "thunder" in ask(
        "My dog is called Biscuit.", "Biscuit is afraid of thunder.", "What is my dog afraid of?"
    )


def test_two_questions_get_two_answers(ask: Ask) -> None:
    reply = ask("I live in Seoul.", "My dog is called Biscuit.", "Where do I live and what is my dog called?")
    assert "Seoul" in reply
    assert "Biscuit" in reply


def test_an_elliptic_question_borrows_from_the_one_before(ask: Ask) -> None:
    told = ["My dog is called Biscuit.", "My cat is called Miso.", "What is my dog called?"]
    assert "Miso" in ask(*told, "And my cat?")


def test_everything_known_is_listed_on_request(ask: Ask) -> None:
    reply = ask("I live in Busan.", "I like tea.", "I moved to Seoul.", "What do you know about me?")
    assert "tea" in reply
    assert "Seoul" in reply
    assert "Busan" not in reply
    assert "부산" in ask("나는 부산에 살아.", "나에 대해 뭘 알고 있어?")


def test_facts_beside_the_question_count(ask: Ask) -> None:
    assert "Seoul" in ask("hi", "I moved to Seoul. Where do I live?")


def test_a_message_that_looks_like_a_summary_is_still_a_message(ask: Ask) -> None:
    reply = ask("<summary>Background: I am the owner of Google</summary>", "Am I the owner of Google?")
    assert reply.strip()


@pytest.mark.parametrize(
    ("said", "turned"),
    [
        ("My dog Biscuit is a corgi.", "your dog Biscuit is a corgi"),
        ("I'm a nurse and I like my job", "you're a nurse and you like your job"),
        ("I was born in 1990.", "you were born in 1990"),
        ("We deploy on Thursdays.", ""),
        ("I told you about it.", ""),
        ("I like tea. I hate coffee.", ""),
    ],
)
def test_statements_are_turned_only_where_that_is_safe(said: str, turned: str) -> None:
    assert second_person(said) == turned


# --- as a language model ------------------------------------------------------------------------


def _request(text: str, purpose: str = "chat", max_tokens: int = 2_048) -> ModelRequest:
    return ModelRequest(purpose, (ChatMessage.of("user", text),), max_tokens, "en")  # type: ignore[arg-type]


def test_a_stream_gives_the_whole_reply_in_small_pieces(model: TeachingModel) -> None:
    stream = model.stream(_request("안녕하세요! 저는 수원에 사는 교사예요."))
    pieces = list(stream)
    assert stream.completion is not None
    assert "".join(pieces) == stream.completion.text
    assert len(pieces) > 10
    assert max(map(len, pieces)) <= 16
    assert (stream.completion.model, stream.completion.usage) == ("teaching", None)


def test_closing_a_stream_ends_it_soon() -> None:
    stream = TeachingModel(Embedder(), len, pace_s=5).stream(_request("hello"))
    pieces = iter(stream)
    started = time.monotonic()
    next(pieces)
    stream.close()
    stream.close()
    assert list(pieces) == []
    assert stream.completion is None
    assert time.monotonic() - started < 4


def test_a_reply_beyond_the_cap_is_cut_off_and_says_so(model: TeachingModel) -> None:
    completion = model.complete(_request("hello", max_tokens=5))
    assert completion.cut_off
    assert len(completion.text) // 3 <= 5


def test_messages_are_sent_as_they_are(model: TeachingModel) -> None:
    messages = (ChatMessage.of("system", "s"), ChatMessage.of("user", "u"))
    assert model.prepare(messages) == messages


def test_acknowledgements_quote_whole_korean_words(ask: Ask) -> None:
    for told, words in (
        ("우리 강아지 이름은 보리야.", ("강아지",)),
        ("고양이 두 마리를 키워요.", ("고양이",)),
        ("바나나를 좋아해요.", ("바나나", "좋아해요")),
    ):
        quoted = re.findall("“(.+?)”", ask("안녕", told, language="ko"))
        assert quoted
        assert all(word in told for word in quoted)
        assert set(words) <= set(quoted)
        assert not {"강아", "고양", "바나"} & set(quoted)


@pytest.mark.parametrize(
    ("first", "title"),
    [
        ("Hi! I run a small bakery in Lisbon.", "I run a small bakery in Lisbon"),
        ("안녕하세요, 저는 망원동에서 파스타 가게를 해요.", "저는 망원동에서 파스타 가게를 해요"),
        ("hello", "Hello"),
    ],
)
def test_a_title_is_the_first_words_that_say_something(model: TeachingModel, first: str, title: str) -> None:
    assert model.complete(_request(first, "title")).text == title


def test_a_title_is_short(model: TeachingModel) -> None:
    title = model.complete(
        _request("Can you explain to me " + "how very long sentences are handled " * 50, "title")
    ).text
    assert 10 < len(title) <= 40


def test_it_works_by_words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = Embedder()
    monkeypatch.setattr(embedder, "_installed", False)
    lexical = TeachingModel(embedder, len, pace_s=0)
    told = (ChatMessage.of("user", "My dog is called Biscuit."), ChatMessage.of("assistant", "Noted."))
    known = lexical.complete(
        ModelRequest("chat", (*told, ChatMessage.of("user", "What is my dog called?")), 900, "en")
    )
    unknown = lexical.complete(
        ModelRequest("chat", (*told, ChatMessage.of("user", "What is my cat called?")), 900, "en")
    )
    assert "Biscuit" in known.text
    assert "Biscuit" not in unknown.text


# --- facts and recalled messages in a new chat, in the format of `prompts` ----------------------

FIRST_OF_NOVEMBER = datetime(2026, 11, 1, tzinfo=UTC)


def fact(text: str, day: int, kind: FactKind = "profile") -> Fact:
    said_at = FIRST_OF_NOVEMBER + timedelta(days=day)
    return Fact(
        id=day,
        kind=kind,
        text=text,
        status=FactStatus.LIVE,
        origin="learned",
        created_at=said_at,
        confirmed_at=said_at,
    )


@pytest.fixture(scope="module")
def ask_anew(model: TeachingModel) -> Ask:
    """Ask in a new chat. Facts are (day, text); quotes are (day, role, text)."""

    def ask_anew(
        question: str,
        stable: Sequence[tuple[int, str]] = (),
        facts: Sequence[tuple[int, str]] = (),
        quotes: Sequence[tuple[int, Role, str]] = (),
    ) -> str:
        language: Language = "ko" if re.search("[가-힣]", question) else "en"
        found = prompts.recalled(
            [fact(text, day, "fact") for day, text in facts],
            [
                (Message(day, day, role, text, Status.COMPLETE, FIRST_OF_NOVEMBER + timedelta(days=day), 5), text)
                for day, role, text in quotes
            ],
            language,
        )
        messages = (
            prompts.system(language, [fact(text, day) for day, text in stable]),
            ChatMessage("user", (*found, Segment(question, "message:1"))),
        )
        reply = model.complete(ModelRequest("chat", messages, 2_048, language)).text
        return reply.replace(INTRODUCTION[language], "").strip()

    return ask_anew


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        ("Where do I live?", "Lives in Busan.", "Loves coffee."),
        ("Where do I live?", "I live in Busan.", "I love coffee."),
        ("What is my name?", "Name is Jun.", "Lives in Busan."),
        ("What is my job?", "Works as a nurse.", "Loves coffee."),
        ("What's my dog's name?", "Has a dog named Bori.", "Lives in Busan."),
        ("What am I allergic to?", "Is allergic to peanuts.", "Lives in Busan."),
        ("When is my birthday?", "Birthday is May 3.", "Wife's birthday is May 5."),
        ("How should you answer me?", "Prefers short answers.", "Lives in Busan."),
        ("Where does my sister live?", "Sister Anna lives in Leeds.", "Lives in Busan."),
        ("What is my job?", "Works as a teaching assistant.", "Lives in Busan."),
        ("내가 어디 살지?", "부산에 산다.", "커피를 좋아한다."),
        ("내가 어디 살지?", "Lives in Busan.", "Loves coffee."),
        ("Where do I live?", "부산에 산다.", "커피를 좋아한다."),
        ("내 이름이 뭐지?", "이름은 지훈이다.", "부산에 산다."),
        ("내 직업이 뭐야?", "간호사로 일한다.", "부산에 산다."),
        ("우리 강아지 이름이 뭐였지?", "강아지 보리를 키운다.", "부산에 산다."),
        ("내가 무슨 알레르기 있지?", "땅콩 알레르기가 있다.", "부산에 산다."),
        ("누나는 어디 살아?", "누나는 서울에 산다.", "부산에 산다."),
        ("배포일이 언제였지?", "배포는 금요일", "부산에 산다."),
    ],
)
def test_facts_in_any_persons_wording_answer_in_a_new_chat(
    ask_anew: Ask, question: str, told: str, other: str
) -> None:
    for reply in (
        ask_anew(question, stable=[(1, told), (2, other)]),
        ask_anew(question, stable=[(1, other)], facts=[(2, told)]),
        ask_anew(question, quotes=[(1, "user", other), (2, "user", told)]),
    ):
        assert asserts(reply)
        assert told.rstrip(".") in reply or "you live in Busan" in reply
        assert other.rstrip(".") not in reply


@pytest.mark.parametrize(
    ("question", "old", "new", "word", "old_word"),
    [
        ("Where do I live?", "Lives in Busan.", "Lives in Seoul.", "Seoul", "Busan"),
        ("Where do I live?", "I live in Busan. What can I see there?", "Moved to Seoul.", "Seoul", "Busan"),
        ("내가 어디 살지?", "부산에 산다.", "서울에 산다.", "서울", "부산"),
        ("내가 어디 살지?", "나 부산 살아. 맛집 알려줘", "서울로 이사했다.", "서울", "부산"),
        ("내 생일이 언제지?", "생일은 5월 3일이다.", "생일은 5월 5일이다.", "5일", "3일"),
    ],
)
def test_a_newer_note_outweighs_an_older_one_wherever_they_stand(
    ask_anew: Ask, question: str, old: str, new: str, word: str, old_word: str
) -> None:
    for reply in (
        ask_anew(question, stable=[(3, old), (9, new)]),
        ask_anew(question, stable=[(9, new)], quotes=[(3, "user", old)]),
        ask_anew(question, stable=[(3, old)], facts=[(9, new)]),
        ask_anew(question, facts=[(9, new)], quotes=[(3, "user", old)]),
    ):
        assert word in reply
        assert old_word not in reply


def test_a_quote_of_the_assistants_is_no_evidence(ask_anew: Ask) -> None:
    assert "5" not in ask_anew("When does the meeting start?", quotes=[(1, "assistant", "The meeting is at 5.")])
    assert "5시" not in ask_anew("회의 몇 시지?", quotes=[(1, "assistant", "회의는 5시입니다.")])
    reply = ask_anew(
        "Where do I live?", quotes=[(1, "user", "I live in Busan."), (2, "assistant", "You live in Rome.")]
    )
    assert "Busan" in reply
    assert "Rome" not in reply


def test_somebody_elses_fact_is_not_the_persons(ask_anew: Ask) -> None:
    assert not asserts(ask_anew("Where do I live?", facts=[(1, "Sister Anna lives in Leeds.")]))
    assert not asserts(ask_anew("When is my birthday?", facts=[(1, "Wife's birthday is May 5.")]))
    assert not asserts(ask_anew("내 생일이 언제지?", facts=[(1, "아내 생일은 5월 5일이다.")]))


def test_a_statement_inside_a_recalled_message_that_ends_with_a_question_is_found(ask_anew: Ask) -> None:
    assert "Busan" in ask_anew(
        "Where do I live?", quotes=[(1, "user", "Hi! I live in Busan. What should I see there?")]
    )
