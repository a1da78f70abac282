"""Lists of words, nothing else: what says little, and irregular forms."""

from __future__ import annotations


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


IRREGULAR_FORMS = """
go went gone goes, buy bought, teach taught, break broke broken, leave leaves, meet met, pay paid,
spend spent, write wrote written, grow grew grown, drive drove driven, fly flew flown flies, eat ate
eaten, drink drank drunk, take took taken, get got gotten, make made, begin began begun, choose
chose chosen, lose lost, win won, run ran, sleep slept, feel felt, find found, give gave given, keep
kept, know knew known, see saw seen, sell sold, send sent, sing sang sung, sit sat, speak spoke
spoken, swim swam swum, think thought, wear wore worn, bring brought, build built, catch caught,
come came, fall fell fallen, hold held, read reads, ride rode ridden, say said, tell told, stand
stood, steal stole stolen, child children, person people, man men, woman women, wife wives, foot
feet, tooth teeth, mouse mice, have has had, be is are was were am been being, do does did done, die
dying died dies, hurt hurts, cost costs, allergy allergic allergies, fix fixes, live living lives,
cut cutting cuts, bake baking, use using used uses, bike biking, knit knitting
"""
""""base form form", between commas."""

STOP_EN = _listed(
    """
    a an the of to in on at by for with from and or but so as than then that this these those it its is
    are was were be been being am do does did done have has had having will would shall should can could
    may might must i me my mine myself we us our ours you your yours he she they him her his hers them
    their theirs what which who whom whose when where why how there here not no yes ok okay please again
    ever still just also too very really quite about into if any some all much many more most one ones
    thing things something anything someone way kind sort type tell told say said mention mentioned
    remember recall remind know knew let's let i'm i've i'd i'll it's that's what's who's where's when's
    how's don't doesn't didn't isn't aren't wasn't can't won't couldn't wouldn't you're we're they're
    he's she's name's earlier previously before actually currently now exactly supposed long often far
    old soon get got getting go going gonna make made want doing use used well lot up out off over back
    only own each every other another such both few like need there's upon because while during talked
    discussed question answer date reason today talk right ago since until hi hello hey
    """
)
"""Articles, pronouns, auxiliaries, question words, "tell", "remember"."""

STOP_KO = _listed(
    """
    나 내 내가 나는 난 날 나한테 나에게 제 제가 저 저는 전 저한테 저희 우리 너 네 네가 당신 뭐 뭘 뭐가
    뭔 무엇 무슨 어떤 어느 언제 언제쯤 어디 어딜 어딘 누구 누가 왜 얼마 얼마나 몇 어떻게 어떡해 그 이 것
    거 걸 게 건 수 때 좀 혹시 그럼 그리고 그런데 근데 다시 방금 아까 전에 이야기 얘기 말 그거 이거 저거
    했지 했더라 했어 했죠 했나 했나요 했는데 했니 한다고 하지 하나 하고 해 해요 해줘 하는 할 한 된 되는
    돼 있어 있지 있는 있다고 있고 있었지 없어 없지 기억 기억나 기억해 기억하니 기억하고 알아 알지 알려줘
    알려 말해줘 말해 말했지 말했더라 말했어 였지 였더라 이었지 였죠 뭐지 뭐야 뭐였지 뭐였더라 뭐예요
    뭐죠 뭐였죠 뭐라고 뭐더라 뭔지 언제야 언제지 언제였지 언제였죠 언제죠 언제예요 언제라고 어디야
    어디지 어디였지 어디라고 어디서 어디에 어디로 누구야 누구지 누구였지 누구랑 얼마야 얼마지 얼마라고
    얼마였지 몇이라고 정말 진짜 아주 제일 가장 매우 너무 정도 요즘 지금 현재 보통 주로 대해 대한 대해서
    관해 관련 관련해서 내용 안녕 안녕하세요 응 아 음 사실 종류 거야 거지 거예요 무엇을 무얼 어때 어떤지
    어떠 같은 같이 더 또 안 못 잘 다 이제 씨 님 방식 방법 스타일 것이 것은 것을 명 명이 명이나 개 개나
    번 마리 살 시 시에 시까지 분 잔 권 대 날짜 이유 요일 첫 간다고 갔었지 갔지 가기로 가기 갈 간 가는 가
    온다고 받는다고 쓴다고 쓰는 라고 이라고 하기로 하려고
    """
)
"""The same of Korean, in the forms in which they stand in questions."""

LIGHT_CONCEPTS: dict[float, frozenset[str]] = {
    0.1: _listed(
        """
        before_past
        """
    ),
    0.2: _listed(
        """
        person
        """
    ),
    0.3: _listed(
        """
        weekday
        """
    ),
    0.4: _listed(
        """
        start city
        """
    ),
    0.5: _listed(
        """
        eat build money buy drive
        """
    ),
    0.6: _listed(
        """
        like want drink work end home favourite avoid project name age country reserve subject
        """
    ),
    0.7: _listed(
        """
        study food save school open close language_any color repair commute code game companion
        """
    ),
    0.8: _listed(
        """
        live important sleep workplace trip style hobby
        """
    ),
}
"""Concepts that say little by themselves, or that many statements share, by their weight (others: 1)."""

OPTIONAL_CONCEPTS = _listed(
    """
    like want eat drink build start important person food money buy save weekday home favourite
    before_past avoid name age color city country drive subject reserve code style end work commute game
    study trip companion
    """
)
"""Concepts whose absence lowers a score but does not forbid an answer."""

LIGHT_WORDS = _listed(
    """
    take come stay write time play give call pay put turn try happen keep receive travel visit teach
    show let look begin hold move run set seem spend wear choose position plan good bad big small new
    usually main care wrong health task format thing able 인기 있 받 가 오 쓰 하 연주하 쓸 키우 다니
    """
)
"""Words that carry little of the topic: they help a match and never forbid one."""
