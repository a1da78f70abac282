"""Small lives, told and asked about: how much the teaching model recalls, and what it makes up (nothing).

A capital letter of the answer need not match; "!" marks what must not be said (a corrected value); None
means that it was never told. The rules were tuned on these lives, so the figures flatter: on lives it had
never seen, 76-88 % were answered and about 5 % of what was never told was asserted.
"""

from __future__ import annotations

import re
from html import escape

import pytest

from chatmem.domain import ChatMessage, Language
from chatmem.embeddings import Embedder
from chatmem.llm.protocol import ModelRequest
from chatmem.llm.teaching import TeachingModel

Question = tuple[str, list[str] | None]

LIVES: dict[str, tuple[Language, list[str], list[Question]]] = {
    "en-nurse": (
        "en",
        [
            "I'm a nurse on the night shift at St. Mary's hospital.",
            "I usually finish at 8 am and sleep until 3.",
            "My roommate Priya plays the drums, which is a problem.",
            "I want to become a midwife.",
            "My exam for the midwifery course is on June 14.",
            "I have a bad left knee from an old ski accident.",
            "My doctor told me to avoid running.",
            "I cycle to work, about 5 km.",
            "My cat is called Pepper and she is 3 years old.",
            "I drink way too much green tea.",
            "My brother Leo lives in Toronto.",
        ],
        [
            ("What is my job?", ["nurse"]),
            ("When do I take the midwifery exam?", ["June 14"]),
            ("What does my roommate play?", ["drums"]),
            ("Which knee hurts?", ["left"]),
            ("What should I not do because of my knee?", ["running"]),
            ("How do I get to work?", ["cycle"]),
            ("What's my cat's name?", ["Pepper"]),
            ("How old is Pepper?", ["3"]),
            ("Where does Leo live?", ["Toronto"]),
            ("What do I want to become?", ["midwife"]),
            ("What is my dog's name?", None),
            ("Where does my sister live?", None),
            ("What instrument do I play?", None),
            ("How much do I earn?", None),
            ("What's my blood type?", None),
            ("What colour is my bike?", None),
        ],
    ),
    "en-student": (
        "en",
        [
            "I'm in my second year of high school in Manchester.",
            "I have a dog named Biscuit, he is a corgi.",
            "My best subject is physics, but I struggle with French.",
            "I play goalkeeper for the school team.",
            "Our next match is on Saturday against Riverside.",
            "My chess rating is 1450.",
            "My mum works as a lawyer.",
            "I'm saving up for an electric guitar.",
            "I got braces two weeks ago.",
            "I go to bed at eleven.",
            "My hamster died last summer.",
        ],
        [
            ("What breed is Biscuit?", ["corgi"]),
            ("What is my dog called?", ["Biscuit"]),
            ("Which subject am I good at?", ["physics"]),
            ("Which subject is hard for me?", ["French"]),
            ("What position do I play?", ["goalkeeper"]),
            ("Who are we playing on Saturday?", ["Riverside"]),
            ("What's my chess rating?", ["1450"]),
            ("What does my mother do for a living?", ["lawyer"]),
            ("What am I saving money for?", ["guitar"]),
            ("When do I go to sleep?", ["eleven"]),
            ("What is my cat's name?", None),
            ("What does my father do?", None),
            ("When is my birthday?", None),
            ("How tall am I?", None),
            ("What's the name of my maths teacher?", None),
            ("What is the capital of France?", None),
        ],
    ),
    "ko-dev": (
        "ko",
        [
            "안녕! 나는 판교에서 일하는 백엔드 개발자야.",
            "요즘 AI 에이전트를 공부하고 있어.",
            "파이썬 위주로 코드를 짜.",
            "코드 설명은 아주 자세한 걸 좋아해.",
            "그리고 전체 흐름을 먼저 설명해주면 좋아.",
            "실무에 쓸 에이전트를 만들고 싶어.",
            "나한테는 툴 콜링이 중요해.",
            "배포는 매주 금요일에 해.",
            "팀장님 이름은 박서연이야.",
            "우리 집 고양이는 두부라고 해.",
            "점심은 보통 12시 반에 먹어.",
        ],
        [
            ("내가 코드를 설명받을 때 어떤 방식을 좋아한다고 했지?", ["자세", "전체 흐름"]),
            ("내 직업이 뭐였지?", ["백엔드"]),
            ("나 어디서 일한다고 했지?", ["판교"]),
            ("내가 요즘 뭘 공부하고 있지?", ["에이전트"]),
            ("내가 주로 쓰는 언어는?", ["파이썬"]),
            ("배포일이 언제였지?", ["금요일"]),
            ("우리 팀장님 성함이 뭐야?", ["박서연"]),
            ("고양이 이름 기억나?", ["두부"]),
            ("나한테 중요한 게 뭐라고 했어?", ["툴 콜링"]),
            ("점심 몇 시에 먹는다고 했더라?", ["12시"]),
            ("내가 만들고 싶은 게 뭐야?", ["에이전트"]),
            ("우리 강아지 이름이 뭐야?", None),
            ("내 생일이 언제지?", None),
            ("저녁은 몇 시에 먹는다고 했지?", None),
            ("우리 회사 이름이 뭐였지?", None),
            ("내 연봉이 얼마라고 했지?", None),
        ],
    ),
    "ko-family": (
        "ko",
        [
            "저는 두 아이를 키우는 엄마예요.",
            "큰애는 초등학교 3학년이고 작은애는 다섯 살이에요.",
            "남편은 부산에서 근무해요.",
            "큰애 이름은 하준이예요.",
            "저는 새우 알레르기가 있어요.",
            "매주 수요일에 수영을 배워요.",
            "시어머니 생신이 11월 20일이에요.",
            "내년에 대전으로 이사할 계획이에요.",
            "둘째는 공룡을 정말 좋아해요.",
            "아침마다 혈압약을 먹고 있어요.",
            "매운 음식은 잘 못 먹어요.",
        ],
        [
            ("제가 못 먹는 게 뭐였죠?", ["새우"]),
            ("남편이 일하는 곳이 어디라고 했죠?", ["부산"]),
            ("큰애 이름이 뭐죠?", ["하준"]),
            ("수영은 무슨 요일에 배우죠?", ["수요일"]),
            ("시어머니 생신이 언제였죠?", ["11월 20일"]),
            ("저희 이사 어디로 가기로 했죠?", ["대전"]),
            ("둘째가 좋아하는 게 뭐예요?", ["공룡"]),
            ("제가 먹는 약이 뭐였더라?", ["혈압약"]),
            ("제가 아이가 몇 명이라고 했죠?", ["두 아이"]),
            ("친정어머니 생신이 언제였죠?", None),
            ("남편 이름이 뭐였죠?", None),
            ("둘째 이름이 뭐예요?", None),
            ("제 키가 몇이라고 했죠?", None),
            ("피아노는 무슨 요일에 배우죠?", None),
        ],
    ),
    "ko-hobby": (
        "ko",
        [
            "나 주말마다 캠핑을 가.",
            "텐트는 4인용 돔 텐트를 써.",
            "차는 빨간색 코나야.",
            "요즘 도자기 공방에 다니기 시작했어.",
            "공방 수강료가 한 달에 15만 원이야.",
            "강아지 이름은 보리고 푸들이야.",
            "보리는 천둥소리를 무서워해.",
            "다음 달에 강릉으로 여행 갈 거야.",
            "여행 예산은 60만 원 정도로 생각해.",
            "나는 오이를 정말 싫어해.",
            "여자친구는 은지라고 해, 간호사야.",
            "회사는 9시까지 출근이야.",
        ],
        [
            ("내 취미가 뭐였지?", ["캠핑"]),
            ("내 차 색깔이 뭐야?", ["빨간"]),
            ("공방은 한 달에 얼마야?", ["15만"]),
            ("우리 강아지 이름이 뭐더라?", ["보리"]),
            ("보리는 무슨 종이야?", ["푸들"]),
            ("강아지가 무서워하는 게 뭐지?", ["천둥"]),
            ("여행 어디로 간다고 했지?", ["강릉"]),
            ("여행에 쓸 돈은 얼마였지?", ["60만"]),
            ("내가 싫어하는 음식은?", ["오이"]),
            ("여자친구 직업이 뭐지?", ["간호사"]),
            ("몇 시까지 출근해야 하지?", ["9시"]),
            ("보리는 몇 살이야?", None),
            ("내가 좋아하는 과일이 뭐라고 했지?", None),
            ("여자친구 생일이 언제야?", None),
            ("숙소는 어디로 예약했다고 했지?", None),
            ("고양이 이름이 뭐였지?", None),
        ],
    ),
    "en-garden": (
        "en",
        [
            "I retired from teaching three years ago.",
            "My garden is about 200 square metres.",
            "Slugs ate all my lettuce this spring.",
            "My husband Frank built me a greenhouse.",
            "I grow tomatoes, beans and dahlias.",
            "Dahlias are my absolute favourites.",
            "We have two grandchildren, Lily and Noah.",
            "Noah is allergic to bees.",
            "On Wednesdays I volunteer at the food bank.",
            "I take metformin for my diabetes.",
            "Our old car is a green Volvo.",
            "I'm learning Italian because we go to Sicily in May.",
        ],
        [
            ("What was my profession before I retired?", ["teaching"]),
            ("How big is my garden?", ["200"]),
            ("What ate my lettuce?", ["Slugs"]),
            ("Who built the greenhouse?", ["Frank"]),
            ("What do I grow?", ["tomatoes"]),
            ("What flowers do I love the most?", ["Dahlias"]),
            ("What are my grandchildren called?", ["Lily"]),
            ("What is Noah allergic to?", ["bees"]),
            ("What do I do on Wednesdays?", ["food bank"]),
            ("Which medicine do I take?", ["metformin"]),
            ("What colour is our car?", ["green"]),
            ("Which language am I learning?", ["Italian"]),
            ("Where are we going in May?", ["Sicily"]),
            ("What do I do on Mondays?", None),
            ("What is Lily allergic to?", None),
            ("How old are my grandchildren?", None),
            ("Which school did I teach at?", None),
            ("What's my favourite fruit?", None),
            ("When did I get married?", None),
        ],
    ),
    "en-work": (
        "en",
        [
            "I'm a product designer at a fintech startup in Berlin.",
            "My manager is called Helena.",
            "We ship the redesign on March 3rd.",
            "I have two direct reports, Amir and Jo.",
            "I get migraines when I skip breakfast.",
            "I'm trying to sleep more, at least seven hours.",
            "My landlord raised the rent to 1,450 euros.",
            "I live in Neukölln with two flatmates.",
            "I like getting feedback in writing, not in calls.",
            "When you explain things, give me the conclusion first.",
            "We postponed the redesign, it ships on March 24th now.",
            "I'm moving to Hamburg in the summer.",
            "My partner is a cellist.",
        ],
        [
            ("Who is my boss?", ["Helena"]),
            ("When does the redesign ship?", ["24", "!March 3rd"]),
            ("Who reports to me?", ["Amir"]),
            ("What gives me migraines?", ["breakfast"]),
            ("How much sleep do I want?", ["seven"]),
            ("How much rent do I pay?", ["1,450"]),
            ("Which neighbourhood do I live in?", ["Neuk"]),
            ("How do I like to receive feedback?", ["writing"]),
            ("How should you explain things to me?", ["conclusion"]),
            ("Where am I moving in summer?", ["Hamburg"]),
            ("What does my partner do?", ["cellist"]),
            ("What's my job?", ["designer"]),
            ("What is the name of my startup?", None),
            ("What is my salary?", None),
            ("When is my performance review?", None),
            ("What's the name of my partner?", None),
            ("Where did I go to university?", None),
        ],
    ),
    "ko-office": (
        "ko",
        [
            "나는 5년 차 마케터야.",
            "이번 프로젝트 마감은 3월 15일이야.",
            "우리 팀은 여섯 명이고 내가 막내야.",
            "재택근무는 화요일이랑 목요일에 해.",
            "상사는 최 부장님인데 좀 무서워.",
            "퇴근하고 스페인어 학원에 다녀.",
            "작년에 세부에 갔다가 다이빙 자격증을 땄어.",
            "마라탕을 진짜 좋아해.",
            "근데 오이는 냄새도 못 맡아.",
            "아, 프로젝트 마감이 3월 29일로 미뤄졌어.",
            "내년에는 대학원에 가고 싶어.",
            "남동생은 해군이야.",
            "자취방은 합정역 근처야.",
        ],
        [
            ("내 직업이 뭐라고 했지?", ["마케터"]),
            ("프로젝트 마감이 언제지?", ["29일", "!15일"]),
            ("우리 팀이 몇 명이지?", ["여섯"]),
            ("나 재택은 무슨 요일에 해?", ["화요일"]),
            ("내 상사가 누구라고 했지?", ["최 부장"]),
            ("내가 배우는 외국어가 뭐였지?", ["스페인어"]),
            ("내가 딴 자격증이 뭐지?", ["다이빙"]),
            ("내가 좋아하는 음식이 뭐야?", ["마라탕"]),
            ("내가 못 먹는 채소가 뭐지?", ["오이"]),
            ("내년에 뭘 하고 싶다고 했지?", ["대학원"]),
            ("동생 직업이 뭐야?", ["해군"]),
            ("나 어디 살아?", ["합정"]),
            ("작년에 어디로 여행 갔었지?", ["세부"]),
            ("여동생 직업이 뭐지?", None),
            ("내 월급이 얼마였지?", None),
            ("내가 다니는 회사 이름이 뭐지?", None),
            ("내가 좋아하는 가수가 누구라고 했지?", None),
            ("내 MBTI가 뭐라고 했지?", None),
        ],
    ),
    "ko-music": (
        "ko",
        [
            "나 밴드에서 베이스를 쳐.",
            "밴드 이름은 새벽버스야.",
            "보컬은 수빈이고 드럼은 태오야.",
            "합주는 일요일 오후에 홍대에서 해.",
            "첫 공연이 6월 21일이야.",
            "베이스는 중고로 45만 원에 샀어.",
            "낮에는 초등학교에서 영양사로 일해.",
            "고양이 두 마리랑 살아.",
            "이름은 치즈랑 모카야.",
            "모카는 신장이 약해서 처방 사료만 먹어.",
            "새 앨범을 올해 안에 내는 게 목표야.",
            "녹음실 비용이 너무 비싸서 고민이야.",
            "긴 설명보다는 예시를 먼저 보여주는 게 좋아.",
        ],
        [
            ("내가 연주하는 악기가 뭐였지?", ["베이스"]),
            ("우리 밴드 이름이 뭐지?", ["새벽버스"]),
            ("보컬이 누구라고 했지?", ["수빈"]),
            ("합주는 언제 해?", ["일요일"]),
            ("첫 공연 날짜가 언제야?", ["6월 21일"]),
            ("베이스 얼마 주고 샀지?", ["45만"]),
            ("내 본업이 뭐라고 했지?", ["영양사"]),
            ("우리 고양이들 이름이 뭐야?", ["치즈"]),
            ("모카는 왜 처방 사료만 먹어?", ["신장"]),
            ("올해 목표가 뭐였지?", ["앨범"]),
            ("내가 설명을 어떻게 해주면 좋다고 했지?", ["예시"]),
            ("내 고민이 뭐라고 했지?", ["녹음실"]),
            ("강아지는 몇 마리 키운다고 했지?", None),
            ("키보드는 누가 쳐?", None),
            ("앰프는 얼마였지?", None),
            ("치즈는 몇 살이지?", None),
            ("내가 좋아하는 색이 뭐라고 했지?", None),
        ],
    ),
    "en-farm": (
        "en",
        [
            "I keep forty sheep and six alpacas on a hill farm in Wales.",
            "My sheepdog is called Fly.",
            "Lambing starts in the last week of March.",
            "I broke my collarbone falling off the quad bike.",
            "My neighbour Gwen helps me with the shearing.",
            "I can't digest lactose, which is ironic for a farmer.",
            "My eldest son wants to study marine biology.",
            "The tractor loan is 640 pounds a month.",
            "I want to sell yarn online before the summer.",
            "I sing bass in the village choir on Thursdays.",
            "I don't drink alcohol.",
            "Fly had seven puppies yesterday!",
        ],
        [
            ("How many sheep do I have?", ["forty"]),
            ("What's the name of my sheepdog?", ["Fly"]),
            ("When does lambing begin?", ["March"]),
            ("Which bone did I break?", ["collarbone"]),
            ("Who helps with shearing?", ["Gwen"]),
            ("What can't I digest?", ["lactose"]),
            ("What does my eldest son want to study?", ["marine"]),
            ("How much is the tractor loan?", ["640"]),
            ("What do I plan to sell online?", ["yarn"]),
            ("When is choir?", ["Thursday"]),
            ("How many puppies did Fly have?", ["seven"]),
            ("Do I drink wine?", ["alcohol"]),
            ("What are my alpacas called?", None),
            ("How old is my eldest son?", None),
            ("Where does Gwen live?", None),
            ("How much do I sell the yarn for?", None),
            ("What is my daughter studying?", None),
            ("What's my wife's name?", None),
        ],
    ),
    "en-chef": (
        "en",
        [
            "I'm studying for the bar exam in July.",
            "I share a flat in Leeds with Nadia and her parrot.",
            "Contract law is my weakest area.",
            "I study best in the library before noon.",
            "I swim twice a week to clear my head.",
            "My parents live in Nairobi, and I call them every Sunday.",
            "I'm vegan since 2019.",
            "I owe my brother 300 pounds.",
            "My favourite film is Spirited Away.",
            "I've started a podcast about old maps.",
            "Please quiz me with short questions, one at a time.",
            "I changed my mind about the podcast name: it's now called Compass Rose instead of Map Talk.",
        ],
        [
            ("What exam am I studying for?", ["bar"]),
            ("When is my exam?", ["July"]),
            ("Who do I live with?", ["Nadia"]),
            ("Which area of law am I worst at?", ["Contract"]),
            ("Where do I study best?", ["library"]),
            ("How often do I swim?", ["twice"]),
            ("Where do my parents live?", ["Nairobi"]),
            ("Am I vegan?", ["vegan"]),
            ("Who do I owe money?", ["brother"]),
            ("What's my favourite movie?", ["Spirited"]),
            ("What is my podcast about?", ["maps"]),
            ("What is the podcast called?", ["Compass Rose"]),
            ("How should you quiz me?", ["short"]),
            ("What is my favourite book?", None),
            ("What is the parrot's name?", None),
            ("What's my brother's job?", None),
            ("Which university am I at?", None),
            ("How much rent do I pay?", None),
        ],
    ),
    "ko-nurse": (
        "ko",
        [
            "저는 소아과 병동 간호사예요.",
            "이번 달은 나이트 근무가 여덟 번이에요.",
            "집은 인천이고 병원은 구로예요.",
            "출퇴근에 한 시간 20분 걸려요.",
            "수간호사 선생님 성함은 이정미예요.",
            "저는 복숭아 알레르기가 있어요.",
            "쉬는 날에는 방탈출을 하러 다녀요.",
            "3월에 승급 시험이 있어요.",
            "남자친구는 소방관이고 이름은 재훈이에요.",
            "적금은 한 달에 70만 원씩 넣고 있어요.",
            "언젠가 호주에서 일해 보고 싶어요.",
            "벌레를 너무 무서워해요.",
        ],
        [
            ("제 직업이 뭐였죠?", ["간호사"]),
            ("이번 달 나이트가 몇 번이라고 했죠?", ["여덟"]),
            ("저 어디 산다고 했죠?", ["인천"]),
            ("출퇴근에 얼마나 걸린다고 했죠?", ["20분"]),
            ("수간호사 선생님 성함이 뭐죠?", ["이정미"]),
            ("제가 못 먹는 과일이 뭐예요?", ["복숭아"]),
            ("제 취미가 뭐라고 했죠?", ["방탈출"]),
            ("승급 시험이 언제죠?", ["3월"]),
            ("남자친구 직업이 뭐죠?", ["소방관"]),
            ("남자친구 이름은요?", ["재훈"]),
            ("적금을 얼마씩 넣는다고 했죠?", ["70만"]),
            ("제가 일해 보고 싶은 나라가 어디죠?", ["호주"]),
            ("제가 무서워하는 게 뭐죠?", ["벌레"]),
            ("제 연봉이 얼마죠?", None),
            ("남자친구 생일이 언제죠?", None),
            ("제가 나온 대학교가 어디죠?", None),
            ("제 동생은 무슨 일을 하죠?", None),
            ("제가 좋아하는 가수가 누구죠?", None),
        ],
    ),
    "ko-trip": (
        "ko",
        [
            "다음 달에 친구랑 오사카에 가기로 했어.",
            "같이 가는 친구는 하린이야.",
            "비행기는 5월 4일 오전 9시 10분 출발이야.",
            "숙소는 난바역 근처 호텔로 잡았어.",
            "예산은 1인당 80만 원이야.",
            "나는 회를 못 먹어서 걱정이야.",
            "유니버설 스튜디오는 꼭 가고 싶어.",
            "하린이는 쇼핑을 좋아해.",
            "환전은 아직 안 했어.",
            "아, 비행기 시간이 오후 2시로 바뀌었어.",
            "나는 일본어를 조금 할 줄 알아.",
            "여행 일정은 표로 정리해 주는 게 좋아.",
        ],
        [
            ("우리 어디로 여행 가기로 했지?", ["오사카"]),
            ("누구랑 같이 간다고 했지?", ["하린"]),
            ("비행기 몇 시 출발이지?", ["오후 2시", "!9시 10분"]),
            ("숙소가 어디 근처야?", ["난바"]),
            ("예산이 얼마라고 했지?", ["80만"]),
            ("내가 못 먹는 음식이 뭐지?", ["회"]),
            ("꼭 가고 싶다고 한 곳이 어디지?", ["유니버설"]),
            ("하린이가 좋아하는 게 뭐야?", ["쇼핑"]),
            ("내가 할 줄 아는 외국어가 뭐야?", ["일본어"]),
            ("일정을 어떻게 정리해 주는 게 좋다고 했지?", ["표로"]),
            ("하린이는 몇 살이지?", None),
            ("호텔 이름이 뭐였지?", None),
            ("돌아오는 비행기는 언제지?", None),
            ("하린이가 싫어하는 게 뭐지?", None),
            ("우리 저녁은 어디서 먹기로 했지?", None),
            ("여권 번호가 뭐였지?", None),
        ],
    ),
    "en-photo": (
        "en",
        [
            "I'm a wedding photographer, but I also restore old cameras.",
            "My newest one is a Leica M3 from 1956.",
            "I'm getting married myself in November, to Daniel.",
            "We've invited 85 guests.",
            "My studio is above a bookshop in Ghent.",
            "I hate editing; I always put it off.",
            "My assistant Mo is leaving at the end of the month.",
            "I have asthma, so no smoky venues for me.",
            "We adopted a greyhound last month, his name is Olive.",
            "I charge 1,900 euros for a full day.",
            "My dad was a fisherman.",
            "I want to exhibit my landscapes one day.",
            "Correction: we've now invited 92 guests.",
        ],
        [
            ("What do I do for a living?", ["photographer"]),
            ("When am I getting married?", ["November"]),
            ("Who am I marrying?", ["Daniel"]),
            ("How many guests did we invite?", ["92", "!85"]),
            ("Where is my studio?", ["Ghent"]),
            ("Which task do I put off?", ["editing"]),
            ("Who is leaving at the end of the month?", ["Mo"]),
            ("What health condition do I have?", ["asthma"]),
            ("What is my greyhound's name?", ["Olive"]),
            ("How much do I charge for a day?", ["1,900"]),
            ("What was my father's job?", ["fisherman"]),
            ("What would I like to exhibit?", ["landscapes"]),
            ("What was my mother's job?", None),
            ("What's the name of the venue?", None),
            ("How old is Olive?", None),
            ("Where are we going on our honeymoon?", None),
            ("What's my favourite song?", None),
            ("How much does the dress cost?", None),
        ],
    ),
    "en-coach": (
        "en",
        [
            "I coach an under-12 football team in Cork.",
            "Our captain is Aoife, she plays left wing.",
            "We train on Tuesdays and Fridays at six.",
            "We lost the last match 3-1.",
            "I'm recovering from a hip operation.",
            "By day I'm an accountant at a dairy co-op.",
            "I love crosswords and strong tea.",
            "My wife Sinead teaches maths.",
            "The bus to the final costs 240 euros.",
            "I can't eat gluten.",
            "The final is on the 18th of May.",
            "I'd rather get bullet points than long paragraphs.",
        ],
        [
            ("What sport do I coach?", ["football"]),
            ("Who is the captain of my team?", ["Aoife"]),
            ("On which days do we train?", ["Tuesday"]),
            ("What was the score of our last game?", ["3-1"]),
            ("What surgery did I have?", ["hip"]),
            ("What's my day job?", ["accountant"]),
            ("What do I enjoy drinking?", ["tea"]),
            ("What does Sinead teach?", ["maths"]),
            ("How much is the bus?", ["240"]),
            ("What am I not able to eat?", ["gluten"]),
            ("When is the final?", ["18th"]),
            ("What format do I like for answers?", ["bullet"]),
            ("Who is our goalkeeper?", None),
            ("What's my wife's birthday?", None),
            ("Where is the final played?", None),
            ("How many kids do I have?", None),
            ("What is the name of my dog?", None),
            ("What is the tallest mountain in the world?", None),
        ],
    ),
    "ko-univ": (
        "ko",
        [
            "나는 통계학과 대학원생이야.",
            "지도교수님은 한지훈 교수님이야.",
            "논문 초안을 6월 말까지 내야 해.",
            "R보다는 파이썬을 더 자주 써.",
            "기숙사 룸메이트는 중국에서 온 리웨이야.",
            "카페에서 주말 알바를 해.",
            "시급은 1만 500원이야.",
            "나는 아침형 인간이라 오전에 집중이 잘 돼.",
            "우유를 마시면 배가 아파.",
            "졸업하면 데이터 분석가로 취직하고 싶어.",
            "요즘 클라이밍에 빠졌어.",
            "수식은 단계별로 풀어서 설명해 줘.",
            "논문 주제를 시계열에서 베이지안으로 바꿨어.",
        ],
        [
            ("내 전공이 뭐였지?", ["통계"]),
            ("지도교수님 성함이 뭐라고 했지?", ["한지훈"]),
            ("논문 초안 마감이 언제야?", ["6월"]),
            ("내가 더 자주 쓰는 언어가 뭐지?", ["파이썬"]),
            ("룸메이트가 누구였지?", ["리웨이"]),
            ("나 알바 어디서 한다고 했지?", ["카페"]),
            ("시급이 얼마라고 했지?", ["500원"]),
            ("내가 집중이 잘 되는 시간이 언제라고 했지?", ["오전"]),
            ("내가 마시면 안 되는 게 뭐지?", ["우유"]),
            ("졸업 후에 뭘 하고 싶다고 했지?", ["분석가"]),
            ("내가 요즘 하는 운동이 뭐지?", ["클라이밍"]),
            ("수식을 어떻게 설명해 달라고 했지?", ["단계"]),
            ("내 논문 주제가 뭐지?", ["베이지안"]),
            ("내 학번이 뭐였지?", None),
            ("장학금은 얼마라고 했지?", None),
            ("졸업식이 언제지?", None),
            ("내가 싫어하는 과목이 뭐라고 했지?", None),
            ("우리 부모님은 어디 사셔?", None),
        ],
    ),
    "ko-shop": (
        "ko",
        [
            "온라인으로 수제 비누를 팔고 있어요.",
            "브랜드 이름은 달빛공방이에요.",
            "하루 주문이 평균 30건 정도예요.",
            "택배는 매일 오후 4시에 나가요.",
            "제일 잘 팔리는 건 라벤더 비누예요.",
            "언니가 포장을 도와줘요.",
            "작업실은 파주에 있어요.",
            "손목이 아파서 요즘 병원에 다녀요.",
            "키우는 앵무새 이름은 초코예요.",
            "신제품은 9월에 출시할 예정이에요.",
            "매운 떡볶이를 좋아해요.",
            "세금 신고가 제일 어려워요.",
        ],
        [
            ("제가 파는 게 뭐였죠?", ["비누"]),
            ("제 브랜드 이름이 뭐죠?", ["달빛공방"]),
            ("하루에 주문이 몇 건이죠?", ["30건"]),
            ("택배는 몇 시에 나가죠?", ["4시"]),
            ("가장 인기 있는 제품이 뭐예요?", ["라벤더"]),
            ("포장은 누가 도와주죠?", ["언니"]),
            ("작업실이 어디라고 했죠?", ["파주"]),
            ("제가 어디가 아프다고 했죠?", ["손목"]),
            ("앵무새 이름이 뭐예요?", ["초코"]),
            ("신제품은 언제 나오죠?", ["9월"]),
            ("제가 좋아하는 음식이 뭐죠?", ["떡볶이"]),
            ("제가 뭘 어려워한다고 했죠?", ["세금"]),
            ("언니 이름이 뭐죠?", None),
            ("라벤더 비누는 얼마죠?", None),
            ("초코는 몇 살이에요?", None),
            ("제 남편은 무슨 일을 하죠?", None),
            ("제 생일이 언제라고 했죠?", None),
            ("제 블로그 주소가 뭐였죠?", None),
        ],
    ),
    "en-sailor": (
        "en",
        [
            "I repair clocks in a tiny workshop in Bath.",
            "My apprentice Wren started in February.",
            "The town hall clock is my biggest job this year, worth 7,400 pounds.",
            "I lost the hearing in my right ear as a child.",
            "On Sundays I sail with my nephew Caleb.",
            "Our boat is called Second Wind.",
            "I can't stand the smell of coconut.",
            "My blood pressure pills are called ramipril.",
            "I'd like to visit Nuremberg's toy museum.",
            "I learned German from my grandfather.",
            "The workshop lease ends in 2027.",
            "I moved the Sunday sail to Saturday because of church.",
        ],
        [
            ("What do I repair?", ["clocks"]),
            ("Who is my apprentice?", ["Wren"]),
            ("How much is the town hall job worth?", ["7,400"]),
            ("Which ear can't I hear with?", ["right"]),
            ("What is our boat's name?", ["Second Wind"]),
            ("What smell do I hate?", ["coconut"]),
            ("What pills do I take?", ["ramipril"]),
            ("Which museum do I want to see?", ["toy"]),
            ("Which language did my grandfather teach me?", ["German"]),
            ("When does the lease end?", ["2027"]),
            ("Who do I sail with?", ["Caleb"]),
            ("What's my cat called?", None),
            ("How old is Caleb?", None),
            ("What does my niece do?", None),
            ("Which car do I drive?", None),
            ("Where did I grow up?", None),
            ("How much do I pay Wren?", None),
            ("When did I buy the boat?", None),
        ],
    ),
    "ko-driver": (
        "ko",
        [
            "저는 울산에서 시내버스를 운전해요.",
            "첫차는 새벽 4시 50분에 나가요.",
            "아내는 미용실을 하고 있어요.",
            "중학생 아들이 하나 있는데 이름은 도현이에요.",
            "고등어를 먹으면 두드러기가 나요.",
            "허리 디스크 때문에 오래 못 앉아 있어요.",
            "쉬는 날엔 낚시하러 가요.",
            "내년 3월에 개인택시를 사려고 해요.",
            "회사에서 제일 친한 동료는 박 기사예요.",
            "대출이 3천만 원 남았어요.",
            "도현이는 축구부 골키퍼예요.",
            "글씨는 큼직하게 보여주세요.",
        ],
        [
            ("제가 하는 일이 뭐였죠?", ["버스"]),
            ("첫차가 몇 시에 나가죠?", ["4시 50분"]),
            ("아내는 무슨 일을 하죠?", ["미용실"]),
            ("아들 이름이 뭐죠?", ["도현"]),
            ("제가 먹으면 안 되는 생선이 뭐죠?", ["고등어"]),
            ("제가 오래 못 앉아 있는 이유가 뭐죠?", ["디스크"]),
            ("제 취미가 뭐라고 했죠?", ["낚시"]),
            ("개인택시는 언제 사려고 하죠?", ["3월"]),
            ("대출이 얼마 남았죠?", ["3천만"]),
            ("도현이 포지션이 뭐죠?", ["골키퍼"]),
            ("제가 어디서 일한다고 했죠?", ["울산"]),
            ("딸 이름이 뭐죠?", None),
            ("아내 나이가 몇이죠?", None),
            ("제 차는 무슨 색이죠?", None),
            ("아들 학교 이름이 뭐죠?", None),
            ("제가 좋아하는 드라마가 뭐죠?", None),
            ("어머니는 어디 사시죠?", None),
            ("여름휴가는 언제 가죠?", None),
        ],
    ),
}


class Chat:
    """A chat with the teaching model whose memory folds like the preset Classic: more than 10, keep 4."""

    def __init__(self, model: TeachingModel, language: Language) -> None:
        self.model, self.language = model, language
        self.window: list[ChatMessage] = []
        self.summary, self.pins = "", ""
        self.told = 0

    def tell(self, text: str) -> None:
        self.window += [ChatMessage.of("user", text), ChatMessage.of("assistant", self.ask(text))]
        if len(self.window) > 10:
            self.fold(keep=4)

    def ask(self, text: str) -> str:
        context = [ChatMessage.of("system", "You are a helpful assistant.")]
        if self.summary:
            block = f"<summary>\n{self.summary}\n</summary>\n<pins>\n{self.pins}\n</pins>"
            context.append(ChatMessage.of("user", block, "summary:1"))
        messages = (*context, *self.window, ChatMessage.of("user", text))
        return self.model.complete(ModelRequest("chat", messages, 2_048, self.language)).text

    def fold(self, keep: int) -> None:
        folded, self.window = self.window[: len(self.window) - keep], self.window[len(self.window) - keep :]
        lines = [
            f'<message n="{self.told + n}" role="{message.role}">{escape(message.text, quote=False)}</message>'
            for n, message in enumerate(folded, 1)
        ]
        self.told += len(folded)
        prompt = "\n".join(
            [
                f"<previous_summary>\n{escape(self.summary, quote=False)}\n</previous_summary>",
                f"<previous_pins>\n{escape(self.pins, quote=False)}\n</previous_pins>",
                "<transcript>",
                *lines,
                "</transcript>",
            ]
        )
        request = ModelRequest("fold", (ChatMessage.of("user", prompt),), 500, self.language)
        output = self.model.complete(request).text
        self.summary = _block(output, "summary")
        dropped = _block(output, "dropped_pins").splitlines()
        kept = [pin for pin in self.pins.splitlines() if pin.partition("] ")[2] not in dropped]
        self.pins = "\n".join([*kept, *_block(output, "pins").splitlines()])


def _block(text: str, name: str) -> str:
    match = re.search(rf"<{name}>\n(.*?)\n?</{name}>", text, re.DOTALL)
    return match.group(1) if match else ""


def _asserts(reply: str) -> bool:
    return "You told me" in reply or "말씀하셨어요" in reply


def _right(reply: str, wanted: list[str]) -> bool:
    said = reply.lower()
    return all(word[1:].lower() not in said if word[0] == "!" else word.lower() in said for word in wanted)


@pytest.fixture(scope="module")
def model() -> TeachingModel:
    return TeachingModel(Embedder(), lambda text: len(text) // 3 + 1, pace_s=0)


@pytest.mark.parametrize("folded", [False, True], ids=["window", "folded"])
@pytest.mark.parametrize("language", ["ko", "en"])
def test_it_recalls_what_was_told_and_makes_nothing_up(
    model: TeachingModel, language: Language, folded: bool
) -> None:
    answerable = right = hedged = unanswerable = 0
    made_up: list[str] = []
    for spoken, told, questions in LIVES.values():
        if spoken != language:
            continue
        chat = Chat(model, language)
        for text in told:
            if folded:
                chat.tell(text)
            else:
                chat.window += [ChatMessage.of("user", text), ChatMessage.of("assistant", "Noted.")]
        if folded:
            chat.fold(keep=0)
        for question, wanted in questions:
            reply = chat.ask(question)
            if wanted is None:
                unanswerable += 1
                made_up += [question] if _asserts(reply) else []
            else:
                answerable += 1
                right += _asserts(reply) and _right(reply, wanted)
                hedged += not _asserts(reply) and _right(reply, wanted)
    assert not made_up, f"{len(made_up)} of {unanswerable}"
    assert right >= 0.85 * answerable
    assert right + hedged >= 0.92 * answerable
