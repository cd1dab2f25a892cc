"""Finds the learned values for what is played, and loads PyTorch only then."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from agents.learned.shipped import shipped
from agents.learned.weights import ModelError, check_rules
from red7_env.game import Rules, States
from red7_env.observation.encoder import rules_of_all

if TYPE_CHECKING:
    from agents.learned.turn_values import TurnValues


class ValuesByRules:
    """The values of one file, or those that come with the project."""

    def __init__(self, user: str, model: str | None = None) -> None:
        """Choose the file.

        Args:
            user: Who asks, for its messages.
            model: The file; None for the project's own, by the rules that are played.

        Raises:
            ModelError: If PyTorch is missing, or the file is no model of this kind.
        """
        missing = [package for package in ("torch", "safetensors") if find_spec(package) is None]
        if missing:
            raise ModelError(f"{user}: found no {missing[0]}, expected pip install -e '.[train]'")
        self._only = None if model is None else _load(Path(model))
        self._shipped: dict[Rules, TurnValues] = {}

    @classmethod
    def only(cls, values: "TurnValues") -> "ValuesByRules":
        """Return what finds these values, without a file."""
        found = cls(values.info.kind)
        found._only = values
        return found

    def fitting(self, views: States) -> "TurnValues":
        """Return the values for the rules of these views, at least one.

        Raises:
            ModelError: If there are none.
        """
        rules = rules_of_all(views)
        if self._only is not None:
            check_rules(self._only.info, rules)
            return self._only
        if rules not in self._shipped:
            self._shipped[rules] = _load(shipped("dmc", rules))
        return self._shipped[rules]


def _load(path: Path) -> "TurnValues":
    from agents.learned.turn_values import load_values

    return load_values(path)
