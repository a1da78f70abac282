"""Export and import: chats and facts of an owner as files (see `docs/format.md`).

A file comes from anywhere, so nothing of it is believed: its form, its bounds and every reference are
checked before anything is written, and then all of it is written or nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from datetime import datetime

from chatmem.archive_checks import FORMAT, MOST_BYTES, MOST_VALUES, VERSION, File, check_size, checked, read_own
from chatmem.background import Background
from chatmem.domain import Language
from chatmem.errors import ArchiveForeign
from chatmem.foreign import Found, is_zip, read_foreign, unzipped
from chatmem.markdown import document
from chatmem.store import Store
from chatmem.store.archive import ArchiveStore, Imported
from chatmem.store.records import Contents

__all__ = ["MOST_BYTES", "MOST_VALUES", "Archive", "Imported"]

READ, CHECKED = 0.08, 0.11
"""How far an import is when its file has been read, and when it has been checked: measured on a large one."""

SMALLEST_STEP = 0.005
"""Progress is told in steps of at least this: a screen that draws it must not become the work."""


class Archive:
    """Both directions. Every method acts for one owner."""

    def __init__(self, store: Store, count_tokens: Callable[[str], int], background: Background) -> None:
        self._store = ArchiveStore(store)
        self._count_tokens = count_tokens
        self._background = background

    def export(self, owner_id: int) -> str:
        """Everything of an owner but what is deleted; the same text whenever nothing has changed."""
        return _as_text(self._store.read(owner_id))

    def export_chat(self, owner_id: int, conversation_id: str) -> str:
        """One chat in the same form, to be imported by anybody. Raises `NotFound`.

        With it come the facts that it proves, with the quotes that stand in it and no others: a file of one
        chat tells nothing of the other ones. What a fact took the place of comes along only if this chat proves
        that too.
        """
        return _as_text(self._store.read_chat(owner_id, conversation_id))

    def export_markdown(self, owner_id: int, conversation_id: str | None = None, language: Language = "en") -> str:
        """One chat, or all of them, the oldest first, to read. Raises `NotFound`."""
        if conversation_id is None:
            return document(self._store.read(owner_id).conversations, language)
        return document(self._store.read_chat(owner_id, conversation_id).conversations, language)

    def import_(
        self, owner_id: int, data: bytes | str, progress: Callable[[float], None] | None = None
    ) -> Imported:
        """Add what a file holds and the owner does not have yet: all of it or nothing.

        The file is ours, or ChatGPT's or Claude's `conversations.json`, or the ZIP that it came in; what
        it is shows in its content. `progress` is told from 0 to 1, from this thread; what it raises ends
        the import with nothing written.

        Raises `ArchiveNotJson`, `ArchiveForeign`, `ArchiveTooNew`, `ArchiveDamaged` or `ArchiveTooLarge`.
        """
        tell = _in_steps(progress or (lambda share: None))
        tell(0.0)
        found = _read(data)
        tell(READ)
        contents = checked(found.contents)
        tell(CHECKED)
        imported = self._store.write(
            owner_id, contents, self._count_tokens, lambda share: tell(CHECKED + share * (1 - CHECKED))
        )
        tell(1.0)
        if imported.facts:
            self._background.embed(owner_id)
        return replace(imported, left_out=found.left_out)


def _in_steps(progress: Callable[[float], None]) -> Callable[[float], None]:
    told = -1.0

    def tell(share: float) -> None:
        nonlocal told
        if share >= told + SMALLEST_STEP or share == 1.0 > told:
            told = share
            progress(share)

    return tell


def _read(data: bytes | str) -> Found:
    """Whatever file it is, as records that are not checked yet."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)
    texts = unzipped(raw) if is_zip(raw) else [raw]
    check_size(texts)
    # Some editors put a mark of three bytes before all they save.
    texts = [text.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n") for text in texts]
    if all(text.startswith(b"[") for text in texts):
        return read_foreign(texts)
    if len(texts) > 1:
        raise ArchiveForeign()
    return Found(read_own(texts[0]))


def _as_text(contents: Contents) -> str:
    file = File(contents.conversations, contents.facts, FORMAT, VERSION)
    return json.dumps(file, default=_plain, sort_keys=True, ensure_ascii=False) + "\n"


def _plain(value: object) -> object:
    """What JSON has no word for: records and times."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="microseconds").replace("+00:00", "Z")
    assert is_dataclass(value), type(value)
    return {field.name: getattr(value, field.name) for field in fields(value)}
