"""Other people's text on screen: shown, never obeyed.

A person's words are drawn verbatim. A model's words are Markdown, but `st.markdown` does more with Markdown
than a reply may ask for: it fetches images, and the pictures of Mermaid diagrams, by itself (so an injected
instruction could send a chat's content away without a click), rewrites `:smile:`, `:red[..]`, `->` and
`10:30[x]`, and takes `US$3 … US$4` for a formula. `safe_markdown` disarms these for display; what is stored
never changes.

How it stays safe without parsing Markdown: code must be left alone (`vec![1]` is no image), so everything
depends on this scanner and the browser's parser agreeing on where code is. Hence three rules.

1. Whatever could make them disagree (HTML, footnotes, directives, stray dollars, backticks inside URLs or
   without a partner on their line) is written as a character reference, which is inert in every reading.
2. A fence is kept only where it is certain to be one, and is rewritten with a closing line of its own and the
   same containers before every line. Anything else that looks like a fence falls under rule 1.
3. A formula is kept only if its text would also be harmless when read as prose.
"""

import re
import textwrap
from dataclasses import dataclass
from typing import Any

import streamlit as st

PLAIN_CHARS = 8_000
PLAIN_LINES = 150
"""Above either, a person's text gets a scrolling block: one paste must not push the chat off the page."""
BLOCK_HEIGHT = 400
"""Pixels."""
BLOCK_CHARS = 50_000
"""What a block shows of a longer text; how much is left out stands below it. Measured in Chromium: 50,000
characters in one line take about a second, 200,000 ten, and 1,000,000 hang the page for minutes."""
MARKDOWN_CHARS = 30_000
"""Above it a model's text is drawn plain: Markdown of this length takes about two seconds to draw."""
FORMULA_CHARS = 4_000

_SPLIT = ":small[]"
"""An empty Streamlit directive: draws nothing, but parts a text in two, so that `-` and `>` are never seen as
`->`. Unlike a zero-width character, it is not in what a person copies."""


def draw_user_text(text: str, target: Any = st) -> None:
    """Draw a person's words verbatim: nothing in them is Markdown.

    Text above `PLAIN_CHARS` or `PLAIN_LINES` goes into a scrolling block; text whose indentation `st.text`
    would take away, into a block of its own height.
    """
    if len(text) > PLAIN_CHARS or text.count("\n") >= PLAIN_LINES:
        _draw_block(text, target)
    elif _loses_indentation(text):
        target.code(text, language=None, wrap_lines=True)
    else:
        target.text(text)


def draw_model_text(text: str, target: Any = st) -> None:
    """Draw a model's words, also while they arrive, as Markdown that can neither load nor run anything."""
    if len(text) > MARKDOWN_CHARS:
        _draw_block(text, target)
    else:
        target.markdown(safe_markdown(text))


def _draw_block(text: str, target: Any) -> None:
    left_out = len(text) - BLOCK_CHARS
    shown = text if left_out <= 0 else f"{text[:BLOCK_CHARS]}\n… +{left_out:,}"
    target.code(shown, language=None, wrap_lines=True, height=BLOCK_HEIGHT)


def safe_markdown(text: str) -> str:
    """`text` with everything disarmed that Streamlit's Markdown would load, run or rewrite.

    Takes time linear in its length. Meant for the whole text so far at each redraw: every prefix is as safe
    as the end. Not meant for its own output.
    """
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    return _Page(textwrap.dedent(text).strip()).rewritten()


def _loses_indentation(text: str) -> bool:
    body = text.strip("\n")
    return "\n" in body and (body[0] in " \t" or textwrap.dedent(body) != body)


# --- lines and blocks ---------------------------------------------------------------------------------------

_LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*")
_QUOTE = re.compile(r" *(?:> ?)+")
_MARKER = re.compile(r"( *)([-*+]|[0-9]{1,9}[.)])( +)(?=\S)")
_CONTAINER = re.compile(r"[ \t]*(?:>|(?:[-*+]|[0-9]{1,9}[.)])(?:\s|$))")
_BREAK = re.compile(r" *([-*_])(?: *\1){2,} *$")
_HEADING = re.compile(r"#{1,6}(?:\s|$)")
_FENCE = re.compile(r"( *)(`{3,}(?=[^`]*$)|~{3,})(.*)")
_CLOSE = re.compile(r"( *)(`{3,}|~{3,})[ \t]*$")
_LANGUAGE = re.compile(r"\s*([A-Za-z0-9_+#.-]{1,40})(?=\s|$)")
_DRAWN_LANGUAGES = {"mermaid": "text", "math": "latex"}
"""Languages that Streamlit draws rather than shows; a Mermaid diagram may load pictures from anywhere."""
_ROW = re.compile(r"[ |:=-]+$")
_DELIMITER_ROW = re.compile(r"(?=.*-)(?=.*[|:])[ \t>|:\-*+.)0-9]+$")
_DEFINITION = re.compile(r" {0,3}\[([\w .,-]{1,60})\]: +<?((?:https?://|mailto:)[^\s<>`]+)>?(?: +[\"'(].*)?$")


@dataclass(frozen=True)
class _Item:
    """A list item known to be open: the column where its content begins, the last character of its marker."""

    content: int
    kind: str


class _Page:
    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.tabular = _tabular(self.lines)
        self.out: list[str] = []
        self.items: list[_Item] = []
        self.after_break = True
        """No paragraph is open, nor code by indentation, which in the browser's parser outlives blank lines."""
        self.maybe_indented_code = False
        self.no_container_yet = True
        self.last_line_with: dict[str, int] = {}

    def rewritten(self) -> str:
        at = 0
        while at < len(self.lines):
            at = self._block(at)
        return "\n".join(self.out)

    def _block(self, at: int) -> int:
        """Rewrite the block or line at `at`; return the number of the next one."""
        line = self.lines[at]
        if not line.strip(" \t"):
            self.out.append("")
            self.after_break = not self.maybe_indented_code
            return at + 1
        lead = _LEAD.match(line)
        if lead and "\t" in lead[0]:
            line = lead[0].expandtabs(4) + line[lead.end() :]
        indent = len(line) - len(line.lstrip(" "))
        if indent >= 4 and self.after_break and self.no_container_yet:
            return self._indented_code(at)
        self.no_container_yet = self.no_container_yet and not _CONTAINER.match(line)
        closed = None
        while self.items and self.items[-1].content > indent:
            closed = self.items.pop()
        base = self.items[-1].content if self.items else 0
        first, rest, quotes, certain = " " * indent, line[indent:], 0, indent - base <= 3
        if certain and (quote := _QUOTE.match(line)):
            first, rest, quotes = quote[0].removesuffix(" ") + " ", line[quote.end() :], quote[0].count(">")
        elif (
            certain and (marker := _MARKER.match(line)) and not _BREAK.match(line) and self._opens(marker, closed)
        ):
            width = marker.end() if len(marker[3]) <= 4 else marker.end(2) + 1
            self.items.append(_Item(width, marker[2][-1]))
            first, rest = line[:width], line[width:]
        self.after_break = False
        self.maybe_indented_code = not certain or rest.startswith("    ")
        if certain and (fence := _FENCE.match(rest)) and len(fence[1]) <= 3:
            return self._fence(at, first + fence[1], quotes, fence[2], fence[3])
        if certain and rest.startswith(("$$", "\\[")) and (after := self._formula(at, first, quotes, rest)):
            return after
        self.after_break = certain and bool(_HEADING.match(rest))
        self.out.append(self._text(at, first, rest))
        return at + 1

    def _opens(self, marker: re.Match[str], sibling: _Item | None) -> bool:
        """Whether a marker is certain to open a list item: a number above 1 may not interrupt a paragraph,
        unless its own list goes on."""
        if self.after_break or marker[2] in "-*+" or marker[2][:-1] == "1":
            return True
        return sibling is not None and sibling.kind == marker[2][-1]

    def _text(self, at: int, first: str, rest: str) -> str:
        if not first.strip(" ") and (definition := _DEFINITION.match(first + rest)):
            return f"[{definition[1]}]: <{_inert_url(definition[2])}>"
        if _ROW.match(rest) and "-" in rest:
            return first + rest
        if not self.tabular[at]:
            return first + _inline(rest)
        return first + "|".join(_inline(cell) for cell in _cells(rest))

    def _fence(self, at: int, first: str, quotes: int, mark: str, info: str) -> int:
        """Rewrite the fenced block that opens at `at`, with its containers before each line, and close it."""
        prefix = first if quotes else " " * len(first)
        body: list[str] = []
        at += 1
        while at < len(self.lines):
            line = self.lines[at]
            content = _behind(line, prefix, quotes)
            if content is None:
                break
            at += 1
            close = _CLOSE.match(content)
            if close and len(close[1]) <= 3 and close[2][0] == mark[0] and len(close[2]) >= len(mark):
                break
            body.append(content)
        self._emit_code(first, prefix, mark, info, body)
        return at

    def _indented_code(self, at: int) -> int:
        body: list[str] = []
        while at < len(self.lines):
            line = self.lines[at].expandtabs(4)
            if line.strip(" ") and not line.startswith("    "):
                break
            body.append(line[4:])
            at += 1
        while not body[-1].strip(" "):
            body.pop()
            at -= 1
        self._emit_code("", "", "```", "", body)
        return at

    def _emit_code(self, first: str, prefix: str, mark: str, info: str, body: list[str]) -> None:
        runs = (run for line in body for run in re.findall(re.escape(mark[0]) + "+", line))
        longest = max(map(len, runs), default=0)
        mark = mark[0] * max(len(mark), longest + 1)
        self.out.append(first + mark + _language(info))
        self.out += [prefix + line if line or ">" in prefix else "" for line in body]
        self.out.append(prefix + mark)
        self.after_break = True

    def _formula(self, at: int, first: str, quotes: int, rest: str) -> int | None:
        """Rewrite a formula that begins its line and may go on over several; None if this is none."""
        opening, close = rest[:2], "$$" if rest.startswith("$$") else "\\]"
        if self._last(close) < at:
            return None
        prefix = first if quotes else " " * len(first)
        body, line, end, size = [], rest[2:], at, 0
        while close not in line:
            body.append(line)
            end, size = end + 1, size + len(line) + 1
            following = _behind(self.lines[end], prefix, quotes) if end < len(self.lines) else None
            if following is None or size > FORMULA_CHARS or (opening != close and opening in following):
                return None
            line = following
        inside, _, tail = line.partition(close)
        if not tail.strip(" .,;"):
            inside, tail = inside + tail.rstrip(), ""
        tex = "\n".join([*body, inside]).strip()
        if not _harmless(tex) or (end == at and (tail or (opening == "\\[" and not _clearly_maths(tex)))):
            return None
        self.out += [first + "$$", *(prefix + _quiet(part) for part in tex.split("\n")), prefix + "$$"]
        self.after_break = True
        if tail:
            self.lines[end] = prefix + tail.lstrip(" ")
            return end
        return end + 1

    def _last(self, close: str) -> int:
        """The last line that has this closing mark: opening marks must not each search to the end."""
        if close not in self.last_line_with:
            self.last_line_with[close] = max((n for n, line in enumerate(self.lines) if close in line), default=-1)
        return self.last_line_with[close]


def _behind(line: str, prefix: str, quotes: int) -> str | None:
    """What `line` says behind `prefix`; None if it stands outside the quotation.

    Too little indentation is forgiven: models often forget it for code inside lists.
    """
    depth = len(prefix)
    if quotes:
        inside = re.match(rf" *(?:> ?){{{quotes}}}", line)
        if not inside:
            return None
        line, depth = line[inside.end() :], depth - prefix.rindex(">") - 2
    if depth == 0:
        return line
    bare = line.lstrip(" \t")
    return line[: len(line) - len(bare)].expandtabs(4)[depth:] + bare


def _language(info: str) -> str:
    word = _LANGUAGE.match(info)
    if not word:
        return ""
    for drawn, shown in _DRAWN_LANGUAGES.items():
        if word[1].lower().startswith(drawn):
            return shown
    return word[1]


def _tabular(lines: list[str]) -> list[bool]:
    """For each line, whether it might be part of a table, where `|` ends a cell even inside code."""
    flags, start = [False] * len(lines), 0
    for end in range(len(lines) + 1):
        if end == len(lines) or not lines[end].strip(" \t"):
            if any(_DELIMITER_ROW.match(line) for line in lines[start:end]):
                flags[start:end] = [True] * (end - start)
            start = end + 1
    return flags


def _cells(row: str) -> list[str]:
    """The cells, if it is a row. A URL at a cell's end gets a space, so that it ends there in any reading."""
    cells, start = [], 0
    for mark in re.finditer(r"\\[\\|]|\|", row):
        if mark[0] == "|":
            cell = row[start : mark.start()]
            cells.append(cell + " " if _URL_START.search(re.split(r"[ \t<]", cell)[-1]) else cell)
            start = mark.end()
    return [*cells, row[start:]]


# --- within a line ------------------------------------------------------------------------------------------

_URL_START = re.compile(r"https?://|www\.", re.IGNORECASE)
_SPECIAL = re.compile(
    r"\\.|`+|\$+|!\[|\[\^|\](?=[(:])|:|~{3,}|<->|<-|<=|<|->|(?<!-)--(?!-)|>=|~=|(?:https?://|www\.)[^ \t<]*",
    re.IGNORECASE | re.DOTALL,
)
_ARROWS = {"<->", "<-", "<=", "->", "--", ">=", "~="}
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_RESOURCE = re.compile(
    r"\]\( *<?((?:https?://|mailto:)(?:[^\s()<>`]|\([^\s()<>`]*\))*)>?"
    r"(?: +(?:\"[^\"`]*\"|'[^'`]*'|\([^()`]*\)))? *\)",
    re.IGNORECASE,
)
"""The target of a link that may stay one, and the title, which is dropped."""
_AUTOLINK = re.compile(r"<(?:(?:https?://|mailto:)[^\s<>`]*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>", re.IGNORECASE)
_DIRECTIVE = re.compile(
    r":(?=(?:red|orange|yellow|green|blue|violet|gr[ae]y|primary|rainbow|small|shimmer|help|color)\b)"
)
_SHORTCODE = re.compile(r":(\+1|-1|100|1234|[0-9_+-]*[A-Za-z][\w+-]*):", re.ASCII)


def _inline(line: str) -> str:
    return _Line(line).rewritten()


class _Line:
    def __init__(self, line: str) -> None:
        self.line = line
        self.ticks: dict[int, list[int]] = {}
        for run in re.finditer(r"`+", line):
            self.ticks.setdefault(len(run[0]), []).append(run.start())
        for starts in self.ticks.values():
            starts.reverse()

    def rewritten(self) -> str:
        line, out, at = self.line, [], 0
        while found := _SPECIAL.search(line, at):
            out.append(line[at : found.start()])
            piece, at = self._special(found)
            out.append(piece)
        return "".join([*out, line[at:]])

    def _special(self, found: re.Match[str]) -> tuple[str, int]:
        """What to write for one special mark, and where to go on."""
        line, mark, start, end = self.line, found[0], found.start(), found.end()
        if mark[0] == "`":
            return self._code(mark, start, end)
        if mark[0] == "$":
            return self._dollars(mark, start, end)
        if mark[0] == "\\":
            return self._backslash(mark, start, end)
        if mark == "![":
            return "!&#91;", end
        if mark == "[^":
            return "&#91;^", end
        if mark == "]":
            if link := _RESOURCE.match(line, start):
                return _target(link[1]), link.end()
            return "]" + _reference(line[end]), end + 1
        if mark == ":":
            return self._colon(start, end)
        if mark[0] == "<" and (link := _AUTOLINK.match(line, start)):
            return "<" + _inert_url(link[0][1:-1]) + ">", link.end()
        if mark in _ARROWS:
            lone = not line[start - 1 : start].isalnum() and not line[end : end + 1].isalnum()
            return (_SPLIT if lone else "").join("&lt;" if char == "<" else char for char in mark), end
        if mark[0] == "~":
            return _references(mark), end
        if mark == "<":
            return "&lt;", end
        return self._url(mark, start, end)

    def _code(self, mark: str, start: int, end: int) -> tuple[str, int]:
        starts = self.ticks.get(len(mark), [])
        while starts and starts[-1] < end:
            starts.pop()
        if not starts:
            return _references(mark), end
        after = starts[-1] + len(mark)
        return self.line[start:after], after

    def _dollars(self, mark: str, start: int, end: int) -> tuple[str, int]:
        line, close = self.line, self.line.find("$", end)
        after = close + len(mark)
        if close > end and len(mark) <= 2 and line[close:after] == mark:
            tex, follows = line[end:close], line[after : after + 1]
            apart = follows != "$" and not (
                len(mark) == 1 and (line[start - 1 : start].isalnum() or _LATIN.match(follows))
            )
            if apart and _harmless(tex) and (len(mark) == 2 or _clearly_maths(tex)):
                return f"$${_quiet(tex)}$$", after
        return _references(mark), end

    def _backslash(self, mark: str, start: int, end: int) -> tuple[str, int]:
        if mark in ("\\(", "\\["):
            close = self.line.find("\\)" if mark == "\\(" else "\\]", end, end + FORMULA_CHARS)
            tex = self.line[end:close].strip() if close > 0 else ""
            if mark not in tex and _harmless(tex) and (mark == "\\(" or _clearly_maths(tex)):
                return f"$${_quiet(tex)}$$", close + 2
        return (_reference(mark[1]), end) if mark[1] in _PUNCTUATION else (mark, end)

    def _colon(self, start: int, end: int) -> tuple[str, int]:
        if _SHORTCODE.match(self.line, start):
            return "&#58;" + _SPLIT, end
        following = self.line[end : end + 1]
        return ("&#58;" if following and not following.isspace() else ":"), end

    def _url(self, mark: str, start: int, end: int) -> tuple[str, int]:
        """A bare URL reaches to the next space. A backtick or dollar in it must be neither code nor formula,
        whether it becomes a link or not; `<` would end it, but is rewritten, so that a space has to."""
        label, bracket, tail = mark.partition("](")
        if bracket and (link := _RESOURCE.match(self.line, start + len(label))):
            return _inert_url(label) + _target(link[1]), link.end()
        url = _inert_url(label) + ("]&#40;" + _inert_url(tail) if bracket else "")
        return url + (" " if self.line[end : end + 1] == "<" else ""), end


def _target(url: str) -> str:
    """In angle brackets: should no label stand before it, it is still a link that ends at the `>`."""
    return f"](<{_inert_url(url)}>)"


def _reference(char: str) -> str:
    return f"&#{ord(char)};"


def _references(chars: str) -> str:
    return "".join(map(_reference, chars))


def _inert_url(url: str) -> str:
    url = _DIRECTIVE.sub("%3A", url)
    for char, escaped in {"`": "%60", "$": "%24", "\\": "%5C", "[": "%5B", "{": "%7B", "]:": "]%3A"}.items():
        url = url.replace(char, escaped)
    return url


# --- formulas -----------------------------------------------------------------------------------------------

_FOREIGN = re.compile(
    r"[`$]|~~~|://|www\.|(?<!\d)\d{3,}\s*(?:em|ex|pt|cm|mm|in|mu|px|pc|bp|dd|cc|sp)\b", re.IGNORECASE
)
"""What no formula we draw has: code, links, and lengths that would cover the page."""
_HANGUL = re.compile(r"[ᄀ-ᇿ㄰-㆏가-힣]")
_LATIN = re.compile(r"[A-Za-z0-9]")
_MONEY = re.compile(r"\d[\d,.]*\s?[kKmMbBtT]?$")
_TEX = re.compile(r"\\[A-Za-z]|[\w)}\]]\^[\w{(\\*+-]|(?<![A-Za-z])[A-Za-z]_")
_TERM = re.compile(r"(?=.*[A-Za-z])(?!.*[A-Za-z]{2})[A-Za-z0-9+\-*/=<>(),.!|'\[\] ]+$")


def _harmless(tex: str) -> bool:
    if not tex.strip() or len(tex) > FORMULA_CHARS or _FOREIGN.search(tex):
        return False
    return not _HANGUL.search(re.sub(r"\{[^{}]*\}", "", tex))


def _clearly_maths(tex: str) -> bool:
    """Money, shell variables and prose between two dollars are not."""
    if tex != tex.strip() or tex[-1] in "+-*/=,(" or _MONEY.match(tex):
        return False
    return bool(_TEX.search(tex) or _TERM.match(tex))


def _quiet(tex: str) -> str:
    """The same formula (TeX ignores these spaces), with nothing that Markdown would read were it prose."""
    return re.sub(r"(?<=[<:!])(?=\S)|(?<=\[)(?=\^)|(?<=\])(?=[(:])", " ", tex)
