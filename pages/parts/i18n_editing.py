"""Texts of editing, branches, versions, the loss meter, forgetting and the History page's search."""

from __future__ import annotations

from chatmem.words import Texts

EDITING: Texts = {
    # the menu of a message
    "message.menu": {"en": "Message {number}: more", "ko": "메시지 {number}: 더 보기"},
    "message.edit": {"en": "Edit", "ko": "고쳐서 다시 보내기"},
    "message.delete": {"en": "Delete from here", "ko": "여기부터 지우기"},
    "message.where": {"en": "Where this went", "ko": "이 메시지가 간 곳"},
    "message.forget": {"en": "Forget for good…", "ko": "완전히 잊기…"},
    "where.title": {"en": "Where message {number} went", "ko": "메시지 {number}번이 간 곳"},
    # editing
    "edit.text": {"en": "Your message", "ko": "내 메시지"},
    "edit.send": {"en": "Send", "ko": "보내기"},
    "edit.about": {
        "en": "This message and the {count} after it are set aside, and can be brought back.",
        "ko": "이 메시지와 뒤의 {count}개를 따로 치워 둡니다. 언제든 되돌릴 수 있습니다.",
    },
    "edit.about_all": {
        "en": "This message and all that follow are set aside, and can be brought back.",
        "ko": "이 메시지와 뒤의 모든 메시지를 따로 치워 둡니다. 언제든 되돌릴 수 있습니다.",
    },
    "edit.about_last": {
        "en": "The old wording is set aside, and can be brought back.",
        "ko": "예전 글은 따로 치워 둡니다. 언제든 되돌릴 수 있습니다.",
    },
    "edit.kept": {
        "en": "What you wrote is in the message field below.",
        "ko": "쓰신 글은 아래 입력란에 옮겨 두었습니다.",
    },
    # branches
    "branch.place": {"en": "{at} of {count}", "ko": "{count}개 중 {at}"},
    "branch.before": {"en": "Show the version before", "ko": "이전 것 보기"},
    "branch.after": {"en": "Show the version after", "ko": "다음 것 보기"},
    "branch.aside": {"en": "Set aside here: {count} messages", "ko": "여기서 치워 둔 메시지 {count}개"},
    "branch.aside_one": {"en": "Set aside here: 1 message", "ko": "여기서 치워 둔 메시지 1개"},
    "branch.back": {"en": "Bring back", "ko": "되돌리기"},
    "branch.look": {"en": "Look", "ko": "보기"},
    "branch.title": {"en": "Set aside", "ko": "치워 둔 메시지"},
    "branch.about": {
        "en": "These messages are kept, but nothing of them is sent. Bringing them back sets aside what stands in their place now.",
        "ko": "이 메시지들은 남아 있지만 모델에게 보내지 않습니다. 되돌리면 지금 그 자리에 있는 것을 대신 치워 둡니다.",
    },
    # the divider and the loss meter
    "loss.label": {"en": "{count} details lost", "ko": "사라진 세부 내용 {count}개"},
    "loss.label_one": {"en": "1 detail lost", "ko": "사라진 세부 내용 1개"},
    "loss.title": {"en": "Lost in this fold", "ko": "이 요약에서 사라진 것"},
    "loss.about": {
        "en": "Said in the folded messages, but neither in the summary, nor in its pins, nor among your facts. The messages themselves stay in History.",
        "ko": "요약한 메시지에 있었지만 요약에도, 핀에도, 나에 대한 기억에도 없는 것들입니다. 메시지 자체는 기록에 남아 있습니다.",
    },
    "loss.none": {
        "en": "No name, number, date or quotation was lost here.",
        "ko": "여기서 사라진 이름, 숫자, 날짜, 인용은 없습니다.",
    },
    "loss.put_back": {"en": "Put back", "ko": "되살리기"},
    "loss.put_back_all": {"en": "Put all back", "ko": "모두 되살리기"},
    "loss.done": {
        "en": "Pinned: it is sent with the summary from now on.",
        "ko": "핀으로 두었습니다. 이제 요약과 함께 보냅니다.",
    },
    "detail.name": {"en": "name", "ko": "이름"},
    "detail.number": {"en": "number", "ko": "숫자"},
    "detail.date": {"en": "date", "ko": "날짜"},
    "detail.quote": {"en": "quotation", "ko": "인용"},
    # the forecast
    "forecast.next": {
        "en": "The next message folds {first}–{last}",
        "ko": "다음 메시지에서 {first}–{last}번을 요약합니다",
    },
    "forecast.held": {
        "en": "Folding is on hold: {first}–{last} stay as they are",
        "ko": "요약을 미뤄 둠: {first}–{last}번은 그대로 둡니다",
    },
    "forecast.hold": {"en": "Hold", "ko": "미루기"},
    "forecast.hold_help": {
        "en": "Keep all messages word for word until you let go, or until they grow too long to send.",
        "ko": "풀 때까지, 또는 너무 길어져 보낼 수 없을 때까지 모든 메시지를 그대로 둡니다.",
    },
    "forecast.let_go": {"en": "Let go", "ko": "풀기"},
    "forecast.pin": {"en": "Pin…", "ko": "핀 꽂기…"},
    "pins.title": {"en": "Pin before the fold", "ko": "요약 전에 핀 꽂기"},
    "pins.about": {
        "en": "What you tick is carried along word for word, whatever the summary says.",
        "ko": "고른 것은 요약이 어떻게 되든 말한 그대로 따라갑니다.",
    },
    "pins.none": {
        "en": "There is no name, number, date or quotation in messages {first}–{last}.",
        "ko": "메시지 {first}–{last}에는 이름, 숫자, 날짜, 인용이 없습니다.",
    },
    "pins.too_late": {
        "en": "These messages have been folded meanwhile.",
        "ko": "그사이에 이 메시지들이 요약되었습니다.",
    },
    "pins.save": {"en": "Save", "ko": "저장"},
    "pins.saved": {"en": "Pinned: {count}", "ko": "핀 {count}개를 두었습니다"},
    # versions
    "versions.choose": {"en": "Version", "ko": "버전"},
    "versions.in_force": {"en": "in force", "ko": "사용 중"},
    "versions.suspended_about": {
        "en": "This version covered something that was forgotten. Its text is gone.",
        "ko": "잊은 것을 담고 있던 버전입니다. 글은 지워졌습니다.",
    },
    "versions.how.fold": {"en": "folded messages {runs}", "ko": "메시지 {runs}번을 요약함"},
    "versions.how.edit": {"en": "edited by you", "ko": "직접 고침"},
    "versions.how.pin": {"en": "pins put back by you", "ko": "직접 되살린 핀"},
    "versions.how.rebuild": {"en": "rebuilt from messages {runs}", "ko": "메시지 {runs}에서 다시 만듦"},
    "versions.base": {"en": "Open v{version}, whose place it took", "ko": "대신한 v{version} 열기"},
    "versions.parent": {"en": "Open v{version}, which it carries on", "ko": "이어받은 v{version} 열기"},
    "versions.messages": {"en": "Open its messages", "ko": "요약한 메시지 열기"},
    "versions.compare": {"en": "Compare with v{version}", "ko": "v{version} 버전과 비교"},
    "versions.same": {"en": "The text is the same.", "ko": "글이 같습니다."},
    "versions.use": {"en": "Use this version", "ko": "이 버전 쓰기"},
    "versions.none": {"en": "Use no summary", "ko": "요약 없이 쓰기"},
    "versions.edit": {"en": "Edit", "ko": "고치기"},
    "versions.rebuild": {"en": "Rebuild", "ko": "다시 만들기"},
    "versions.rebuild_help": {
        "en": "Make the summary anew from the original messages it covers.",
        "ko": "요약한 원래 메시지들로 요약을 처음부터 다시 만듭니다.",
    },
    "versions.rebuilding": {
        "en": "Being rebuilt from the original messages…",
        "ko": "원래 메시지로 다시 만드는 중…",
    },
    "versions.rebuild_failed": {
        "en": "The last rebuild came to nothing. {reason} The summary is as it was.",
        "ko": "지난번 다시 만들기는 되지 않았습니다. {reason} 요약은 그대로입니다.",
    },
    "refused.empty": {"en": "The model wrote nothing.", "ko": "모델이 아무것도 쓰지 않았습니다."},
    "refused.cut_off": {"en": "It broke off before its end.", "ko": "끝까지 쓰지 못하고 끊겼습니다."},
    "refused.reasoning": {
        "en": "The model's thoughts were mixed into it.",
        "ko": "모델이 생각한 내용이 섞여 있었습니다.",
    },
    "refused.not_a_summary": {
        "en": "What the model wrote was no summary.",
        "ko": "모델이 쓴 것이 요약이 아니었습니다.",
    },
    "refused.parroting": {
        "en": "It repeated lines, or its own instructions.",
        "ko": "같은 줄이나 지시문을 되풀이했습니다.",
    },
    "refused.too_long": {"en": "It was too long.", "ko": "너무 길었습니다."},
    "refused.wrong_language": {
        "en": "It was in another language than the chat.",
        "ko": "대화와 다른 언어로 쓰였습니다.",
    },
    "refused.not_shorter": {
        "en": "It was no shorter than the messages.",
        "ko": "메시지보다 짧지 않았습니다.",
    },
    "versions.save": {"en": "Save as a new version", "ko": "새 버전으로 저장"},
    "versions.text": {"en": "Summary", "ko": "요약"},
    "versions.keep_pins": {"en": "Pins to keep", "ko": "남길 핀"},
    "versions.used": {"en": "Summary v{version} is in force now.", "ko": "이제 요약 v{version} 버전을 씁니다."},
    "versions.used_none": {
        "en": "No summary is in force now; the window holds all messages.",
        "ko": "이제 요약을 쓰지 않습니다. 모든 메시지가 창에 있습니다.",
    },
    "versions.does_not_fit": {
        "en": "It covers messages that are set aside: bring those back to use it.",
        "ko": "치워 둔 메시지를 담고 있습니다. 쓰려면 그 메시지를 되돌려야 합니다.",
    },
    "versions.source.model": {"en": "written by {model}", "ko": "{model} 모델이 씀"},
    "versions.source.person": {"en": "written by you", "ko": "직접 씀"},
    "versions.source.extractive": {"en": "the messages' own words", "ko": "메시지 문장 그대로"},
    # forgetting
    "forget.message": {"en": "Forget message {number}?", "ko": "메시지 {number}번을 잊을까요?"},
    "forget.fact": {"en": "Forget this for good?", "ko": "이것을 완전히 잊을까요?"},
    "forget.about": {
        "en": "Everything below goes for good, from the database too. This cannot be undone.",
        "ko": "아래의 모든 것이 데이터베이스에서까지 완전히 지워집니다. 되돌릴 수 없습니다.",
    },
    "forget.messages": {"en": "Messages", "ko": "메시지"},
    "forget.why.source": {"en": "what is to be forgotten", "ko": "잊을 것"},
    "forget.why.answer": {"en": "the answer, which repeats it", "ko": "그것을 되풀이한 답"},
    "forget.why.repeats": {"en": "repeats it", "ko": "되풀이함"},
    "forget.why.mentions": {"en": "you mention it here too", "ko": "여기서도 말함"},
    "forget.also_answer": {
        "en": "also mentions it; tick it to forget it too",
        "ko": "같은 말이 있음. 함께 잊으려면 고르세요",
    },
    "forget.facts": {"en": "Facts", "ko": "기억"},
    "forget.fact_mentions": {"en": "holds the same words", "ko": "같은 말이 있음"},
    "forget.receipts": {
        "en": "Receipts that will say “forgotten” in its place: {count}",
        "ko": "그 자리에 ‘잊음’이라고 남을 영수증: {count}개",
    },
    "forget.also": {
        "en": "Also: search entries, vectors, and the chat's title if it holds the words.",
        "ko": "그 밖에: 검색 항목, 벡터, 그 말이 들어 있는 대화 제목.",
    },
    "forget.provider": {
        "en": "What was sent to a model's provider before is with them; we ask them not to store it.",
        "ko": "이미 모델 회사에 보낸 것은 그쪽에 있습니다. 저장하지 말라고 요청하며 보냅니다.",
    },
    "forget.only_fact": {"en": "Only the fact; the messages stay", "ko": "기억만 지우기 (메시지는 남김)"},
    "forget.confirm": {"en": "Forget", "ko": "잊기"},
    "forget.gone": {"en": "This is gone already.", "ko": "이미 없습니다."},
    "forget.left": {
        "en": "Forgotten. These words still stand in: {places}.",
        "ko": "잊었습니다. 이 말이 아직 남아 있는 곳: {places}.",
    },
    "forget.left_messages": {"en": "messages ({count})", "ko": "메시지 {count}개"},
    "forget.left_facts": {"en": "facts ({count})", "ko": "기억 {count}개"},
    "forget.left_summaries": {"en": "summaries ({count})", "ko": "요약 {count}개"},
    "forget.everything": {"en": "Forget everything", "ko": "모두 잊기"},
    "forget.everything_about": {
        "en": "All chats ({chats}), all facts ({facts}), every summary and receipt, and your settings. This cannot be undone.",
        "ko": "대화 {chats}개와 기억 {facts}개, 모든 요약과 영수증, 설정까지 지웁니다. 되돌릴 수 없습니다.",
    },
    "forget.everything_type": {"en": "Type “{word}” to confirm", "ko": "확인하려면 ‘{word}’라고 입력하세요"},
    "forget.everything_word": {"en": "forget", "ko": "잊기"},
    "forget.everything_done": {"en": "Everything is forgotten.", "ko": "모두 잊었습니다."},
    "forget.chat_title": {"en": "Delete “{title}”?", "ko": "“{title}” 대화를 지울까요?"},
    "forget.chat_about": {
        "en": "The chat goes for good in ten seconds; until then it can be brought back.",
        "ko": "대화는 10초 뒤 완전히 지워집니다. 그 전에는 되돌릴 수 있습니다.",
    },
    "forget.chat_facts": {
        "en": "Also forget the {count} facts learned only in it",
        "ko": "이 대화에서만 알게 된 기억 {count}개도 잊기",
    },
    "forget.chat_fact": {
        "en": "Also forget the one fact learned only in it",
        "ko": "이 대화에서만 알게 된 기억 1개도 잊기",
    },
    # history
    "history.search": {"en": "Search all messages", "ko": "모든 메시지에서 찾기"},
    "history.found": {"en": "Messages found: {count}", "ko": "메시지 {count}개 찾음"},
    "history.found_more": {
        "en": "More than {count} messages found; the newest are shown",
        "ko": "{count}개 넘게 찾음. 최근 것만 보입니다",
    },
    "history.none_found": {
        "en": "No message holds all of these words.",
        "ko": "이 말이 모두 들어 있는 메시지가 없습니다.",
    },
    "history.open_chat": {"en": "Open in its chat", "ko": "대화에서 열기"},
    "history.open_here": {"en": "Show here", "ko": "여기서 보기"},
    "export.title": {"en": "Export this chat", "ko": "이 대화 내보내기"},
    "history.export": {"en": "Export this chat", "ko": "이 대화 내보내기"},
    "history.export_markdown": {"en": "Markdown, to read", "ko": "Markdown (읽기용)"},
    "history.export_json": {"en": "JSON, to take along", "ko": "JSON (옮기기용)"},
    "history.forgotten_text": {"en": "This message was forgotten on {day}.", "ko": "{day}에 잊은 메시지입니다."},
    "history.aside": {"en": "set aside", "ko": "치워 둠"},
    # looking at an older place of a chat
    "chat.looking": {"en": "Messages {first}–{last} of {total}", "ko": "전체 {total}개 중 메시지 {first}–{last}"},
    "chat.to_newest": {"en": "To the newest", "ko": "최근으로"},
    # import
    "data.about_foreign": {
        "en": "Files of chatmem, and the exports of ChatGPT and Claude (conversations.json, or the ZIP it comes in).",
        "ko": "chatmem 파일과, ChatGPT·Claude에서 내보낸 파일(conversations.json 또는 그 ZIP)을 읽습니다.",
    },
    "data.learn": {"en": "Learn facts from the new chats ({count})", "ko": "새 대화 {count}개에서 기억 만들기"},
    "data.learn_about": {
        "en": "Nothing is learned from them unless you ask. It may take a while, and calls the helper model for each part.",
        "ko": "원하실 때만 배웁니다. 시간이 걸릴 수 있고, 부분마다 보조 모델을 부릅니다.",
    },
    "data.learning": {
        "en": "Learning in the background. New facts appear on the Memory page.",
        "ko": "뒤에서 배우는 중입니다. 새 기억은 기억 페이지에 나타납니다.",
    },
    "data.export_markdown": {"en": "Everything as Markdown", "ko": "모두 Markdown으로"},
    "data.branches_left": {
        "en": "Messages of other branches in the file, left out: {count}.",
        "ko": "파일의 다른 갈래 메시지 {count}개는 빼고 가져왔습니다.",
    },
}
