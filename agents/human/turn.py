"""A turn put together move by move on a view.

Nothing is played before the turn is whole, so every move of it can be taken back. What ends a turn on a view is its
last move, or a draw of a card that the player cannot know: what follows then is another ``Turn``.
"""

import numpy as np

from red7_env.game import States, batch
from red7_env.game.moves import DISCARD, DRAW, END, PASS
from red7_env.game.state import NO_ACTIONS, NOBODY


class Turn:
    """Moves of one turn, from where a view stands.

    Attributes:
        moves: The action ids so far.
        whole: Whether they end the turn, or lead to a card that is not known yet.
    """

    def __init__(self, view: States) -> None:
        """Begin.

        Args:
            view: [1] the view of the seat to move; left as it is.
        """
        self._views = [view.copy()]
        self.moves: list[int] = []
        self.whole = False

    @property
    def view(self) -> States:
        """The view after the moves so far; of a whole turn the view before its last move."""
        return self._views[-1]

    @property
    def offered(self) -> list[int]:
        """The action ids that may come next."""
        ids: list[int] = [] if self.whole else np.flatnonzero(batch.offers(self.view)[0]).tolist()
        return ids

    def do(self, move: int) -> None:
        """Add an offered move."""
        after = None if move in {END, PASS, DRAW} or draws_unseen(self.view, move) else stepped(self.view, move)
        self.whole = after is None or bool(after[0]["turn"] != self.view[0]["turn"])
        self.moves.append(move)
        if after is not None and not self.whole:
            self._views.append(after)

    def undo(self) -> int:
        """Take the last move back and return it; there must be one."""
        self.whole = False
        move = self.moves.pop()
        del self._views[len(self.moves) + 1 :]
        return move

    def plan(self) -> dict[bytes, int]:
        """Return what a whole turn does when: each move by the bytes of the view in which it is made."""
        return {view.tobytes(): move for view, move in zip(self._views, self.moves, strict=True)}


def stepped(view: States, move: int) -> States:
    """Return the view after an offered move that draws no unknown card."""
    after = view.copy()
    after["viewer"] = NOBODY  # the engine plays on full states only; what is hidden from a seat its moves do not touch
    batch.play(after, np.array([move]))
    after["viewer"] = view["viewer"]
    return after


def draws_unseen(view: States, move: int) -> bool:
    """Tell whether an offered move draws a card that the player does not know."""
    state = view[0]
    if not state["deck_size"] or state["deck_known"]:
        return False
    return move == DRAW or (move < DISCARD and move // 7 + 1 == 3 and state["edition"] != NO_ACTIONS)


def hopeful(view: States) -> set[int]:
    """Return the offered moves after which only a card yet to be drawn can lead: without luck the seat is out."""
    without = view.copy()
    without["deck_size"] = without["deck_known"] = 0
    return set(np.flatnonzero(batch.offers(view)[0] & ~batch.offers(without)[0] & 1).tolist())
