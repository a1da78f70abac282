"""What people ask and tell, of every kind: only the mean of their vectors is used, as what all have in common."""

from __future__ import annotations

_QUESTIONS = """오늘 뭐 먹을까? 추천해 줘.|이 메일 좀 다듬어 줘.|내 생일 선물로 뭐가 좋을까?|회의 몇 시에 시작하지?
주말에 뭐 하기로 했더라?|우리 아이 학교 이름이 뭐였지?|이 코드 왜 안 돌아가?|어디로 여행 가면 좋을까?
내가 어떤 색 좋아한다고 했지?|다음 주 일정 정리해 줘.|한 달에 얼마나 모아야 할까?|병원 언제 가야 하지?
집에 가는 길에 뭐 사야 했지?|운동을 새로 시작하고 싶어.|이 문장 번역해 줘.|내 직업에 맞는 책 추천해 줘.
친구 이름이 기억 안 나네.|무슨 영화 볼까?|내 차는 언제 점검받아야 해?|약 먹는 시간이 언제더라?
휴대폰 바꿔야 할까?|우리 가족 몇 명이지?|그 사람 전화번호 알아?|이걸 어떻게 설명하면 좋을까?
What should I eat tonight?|Can you polish this email for me?|What would be a good birthday present for me?
When does the meeting start?|What was I going to do this weekend?|What is the name of my child's school?
Why doesn't this code run?|Where would be nice to travel?|Which colour did I say I like?
Sort out my schedule for next week.|How much should I save each month?|When do I have to see the doctor?
What did I need to buy on the way home?|I want to take up a new sport.|Translate this sentence.
Recommend a book for someone in my job.|I can't remember my friend's name.|Which film shall we watch?
When is my car due for a check?|What time do I take my medicine?|Should I get a new phone?
How many people are in my family?|Do you have that person's number?|How should I explain this?"""

_FACTS = """나는 서울에 산다.|내 이름은 김지우야.|매일 아침 조깅을 한다.|해산물을 좋아한다.|딸은 2학년이다.
다음 달에 이사한다.|회사에서 마케팅을 담당한다.|설명은 길고 자세한 게 좋다.|강아지 이름은 초코다.
프랑스어를 배우고 있다.|무릎이 아파서 달리기를 못 한다.|목표는 책을 한 권 쓰는 것이다.
Lives in a small town near Berlin.|My name is Alex.|Goes running every morning.|Loves seafood.
Has a daughter in second grade.|Is moving house next month.|Works in marketing.
Prefers long, detailed explanations.|The dog is called Coco.|I am learning French.
Cannot run because of a bad knee.|Wants to write a book."""


def _each(block: str) -> list[str]:
    return block.replace("\n", "|").split("|")


QUESTIONS = _each(_QUESTIONS)
FACTS = _each(_FACTS)
