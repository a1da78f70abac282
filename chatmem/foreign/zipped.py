"""The ZIP in which the exports come. It is read in memory, and no name in it is used for anything but finding."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Sequence
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from chatmem.archive_checks import MOST_BYTES, too_large
from chatmem.errors import ArchiveForeign, ArchiveNotJson

MOST_MEMBERS = 100_000
"""Files in a ZIP. An export has one for every picture; a hostile one would fill the memory with their names."""

_SIGNS = (b"PK\x03\x04", b"PK\x05\x06")
_MEMBER = b"PK\x01\x02"
_WHOLE = re.compile(r"conversations\.json", re.IGNORECASE)
_PART = re.compile(r"conversations-\d{1,6}\.json", re.IGNORECASE)
"""ChatGPT cuts large exports into these."""

_PIECE = 1_000_000

_DAMAGED = (BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, LookupError)
"""What `zipfile` raises for bytes that are none, or a locked one."""


def is_zip(raw: bytes) -> bool:
    return raw.startswith(_SIGNS)


def unzipped(raw: bytes) -> list[bytes]:
    """The texts of all conversations files in it, at most `MOST_BYTES` together.

    Raises `ArchiveTooLarge`, `ArchiveForeign` when there are none, and `ArchiveNotJson` for a damaged ZIP.
    """
    if raw.count(_MEMBER) > MOST_MEMBERS:
        raise too_large()
    try:
        with ZipFile(BytesIO(raw)) as folder:
            members = _conversations(folder.infolist())
            if sum(member.file_size for member in members) > MOST_BYTES:
                raise too_large()
            texts: list[bytes] = []
            room = MOST_BYTES
            for member in members:
                texts.append(_read(folder, member, room))
                room -= len(texts[-1])
    except _DAMAGED as error:
        raise ArchiveNotJson() from error
    if not texts:
        raise ArchiveForeign()
    return texts


def _conversations(members: Sequence[ZipInfo]) -> list[ZipInfo]:
    """By their base names only. Where there is a whole file, its parts would say the same again."""
    named = [(member.filename.replace("\\", "/").rpartition("/")[2], member) for member in members]
    return [one for name, one in named if _WHOLE.fullmatch(name)] or sorted(
        (one for name, one in named if _PART.fullmatch(name)), key=lambda one: one.filename
    )


def _read(folder: ZipFile, member: ZipInfo, room: int) -> bytes:
    """What the member says of its size is not believed."""
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise BadZipFile("no export is packed like this")
    found = bytearray()
    with folder.open(member) as file:
        while piece := file.read(_PIECE):
            found += piece
            if len(found) > room:
                raise too_large()
    return bytes(found)
