"""The lexicon's table (see `lexicon` for its format), first half: people, animals, liking, living, health."""

TABLE = r"""
# people
person | person somebody everyone | 사람
family/person>person | family relative | ^가족 식구
parents/person>family | parent | 부모
mother/person>parents | mother mom mum mama mommy | ^어머니 ^우리어머니 친정어머니 친정엄마 ^엄마 ^어머님
   모친
father/person>parents | father dad papa daddy | ^아버지 친정아버지 ^아빠 ^아버님 부친
motherinlaw/person>family | mother-in-law mother_in_law | 시어머니 장모
fatherinlaw/person>family | father-in-law father_in_law | 시아버지 장인어른
sibling/person>family | sibling | 형제 남매 자매
youngersib/person>sibling | | ^동생
sister/person>sibling | sister | ^언니 ^누나 ^누이
brother/person>sibling | brother | ^형$ ^오빠 ^형님
youngerbro/person>brother,youngersib | little_brother younger_brother | 남동생
youngersis/person>sister,youngersib | little_sister younger_sister | 여동생
child/person>family | child kid baby toddler twin | 아이들 ^아이$ 자녀 ^애들 아기
grandchild/person>family | grandchild grandson granddaughter | 손주 손자 손녀
firstborn/person>child | eldest firstborn oldest | 첫째 큰애 큰아이 맏이
secondborn/person>child | youngest | 둘째 작은애 작은아이 막내
son/person>child | son | ^아들
daughter/person>child | daughter | ^딸$ ^딸아이
eldestson/person>son,firstborn | eldest_son oldest_son older_son | 큰아들 맏아들 첫째_아들
youngson/person>son,secondborn | younger_son youngest_son | 작은아들 막내아들 둘째_아들
eldestdaughter/person>daughter,firstborn | eldest_daughter older_daughter oldest_daughter | 큰딸 맏딸 첫째_딸
youngdaughter/person>daughter,secondborn | younger_daughter youngest_daughter | 작은딸 막내딸 둘째_딸
daughterinlaw/person>family | daughter-in-law daughter_in_law | 며느리
soninlaw/person>family | son-in-law son_in_law | 사위
spouse/person>partner,family | spouse | 배우자
wife/person>spouse | wife | ^아내 와이프 집사람
husband/person>spouse | husband | ^남편 신랑
partner/person>person | partner fiance fiancee | 애인 연인
girlfriend/person>partner | girlfriend | 여자친구 여친
boyfriend/person>partner | boyfriend | 남자친구 남친
grandparent/person>family | grandparent | 조부모
grandmother/person>grandparent | grandmother grandma granny nana | 할머니
grandfather/person>grandparent | grandfather grandpa granddad | 할아버지
uncle/person>family | uncle | 삼촌 외삼촌 이모부 고모부
aunt/person>family | aunt auntie | ^이모$ ^고모$ 숙모
cousin/person>family | cousin | 사촌
nephew/person>family | nephew | 조카
niece/person>family | niece | 조카딸 ^조카
friend/person>person | friend buddy bestie pal | 친구(?!네) 절친
boss/person>person | boss manager supervisor team_lead team_leader | 팀장 부장 상사 사장님 매니저
colleague/person>person | colleague coworker teammate co-worker workmate | 동료 팀원 사수 후배 선배
roommate/person>person | roommate flatmate housemate | 룸메이트 룸메 동거인
neighbour/person>person | neighbour neighbor | 이웃 옆집 윗집 아랫집
landlord/person>person | landlord landlady | 집주인
teacher/person>person | teacher tutor professor instructor mentor | 선생님 담임 교수님 교수$ 강사
coach/person>person | coach trainer | 코치 트레이너 감독
doctor/person>person | doctor dr dentist physician surgeon physio physiotherapist therapist vet | 의사 주치의
   원장님 수의사
customer/person>person | customer client | 고객 손님
supplier/person>person | supplier vendor | 거래처 납품
# animals
pet | pet | 반려동물 애완 키우는_동물
dog/animal>pet | dog puppy corgi poodle beagle labrador retriever terrier dachshund husky pug bulldog
   chihuahua collie spaniel schnauzer hound | 강아지 반려견 멍멍 푸들 코기 말티즈 포메 진돗개 시바견
   리트리버 (?<![가-힣\d])(?<![한두세네섯곱덟홉열몇\d]\s)개(?=[가는를랑도와의]?(?:\s|$|[.?!])) 비글
   닥스훈트
cat/animal>pet | cat kitten kitty siamese tabby persian | 고양이 반려묘 냥이 길냥이 러시안블루
rabbit/animal>pet | rabbit bunny | 토끼
hamster/animal>pet | hamster | 햄스터
guineapig/animal>pet | guinea_pig | 기니피그
bird/animal>pet | bird parrot canary budgie cockatiel | 앵무새 카나리아 잉꼬
petfish/animal>pet | goldfish betta guppy | 금붕어 열대어 구피
turtle/animal>pet | turtle tortoise | 거북이 거북
lizard/animal>pet | lizard gecko snake iguana | 도마뱀 ^뱀$ 게코
horse/animal | horse pony | 조랑말 승마
chicken/animal | hen rooster | 암탉
breed | breed | 품종 견종 묘종 무슨_종 ^종이 ^종은
purebred>breed | corgi poodle beagle labrador retriever terrier dachshund husky pug bulldog chihuahua
   collie spaniel schnauzer siamese tabby persian bengal mongrel | 푸들 코기 말티즈 포메라니안 진돗개
   시바견 리트리버 비글 닥스훈트 러시안블루 믹스견 코숏 페르시안 샴
# who and what one is
name/attr | name surname nickname called | 이름 성함 닉네임 별명 성명
age/attr | age aged year-old years_old how_old | ^나이 몇_살 \d+살 \d+세$ ^연세
   (?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무)_살
birthday/event | birthday born date_of_birth birthdate | 생일 생신 태어났 태어난
job/attr | job occupation profession living_by for_a_living line_of_work career my_role | 직업 직종 ^하는_일
   무슨_일 본업
profession>job | nurse teacher engineer developer programmer designer lawyer accountant chef cook baker
   barista waiter driver pilot electrician plumber carpenter mechanic farmer gardener writer journalist
   editor translator artist painter musician photographer architect scientist researcher analyst
   consultant salesperson cashier librarian firefighter paramedic pilot bus_driver truck_driver
   taxi_driver cellist pianist violinist guitarist drummer singer dancer actor athlete midwife pharmacist
   vet dentist surgeon physician psychologist therapist physiotherapist secretary manager clerk soldier
   student freelancer tailor hairdresser florist professor work_as i_run works_as i_drive_a_bus
   i_drive_a_taxi i_drive_a_truck i_teach i_sell i_repair i_coach | 간호사 교사 개발자 엔지니어 디자이너
   변호사 회계사 요리사 셰프 제빵사 바리스타 기사님 조종사 전기기사 ^목수 정비사 ^농부 ^작가 ^기자 편집자
   번역가 ^화가 음악가 사진작가 사진가 건축가 과학자 연구원 분석가 컨설턴트 영업사원 사서 소방관 구급대원
   약사 치과의사 공무원 경찰 군인 대학생 고등학생 중학생 학생이 프리랜서 미용사 회사원 직장인 상담사 강사
   의사 수의사 기획자 마케터 주부 은행원 승무원 물리치료사 유치원_교사 파티시에 자영업 버스를_운전
   택시를_운전 트럭을_운전 운영하 운영해 가르치고 가르쳐 팔고_있 미용실을 가게를_해 가게를_하 해군 육군
   공군 교수 영양사 디자인
workplace>work | company office firm employer workplace startup business | 회사 직장 사무실 사업 스타트업
shop/venue>workplace | shop store | 가게 매장
bakery/venue>workplace | bakery | 빵집 베이커리
hospital/venue>workplace | hospital clinic | 병원 의원
restaurant/venue>workplace | restaurant diner bistro | 식당 레스토랑 음식점
cafe/venue>workplace | cafe coffee_shop | 카페
companion | travelling_with traveling_with come_with coming_with go_with going_with with_me with_my
   with_our together | ^함께 ^같이 누구랑 ^누구하고
work | work employ shift | 일하 일해 일한 일했 근무 출근 다니 다녀 다닌 재직
address/attr | address | ^주소
phone/attr | phone_number telephone_number | 전화번호 연락처
email/attr | email e-mail email_address | 이메일 메일_주소
height/attr | height tall | ^키가 ^키는 ^키$ 신장 \dcm
weight/attr | weight weigh | 몸무게 체중 \dkg
bloodtype/attr | blood_type blood_group | 혈액형
salary/attr | salary wage income earn paycheck | 연봉 월급 급여 시급 수입
mbti/attr | mbti zodiac star_sign | 엠비티아이 별자리
nationality/attr | nationality | 국적
lastname/attr>name | last_name surname family_name | ^성이 ^성은
middlename/attr>name | middle_name | 미들네임
gender/attr | gender | 성별
password/attr | password passcode pin_code | 비밀번호 비번 암호
live | live reside relocate moved_to moved_from moved_here home_town hometown i'm_from i_am_from based_in
   share_a_flat share_a_house share_an_apartment share_a_room my_home_is my_house_is my_flat_is
   my_apartment_is | ^살고 ^살아 ^사는 ^산다 ^살았 ^살지 ^살던 ^살게 ^살죠 ^살더 ^살며 ^사세 ^사시 ^삽니다
   ^사니 ^사나 거주 이사 고향 자취 ^집은 ^집이
liveformer | grow_up grew_up | 자랐 자란
move>live | relocate moving_to moving_out move_to moved | 이사 옮겼
home | home house apartment flat studio_apartment | 우리_집 집이 집은 아파트 원룸 빌라 자취방
# liking, wanting, needing
like/polarity | like love enjoy prefer favourite favorite adore fond fan into_it keen keen_on | 좋아 선호
   즐겨 즐긴 사랑 최애 취향 ^좋은 ^좋고 ^좋다
favourite>like | favourite favorite best_loved | 제일_좋아 가장_좋아 최애
dislike/polarity | hate dislike detest loathe can't_stand cannot_stand don't_like do_not_like doesn't_like
   can't_bear not_a_fan annoy annoying not_fond | 싫어 싫다 안_좋아 질색 별로야 극혐 싫은 좋아하지_않
   안_좋아해 별로_안 짜증
fear | afraid scared fear frightened terrified phobia | 무서워 무서운 무섭 두려 공포증
want/goalness | want wish hope dream aim goal plan intend would_like i'd_like would_love i'd_love
   saving_up saving_for target ambition become | 목표 ^꿈 싶어 싶다 싶은 싶고 싶습니다 계획 되고_싶 예정
   하려고 갈_거야 할_거야 되는_거 소원 바라
important | important matter crucial priority | 중요
allergy | allergy allergic intolerant intolerance hazelnut_allergy | 알레르기 알러지
cannoteat>food | can't_eat cannot_eat never_eat don't_eat doesn't_eat avoid_eating not_eat | 못_먹 안_먹
   먹지_않 먹으면_안 피해야 가려
allergydiet>cannoteat,diet | allergic allergy intolerant vegetarian vegan | 알레르기 알러지 채식 비건
diet | diet vegetarian vegan halal kosher gluten keto | 채식 비건 식단 다이어트
hobby | hobby free_time spare_time pastime weekend unwind days_off weekends | 취미 여가 주말에 주말마다
   쉬는_날에
struggle | struggle difficult hard trouble tricky stuck weak_at challenging worst | 어려워 어렵 어려운
   힘들 힘든 막혔 막혀 못하는 약해 약한
goodat | good_at best_subject strong_at great_at talented | 잘하 잘해 자신_있 특기
# speaking style
style | explain explanation answer_style reply answers respond response tone detail detailed concise brief
   step-by-step step_by_step overview overall big_picture overall_flow bullet example examples emoji
   emojis formal informal jargon verbose summary_first short_answers long_answers plain_words format
   bullet_points paragraphs | 설명 답변 말투 자세 상세 간결 간단 짧게 짧은_답 전체_흐름 큰_그림 예시 예제
   단계별 존댓말 반말 이모지 이모티콘 쉽게 비유 요점 결론부터
avoid | avoid not_use don't_use never_use don't stay_away | 피해 쓰지_마 하지_마 쓰지_말 말아_줘 빼_줘 피하
# living
eat/ingest>food | eat | 먹어 먹는 먹고 먹었 먹지 먹을 식사
drink/ingest | drink | 마셔 마시 마신 마셨 음료
food/ingest | food dish meal snack cuisine | 음식 요리$ 메뉴 먹거리 간식 반찬
dish>food | pizza pasta sushi ramen curry burger taco sandwich salad soup noodle dumpling steak kimchi
   bibimbap tteokbokki bulgogi sardine pancake lasagna risotto paella burrito stew fried_chicken barbecue
   bbq chocolate cake ice_cream cheese mushroom cilantro coriander olive tomato onion garlic eggplant
   cucumber broccoli | 김치 찌개 비빔밥 떡볶이 불고기 라면 피자 파스타 초밥 카레 햄버거 샌드위치 샐러드
   국수 냉면 만두 삼겹살 치킨 갈비 돈가스 짜장면 짬뽕 김밥 오이 버섯 가지$ 고수 양파 당근 브로콜리 회$
   순대 국밥 케이크 빵 과자 과자 고구마 닭가슴살 새우 매운 마라탕 [가-힣]탕(?=을|이|은) [가-힣]찌개
   [가-힣]볶음 [가-힣]전골 [가-힣]구이 [가-힣]덮밥 [가-힣]볶음밥 [가-힣]칼국수 [가-힣]조림 봉골레 리소토
   스테이크 스파게티
fruit>food | fruit apple banana strawberry mango grape peach pear watermelon orange pineapple blueberry
   cherry melon kiwi | 과일 사과 바나나 딸기 망고 포도 복숭아 수박 귤 파인애플 블루베리 체리 참외 키위
vegetable>food | vegetable spinach carrot broccoli cabbage zucchini | 채소 야채 시금치 당근 오이 양파
herb>food | herb cilantro basil parsley mint thyme rosemary dill coriander | 허브 고수$ 바질 민트 로즈마리
nut>food | nut peanut almond hazelnut walnut cashew pistachio pecan | 견과 땅콩 아몬드 호두 캐슈
seafood>food | seafood shrimp prawn crab lobster oyster fish salmon tuna shellfish squid | 해산물 새우
   꽃게 대게 랍스터 생선 연어 참치 조개 오징어 갑각류
dairy>food | dairy milk cheese lactose yogurt | 유제품 우유 치즈 유당 요거트
breakfast/meal>eatmeal | breakfast | 아침밥 아침_식사 아침으로 아침은 아침에_뭐 조식
lunch/meal>eatmeal | lunch | 점심
dinner/meal>eatmeal | dinner supper | ^저녁 석식
eatmeal | | ^식사
coffee/drink>drink | coffee espresso latte americano cappuccino caffeine | 커피 아메리카노 라떼 에스프레소
   카페인
tea/drink>drink | tea matcha | 홍차 녹차 ^차를_마 보리차 말차
alcohol/drink>drink | beer wine alcohol whisky whiskey cocktail soju sake | 맥주 와인 술$ 소주 위스키
   막걸리 칵테일
water/drink>drink | water | ^물$ ^물을 ^물은
juice/drink>drink | juice soda coke lemonade | 주스 콜라 사이다 탄산
rest | day_off days_off | ^쉬는 ^쉬어 ^쉬고 ^쉰다 ^쉽니다 ^쉬지 휴무 휴일
sleep | sleep bed bedtime asleep nap | ^자$ 잔다 ^자러 잠은 잠을 ^잠$ 취침 ^자요 ^자는 ^잤 잠들
wake | wake wake_up get_up woke | 일어나 일어난 기상
# health
hurtbody | hurt pain ache sore injury injured sprain broke_my bad_back bad_knee bad_left bad_right surgery
   migraine | 아파 아프 다쳤 다친 통증 부상 수술 삐었
knee/body | knee | 무릎
back/body | my_back back_pain bad_back lower_back | 허리
shoulder/body | shoulder | 어깨
ankle/body | ankle | 발목
wrist/body | wrist | 손목
neck/body | neck | ^목이 ^목을 목디스크
head/body | headache migraine | 두통 머리가_아
tooth/body | tooth teeth braces toothache | ^이가_아 치아 충치 교정
eye/body | eye eyesight glasses | ^눈이 시력 안경
stomach/body | stomach | ^배가_아 위염 위장 속이
medicine | medicine medication pill tablet drug prescription antibiotic insulin ibuprofen inhaler
   metformin aspirin paracetamol statin antihistamine levothyroxine melatonin vitamin take_my | 혈압약
   ^약$ 약을 약이 복용 진통제 항생제 영양제 비타민 인슐린
illness | illness disease diabetes asthma hypertension blood_pressure condition health_condition sick
   migraine celiac | 당뇨 천식 고혈압 혈압 질환 ^병이 지병 편두통
left/side | left | 왼쪽 ^왼
right/side | right_knee right_shoulder right_hand right_ankle right_wrist right_eye right_arm right_leg |
   오른
exercise>hobby | exercise workout gym fitness work_out lift_weights | 운동 헬스 피트니스 근력
"""
