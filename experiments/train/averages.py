"""A network that is the running average of another."""

import torch
from torch import nn


@torch.no_grad()
def follow(slow: nn.Module, fast: nn.Module, keep: float, iteration: int) -> None:
    """Move the weights of an average towards those that are learned, in place; in the first iterations quickly.

    Args:
        slow: The average.
        fast: What learns, of the same shape.
        keep: How much of the average stays, 0 to 1.
        iteration: Number of the iteration, from 0.
    """
    new = 1 - min(keep, (1 + iteration) / (10 + iteration))
    for average, learned in zip(slow.parameters(), fast.parameters(), strict=True):
        average.lerp_(learned, new)
