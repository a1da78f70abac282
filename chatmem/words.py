"""Texts for the person that both the screen and the terminal use, and the way to say one.

Errors carry their own sentences (`errors`); what only the screen shows stands in `pages.parts.i18n`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from chatmem.domain import Language

Texts: TypeAlias = Mapping[str, Mapping[Language, str]]

SHARED: Texts = {
    "command.history": {"en": "what the model has now, then all messages", "ko": "지금 모델이 가진 것, 이어서 모든 메시지"},
    "command.summary": {"en": "the summary in force, what it covers, its pins", "ko": "현재 요약과 그 범위, 핀"},
    "command.reset": {"en": "empty this chat's memory (undo until you send)", "ko": "이 대화의 기억 비우기 (다음 전송 전까지 되돌리기)"},
    "command.retry": {"en": "answer the last question again", "ko": "마지막 질문에 다시 답하기"},
    "command.memory": {"en": "what is known about you, from all your chats", "ko": "모든 대화에서 나에 대해 알고 있는 것"},
    "command.forget": {"en": "forget your last message for good, with all that was made of it", "ko": "마지막 메시지와 거기서 나온 모든 것을 완전히 잊기"},
    "command.export": {"en": "this chat as Markdown", "ko": "이 대화를 Markdown으로"},
    "command.temp": {"en": "a temporary chat: nothing is kept", "ko": "임시 대화: 아무것도 남기지 않음"},
    "command.help": {"en": "this list", "ko": "이 목록"},
    "command.quit": {"en": "leave", "ko": "끝내기"},
    "history.total": {"en": "The model has {window} messages in its window{summary}; {total} in this chat.", "ko": "모델의 창에 메시지 {window}개{summary}, 이 대화에는 모두 {total}개가 있습니다."},
    "history.with_summary": {"en": " and summary v{version} of messages {first}–{last}", "ko": "와 메시지 {first}–{last}의 요약 v{version}"},
    "history.all": {"en": "All messages", "ko": "모든 메시지"},
    "history.now": {"en": "What the model has now", "ko": "지금 모델이 가진 것"},
    "history.empty": {"en": "This chat has no messages yet.", "ko": "아직 메시지가 없습니다."},
    "summary.none": {"en": "There is no summary yet. One is made when the window holds more than {limit} messages.", "ko": "아직 요약이 없습니다. 창의 메시지가 {limit}개를 넘으면 만들어집니다."},
    "summary.never": {"en": "There is no summary: this chat's memory setting makes none.", "ko": "요약이 없습니다. 이 대화의 기억 설정은 요약을 만들지 않습니다."},
    "summary.head": {"en": "Summary v{version}: messages {first}–{last}, {tokens} tokens", "ko": "요약 v{version}: 메시지 {first}–{last}, {tokens}토큰"},
    "summary.extractive": {"en": "put together from the messages' own words, because the model's summaries were not usable", "ko": "모델의 요약을 쓸 수 없어 메시지의 문장을 그대로 모았습니다"},
    "summary.pins": {"en": "Pins (word for word)", "ko": "핀 (원문 그대로)"},
    "fold.made": {"en": "Messages {first}–{last} → summary v{version} ({counted} → summary + {kept})", "ko": "메시지 {first}–{last} → 요약 v{version} ({counted}개 → 요약 + {kept}개)"},
    "reset.done": {"en": "Memory emptied: {count} messages retired. They stay in History.", "ko": "기억을 비웠습니다. 메시지 {count}개를 물렸고, 기록에는 남아 있습니다."},
    "reset.undone": {"en": "The memory is back.", "ko": "기억을 되돌렸습니다."},
    "forget.summaries": {"en": "Summaries whose text goes, and that are made anew: {versions}", "ko": "글이 지워지고 다시 만들어질 요약: {versions}"},
    "forget.done": {"en": "Forgotten. Looked for it everywhere: nothing found.", "ko": "잊었습니다. 모든 곳을 찾아보았고, 아무것도 없습니다."},
    "forget.pending": {"en": "The database's log could not be emptied yet, since somebody is reading; it is tried again by itself.", "ko": "누군가 읽고 있어 데이터베이스 기록을 아직 비우지 못했습니다. 저절로 다시 시도합니다."},
    "forget.again": {"en": "What is marked goes for good. /forget once more does it; anything else leaves all as it is.", "ko": "표시한 것이 완전히 지워집니다. /forget을 한 번 더 입력하면 잊고, 다른 것을 입력하면 그대로 둡니다."},
    "forget.left_count": {"en": "Forgotten. The words still stand in {count} other places.", "ko": "잊었습니다. 같은 말이 다른 {count}곳에 남아 있습니다."},
    "status.forgotten": {"en": "forgotten", "ko": "잊음"},
    "kind.profile": {"en": "About you", "ko": "나에 대해"},
    "kind.preference": {"en": "Preferences", "ko": "선호"},
    "kind.goal": {"en": "Goals", "ko": "목표"},
    "kind.fact": {"en": "Facts", "ko": "사실"},
    "facts.none": {"en": "Nothing is remembered about you yet.", "ko": "아직 나에 대해 기억하는 것이 없습니다."},
    "facts.pending": {"en": "Waiting for your yes: {count}", "ko": "확인을 기다리는 것: {count}개"},
    "facts.quarantined": {"en": "Never sent, because they read like instructions: {count}", "ko": "지시문처럼 보여 보내지 않는 것: {count}개"},
    "facts.conflicts": {"en": "Pairs that may contradict each other: {count}", "ko": "서로 어긋나 보이는 쌍: {count}개"},
    "role.user": {"en": "You", "ko": "나"},
    "role.assistant": {"en": "Chat", "ko": "챗"},
    "status.stopped": {"en": "stopped", "ko": "멈춤"},
    "status.interrupted": {"en": "interrupted", "ko": "중단됨"},
    "status.failed": {"en": "failed", "ko": "실패"},
    "status.streaming": {"en": "being written", "ko": "쓰는 중"},
    "status.retired": {"en": "retired", "ko": "물러남"},
    "terminal.welcome": {"en": "chatmem: {model}. /help lists the commands.", "ko": "chatmem: {model}. /help 를 입력하면 명령을 볼 수 있습니다."},
    "terminal.prompt": {"en": "You: ", "ko": "나: "},
    "terminal.go_on": {"en": "Go on with this chat: --chat {id}", "ko": "이 대화 이어 가기: --chat {id}"},
    "terminal.which_owner": {"en": "This database has several owners. Choose one with --owner ID:", "ko": "이 데이터베이스에는 주인이 여럿입니다. --owner ID 로 고르세요:"},
    "terminal.no_owner": {"en": "There is no owner {owner} in this database.", "ko": "이 데이터베이스에 {owner} 번 주인은 없습니다."},
    "terminal.interrupted": {"en": "(stopped)", "ko": "(멈춤)"},
}  # fmt: skip


def say(texts: Texts, key: str, language: Language, **values: object) -> str:
    """The text `key`, its placeholders filled."""
    return texts[key][language].format(**values)
