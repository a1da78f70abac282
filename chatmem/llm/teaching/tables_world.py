"""The lexicon's table, second half: play, school, events, things, code, time, places."""

TABLE = r"""
# sports and play
sport>hobby | sport | 스포츠 ^운동
soccer/sport>sport | soccer football | 축구
basketball/sport>sport | basketball | 농구
baseball/sport>sport | baseball pitcher | 야구
tennis/sport>sport | tennis | 테니스
badminton/sport>sport | badminton | 배드민턴
volleyball/sport>sport | volleyball | 배구
swimming/sport>sport,exercise | swim swimming | 수영
running/sport>sport,exercise | run running jog marathon jogging half-marathon | 달리기 러닝 조깅 마라톤 뛰어
cycling/sport>sport,exercise | cycle cycling biking | 자전거_타 사이클 라이딩
climbing/sport>sport,exercise | climb climbing bouldering | 클라이밍 암벽
hiking/sport>sport,exercise | hike hiking trek | 등산 하이킹 트레킹
yoga/sport>sport,exercise | yoga pilates | 요가 필라테스
golf/sport>sport | golf | 골프
ski/sport>sport | ski snowboard skiing | 스키 스노보드
surf/sport>sport | surf surfing | 서핑
judo/sport>sport | judo karate taekwondo boxing | 유도 태권도 복싱 검도 주짓수
dance/sport>hobby | dance ballet salsa | 춤 발레 댄스
camping/pastime>hobby | camp camping | 캠핑
fishing/pastime>hobby | fishing | 낚시
gardening/pastime>hobby | garden gardening | 텃밭 원예 정원
knitting/pastime>hobby | knit knitting crochet sew sewing | 뜨개 바느질
pottery/pastime>hobby | pottery ceramics | 도자기 도예 공방
painting/pastime>hobby | paint painting draw drawing watercolor sketch | 그림 수채화 드로잉
photography/pastime>hobby | photography | 사진_찍 사진을 촬영
reading/pastime>hobby | read reading novel | 독서 책_읽 책을_읽 소설
baking/pastime>hobby | bake baking | 베이킹 ^빵_굽
cooking/pastime>hobby | cook cooking | 요리하 요리를
gaming/pastime>hobby | gaming video_game | 게임
chess/pastime>hobby | chess | 체스 바둑 장기를
game | game videogame | 게임
playposition | position | 포지션
goalkeeper/position>playposition | goalkeeper goalie | 골키퍼
striker/position>playposition | striker forward | 공격수
defender/position>playposition | defender midfielder | 수비수 미드필더
captain/position | captain | 주장이 주장은 주장$
team | team squad | 팀(?!장|원)
# music, films, books
music | music song singer band jazz classical hip-hop k-pop pop_music rock_music | 음악 노래 가수 밴드
   재즈 클래식 힙합 케이팝 트로트
instrument>hobby | instrument | 악기
guitar/instrument>instrument | guitar ukulele | 기타를 기타_ ^기타$ 우쿨렐레
piano/instrument>instrument | piano keyboard_instrument | 피아노
violin/instrument>instrument | violin viola | 바이올린
drums/instrument>instrument | drum drums | 드럼
bass/instrument>instrument | bass bass_guitar | 베이스
folk/instrument>instrument | harp banjo bagpipe accordion harmonica mandolin ocarina | 하프 아코디언
   하모니카 가야금 해금 오카리나 장구
cello/instrument>instrument | cello double_bass | 첼로
flute/instrument>instrument | flute clarinet saxophone trumpet trombone | 플루트 클라리넷 색소폰 트럼펫
movie/art | movie film cinema director | 영화
series/art | tv_show sitcom drama_series netflix | 드라마 예능 시리즈
book/art | book novel author | ^책$ 책은 책을 소설 저자
color | color colour | 색깔 ^색$ 색상 색이 무슨_색
red/color>color | red crimson | 빨간 빨강 붉은
blue/color>color | blue navy turquoise | 파란 파랑 남색 하늘색
green/color>color | green olive_green | 초록 녹색
yellow/color>color | yellow | 노란 노랑
black/color>color | black | 검은 검정 까만
white/color>color | white | 하얀 흰색 하양 흰
orangecolor/color>color | orange_colored | 주황
purple/color>color | purple violet | 보라
pink/color>color | pink | 분홍 핑크
brown/color>color | brown beige | 갈색 베이지
grey/color>color | grey gray silver | 회색 은색
season | season | 계절
spring/season>season | springtime | ^봄
summer/season>season | summer | 여름
autumn/season>season | autumn | 가을
winter/season>season | winter | 겨울
flower | flower rose tulip dahlia orchid sunflower daisy peony hydrangea lavender | ^꽃 장미 튤립 수국
   해바라기 국화 난초 라벤더
plant | plant vegetable tree succulent houseplant flower | 식물 화분 다육이
# school
subject | subject | 과목
math/subject>subject | math maths mathematics algebra calculus | 수학 미적분
physics/subject>subject | physics | 물리(?!치료)
chemistry/subject>subject | chemistry | 화학
biology/subject>subject | biology | 생물
history/subject>subject | history_class history_exam | 국사 한국사 세계사
english/language>subject,humanlang | english | 영어
french/language>subject,humanlang | french | 프랑스어 불어
spanish/language>humanlang | spanish | 스페인어
german/language>humanlang | german | 독일어
japanese/language>humanlang | japanese | 일본어
chinese/language>humanlang | chinese mandarin | 중국어
korean/language>subject,humanlang | korean | 한국어 ^국어
italian/language>humanlang | italian portuguese | 이탈리아어 포르투갈어
humanlang | language foreign_language | 언어 외국어
study | study learn course class lesson training practise practice | 공부 배우 배워 배운 수강 학습 강의
   수업 연습
university/school>school | university college | 대학 대학교
highschool/school>school | high_school | 고등학교 고등학생
middleschool/school>school | middle_school | 중학교
elementary/school>school | primary_school elementary_school kindergarten | 초등학교 유치원
school | school | 학교
academy | cram_school | 학원
major/attr | major majoring degree | 전공 학과
grade/attr | grade year_student | 학년
exam/event | exam test midterm finals quiz certification | 시험 중간고사 기말고사 자격증
midterm/examkind>exam | midterm midterms | 중간고사
finalexam/examkind>exam | final_exam finals | 기말고사
# events
wedding/event | wedding marry married | 결혼식 결혼
anniversary/event | anniversary | 기념일
interview/event | interview | 면접 인터뷰
meeting/event | meeting standup stand-up call_with | 회의 미팅
appointment/event | appointment check-up checkup | 예약 진료 검진
deadline/event | deadline due due_date submit | 마감 기한 제출
deploy/event | deploy release launch ship deployment | 배포 릴리스 출시
concert/event | concert gig recital performance | 콘서트 공연 연주회
match/event | match game_on tournament competition race | 경기 시합 대회
exhibition/event | exhibition | 전시
party/event | party | 파티
flight/event | flight flights | 비행기 항공편
returnflight/flightkind>flight | return_flight flight_back flight_home | 귀국 돌아오는_비행기
trip/event | trip travel vacation holiday journey visit going_to | 여행 휴가 출장 놀러 가기로 떠나 다녀오
   다녀왔 갔다가
reserve | book_a booked reserve reservation booking | 예약 예매
lodging/booking | hotel guesthouse hostel airbnb accommodation stay_at | 숙소 호텔 게스트하우스 펜션 민박
rentalcar/booking | rental_car rent_a_car | 렌터카 렌트카
# money and things
budget | budget | 예산
money | money cost price pay spend expensive charge euros dollars pounds | ^돈 비용 가격 금액 만_원 만원
rent/moneykind>money | rent | 월세 전세
fee/moneykind>money | fee tuition subscription | 수강료 학비 회비 요금 등록금
allowance/moneykind>money | allowance pocket_money | 용돈
loan/moneykind>money | loan mortgage debt owe | 대출 빚
deposit/moneykind>money | deposit | 보증금
savingsplan/moneykind>money | savings_plan | 적금 저축액
save | save saving savings | 저축 모으 모아 저금
buy/trade | buy purchase order | ^샀 구매 구입
sell/trade | sell | ^팔았 ^팔려 판매 ^파는 ^팔고 ^팔아 ^판다 ^팝니다 팔리
car/vehicle | car sedan suv van | 자동차 ^차는 ^차가 ^차를 ^차$ ^내_차 승용차 자가용
bike/vehicle | bicycle bike | 자전거
motorbike/vehicle | motorcycle motorbike scooter | 오토바이 스쿠터
bus/vehicle | bus | 버스
subwaytrain/vehicle | subway train metro tram | 지하철 기차 전철 ktx
boat/vehicle | boat ferry ship | ^배를_타 여객선 보트
commute | commute get_to_work to_work to_school cycle_to drive_to walk_to | 통근 통학 출퇴근 출근은
drive | drive | 운전 몰고 몰아
phone_dev/device | phone smartphone iphone | 핸드폰 휴대폰 스마트폰 아이폰
laptop/device | laptop macbook notebook | 노트북 맥북
tablet/device | tablet ipad | 태블릿 아이패드
camera/device | camera | 카메라
watch/device | smartwatch wristwatch | 손목시계 스마트워치
keyboard/device | keyboard | 키보드
oven/device | oven | 오븐
mixer/device | mixer blender | 믹서
fridge/device | fridge refrigerator | 냉장고
tent/device | tent | 텐트
repair | repair fix broke broken | 수리 고장 고치 고쳤
# code
code | code coding program programming software script source_code | 코드 코딩 프로그래밍 개발
proglang>language_any | programming_language language | 언어 프로그래밍_언어
python/code>proglang,code | python django | 파이썬
rust/code>proglang,code | rust | 러스트
java/code>proglang,code | java kotlin | 자바$ 코틀린
javascript/code>proglang,code | javascript typescript | 자바스크립트 타입스크립트
golang/code>proglang,code | golang | 고랭
cpp/code>proglang,code | c++ c# | 씨플플
ruby/code>proglang,code | ruby swift php haskell scala elixir | 루비 스위프트
language_any | language | 언어
database/infra | database postgres postgresql mysql sqlite mongodb redis | 데이터베이스 디비 포스트그레
editor/infra | editor ide neovim vim emacs vscode vs_code pycharm | 에디터 편집기
os/infra | operating_system os linux windows macos ubuntu | 운영체제 리눅스 윈도우 맥os
server/infra | server | 서버
staging/env | staging | 스테이징
production/env | production prod | 운영_서버 프로덕션 상용
framework/infra | framework library react fastapi streamlit | 프레임워크 라이브러리 리액트
agent | agent agents | 에이전트
project | project | 프로젝트
build | build make create develop write built | 만들 만드 개발 구현 제작
# times
monday/weekday>weekday | monday | 월요일
tuesday/weekday>weekday | tuesday | 화요일
wednesday/weekday>weekday | wednesday | 수요일
thursday/weekday>weekday | thursday | 목요일
friday/weekday>weekday | friday | 금요일
saturday/weekday>weekday | saturday | 토요일
sunday/weekday>weekday | sunday | 일요일
weekday | weekday | 요일
open/openclose | open opening | 열어 연다 오픈 개장
close/openclose | close closing | 닫아 닫는 폐점 마감해
start/startend | start begin since started | 시작 부터
end/startend | end finish expire quit stop stopped ends | 끝나 끝내 종료 만료 그만 끊었 끊고
before_past | used_to before previously formerly originally | 예전 이전 원래 전에는
country | country countries | 나라 ^국가
countryname>country | france germany spain italy iceland morocco japan china korea portugal canada brazil
   mexico india vietnam thailand australia england scotland ireland norway sweden finland denmark greece
   turkey egypt peru usa america | 프랑스 독일 스페인 이탈리아 아이슬란드 모로코 일본$ 중국$ 미국 캐나다
   브라질 멕시코 인도$ 베트남 태국 호주 영국 노르웨이 스웨덴 핀란드 덴마크 그리스 튀르키예 터키 이집트
   포르투갈 대만
city | city town neighbourhood neighborhood district area | 도시 동네 지역
cityname>city | seoul busan daegu incheon daejeon lisbon porto london paris berlin munich madrid rome
   toronto boston chicago tokyo osaka kyoto amsterdam dublin manchester sydney vienna prague | 서울 부산
   대구 인천 대전 광주 울산 수원 판교 성남 제주 강릉 전주 춘천 세종 포항 여수 도쿄 오사카 런던 파리 뉴욕
   베를린
"""
