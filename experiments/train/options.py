"""Configurations as frozen dataclasses whose every field is an option of the command line."""

import argparse
import math
from collections.abc import Callable, Mapping
from dataclasses import field, fields
from typing import Any, TypeVar

from red7_env.game import Red7Error
from red7_env.game.errors import shown

UNITS = {"s": 1, "m": 60, "h": 3600}


class TrainError(Red7Error):
    """A training run that cannot be made as it was asked for."""


def option(  # noqa: PLR0913 - what there is to say of an option
    default: Any,  # noqa: ANN401 - of any type
    about: str,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    choices: tuple[str, ...] = (),
    read: Callable[[str], Any] | None = None,
) -> Any:  # noqa: ANN401 - as dataclasses.field
    """Return a field of a configuration.

    Args:
        default: Its value where nothing is said; its type, unless there is ``read``, is the option's.
        about: What it is, in a few words.
        low: The least number.
        high: The greatest number.
        choices: The only texts, if there are any.
        read: What makes the value of a text.
    """
    kind = type(default)
    if read is None:
        read = _flag if kind is bool else kind
    return field(default=default, metadata={"about": about, "low": low, "high": high, "choices": choices, "read": read})


def add_options(parser: argparse.ArgumentParser, kind: type) -> None:
    """Add the fields of a configuration to a parser; an option that is not given is None."""
    for entry in fields(kind):
        about = entry.metadata["about"]
        default = "" if entry.default is None else f" ({text_of(entry.default)})"
        parser.add_argument(
            f"--{entry.name.replace('_', '-')}", dest=entry.name, metavar="VALUE", help=f"{about}{default}"
        )


Config = TypeVar("Config")


def config_of(kind: type[Config], *layers: Mapping[str, Any]) -> Config:
    """Return a configuration.

    Args:
        kind: Its class.
        layers: Values by field name, later ones before earlier ones; a text is read, None is passed over.

    Raises:
        TrainError: If a name or a value does not exist.
    """
    known = {entry.name: entry.metadata for entry in fields(kind)}  # type: ignore[arg-type]  # it is a dataclass
    values: dict[str, Any] = {}
    for layer in layers:
        for name, value in layer.items():
            if name not in known:
                raise TrainError(f"option: found {shown(name)}, expected one of {', '.join(known)}")
            if value is not None:
                values[name] = _checked(name, value, known[name])
    return kind(**values)


def texts_of(config: object) -> dict[str, str]:
    """Return the fields of a configuration that are not None as texts, from which ``config_of`` makes it again."""
    values = {entry.name: getattr(config, entry.name) for entry in fields(config)}  # type: ignore[arg-type]  # a dataclass
    return {name: text_of(value) for name, value in values.items() if value is not None}


def changed(config: object) -> dict[str, str]:
    """Return those of ``texts_of`` that are not the defaults."""
    defaults = {entry.name: entry.default for entry in fields(config)}  # type: ignore[arg-type]  # a dataclass
    return {name: text for name, text in texts_of(config).items() if getattr(config, name) != defaults[name]}


def told(presets: Mapping[str, Mapping[str, Any]]) -> str:
    """Return what presets set, in words."""
    texts = {
        word: ", ".join(f"{name.replace('_', '-')} {text_of(value)}" for name, value in values.items())
        for word, values in presets.items()
    }
    return "; ".join(f"{word}: {text or 'the defaults'}" for word, text in texts.items())


def text_of(value: object) -> str:
    """Return the text of a value, as it is typed."""
    if isinstance(value, tuple):
        return ",".join(map(text_of, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


def duration(text: str) -> float:
    """Return the seconds of a text such as ``90``, ``2m`` or ``1h``.

    Raises:
        ValueError: If it is none.
    """
    unit = UNITS.get(text[-1:], 0)
    return float(text[:-1]) * unit if unit else float(text)


def widths(text: str) -> tuple[int, ...]:
    """Return whole numbers above 0 that are separated by commas.

    Raises:
        ValueError: If they are none.
    """
    numbers = tuple(int(part) for part in text.split(","))
    if not 1 <= len(numbers) <= 16 or not all(0 < number <= 8192 for number in numbers):
        raise ValueError
    return numbers


def _flag(text: str) -> bool:
    if text not in {"yes", "no"}:
        raise ValueError
    return text == "yes"


def _checked(name: str, value: Any, about: Mapping[str, Any]) -> Any:  # noqa: ANN401 - of any type
    """Return a field's value, read if it is a text, once it is in range."""
    try:
        made = about["read"](value) if isinstance(value, str) else value
    except (ValueError, OverflowError):
        made = None
    good = made is not None
    if good and isinstance(made, int | float):
        good = not math.isnan(made) and about["low"] <= made <= about["high"]
    if good and about["choices"]:
        good = made in about["choices"]
    if not good:
        raise TrainError(f"{name.replace('_', '-')}: found {shown(value)}, expected {_expected(about)}")
    return made


def _expected(about: Mapping[str, Any]) -> str:
    """Return what an option takes, in words."""
    if about["choices"]:
        return " or ".join(about["choices"])
    nouns = {
        int: "a whole number",
        float: "a number",
        _flag: "yes or no",
        duration: "a time such as 90s, 2m or 1h",
        widths: "widths such as 256,256",
    }
    low, high = (f"{bound:g}" if math.isfinite(bound) else "" for bound in (about["low"], about["high"]))
    bounds = (f" from {low}" if low else "") + (f" to {high}" if high else "")
    return nouns.get(about["read"], "a text") + bounds
