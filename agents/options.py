"""The options of an agent's spec: their types, ranges and text forms."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from red7_env.game import Red7Error
from red7_env.game.errors import shown

Value: TypeAlias = int | float | str | None


class SpecError(Red7Error):
    """A spec that names no agent, or options that the agent does not have."""


@dataclass(frozen=True)
class Option:
    """One option of an agent.

    Attributes:
        name: Its name in the spec and as an argument of the agent's class.
        kind: ``int``, ``float`` or ``str``.
        default: Its value where the spec is silent; None if the option is then not in use.
        summary: What it means, in a few words.
        low: The least number.
        high: The greatest number.
        choices: The only texts, if not empty.
    """

    name: str
    kind: type[int] | type[float] | type[str]
    default: Value
    summary: str
    low: float = 0
    high: float = math.inf
    choices: tuple[str, ...] = ()

    def parsed(self, text: str) -> Value:
        """Return the value of a text.

        Raises:
            SpecError: If it is not of the option's kind, or out of range.
        """
        try:
            return self.checked(self.kind(text) if text.isascii() and "_" not in text else None)
        except ValueError:
            raise self._error(text) from None

    def checked(self, value: Value) -> Value:
        """Return a value that is of the option's kind and within its range.

        Raises:
            SpecError: If it is not.
        """
        good = not isinstance(value, bool) and isinstance(value, (int, float) if self.kind is float else self.kind)
        if good and isinstance(value, int | float):
            good = math.isfinite(value) and self.low <= value <= self.high
        if good and self.choices:
            good = value in self.choices
        if not good or value is None:
            raise self._error(value)
        return self.kind(value)

    @property
    def expected(self) -> str:
        """What the option takes, in words."""
        if self.choices:
            return " or ".join(self.choices)
        if self.kind is str:
            return "a text"
        noun = "a whole number" if self.kind is int else "a number"
        return f"{noun} from {self.low}" + ("" if math.isinf(self.high) else f" to {self.high}")

    def _error(self, found: object) -> SpecError:
        return SpecError(f"{self.name}: found {shown(found)}, expected {self.expected}")


def parse_options(text: str, options: Sequence[Option]) -> dict[str, Value]:
    """Return the values written as ``name=value:name=value``; empty text has none.

    Raises:
        SpecError: If an option is unknown, given twice or malformed.
    """
    known = {option.name: option for option in options}
    values: dict[str, Value] = {}
    for part in text.split(":") if text else []:
        name, equals, value = part.partition("=")
        if name not in known or not equals:
            listed = ", ".join(f"{option.name}=..." for option in options) or "none"
            raise SpecError(f"option: found {shown(part)}, expected one of {listed}")
        if name in values:
            raise SpecError(f"{name}: found twice, expected once")
        values[name] = known[name].parsed(value)
    return values


def split_options(text: str, options: Sequence[Option]) -> tuple[str, str]:
    """Return the options that a text begins with, ``name=value:name=value``, and what follows them.

    The options end where a part between colons does not begin with the name of one and an equals sign.
    """
    names = tuple(f"{option.name}=" for option in options)
    rest = text
    while rest.startswith(names):
        rest = rest.partition(":")[2]
    return text[: len(text) - len(rest)].removesuffix(":"), rest


def options_text(values: Mapping[str, Value], options: Sequence[Option]) -> str:
    """Return the text form of the values that are not the defaults, each with a colon before it."""
    given = [(option.name, values[option.name]) for option in options if option.name in values]
    defaults = {option.name: option.default for option in options}
    return "".join(f":{name}={_value_text(value)}" for name, value in given if value != defaults[name])


def _value_text(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)
