"""Everything that can go wrong, as one tree.

    ChatmemError
    ├── BadInput              the person can mend it: the draft is kept
    │   ├── EmptyMessage, MessageTooLong, UnknownCommand
    │   ├── ReplyInProgress, NothingToRetry, NothingToUndo, NothingToForget
    │   ├── ChatChanged, SummaryEmpty, SummaryTooLong, NotInMessage
    │   ├── FactEmpty, FactTooLong, FactKnown
    │   ├── ArchiveNotJson, ArchiveForeign, ArchiveTooNew, ArchiveDamaged, ArchiveTooLarge
    │   └── BadSetting, KeyNeeded, ModelNotChosen, ServerNotAllowed, DailyLimitReached
    ├── NotFound              no such thing, or not yours: the two look the same
    ├── StorageError          the database cannot do it: nothing was half-written
    │   ├── StorageLocked, StorageFull, StorageReadOnly, StorageDamaged, StorageForeign, StorageTooNew
    │   └── StorageUnreachable, StorageRefused, StorageMissing   of a database on a server
    ├── ModelError            a model's server; translated from the SDK once, in `llm`
    │   └── ModelUnreachable, ModelTimeout, KeyRefused, ModelForbidden, ModelUnknown, ContextTooLong,
    │       RateLimited, QuotaExhausted, ContentFiltered, ModelRefused, ReplyCutOff, ReplyEmpty, ReplyMalformed,
    │       ModelOverloaded, RequestRejected
    └── SummaryRefused, ExtractionRefused   the gate's answer, with its reason; no person sees it as an error

Each class has one sentence for the person in every language; `retryable` says whether trying again
may help, `mended_in_settings` where to go otherwise. The cause is kept by `raise … from`. A failed reply stores `code` and `details`, so that
its sentence can be shown later in another language.
"""

from __future__ import annotations

from typing import ClassVar

from chatmem.domain import Failure, Language


class ChatmemError(Exception):
    """The root. Keyword arguments fill the placeholders of the sentence."""

    sentence: ClassVar[dict[Language, str]] = {
        "en": "Something went wrong.",
        "ko": "문제가 생겼습니다.",
    }
    retryable: ClassVar[bool] = False
    mended_in_settings: ClassVar[bool] = False

    def __init__(self, **details: object) -> None:
        self.details = {name: str(value) for name, value in details.items()}
        super().__init__(self.say("en"))

    def say(self, language: Language) -> str:
        """The sentence for the person. A placeholder nobody filled is left out, never an error."""
        return self.sentence[language].format_map(_Blank(self.details))

    @property
    def code(self) -> str:
        return type(self).__name__

    @property
    def failure(self) -> Failure:
        """What a failed reply keeps of this error."""
        return Failure(self.code, self.details)


class _Blank(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


def from_failure(failure: Failure) -> ChatmemError:
    """The error a stored failure came from; an unknown code becomes the root."""
    return _by_code().get(failure.code, ChatmemError)(**failure.details)


def _by_code() -> dict[str, type[ChatmemError]]:
    found: dict[str, type[ChatmemError]] = {}
    waiting = [ChatmemError]
    while waiting:
        kind = waiting.pop()
        found[kind.__name__] = kind
        waiting.extend(kind.__subclasses__())
    return found


# --- what the person can mend -------------------------------------------------------------------


class BadInput(ChatmemError):
    sentence = {"en": "That cannot be used.", "ko": "사용할 수 없는 입력입니다."}


class EmptyMessage(BadInput):
    sentence = {
        "en": "There is nothing to send yet: write a message first.",
        "ko": "보낼 내용이 없습니다. 먼저 메시지를 써 주세요.",
    }


class MessageTooLong(BadInput):
    sentence = {
        "en": "This message has {tokens} tokens; at most {limit} fit. Shorten it or send it in parts. Your draft is kept.",
        "ko": "이 메시지는 {tokens}토큰입니다. 최대 {limit}토큰까지 보낼 수 있어요. 줄이거나 나누어 보내 주세요. 쓰던 글은 그대로 있습니다.",
    }


class UnknownCommand(BadInput):
    sentence = {
        "en": "There is no command {name}. /help lists them all.",
        "ko": "{name} 명령은 없습니다. /help 를 입력하면 모든 명령을 볼 수 있어요.",
    }


class ReplyInProgress(BadInput):
    sentence = {
        "en": "A reply is still being written in this chat. Wait for it or stop it; your draft is kept.",
        "ko": "이 대화에서 아직 답변을 쓰고 있습니다. 기다리거나 멈춘 뒤 보내 주세요. 쓰던 글은 그대로 있습니다.",
    }


class NothingToRetry(BadInput):
    sentence = {
        "en": "There is no reply here that could be tried again.",
        "ko": "다시 시도할 답변이 없습니다.",
    }


class NothingToUndo(BadInput):
    sentence = {"en": "There is nothing to undo any more.", "ko": "더는 되돌릴 것이 없습니다."}


class NothingToForget(BadInput):
    sentence = {
        "en": "There is no message here that could be forgotten.",
        "ko": "여기에는 잊을 메시지가 없습니다.",
    }


class ChatChanged(BadInput):
    """Somebody else, in another tab or process, was faster."""

    sentence = {
        "en": "This chat has changed meanwhile, perhaps in another tab. Nothing was done: look at it as it is now, and try again.",
        "ko": "그사이에 이 대화가 바뀌었습니다. 다른 탭에서 바꿨을 수 있습니다. 아무것도 하지 않았으니, 지금 모습을 보고 다시 해 보세요.",
    }


class SummaryEmpty(BadInput):
    sentence = {"en": "A summary needs some text.", "ko": "요약에는 글이 있어야 합니다."}


class SummaryTooLong(BadInput):
    sentence = {
        "en": "The summary is too long: {tokens} tokens, the limit is {limit}.",
        "ko": "요약이 너무 깁니다: {tokens}토큰, 한도는 {limit}토큰입니다.",
    }


class NotInMessage(BadInput):
    """A pin is a quote."""

    sentence = {
        "en": "That does not stand in message {number}, or is too long: only what was said word for word can be pinned, up to {limit} characters.",
        "ko": "메시지 {number}에 없거나 너무 긴 말입니다. 말한 그대로만, {limit}자까지 핀으로 둘 수 있습니다.",
    }


class FactEmpty(BadInput):
    sentence = {
        "en": "A fact needs some words.",
        "ko": "기억할 내용을 적어 주세요.",
    }


class FactTooLong(BadInput):
    sentence = {
        "en": "A fact has at most {limit} characters; this one has {characters}. Split it into several. Nothing was changed.",
        "ko": "한 가지 기억은 최대 {limit}자입니다. 지금은 {characters}자예요. 여러 개로 나누어 주세요. 바뀐 것은 없습니다.",
    }


class FactKnown(BadInput):
    sentence = {
        "en": "This is remembered already.",
        "ko": "이미 기억하고 있어요.",
    }


class ArchiveNotJson(BadInput):
    sentence = {
        "en": "This file is neither JSON nor a ZIP, or a part of it is missing. Choose a file that chatmem exported, or the one you got from ChatGPT or Claude. Nothing was imported.",
        "ko": "JSON이나 ZIP 파일이 아니거나 일부가 빠져 있습니다. chatmem에서 내보낸 파일이나 ChatGPT, Claude에서 받은 파일을 골라 주세요. 가져온 것은 없습니다.",
    }


class ArchiveForeign(BadInput):
    sentence = {
        "en": "There are no chats in this file that can be read here. Choose a file that chatmem exported, or conversations.json from ChatGPT or Claude, or the ZIP it came in. Nothing was imported.",
        "ko": "여기서 읽을 수 있는 대화가 없는 파일입니다. chatmem에서 내보낸 파일이나 ChatGPT, Claude의 conversations.json 또는 그것이 든 ZIP을 골라 주세요. 가져온 것은 없습니다.",
    }


class ArchiveTooNew(BadInput):
    sentence = {
        "en": "This file was exported by a newer chatmem (format {version}; this one reads {known}). Update chatmem. Nothing was imported.",
        "ko": "더 새로운 chatmem에서 내보낸 파일입니다(형식 {version}, 여기서는 {known}까지 읽습니다). chatmem을 업데이트해 주세요. 가져온 것은 없습니다.",
    }


class ArchiveDamaged(BadInput):
    """`where` is a path in the file, `why` a stable word: see `reasons`."""

    sentence = {
        "en": "This file is damaged at {where}: {reason}. Nothing was imported.",
        "ko": "파일이 손상되었습니다({where}): {reason}. 가져온 것은 없습니다.",
    }
    reasons: ClassVar[dict[Language, dict[str, str]]] = {
        "en": {
            "missing": "something is missing",
            "name": "there is a name that cannot be one",
            "kind": "the value is of the wrong kind",
            "range": "the value is too long, too small or too large",
            "reference": "it refers to something that is not there",
            "order": "it is out of order",
            "twice": "the same stands there twice",
            "circle": "it refers to itself in a circle",
        },
        "ko": {
            "missing": "빠진 것이 있습니다",
            "name": "이름으로 쓸 수 없는 것이 있습니다",
            "kind": "값의 종류가 다릅니다",
            "range": "값이 너무 길거나 작거나 큽니다",
            "reference": "없는 것을 가리킵니다",
            "order": "순서가 맞지 않습니다",
            "twice": "같은 것이 두 번 있습니다",
            "circle": "돌고 돌아 자신을 가리킵니다",
        },
    }

    def say(self, language: Language) -> str:
        reason = self.reasons[language].get(self.details.get("why", ""), "")
        return self.sentence[language].format_map(_Blank({**self.details, "reason": reason}))


class ArchiveTooLarge(BadInput):
    sentence = {
        "en": "This file is too large: at most {limit} MB and {values} million values can be imported. Nothing was imported.",
        "ko": "파일이 너무 큽니다. 최대 {limit}MB, 값 {values}백만 개까지 가져올 수 있습니다. 가져온 것은 없습니다.",
    }


class BadSetting(BadInput):
    sentence = {
        "en": "{name} is set to “{value}”, which does not work: {expected}",
        "ko": "{name} 값 “{value}”은(는) 쓸 수 없습니다: {expected}",
    }


class KeyNeeded(BadInput):
    sentence = {
        "en": "{provider} needs a key. Enter yours in Settings, or choose the teaching model. Your message is kept.",
        "ko": "{provider}에는 키가 필요합니다. 설정에서 키를 입력하거나 연습 모델을 고르세요. 메시지는 그대로 있습니다.",
    }
    mended_in_settings = True


class ModelNotChosen(BadInput):
    sentence = {
        "en": "Choose a model for {provider} in Settings. Your message is kept.",
        "ko": "설정에서 {provider}의 모델을 골라 주세요. 메시지는 그대로 있습니다.",
    }
    mended_in_settings = True


class ServerNotAllowed(BadInput):
    sentence = {
        "en": "This app does not connect to servers of a visitor's choice.",
        "ko": "이 앱에서는 방문자가 고른 서버에 연결할 수 없습니다.",
    }
    mended_in_settings = True


class DailyLimitReached(BadInput):
    sentence = {
        "en": "Today's share of the shared key is used up ({limit} tokens). Use your own key in Settings, choose the teaching model, or come back tomorrow.",
        "ko": "오늘 함께 쓰는 키로 쓸 수 있는 양({limit}토큰)을 모두 썼습니다. 설정에서 자신의 키를 쓰거나, 연습 모델을 고르거나, 내일 다시 와 주세요.",
    }
    mended_in_settings = True


class NotFound(ChatmemError):
    sentence = {"en": "This chat was not found.", "ko": "대화를 찾을 수 없습니다."}


# --- storage ------------------------------------------------------------------------------------


class StorageError(ChatmemError):
    sentence = {
        "en": "The database could not do this; nothing was changed. ({reason})",
        "ko": "데이터베이스가 이 작업을 하지 못했습니다. 바뀐 것은 없습니다. ({reason})",
    }
    retryable = True


class StorageLocked(StorageError):
    sentence = {
        "en": "Another program is holding the database. Nothing was changed; try again in a moment.",
        "ko": "다른 프로그램이 데이터베이스를 쓰고 있습니다. 바뀐 것은 없으니 잠시 뒤 다시 해 주세요.",
    }


class StorageFull(StorageError):
    sentence = {
        "en": "The disk is full. Nothing was changed; make room and try again.",
        "ko": "디스크가 가득 찼습니다. 바뀐 것은 없습니다. 공간을 마련한 뒤 다시 해 주세요.",
    }


class StorageReadOnly(StorageError):
    sentence = {
        "en": "The database cannot be written to: {reason}",
        "ko": "데이터베이스에 쓸 수 없습니다: {reason}",
    }
    retryable = False


class StorageDamaged(StorageError):
    sentence = {
        "en": "The database file is damaged or is not a database: {reason}",
        "ko": "데이터베이스 파일이 손상되었거나 데이터베이스가 아닙니다: {reason}",
    }
    retryable = False


class StorageForeign(StorageDamaged):
    sentence = {
        "en": "This database holds the tables of another program. Give chatmem one of its own, or correct DATABASE_URL. Nothing was changed.",
        "ko": "다른 프로그램의 표가 들어 있는 데이터베이스입니다. chatmem만의 데이터베이스를 쓰거나 DATABASE_URL을 고쳐 주세요. 바뀐 것은 없습니다.",
    }


class StorageUnreachable(StorageError):
    """No connection, or one that was lost: what was under way may or may not have been written."""

    sentence = {
        "en": "The database's server ({server}) cannot be reached just now. Try again in a moment. ({reason})",
        "ko": "지금 데이터베이스 서버({server})에 연결할 수 없습니다. 잠시 뒤 다시 해 주세요. ({reason})",
    }


class StorageRefused(StorageError):
    sentence = {
        "en": "The database's server ({server}) refused the user name or the password. Check DATABASE_URL.",
        "ko": "데이터베이스 서버({server})가 사용자 이름이나 비밀번호를 거절했습니다. DATABASE_URL을 확인해 주세요.",
    }
    retryable = False


class StorageMissing(StorageError):
    sentence = {
        "en": "There is no database “{database}” on the server ({server}). Create it, or correct DATABASE_URL.",
        "ko": "서버({server})에 “{database}” 데이터베이스가 없습니다. 만들거나 DATABASE_URL을 고쳐 주세요.",
    }
    retryable = False


class StorageTooNew(StorageError):
    sentence = {
        "en": "This database was made by a newer chatmem ({found}). Update chatmem, or point DATABASE_URL elsewhere. Nothing was changed.",
        "ko": "이 데이터베이스는 더 새로운 chatmem({found})이 만들었습니다. chatmem을 업데이트하거나 DATABASE_URL을 바꿔 주세요. 바뀐 것은 없습니다.",
    }
    retryable = False


# --- the model's server -------------------------------------------------------------------------


class ModelError(ChatmemError):
    sentence = {
        "en": "The model's server answered with an error: {reason}",
        "ko": "모델 서버가 오류로 답했습니다: {reason}",
    }
    retryable = True


class ModelUnreachable(ModelError):
    sentence = {
        "en": "The model's server cannot be reached ({server}). Check the address and your connection.",
        "ko": "모델 서버에 연결할 수 없습니다({server}). 주소와 인터넷 연결을 확인해 주세요.",
    }
    mended_in_settings = True


class ModelTimeout(ModelError):
    sentence = {
        "en": "The model's server took too long to answer.",
        "ko": "모델 서버의 응답이 너무 오래 걸렸습니다.",
    }


class KeyRefused(ModelError):
    sentence = {
        "en": "The model's server refused the key. Check it in Settings.",
        "ko": "모델 서버가 키를 거절했습니다. 설정에서 키를 확인해 주세요.",
    }
    mended_in_settings = True
    retryable = False


class ModelForbidden(ModelError):
    sentence = {
        "en": "This key may not use {model}.",
        "ko": "이 키로는 {model} 모델을 쓸 수 없습니다.",
    }
    mended_in_settings = True
    retryable = False


class ModelUnknown(ModelError):
    sentence = {
        "en": "The server knows no model called {model}. Check its name in Settings.",
        "ko": "서버에 {model}이라는 모델이 없습니다. 설정에서 이름을 확인해 주세요.",
    }
    mended_in_settings = True
    retryable = False


class ContextTooLong(ModelError):
    sentence = {
        "en": "The conversation does not fit this model. Choose a smaller window in Settings or a model with more room.",
        "ko": "대화가 이 모델에 들어가지 않습니다. 설정에서 더 작은 창을 고르거나 더 큰 모델을 써 주세요.",
    }
    mended_in_settings = True
    retryable = False


class RateLimited(ModelError):
    sentence = {
        "en": "The model's server is limiting requests. Try again {wait}.",
        "ko": "모델 서버가 요청을 제한하고 있습니다. {wait} 다시 해 주세요.",
    }

    def say(self, language: Language) -> str:
        seconds = self.details.get("seconds", "")
        soon = {"en": "in a moment", "ko": "잠시 뒤"}
        after = {"en": f"in {seconds} seconds", "ko": f"{seconds}초 뒤"}
        wait = (after if seconds else soon)[language]
        return self.sentence[language].format_map(_Blank({**self.details, "wait": wait}))


class QuotaExhausted(ModelError):
    sentence = {
        "en": "The account behind this key has no credit left.",
        "ko": "이 키의 계정에 남은 한도가 없습니다.",
    }
    retryable = False


class ContentFiltered(ModelError):
    sentence = {
        "en": "The provider's filter stopped this reply. Later messages are not affected.",
        "ko": "제공자의 필터가 이 답변을 막았습니다. 다음 메시지에는 영향이 없습니다.",
    }
    retryable = False


class ModelRefused(ModelError):
    sentence = {
        "en": "The model declined to answer this.",
        "ko": "모델이 이 질문에 답하지 않기로 했습니다.",
    }


class ReplyCutOff(ModelError):
    sentence = {
        "en": "The reply was cut off before its end.",
        "ko": "답변이 끝나기 전에 끊겼습니다.",
    }


class ReplyEmpty(ModelError):
    sentence = {
        "en": "The model sent an empty reply.",
        "ko": "모델이 빈 답변을 보냈습니다.",
    }


class ReplyMalformed(ModelError):
    sentence = {
        "en": "The model's server sent something that could not be read.",
        "ko": "모델 서버가 읽을 수 없는 응답을 보냈습니다.",
    }


class ModelOverloaded(ModelError):
    sentence = {
        "en": "The model's server is overloaded or failing just now. Try again in a moment.",
        "ko": "모델 서버가 지금 바쁘거나 오류를 내고 있습니다. 잠시 뒤 다시 해 주세요.",
    }


class RequestRejected(ModelError):
    sentence = {
        "en": "The model's server did not accept the request: {reason}",
        "ko": "모델 서버가 요청을 받지 않았습니다: {reason}",
    }
    retryable = False


class ExtractionRefused(ChatmemError):
    """What a helper wrote about new facts cannot be used. `reason` is a stable word: malformed, too_many, …"""

    sentence = {
        "en": "What there was to remember could not be read ({reason}).",
        "ko": "기억할 것을 읽을 수 없었습니다({reason}).",
    }
    retryable = True


class SummaryRefused(ChatmemError):
    """A new summary did not pass the gate. `reason` is a stable word: empty, cut_off, reasoning, …"""

    sentence = {
        "en": "The new summary was not accepted ({reason}).",
        "ko": "새 요약을 받아들이지 않았습니다({reason}).",
    }
    retryable = True
