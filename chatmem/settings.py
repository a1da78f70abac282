"""Settings of the installation: the only reader of the environment.

Order: the environment (Streamlit puts root-level secrets there at start), then `.env`, then the
default. A wrong value never stops the app: its default holds, and `Settings.problems` has a sentence
about it that the screen shows. Where the default could be unsafe, the safe side is taken.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar, get_args
from urllib.parse import urlsplit

from chatmem.domain import LANGUAGES, Language
from chatmem.errors import BadSetting
from chatmem.policy import PRESET_NAMES, PresetName

Identity = Literal["browser", "local", "login"]
Storage = Literal["server", "file", "passing"]
IDENTITIES: tuple[Identity, ...] = get_args(Identity)
T = TypeVar("T")

DEFAULT_DATABASE = "sqlite:///chatmem.db"
DEFAULT_MODEL = "gpt-5.4-mini"
MOST_DOLLARS = 100_000
"""For a million tokens: far above any price, far below a slip of the keyboard."""
COMMUNITY_CLOUD = Path("/mount/src")
"""Where Streamlit Community Cloud puts apps. Their disk is a new one after each restart."""
DAILY_TOKENS = 200_000
"""What one visitor may use of the shared key a day: some hundred turns, far from emptying an account."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class Settings:
    """What the person who runs the app decided. Neither key nor database password appears in a `repr`."""

    database_url: str = field(default=DEFAULT_DATABASE, repr=False)
    disk_is_kept: bool = True
    identity: Identity = "browser"
    server_key: str = field(default="", repr=False)
    server_url: str = ""
    model_name: str = ""
    helper_name: str = ""
    embedding_model: str = ""  # empty: the one that is built in
    language: Language | None = None
    preset: PresetName = "classic"
    allow_visitor_servers: bool = False
    daily_tokens: int = DAILY_TOKENS  # 0 is no limit
    teaching_pace_s: float = 0.02
    prices: Mapping[str, Price] = field(default_factory=dict)  # by the model's name
    problems: tuple[BadSetting, ...] = ()

    @property
    def storage(self) -> Storage:
        """What chats are kept on: a database `server`, a `file`, or what is `passing`, gone with a restart."""
        kind, _, path = self.database_url.partition("://")
        if kind.startswith("postgres"):
            return "server"
        return "file" if self.disk_is_kept and path not in ("", "/", "/:memory:") else "passing"


def load_settings(environ: Mapping[str, str] | None = None, env_file: Path | None = None) -> Settings:
    """Read everything once. Never raises for a wrong value: see `Settings.problems`."""
    reader = _Reader(os.environ if environ is None else environ, env_file or Path(".env"))
    identity = reader.choice("CHATMEM_IDENTITY", IDENTITIES, "browser")
    server_url, key_usable = reader.server()
    return Settings(
        database_url=reader.text("DATABASE_URL", DEFAULT_DATABASE),
        disk_is_kept=reader.flag("CHATMEM_DISK_KEPT", not Path.cwd().is_relative_to(COMMUNITY_CLOUD)),
        identity=identity,
        server_key=reader.text("OPENAI_API_KEY") if key_usable else "",
        server_url=server_url,
        model_name=reader.text("MODEL_NAME"),
        helper_name=reader.text("SUMMARY_MODEL_NAME"),
        embedding_model=reader.embedding_model(bool(server_url) or key_usable),
        language=_language(reader.choice("CHATMEM_LANGUAGE", ("", *LANGUAGES), "")),
        preset=reader.choice("CHATMEM_PRESET", PRESET_NAMES, "classic"),
        allow_visitor_servers=reader.flag("CHATMEM_ALLOW_VISITOR_SERVERS", identity == "local"),
        daily_tokens=reader.number(
            "CHATMEM_DAILY_TOKENS", int, 0 if identity == "local" else DAILY_TOKENS, 0, 10**9
        ),
        teaching_pace_s=reader.number("CHATMEM_TEACHING_PACE", float, 0.02, 0.0, 1.0),
        prices=reader.prices("CHATMEM_PRICES"),
        problems=tuple(reader.problems),
    )


class _Reader:
    """Looks a name up, checks it, and remembers what was wrong."""

    def __init__(self, environ: Mapping[str, str], env_file: Path) -> None:
        self.problems: list[BadSetting] = []
        self._values: dict[str, str] = {**self._env_file(env_file), **environ}

    def text(self, name: str, default: str = "") -> str:
        return self._values.get(name, "").strip() or default

    def choice(self, name: str, allowed: tuple[T, ...], default: T) -> T:
        value = self.text(name).lower()
        if not value:
            return default
        for option in allowed:
            if option == value:
                return option
        words = ", ".join(str(option) for option in allowed if option)
        return self._wrong(name, f"use one of {words}", default)

    def flag(self, name: str, default: bool) -> bool:
        words = {"1": True, "true": True, "yes": True, "on": True}
        words |= {"0": False, "false": False, "no": False, "off": False}
        value = self.text(name).lower()
        if not value:
            return default
        return words[value] if value in words else self._wrong(name, "use 1 or 0", False)

    def number(self, name: str, kind: Callable[[str], T], default: T, low: float, high: float) -> T:
        value = self.text(name)
        if not value:
            return default
        try:
            number = kind(value)
        except ValueError:
            return self._wrong(name, f"use a number from {low:g} to {high:g}", default)
        if not low <= number <= high:  # type: ignore[operator]
            return self._wrong(name, f"use a number from {low:g} to {high:g}", default)
        return number

    def prices(self, name: str) -> dict[str, Price]:
        """Entries like `gpt-5.4-mini=0.25/2.00`, with commas between; a wrong one is left out and named."""
        found: dict[str, Price] = {}
        for entry in filter(None, map(str.strip, self.text(name).split(","))):
            model, _, price = (part.strip() for part in entry.rpartition("="))
            try:
                into, out = map(_dollars, price.split("/"))
            except ValueError:
                model = ""
            if model:
                found[model] = Price(into, out)
            else:
                expected = "use entries like gpt-5.4-mini=0.25/2.00, US dollars for a million tokens in/out"
                self.problems.append(BadSetting(name=name, value=entry[:80], expected=expected))
        return found

    def server(self) -> tuple[str, bool]:
        """(base URL, whether the key may be used). A key never goes to another address than its own."""
        url = self.text("OPENAI_BASE_URL")
        if not url:
            return "", True
        if problem := url_problem(url):
            return self._wrong("OPENAI_BASE_URL", problem, ""), False
        return url, True

    def embedding_model(self, server_usable: bool) -> str:
        """A name only counts together with the installation's own server."""
        name = self.text("CHATMEM_EMBEDDING_MODEL")
        if name and not (server_usable and (self.text("OPENAI_API_KEY") or self.text("OPENAI_BASE_URL"))):
            return self._wrong("CHATMEM_EMBEDDING_MODEL", "set OPENAI_API_KEY or OPENAI_BASE_URL too", "")
        return name

    def _wrong(self, name: str, expected: str, default: T) -> T:
        self.problems.append(BadSetting(name=name, value=self.text(name)[:80], expected=expected))
        return default

    def _env_file(self, path: Path) -> dict[str, str]:
        from dotenv.parser import parse_stream

        try:
            text = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError) as error:
            self.problems.append(
                BadSetting(name=path.name, value=type(error).__name__, expected="a UTF-8 text file")
            )
            return {}
        values: dict[str, str] = {}
        for binding in parse_stream(io.StringIO(text)):
            if binding.error:
                line = binding.original.string.strip().partition("=")[0][:40]
                self.problems.append(
                    BadSetting(
                        name=path.name,
                        value=f"{binding.original.line}: {line}",
                        expected="lines like NAME=value",
                    )
                )
            elif binding.key and binding.value is not None:
                values[binding.key] = binding.value
        return values


def system_language() -> Language:
    """The language of the terminal's locale."""
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next((value for value in names if value), "")
    return "ko" if locale.lower().startswith("ko") else "en"


def url_problem(url: str) -> str | None:
    """Why a text cannot be a model server's base URL, or None if it can."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or any(c.isspace() for c in url):
        return "use an address like https://example.com/v1"
    if parts.username or parts.password:
        return "leave user name and password out of the address"
    return None


def _dollars(text: str) -> float:
    """Raises `ValueError`."""
    value = float(text)
    if not 0 <= value <= MOST_DOLLARS:
        raise ValueError(text)
    return value


def _language(word: str) -> Language | None:
    return "ko" if word == "ko" else "en" if word == "en" else None
