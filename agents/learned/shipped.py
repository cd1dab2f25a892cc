"""The models that come with the project, one file for each kind and rules, with a model card beside it."""

from pathlib import Path
from typing import Final

from agents.learned.weights import KINDS, ModelError
from red7_env.game import Rules

FOLDER: Final = Path(__file__).resolve().parents[1] / "pretrained"


def shipped_path(kind: str, rules: Rules) -> Path:
    """Return where the model of these rules is, or would be."""
    return FOLDER / f"{kind}-{str(rules).replace(':', '-')}.safetensors"


def shipped(kind: str, rules: Rules) -> Path:
    """Return the file of the shipped model.

    Raises:
        ModelError: If there is none for these rules.
    """
    path = shipped_path(kind, rules)
    if not path.is_file():
        known = ", ".join(shipped_rules(kind)) or "none"
        raise ModelError(f"model: found no shipped {kind} for {rules} (there is {known}), expected model=PATH")
    return path


def shipped_rules(kind: str) -> list[str]:
    """Return the rules, as file names have them, for which there is a shipped model of a kind."""
    if kind not in KINDS:
        raise ModelError(f"kind: found {kind!r}, expected one of {', '.join(KINDS)}")
    return sorted(path.stem.removeprefix(f"{kind}-") for path in FOLDER.glob(f"{kind}-*.safetensors"))
