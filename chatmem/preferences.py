"""A person's own choices: kept in their owner row, checked on the way in and on the way out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal, cast

from chatmem.domain import LANGUAGES, Language
from chatmem.errors import BadSetting
from chatmem.policy import NUMBER_BOUNDS, PRESET_NAMES, MemoryPolicy, PresetName, policy_for
from chatmem.settings import Settings, url_problem

ProviderChoice = Literal["", "teaching", "openai", "anthropic", "gemini", "ollama", "lmstudio", "other"]
PROVIDERS: tuple[ProviderChoice, ...] = (
    "", "teaching", "openai", "anthropic", "gemini", "ollama", "lmstudio", "other",
)  # fmt: skip
NAME_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Preferences:
    """Empty words follow the installation's settings. Keys are never among a person's preferences."""

    language: Language | None = None
    provider: ProviderChoice = ""
    base_url: str = ""
    model_name: str = ""
    helper_name: str = ""
    preset: PresetName | None = None
    numbers: dict[str, int] = field(default_factory=dict)
    uses_facts: bool = True
    """"Use memory": facts of earlier chats are sent. `learns`: new ones are learned by themselves."""
    learns: bool = True
    asks_first: bool = False
    """New facts wait for the person's yes."""

    @classmethod
    def read(cls, stored: Mapping[str, object]) -> Preferences:
        """What the database holds; anything that is not valid (any more) is left at its default."""
        return cls.checked({name: value for name, value in stored.items() if cls._works(name, value)})

    @classmethod
    def _works(cls, name: str, value: object) -> bool:
        try:
            cls.checked({name: value})
        except BadSetting:
            return False
        return True

    @classmethod
    def checked(cls, values: Mapping[str, object]) -> Preferences:
        """Raises `BadSetting`, naming the first value that does not work and what would."""
        language, preset = values.get("language") or None, values.get("preset") or None
        provider = values.get("provider") or ""
        _one_of("language", language, (None, *LANGUAGES))
        _one_of("preset", preset, (None, *PRESET_NAMES))
        _one_of("provider", provider, PROVIDERS)
        base_url = _line(values, "base_url")
        if base_url and (problem := url_problem(base_url)):
            raise BadSetting(name="base_url", value=base_url[:80], expected=problem)
        return cls(
            language=cast("Language | None", language),
            provider=cast("ProviderChoice", provider),
            base_url=base_url,
            model_name=_line(values, "model_name"),
            helper_name=_line(values, "helper_name"),
            preset=cast("PresetName | None", preset),
            numbers=_numbers(values.get("numbers") or {}),
            uses_facts=_switch(values, "uses_facts", True),
            learns=_switch(values, "learns", True),
            asks_first=_switch(values, "asks_first", False),
        )

    def as_stored(self) -> dict[str, object]:
        """For the owner row: only what was chosen."""
        defaults = asdict(Preferences())
        return {name: value for name, value in asdict(self).items() if value != defaults[name]}

    def policy(self, settings: Settings, chat_preset: str | None = None) -> MemoryPolicy:
        """How this person's chats remember; a chat's own preset comes first."""
        of_chat = next((name for name in PRESET_NAMES if name == chat_preset), None)
        return policy_for(of_chat or self.preset or settings.preset, self.numbers)


def _one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed:
        words = ", ".join(str(option) for option in allowed if option)
        raise BadSetting(name=name, value=str(value)[:80], expected=f"one of {words}")


def _line(values: Mapping[str, object], name: str) -> str:
    value = values.get(name) or ""
    if not isinstance(value, str) or len(value) > NAME_LENGTH or not value.isprintable():
        raise BadSetting(
            name=name, value=str(value)[:80], expected=f"one line of at most {NAME_LENGTH} characters"
        )
    return value.strip()


def _switch(values: Mapping[str, object], name: str, default: bool) -> bool:
    value = values.get(name, default)
    if not isinstance(value, bool):
        raise BadSetting(name=name, value=str(value)[:80], expected="true or false")
    return value


def _numbers(values: object) -> dict[str, int]:
    if not isinstance(values, Mapping):
        raise BadSetting(name="numbers", value=type(values).__name__, expected="numbers by name")
    numbers: dict[str, int] = {}
    for name, value in values.items():
        low, high = NUMBER_BOUNDS.get(name, (0, -1))
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise BadSetting(name=name, value=str(value)[:80], expected=f"{low} – {high}")
        numbers[name] = value
    if numbers.get("keep", 4) > numbers.get("fold_above", 10):
        raise BadSetting(name="keep", value=numbers.get("keep", 4), expected=f"≤ {numbers.get('fold_above', 10)}")
    return numbers
