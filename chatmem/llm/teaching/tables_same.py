"""Words that mean the same in a fact, in English and Korean; one row each, its first word stands for all.

Narrower than the lexicon, whose concepts gather kinds ("corgi" under dog): two facts are one only when
their words could be exchanged. Korean of two syllables and more match as the beginning of a word.
"""

SYNONYMS = """
like love enjoy adore fond 좋아 사랑해 사랑한 즐겨 즐긴
dislike hate detest loathe 싫어 싫다 싫은 질색
favourite favorite 최애
prefer preference 선호
want wish hope 싶어 싶다 싶음 원해 원한다 바란다
plan intend 계획 예정
goal aim target 목표
live lives reside resides residing resident home based 살 살아 살고 산다 살아요 사는 삽니다 거주
job work works working worked occupation profession employed 직업 일 일해 일한 일하 직장
work_at 다닌 다녀 다니 재직
name names named called nickname 이름 성함
have own owns owning keep keeps 가지고 키우 키워 키운 길러 기르 기른
birthday born birthdate 생일 생신
age aged old 나이 연세
mother mom mum mother's 어머니 엄마 어머님 우리엄마
father dad 아버지 아빠 아버님
sister sisters
brother brothers
youngersister 여동생
youngerbrother 남동생
oldersister 누나 언니
olderbrother 형 오빠
wife 아내 와이프 집사람
husband 남편 신랑
daughter 딸
son 아들
girlfriend 여자친구 여친
boyfriend 남자친구 남친
friend buddy 친구
boss manager 상사
team 팀
dog puppy doggy 강아지 반려견 개
cat kitty 고양이 반려묘 냥이
rabbit bunny 토끼
allergy allergic 알레르기 알러지
peanut peanuts 땅콩
shrimp 새우
nut nuts 견과류
milk 우유
egg 계란 달걀
coffee 커피
greentea 녹차
beer 맥주
wine 와인
alcohol 술
meat 고기
fish 생선
apple 사과
cilantro coriander 고수
cucumber 오이
vegetarian 채식주의자 채식
vegan 비건
smoke smokes smoking smoker cigarette cigarettes 담배 흡연 피우 피워 피운
spicy 매운 매운음식
food 음식
eat eats eating 먹어 먹는 먹는다 먹습 먹고 먹음 먹지
drink drinks drinking 마셔 마신 마시 마십 마심
nurse nursing 간호사
teacher 교사 선생님
developer programmer 개발자
doctor 의사
lawyer 변호사
student 학생
engineer 엔지니어
designer 디자이너
cook chef 요리사 셰프
office workplace
company firm employer 회사
hospital 병원
school 학교
university college 대학교 대학
car 자동차 차 승용차
bike bicycle 자전거
laptop notebook 노트북
phone smartphone 핸드폰 휴대폰 스마트폰
guitar 기타
piano 피아노
violin 바이올린
drums 드럼
swim swims swimming 수영
run runs running jogging 달리기 러닝 조깅
hike hikes hiking 등산
marathon 마라톤
yoga 요가
python 파이썬
java 자바
javascript 자바스크립트
rust 러스트
english 영어
korean 한국어
japanese 일본어
seoul 서울
busan 부산
london 런던
paris 파리
berlin 베를린
tokyo 도쿄
newyork 뉴욕
korea 한국
japan 일본
meeting 회의 미팅
deadline due 마감 마감일 기한
exam 시험
interview 면접
appointment 예약
wedding 결혼식
married 결혼했 기혼
trip travel travelling traveling vacation 여행
budget 예산
rent 월세
salary wage 연봉 월급
height tall 키 신장
weight weigh weighs 몸무게 체중
bloodtype 혈액형
address 주소
email e-mail 이메일
number 번호
floor 층
deploy deployment release 배포
project 프로젝트
breakfast 아침밥
lunch 점심
dinner supper 저녁밥
study studies studying learn learns learning 공부 배우 배워 배운
afraid scared fear fears 무서워 무섭
answer answers reply replies response responses 답변 대답
short brief concise briefly 짧게 간결 간단히 짧은
detailed detail details 자세 상세
explain explanation explanations 설명
hobby 취미
color colour 색 색깔
blue 파란색 파랑 파란
red 빨간색 빨강 빨간
green 초록색 초록
black 검은색 검정
white 흰색 하얀색 하양
left 왼쪽
right 오른쪽
knee 무릎
back 허리
private personal 개인
diabetes 당뇨
play plays playing 연주 치고 친다 쳐 칩니다
move moves moved moving relocated relocate 이사
"""

SILENT_EN = """
a an the of to in on at by for with from and or but so as than then that this these those it its is
are was were be been being am i me my mine myself we us our you your he she they him her his hers
them their s will would can could just really actually too currently still about into there who
which called named very much quite some any own own's both do does did doing done has have had
having i'm i've i'd it's he's she's we're they're every each kind sort bit lot lots always usually
mostly not no never don't doesn't didn't isn't aren't wasn't can't cannot won't couldn't longer
anymore quit stopped stop
"""

SILENT_KO = """
아주 정말 진짜 매우 너무 요즘 지금 현재 이제 이젠 주로 보통 좀 그리고 또 더 이상 더이상 있다 있어
있음 있고 있습니다 있어요 있는 것 거 걸 게 수 때 정도 약 안 못 않는다 않아 않습니다 않아요 않음 않고
없다 없어 없음 없습니다 없어요 아니다 아니야 한다 해 합니다 해요 했다 했어 함 하고 하는 된다 돼 됨
한 제일 가장 한테 에게 사실 다 잘 참 꼭 되게 완전 많이 무척 줘 주세요 줘요 주라 달라 두고 둔다
편이다 편이야
"""

RETRACTING = """
forget scratch scrap delete erase remove nevermind mind disregard ignore take back please fact plan
everything 취소 잊어 잊어줘 지워 지워줘 없던 무시해 얘기 이야기 말 내용 계획 일로 걸로 취소야
취소할게 잊어버려 잊어주세요 했던 한 그 아까 건 거 못 들은 기억에서 취소해줘 취소해
"""
"""Words of "forget what I said" that name nothing themselves."""
