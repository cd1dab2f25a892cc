"""``human``: a person at a terminal.

Usable wherever an agent is: the person is asked once a turn, puts the whole turn together (with undo, which a game
played move by move could not give), and its moves are handed out one by one as they are asked for. A turn in which a
card is drawn goes on with another question when the card is known. Of several views in a batch each is asked for
after the other. What a person is shown is the view, and what may be typed is said by ``?``.
"""

from collections.abc import Sequence

import numpy as np

from agents.human.console import Console
from agents.human.talk import Talk
from agents.options import SpecError
from agents.protocol import Masks, Moves
from agents.registry import entry_of, make, spec_of
from red7_env.game import States
from red7_env.game.errors import shown

_DEFAULT_HINT = "rollout"


class Human:
    """Asks a person on standard input and shows the table on standard output, in colours if that is a terminal.

    Attributes:
        names: Who sits at the seats, to be shown; None if that is not known.
    """

    name = "human"

    def __init__(self, *, hint: str = _DEFAULT_HINT) -> None:
        """Choose who gives hints.

        Args:
            hint: The spec of an agent that is given the same view when the person asks for a hint. In the spec of
                ``human`` its colons are commas: ``human:hint=pimc,samples=100``.

        Raises:
            SpecError: If it is no agent, or one that sees all hands or is a person.
        """
        hint = hint if ":" in hint else hint.replace(",", ":")
        entry = entry_of(hint)
        if entry.cheats or entry.name == self.name:
            raise SpecError(f"hint: found {shown(hint)}, expected an agent that sees no more than a player")
        self.spec = spec_of(self.name, hint=hint.replace(":", ","))
        self.names: Sequence[str] | None = None
        self._hint = make(hint)
        self._plans: list[dict[bytes, int]] = []

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:  # noqa: ARG002 - fixed by the protocol
        """Return the person's move for every view; see ``protocol.Agent``.

        Raises:
            PersonLeftError: If the input ends, or the person quits.
        """
        # What is left of a turn that did not go on with this call was not wanted: its game was left, or the moves
        # that were left, without any choice in them, were made without asking.
        plans, self._plans = self._plans, []
        moves = np.empty(len(views), np.int64)
        for place in range(len(views)):
            view = views[place : place + 1]
            plan = next((plan for plan in plans if view.tobytes() in plan), None)
            if plan is None:
                plan = self._asked(view, rng, f"Game {place + 1} of {len(views)}" if len(views) > 1 else "")
            moves[place] = plan.pop(view.tobytes())
            if plan:
                self._plans.append(plan)
        return moves

    def _asked(self, view: States, rng: np.random.Generator, heading: str) -> dict[bytes, int]:
        """Return the plan of a turn that the person puts together."""
        console = Console()
        if heading:
            console.say(f"\n{heading}")
        return Talk(view, console, self._hint, rng, self.names).turn().plan()
