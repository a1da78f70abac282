"""How two stored facts stand to each other: what is one fact, what corrects, what contradicts."""

from __future__ import annotations

from itertools import chain

import pytest

from chatmem.embeddings import Embedder
from chatmem.llm.teaching import relation

SAME = [
    # English
    ("I live in Busan.", "Lives in Busan."),
    ("My home is in Busan.", "I live in Busan"),
    ("The user lives in Busan.", "I live in Busan."),
    ("I love coffee.", "Likes coffee."),
    ("I really enjoy hiking", "Likes hiking."),
    ("My dog is called Bori.", "Has a dog named Bori."),
    ("My dog's name is Bori.", "My dog is called Bori."),
    ("I'm allergic to peanuts.", "Has a peanut allergy."),
    ("I can't stand cilantro.", "Hates cilantro."),
    ("I don't like cilantro.", "Dislikes cilantro."),
    ("I am a nurse.", "Works as a nurse."),
    ("My job is nursing.", "I'm a nurse."),
    ("My birthday is on May 3.", "Birthday is 3 May."),
    ("I was born on 3 May", "I was born on May 3rd."),
    ("My favourite colour is blue.", "Favorite color is blue."),
    ("I have two cats.", "Has 2 cats."),
    ("I am vegetarian.", "Is a vegetarian."),
    ("My name is Jun.", "The user's name is Jun."),
    ("I'm learning Python.", "Studies Python."),
    ("The meeting is on Friday at 3 pm.", "Meeting is Friday at 3pm."),
    ("The rent is 780,000 won.", "Rent is 780k won."),
    ("I don't drink alcohol.", "Does not drink alcohol."),
    ("My mom is a teacher.", "Mother is a teacher."),
    ("Please keep your answers short.", "Please keep answers brief."),
    # Korean
    ("나는 부산에 살아.", "부산에 산다."),
    ("저 부산에 살고 있어요", "부산에 거주한다."),
    ("사용자는 부산에 산다.", "나 부산 살아"),
    ("나는 커피를 좋아해.", "커피를 좋아한다."),
    ("커피 정말 좋아해요!", "커피를 좋아함."),
    ("강아지 이름은 보리야.", "강아지 이름이 보리다."),
    ("우리 강아지 이름은 보리예요", "보리라는 강아지를 키운다."),
    ("땅콩 알레르기가 있어.", "땅콩 알레르기가 있다."),
    ("저는 땅콩 알레르기 있어요", "땅콩에 알레르기가 있음."),
    ("오이를 싫어해.", "오이를 좋아하지 않는다."),
    ("오이 안 좋아해", "오이를 싫어한다."),
    ("저는 간호사예요.", "간호사다."),
    ("간호사로 일하고 있어", "직업은 간호사이다."),
    ("생일은 5월 3일이야", "생일이 5월 3일이다."),
    ("고양이 두 마리를 키워", "고양이를 2마리 키운다."),
    ("나는 채식주의자야.", "채식을 한다."),
    ("회의는 금요일 오후 3시야.", "회의는 금요일 오후 3시다."),
    ("월세는 78만 원이야", "월세는 780,000원이다."),
    ("나는 술을 안 마셔.", "술을 마시지 않는다."),
    ("우리 엄마는 교사야.", "어머니는 교사다."),
    ("파이썬을 배우고 있어", "파이썬을 공부한다."),
    ("답변은 짧게 해 줘", "답변을 짧게 해 주세요"),
    # both
    ("부산에 살아.", "Lives in Busan."),
    ("저는 간호사예요.", "Is a nurse."),
    ("I like coffee.", "커피를 좋아한다."),
    ("강아지 이름은 보리야.", "Has a dog named Bori."),
    ("I am allergic to peanuts.", "땅콩 알레르기가 있다."),
    ("고양이 두 마리를 키워.", "Has two cats."),
    ("My birthday is May 3.", "생일은 5월 3일이다."),
    ("채식주의자야.", "Is vegetarian."),
    ("I'm living in Busan these days", "My home is in Busan."),
    ("I'm based in Berlin.", "Lives in Berlin."),
    ("I'm 34 years old.", "Is 34."),
    ("My budget for the trip is 2000 dollars.", "Trip budget: $2,000"),
    ("서른네 살이야.", "34살이다."),
    ("빨간 자전거가 있어.", "빨간 자전거를 가지고 있다."),
    ("담배를 안 피워요.", "담배를 피우지 않는다."),
    ("술을 안 마셔.", "Does not drink alcohol."),
]

REPLACES = [
    ("I moved to Seoul.", "I live in Busan."),
    ("Moved to Seoul.", "Lives in Busan."),
    ("I live in Seoul now.", "Lives in Busan."),
    ("Now lives in Seoul.", "I live in Busan."),
    ("I'm no longer vegetarian.", "Is vegetarian."),
    ("I quit smoking.", "Smokes."),
    ("I stopped drinking coffee.", "Drinks coffee."),
    ("The meeting was moved to Thursday.", "The meeting is on Friday."),
    ("Actually, my birthday is 5 May.", "Birthday is 3 May."),
    ("My favourite colour is green now.", "Favourite colour is blue."),
    ("I switched from Python to Rust.", "I code in Python."),
    ("I now work at Naver.", "Works at Samsung."),
    ("Correction: my name is Min.", "My name is Jun."),
    ("I don't like coffee anymore.", "Likes coffee."),
    ("서울로 이사했어.", "부산에 산다."),
    ("이제 서울에 살아.", "나는 부산에 살아."),
    ("나 이제 채식 안 해.", "채식을 한다."),
    ("담배 끊었어.", "담배를 피운다."),
    ("회의가 목요일로 바뀌었어.", "회의는 금요일이다."),
    ("사실 생일은 5월 5일이야.", "생일은 5월 3일이다."),
    ("이제 커피를 싫어해.", "커피를 좋아한다."),
    ("이제 네이버에 다녀.", "삼성에 다닌다."),
    ("마감이 10월 7일로 미뤄졌어. 연기됐대.", "마감은 9월 30일이다."),
    ("더 이상 술을 안 마셔.", "술을 마신다."),
    ("We relocated to Munich.", "Lives in Hamburg."),
    ("The wedding got postponed to May 12.", "The wedding is on May 5."),
    ("인천으로 이사 왔어.", "대전에 산다."),
    ("결혼식이 5월 12일로 연기됐어.", "결혼식은 5월 5일이다."),
]

RIVALS = [
    ("Lives in Seoul.", "Lives in Busan."),
    ("I live in Sheffield.", "I live in Leeds."),
    ("Birthday is 5 May.", "Birthday is 3 May."),
    ("My birthday is in June.", "Birthday is in May."),
    ("My name is Min.", "Name is Jun."),
    ("Likes coffee.", "Hates coffee."),
    ("Is vegetarian.", "Is not vegetarian."),
    ("I have three cats.", "Has two cats."),
    ("I am 31 years old.", "Is 30 years old."),
    ("The exam is on June 15.", "The exam is on June 14."),
    ("The meeting starts at 4.", "The meeting starts at 3."),
    ("Favourite colour is green.", "My favourite colour is blue."),
    ("Works at Naver.", "Works at Samsung."),
    ("My budget is 3000 dollars.", "Budget is 2000 dollars."),
    ("Is a nurse.", "Is an accountant."),
    ("서울에 산다.", "부산에 산다."),
    ("저는 서울에 살아요.", "부산에 산다."),
    ("생일은 5월 5일이다.", "생일은 5월 3일이다."),
    ("이름은 민준이다.", "이름은 지훈이다."),
    ("커피를 싫어한다.", "커피를 좋아한다."),
    ("술을 마시지 않는다.", "술을 마신다."),
    ("고양이 세 마리를 키운다.", "고양이 두 마리를 키운다."),
    ("나이는 31살이다.", "나이는 30살이다."),
    ("시험은 6월 15일이다.", "시험은 6월 14일이다."),
    ("월세는 80만 원이다.", "월세는 78만 원이다."),
    ("제일 좋아하는 색은 초록색이다.", "제일 좋아하는 색은 파란색이다."),
    ("네이버에 다닌다.", "삼성에 다닌다."),
    ("간호사다.", "회계사다."),
    ("Lives in Seoul.", "부산에 산다."),
    ("생일은 5월 5일이다.", "Birthday is 3 May."),
    ("Has one dog.", "Has two dogs."),
    ("Is single.", "Is married."),
    ("강아지 두 마리를 키운다.", "강아지 한 마리를 키운다."),
]

APART = [
    # confusables, English
    ("My friend is Anna.", "My friend is Hannah."),
    ("My sister is called Anna.", "My sister is called Hannah."),
    ("The office is on the 3rd floor.", "The lab is on the 4th floor."),
    ("Likes apples.", "Likes pears."),
    ("My sister lives in Leeds.", "My brother lives in Leeds."),
    ("My sister lives in Leeds.", "Lives in Busan."),
    ("My work laptop is a Mac.", "My private laptop is a ThinkPad."),
    ("My work laptop is a Mac.", "My private laptop is a Mac."),
    ("Runs in the morning.", "Runs in the evening."),
    ("Drinks coffee in the morning.", "Drinks tea in the evening."),
    ("Likes his sister.", "Dislikes his brother."),
    ("Has a dog.", "Has a cat."),
    ("Has a dog named Bori.", "Has a cat named Bori."),
    ("Wants a dog.", "Has a dog."),
    ("Has two cats.", "Has two dogs."),
    ("Goes swimming on Tuesdays.", "Goes swimming on Thursdays."),
    ("Has yoga on Mondays.", "Has yoga on Wednesdays."),
    ("Used to live in Busan.", "Lives in Seoul."),
    ("Lived in Busan until 2019.", "Lives in Seoul."),
    ("Lives in Korea.", "Lives in Busan."),
    ("Works in Busan.", "Lives in Busan."),
    ("Lives alone.", "Lives in Busan."),
    ("My left knee hurts.", "My right knee hurts."),
    ("Is allergic to peanuts.", "Likes peanuts."),
    ("Is allergic to peanuts.", "Is allergic to shrimp."),
    ("The trip budget is 2000 dollars.", "The wedding budget is 9000 dollars."),
    ("My birthday is 3 May.", "My wife's birthday is 5 May."),
    ("Is 30 years old.", "My sister is 28 years old."),
    ("My mother is a teacher.", "My father is a teacher."),
    ("Speaks English.", "Speaks Japanese."),
    ("Uses Python at work.", "Uses Rust at home."),
    ("Is a developer.", "Is a backend engineer."),
    ("Works at Samsung.", "My wife works at Naver."),
    ("I moved my piano lesson to Tuesday.", "Lives in Busan."),
    ("I moved my desk to the window.", "Lives in Busan."),
    ("I switched to Rust at work.", "Has a dog named Bori."),
    ("I no longer eat meat.", "Likes coffee."),
    ("I quit my job at Samsung.", "Smokes."),
    ("I now have a cat.", "Has a dog."),
    ("I live in Seoul now.", "My sister lives in Busan."),
    ("Favourite colour is blue.", "Favourite food is pizza."),
    ("My son's favourite colour is blue.", "Favourite colour is green."),
    ("The exam is on June 14.", "The interview is on June 15."),
    ("Name is Jun.", "My dog's name is Min."),
    ("Name is Park Jun.", "Name is Jun."),
    ("I like tea.", "I like green tea."),
    ("I wake up at 6.", "I go to bed at 11."),
    ("Started a new job.", "Lives in Busan."),
    ("The flight leaves at 9.", "The return flight leaves at 11."),
    ("Actually I prefer tea.", "Lives in Busan."),
    ("My budget is tight now.", "Has two cats."),
    # confusables, Korean
    ("누나는 서울에 산다.", "부산에 산다."),
    ("친구 이름은 수민이다.", "친구 이름은 수미다."),
    ("사무실은 3층이다.", "연구실은 4층이다."),
    ("사과를 좋아한다.", "배를 좋아한다."),
    ("누나는 간호사다.", "여동생은 간호사다."),
    ("업무용 노트북은 맥북이다.", "개인 노트북은 씽크패드다."),
    ("업무용 노트북은 맥북이다.", "개인 노트북은 맥북이다."),
    ("아침에 달린다.", "저녁에 달린다."),
    ("오전에 커피를 마신다.", "오후에 커피를 마신다."),
    ("강아지를 키운다.", "고양이를 키운다."),
    ("강아지를 키우고 싶다.", "강아지를 키운다."),
    ("강아지 두 마리를 키운다.", "고양이 세 마리를 키운다."),
    ("화요일에 수영을 다닌다.", "목요일에 수영을 다닌다."),
    ("예전에 부산에 살았다.", "서울에 산다."),
    ("한국에 산다.", "부산에 산다."),
    ("부산에서 일한다.", "부산에 산다."),
    ("해운대구에 산다.", "부산에 산다."),
    ("왼쪽 무릎이 아프다.", "오른쪽 무릎이 아프다."),
    ("땅콩 알레르기가 있다.", "땅콩을 좋아한다."),
    ("땅콩 알레르기가 있다.", "새우 알레르기가 있다."),
    ("여행 예산은 250만 원이다.", "결혼식 예산은 900만 원이다."),
    ("생일은 5월 3일이다.", "아내 생일은 5월 5일이다."),
    ("나이는 30살이다.", "여동생은 28살이다."),
    ("어머니는 교사다.", "아버지는 교사다."),
    ("영어를 한다.", "일본어를 한다."),
    ("개발자다.", "백엔드 엔지니어다."),
    ("삼성에 다닌다.", "아내는 네이버에 다닌다."),
    ("피아노 수업을 화요일로 옮겼어.", "부산에 산다."),
    ("책상을 창가로 옮겼어.", "부산에 산다."),
    ("이제 고양이도 키워.", "강아지를 키운다."),
    ("이제 서울에 살아.", "누나는 부산에 산다."),
    ("담배 끊었어.", "술을 마신다."),
    ("제일 좋아하는 색은 파란색이다.", "제일 좋아하는 음식은 피자다."),
    ("시험은 6월 14일이다.", "면접은 6월 15일이다."),
    ("이름은 지훈이다.", "강아지 이름은 보리다."),
    ("보리를 키운다.", "보리차를 마신다."),
    ("녹차를 좋아한다.", "홍차를 좋아한다."),
    ("여섯 시에 일어난다.", "열한 시에 잔다."),
    ("더 이상 고기를 안 먹어.", "커피를 좋아한다."),
    ("회사를 그만뒀어.", "담배를 피운다."),
    ("대구에 산다.", "대구탕을 좋아한다."),
    ("매운 음식을 못 먹는다.", "매운 음식을 좋아하는 남편이 있다."),
    ("코드 주석은 한국어로 달아 줘.", "커밋 메시지는 영어로 쓴다."),
    # both
    ("누나는 간호사예요.", "Is a nurse."),
    ("고양이를 키운다.", "Has a dog."),
    ("커피를 싫어한다.", "My wife likes coffee."),
    ("저는 교사예요.", "My mother is a nurse."),
    ("런던에 산다.", "Lives in London with Minji."),
    ("Has a meeting at 3.", "Has a meeting at 4."),
    ("Prefers tea to coffee.", "Prefers coffee to tea."),
    ("Visited Japan in 2019.", "Visited Japan in 2023."),
    ("Knows Python.", "Wants to learn Python."),
    ("Left ear is deaf.", "Right ear is deaf."),
    ("커피보다 차를 좋아한다.", "차보다 커피를 좋아한다."),
    ("팀장 이름은 은정이다.", "친구 이름은 은정이다."),
    ("5층에 산다.", "5층에서 일한다."),
    ("지수와 친하다.", "지숙이와 친하다."),
    ("학교에 다닌다.", "학교에서 일한다."),
]


@pytest.fixture(scope="module")
def likeness() -> dict[tuple[str, str], float]:
    pairs = [*SAME, *REPLACES, *RIVALS, *APART]
    vectors = Embedder().embed([*chain.from_iterable(pairs)])
    return {pair: float(vectors[2 * place] @ vectors[2 * place + 1]) for place, pair in enumerate(pairs)}


@pytest.mark.parametrize("pair", SAME, ids=" / ".join)
def test_one_fact_in_other_words_is_one_fact(
    pair: tuple[str, str], likeness: dict[tuple[str, str], float]
) -> None:
    assert relation(*pair, likeness[pair]) == "same"
    assert relation(*reversed(pair), likeness[pair]) == "same"


@pytest.mark.parametrize("pair", REPLACES, ids=" / ".join)
def test_an_open_correction_replaces(pair: tuple[str, str], likeness: dict[tuple[str, str], float]) -> None:
    assert relation(*pair, likeness[pair]) == "replaces"


@pytest.mark.parametrize("pair", RIVALS, ids=" / ".join)
def test_facts_that_cannot_both_be_true_are_rivals(
    pair: tuple[str, str], likeness: dict[tuple[str, str], float]
) -> None:
    assert relation(*pair, likeness[pair]) == "rivals"
    assert relation(*reversed(pair), likeness[pair]) == "rivals"


@pytest.mark.parametrize("pair", APART, ids=" / ".join)
def test_facts_of_different_things_stay_apart(
    pair: tuple[str, str], likeness: dict[tuple[str, str], float]
) -> None:
    assert relation(*pair, likeness[pair]) == "apart"
    assert relation(*pair, None) == "apart"
    assert relation(*reversed(pair), likeness[pair]) == "apart"


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("I'm living in Busan these days", "I live in Busan"),
        ("These days I live in Busan", "I live in Busan"),
        ("I live in Busan now", "My home is in Busan."),
        ("요즘 부산에 살아", "부산에 산다."),
        ("지금은 부산에 살아", "부산에 살아"),
        ("Actually, my exam is on 3 May", "My exam is on 3 May."),
    ],
)
def test_a_hint_at_change_with_the_same_values_replaces_nothing(later: str, earlier: str) -> None:
    assert relation(later, earlier) == "same"
    assert relation(later, earlier, 0.3) == "apart"
