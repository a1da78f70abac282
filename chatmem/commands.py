"""Commands typed into the composer or the terminal: they mirror the buttons."""

from __future__ import annotations

import re
from typing import Literal, cast, get_args

from chatmem.domain import Language
from chatmem.errors import UnknownCommand
from chatmem.words import SHARED, say

Command = Literal["history", "summary", "memory", "reset", "retry", "forget", "temp", "export", "help", "quit"]

COMMANDS: tuple[Command, ...] = get_args(Command)


def parse(text: str, available: tuple[Command, ...] = COMMANDS) -> Command | None:
    """The command a text is, or None for a message. Raises `UnknownCommand`.

    A command is one word after a slash and nothing else, so that a path or a sentence that begins
    with a slash stays a message.
    """
    match = re.fullmatch(r"/([A-Za-z]+)\s*", text.strip())
    if not match:
        return None
    name = match.group(1).lower()
    if name not in available:
        raise UnknownCommand(name=f"/{name}")
    return cast("Command", name)


def help_lines(language: Language, available: tuple[Command, ...] = COMMANDS) -> list[str]:
    """One line a command."""
    return [f"/{name}  {say(SHARED, f'command.{name}', language)}" for name in available]
