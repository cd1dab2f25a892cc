"""Files of weights: safetensors with a header that says what the network is for. Nothing is unpickled.

A file is written to another name first and then renamed, so whatever bears its right name is whole.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from red7_env.game import Red7Error, Rules
from red7_env.game.errors import shown
from red7_env.observation import FEATURES, OBSERVATION_VERSION, Features

FORMAT: Final = "red7-model/1"
KINDS: Final = ("ppo", "dmc")

Tensors = dict[str, NDArray[Any]]
"""Arrays by name."""

_HEADER = "red7"
_MOST_BYTES = 256 * 2**20
_WIDEST, _DEEPEST = 65536, 16


class ModelError(Red7Error):
    """A model that is not there, cannot be read, or does not fit what it is to play."""


@dataclass(frozen=True)
class ModelInfo:
    """What a network is for.

    Attributes:
        kind: ``"ppo"`` (logits of moves and a value) or ``"dmc"`` (the value of a position).
        rules: What it plays; the input of other rules has other parts.
        features: The pieces of the observation that it reads.
        hidden: Widths of its hidden layers.
        observation_version: Of the observation that it reads.
        notes: Whatever else is worth knowing: command, commit, time.
    """

    kind: str
    rules: Rules
    features: Features = "derived"
    hidden: tuple[int, ...] = (256, 256)
    observation_version: int = OBSERVATION_VERSION
    notes: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """Return the header as it is written into a file."""
        return {
            "format": FORMAT,
            "kind": self.kind,
            "rules": str(self.rules),
            "features": self.features,
            "hidden": list(self.hidden),
            "observation_version": self.observation_version,
            "notes": dict(self.notes),
        }


@dataclass(frozen=True)
class Model:
    """A network that is stored: what it is for, and its weights (float32) by name."""

    info: ModelInfo
    weights: Tensors


def save_model(path: Path, info: ModelInfo, weights: Tensors) -> None:
    """Write a model, all or nothing.

    Args:
        path: Where to.
        info: What it is for.
        weights: Its float32 arrays by name.
    """
    save_tensors(path, weights, {_HEADER: json.dumps(info.to_json())})


def load_model(path: Path, kind: str | None = None) -> Model:
    """Return a stored model.

    Args:
        path: Of the file.
        kind: What it has to be, if anything.

    Raises:
        ModelError: If it cannot be read, is of another kind, or reads another version of the observation.
    """
    weights, texts = load_tensors(path)
    try:
        info = _info(json.loads(texts[_HEADER]))
    except (KeyError, TypeError, ValueError) as error:
        reason = str(error) if isinstance(error, Red7Error) else "no such header"
        raise ModelError(f"model: found {shown(str(path))} ({reason}), expected a model of this project") from None
    if kind is not None and info.kind != kind:
        raise ModelError(f"model: found kind {shown(info.kind)} in {shown(str(path))}, expected {kind}")
    if info.observation_version != OBSERVATION_VERSION:
        found = f"observation version {info.observation_version} in {shown(str(path))}"
        raise ModelError(f"model: found {found}, expected {OBSERVATION_VERSION}: train it anew")
    for name, array in weights.items():
        if array.dtype != np.float32 or not np.isfinite(array).all():
            raise ModelError(f"model: found {shown(name)} in {shown(str(path))} damaged, expected finite float32")
    return Model(info, weights)


def check_rules(info: ModelInfo, rules: Rules) -> None:
    """Make sure that a model is for these rules.

    Raises:
        ModelError: If it is not.
    """
    if info.rules != rules:
        raise ModelError(f"model: found one for {info.rules}, expected one for {rules}")


def check_same(found: ModelInfo, wanted: ModelInfo) -> None:
    """Make sure that a model has the rules and the shape of another.

    Raises:
        ModelError: If it has not.
    """
    check_rules(found, wanted.rules)
    if (found.hidden, found.features) != (wanted.hidden, wanted.features):
        shapes = (f"{info.features} and layers of {','.join(map(str, info.hidden))}" for info in (found, wanted))
        raise ModelError("model: found {}, expected {}".format(*shapes))


def save_tensors(path: Path, tensors: Tensors, texts: Mapping[str, str]) -> None:
    """Write arrays and texts as a safetensors file, all or nothing."""
    from safetensors.numpy import save

    whole = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    write_bytes(path, save(whole, metadata=dict(texts)))


def load_tensors(path: Path) -> tuple[Tensors, dict[str, str]]:
    """Return the arrays and texts of a safetensors file.

    Raises:
        ModelError: If it cannot be read.
    """
    from safetensors import SafetensorError, safe_open

    where = shown(str(path))
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ModelError(f"model: found {where} of {path.stat().st_size} bytes, expected at most {_MOST_BYTES}")
        with safe_open(path, framework="numpy") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, dict(file.metadata() or {})  # noqa: SIM118 - no mapping
    except OSError as error:
        raise ModelError(f"model: found {where} ({error.strerror or 'unreadable'}), expected a file") from None
    except (SafetensorError, TypeError, AttributeError):
        raise ModelError(f"model: found {where} damaged, expected a safetensors file") from None


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file that gets its name when everything is written, and on the disk."""
    beside = path.with_name(f".{path.name}.part")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _info(header: dict[str, Any]) -> ModelInfo:
    """Return what a header says.

    Raises:
        ModelError: If it says what does not exist. Also KeyError, TypeError and ValueError.
    """
    if header["format"] != FORMAT:
        raise ModelError(f"format {shown(header['format'])}")
    hidden = tuple(int(width) for width in header["hidden"])
    if header["kind"] not in KINDS or header["features"] not in FEATURES:
        raise ModelError("unknown kind or features")
    if len(hidden) > _DEEPEST or not all(0 < width <= _WIDEST for width in hidden):
        raise ModelError("impossible layers")
    return ModelInfo(
        kind=header["kind"],
        rules=Rules.parse(header["rules"]),
        features=cast("Features", header["features"]),
        hidden=hidden,
        observation_version=int(header["observation_version"]),
        notes={str(name): str(text) for name, text in dict(header.get("notes", {})).items()},
    )
