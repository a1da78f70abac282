"""Word lists of the names' grammar: what is no name though it looks like one, and what makes a name of a word.

General vocabulary only. Whoever adds a word should be able to say of which class it is.
"""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def either(text: str) -> str:
    """The words of a text as alternatives of a pattern."""
    return "|".join(text.split())


# --- English --------------------------------------------------------------------------------------

COMMON = _set(
    """
    a an the this that these those i you he she it we they me him her us them my your his its our their mine
    yours who whom whose what which when where why how if unless because since so although though while until
    before after and but or nor yet as at by for from in into of off on onto out over to up with without under
    about around between through during against among toward towards per via not no yes nope yeah yep ok okay oh
    ah hey hi hello thanks thank please sorry sure great good nice fine right wow cool perfect awesome lovely
    well anyway also too just only even still already again once twice maybe perhaps probably actually basically
    honestly usually often sometimes always never ever now then today tomorrow yesterday tonight later soon
    recently currently finally first second third next last another other others each every some any all both
    either neither none many much most more less few several such same own one two three four five six seven
    eight nine ten hundred thousand there here somewhere anywhere everyone everybody someone somebody nobody
    nothing something anything everything am is are was were be been being do does did done have has had having
    will would shall should can could may might must let go going get getting got make making take taking took
    give giving put keep keeping tell telling say saying said ask asking asked call calling email text write
    writing read reading send sending book booking buy buying bring find finding look looking see seeing know
    think thinking want need try trying use using start starting stop remember remind note add adding check
    checking help helping work working show consider plan planning set meet meeting aim choose pick avoid visit
    talk speak wait come coming leave leaving move moving turn run running walk listening speaking cooking
    eating sleeping driving based given depending regarding according besides instead however therefore moreover
    otherwise meanwhile overall understood noted saved happy glad bad new old big small long short best better
    true false mom mum dad mommy daddy grandma grandpa granny grandmother grandfather mother father morning
    afternoon evening night noon midnight breakfast lunch dinner rent money food home sounds looks feels seems
    hope love like congratulations congrats welcome tv pc ai pm usa ps fyi asap btw lol diy faq id pin dr mr mrs
    ms prof mostly mainly almost nearly roughly exactly definitely absolutely certainly agreed interesting
    exciting quick quickly step option part section day week month year mon tue wed thu fri sat sun ready
    summary background preferences goals discussed progress example examples tip tips pros cons important total
    legal finance marketing sales hr support management accounting people doctor nurse teacher boss
    manager coach landlord neighbour neighbor mechanic dentist lawyer
    """
)
"""Words that stand at the start of a sentence, or in capitals for emphasis, without being names."""

IN_TITLES = _set(
    """
    new old great big little good north south east west
    """
)
"""Of those the ones that begin names of several words: "New York"."""

EVERYDAY = _set(
    """
    tv pc ok okay ai pt it sns id pdf ppt cm mm km kg mg ml am pm vs app ott cctv atm faq etc hi no yes ac led
    usb x o
    """
)
"""Latin letters of everyday Korean, no names."""

# --- Korean ---------------------------------------------------------------------------------------

ROLE = either(
    """
    동생 여동생 남동생 친구 딸 아들 남편 아내 와이프 언니 오빠 누나 형 사촌 조카 고양이 강아지 반려견 동료 첫째
    둘째 셋째 넷째 막내 큰딸 작은딸 큰아들 작은아들 아기 여자친구 남자친구 룸메이트 룸메 짝꿍 후배 선배 손녀
    손자 동기 팀원 매니저 이모 고모 삼촌 제자 사수 신입 조원 후임 선임
    """
)
"""Words for kin and roles, after which a given name stands."""

TITLE = either(
    """
    대리 과장 차장 부장 팀장 사장 이사 대표 교수 선생 박사 원장 코치 감독 기사 변호사 간호사 선배 후배 실장
    본부장 사원 주임 매니저 작가 의사 소장 국장 기자 강사 조교 트레이너 셰프 쌤 씨
    """
)
"""Titles that follow a name."""

NO_PERSON = _set(
    """
    마음 우리 엄마 아빠 어머니 아버지 할머니 할아버지 시어머니 장모 부모 손 고객 회원 여러분 선생 담임 담당 팀
    아저 누구 사람 모두 다들 너 나 저 얘 걔 남편분 사모 이모 고모
    """
)
"""What a name's suffix also follows: kin and strangers."""

NAMELIKE = _set(
    """
    수준 기준 정원 수영 지원 소원 주인 주민 시민 성인 시인 지진 지연 주연 수정 예민 민원 현지 우정 지인 나라
    우주 지하 하나 현재 재미 사진 유지 도서 동호 선수 가수 교수 미용 동선 경주 영화 상태 정성 인원 동시 수석
    정지 진지 소식 예식 주식 하늘 보온 지식 지자 도자 여자 아주 미리 여름 기온 해안 지역 우선 경우 세우 기후
    오후 동안 지금 가지 아무 여러 주소 이번 수술 성별 우연 자연 유연 영수 보호 시원 하루 이유 진행 민감 정리
    정도 미인 인재 소재 동일 유일 주일 수일 세일 종일 인인 연인 소인 상인 기인 명인 병원 창원
    """
)
"""Common nouns with the syllables of a given name."""

NOT_CALLED = _set(
    """
    | 우리 엄마 아빠 어머니 아버지 할머니 할아버지 시어머니 장모 부모 손 고객 회원 여러분 선생 담임 담당 팀 아저
    누구 사람 모두 다들 너 나 저 얘 걔 남편분 사모 이모 고모
    """
)
"""What stands where a name would: "이름이 뭐야", "온다라는 말"."""

I_NOUN = _set(
    """
    어린 젊은 늙은 고양 호랑 노랑 파랑 원숭 쌍둥 달팽 지팡 떡볶 목걸 귀걸 옷걸 손잡 집들 놀 살 풀 벌 멋쟁 구멍
    궁뎅 웅덩 같 많 일일
    """
)
"""Nouns that end in 이 themselves, without it: "고양이가" is no 고양."""

PLACE_SUFFIX = either(
    """
    대학교 고등학교 중학교 초등학교 유치원 어린이집 병원 의원 한의원 치과 피부과 소아과 내과 외과 안과 약국
    조리원 요양원 카페 호텔 게스트하우스 펜션 리조트 모텔 식당 서점 문고 빵집 베이커리 공원 시장 은행 공항
    터미널 미술관 박물관 도서관 체육관 문화센터 센터 아파트 빌라 오피스텔 해수욕장 계곡 폭포 캠핑장 휴게소
    소프트 전자 건설 물산 출판사 제약 산업 식품 화재 생명 증권 엔터테인먼트 스튜디오 컴퍼니 그룹 마트 백화점
    미용실 헤어 수영장 성당 교회
    """
)
"""Last parts of the names of companies, schools, shops and sights."""

SPACED_SUFFIX = either(
    """
    해수욕장 대학교 고등학교 중학교 초등학교 병원 아파트 게스트하우스 공원 시장 미술관 박물관 호텔 카페 서점
    도서관 펜션 리조트 스튜디오
    """
)
"""Those that are also written apart: "협재 해수욕장"."""

DISTRICT_SUFFIX = either(
    """
    동 구 군 읍 산 강 섬 청 담 봉 궁 법원 구청 시청 공단 협회 재단 연구소 경찰서 대교 전망대 오름
    """
)

GENERIC = _set(
    """
    구내 동안 당시 동물 대학 종합 국제 전통 공공 시립 국립 구립 온라인 아동 노인 우리 보건 요양 한방 산부인과
    재래 수산 벼룩 중고 주식 노동 취업 고객 콜 대형 개인 동네 근처 부동산 정형 성형 신경 이비인 비뇨기 국공립
    사립 시골 회사 학교 대학생 애견 키즈 스터디 북 보드게임 만화 단골 야외 실내 무인 전문 유명 서비스 고속 버스
    시외 창고 편의 손해 문화 체험 데이터 고급 신축 저층 임대 여자 남자 지역 인근 공립 어린이 작은 프랜차이즈 그
    이 저 그런 이런 새 큰 다른 어느 무슨 가까운 지난 이번 다음 근로 운전 해외 해안 국내 주말 아침 저녁 점심 오후
    오전 매일 매주 이제 아직 예약 추천 주변 시내 바닷가 집 한국 미국 세계
    """
)
"""First parts that make no name with these: "동물병원"."""

NO_PLACE = _set(
    """
    여기 거기 저기 어디 집 우리집 학교 회사 해외 외국 국내 가족 친구 혼자 함께 같이 이번 다음 지난 시골 도시
    시내 아파트 기숙사 원룸 자취방 근처 정상 입구 출구 그곳 이곳 저곳 지금 처음 아침 오늘 내일 부모님 본가 친정
    시댁 고향 배낭 신혼 단체 수학 졸업 자유 주말 여름 겨울 봄 가을 휴가 당일 국외 지방 현지 본사 지사 새집 전세
    월세 오피스텔 앞으로 최근 효도 제일 혼자서 해외로 회사까지 숙소 공항 시작 목적
    """
)
"""Where one lives or goes to, without being named."""

NO_PLACE_END = _set(
    """
    활동 운동 행동 이동 노동 자동 공동 연동 작동 감동 변동 진동 충동 소동 친구 도구 연구 요구 야구 축구 농구
    배구 당구 탁구 가구 입구 출구 기구 식구 인구 욕구 전구 재산 생산 예산 계산 우산 출산 등산 자산 정산 유산
    확산 전산 분산 건강 수강 휴강 개강 종강 보강 특강 역시 다시 표시 혹시 잠시 즉시 무시 택시 동시 지시 도시
    응시 임시 전시 당시 접시 게시 실시 일시 필시 수시 감시 제시 중시 명시 지역 구역 통역 번역 무역 면역 영역
    권역 병역 광역 전역 현역 심사역 배역 주역 악역 대역 용역 단역 요청 신청 초청 제청 부담 상담 농담 진담 괴담
    잡담 면담 장군 공군 해군 육군
    """
)
"""Ends of common nouns that look like those of a district, a hill or a station."""

KNOWN_PLACE = either(
    """
    서울 부산 대구 인천 광주 대전 울산 세종 제주도? 경기도 강원도 충청[남북]도 전라[남북]도 경상[남북]도 수원
    성남 용인 창원 청주 전주 천안 포항 강릉 속초 여수 순천 목포 경주 춘천 원주 안양 부천 안산 평택 시흥 군포
    의왕 하남 오산 이천 김포 광명 과천 남양주 의정부 동두천 파주 포천 여주 양평 가평 삼척 태백 충주 제천 보령
    아산 서산 논산 계룡 당진 군산 익산 정읍 남원 김제 나주 광양 김천 안동 영천 문경 경산 진주 통영 김해 밀양
    거제 양산 서귀포 판교 분당 일산 해운대 강남 홍대 이태원 명동 한국 북한 미국 캐나다 멕시코 브라질 영국 프랑스
    독일 스페인 이탈리아 포르투갈 네덜란드 스위스 오스트리아 체코 폴란드 그리스 터키 튀르키예 러시아 일본 중국
    대만 홍콩 베트남 태국 필리핀 싱가포르 말레이시아 인도네시아 인도 호주 뉴질랜드 이집트 도쿄 오사카 교토
    후쿠오카 삿포로 베이징 상하이 타이베이 방콕 하노이 다낭 발리 뉴욕 보스턴 시카고 시애틀 하와이 런던 파리
    베를린 뮌헨 로마 밀라노 마드리드 바르셀로나 리스본 암스테르담 프라하 비엔나 시드니 멜버른 토론토 밴쿠버
    """
)
"""Countries and larger cities: what a reader knows for a name without any mark."""

CITY_WITH_SUFFIX = either(
    """
    공주 양주 구리 사천 고양 상주 동해 구미 영주 안성
    """
)
"""Cities whose names are common words, unless 시 follows."""

BRAND = either(
    """
    스타벅스 카카오톡? 네이버 쿠팡 유튜브 인스타그램 페이스북 구글 애플 삼성 엘지 현대 기아 넷플릭스 배달의민족
    당근마켓?
    """
)
"""Brands that are said without any mark."""
