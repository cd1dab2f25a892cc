"""Arrays that are saved byte by byte, whatever their dtype, and schedules."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.learned.weights import Tensors
from experiments.train.options import TrainError


def between(first: float, last: float, done: float) -> float:
    """Return the value of a schedule that goes straight from the first to the last."""
    return first + (last - first) * done


def bytes_of(values: Mapping[str, Any]) -> Tensors:
    """Return those of some values that are arrays, as bytes."""
    arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
    return {name: np.frombuffer(array.tobytes(), np.uint8) for name, array in arrays.items()}


def take_bytes(values: Mapping[str, Any], saved: Tensors) -> None:
    """Write into arrays what ``bytes_of`` returned for them.

    Raises:
        TrainError: If an array is missing or has another size.
    """
    for name, array in values.items():
        if isinstance(array, np.ndarray):
            found = saved.get(name)
            if found is None or found.size != array.nbytes:
                raise TrainError(f"resume: found {name} damaged, expected a checkpoint of this run")
            array[...] = np.frombuffer(found.tobytes(), array.dtype).reshape(array.shape)
