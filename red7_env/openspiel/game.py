"""``Red7Game``: the game as OpenSpiel knows it, with its parameters and sizes."""

from collections.abc import Mapping
from typing import Any, Final

import pyspiel

from red7_env.game.cards import NUM_CARDS
from red7_env.game.errors import RulesError, shown
from red7_env.game.rules import Rules
from red7_env.openspiel.observer import Red7Observer
from red7_env.openspiel.state import Red7State

NAME: Final = "red7"
_RULES, _PLAYERS = "basic", 2

GAME_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Red7",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    min_num_players=2,
    max_num_players=4,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification={"rules": _RULES, "players": _PLAYERS},
)


class Red7Game(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A single round of Red7.

    Attributes:
        rules: What is played.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Read the parameters ``rules`` and ``players``.

        Raises:
            RulesError: If there are no such rules.
        """
        given = dict(params or {})
        self.rules = _rules_of(given.get("rules", _RULES), given.get("players", _PLAYERS))
        players = self.rules.players
        sizes = pyspiel.GameInfo(
            num_distinct_actions=self.rules.num_moves,
            max_chance_outcomes=max(NUM_CARDS, 2 * players + 1),
            num_players=players,
            min_utility=-1 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=most_moves(self.rules),
        )
        super().__init__(GAME_TYPE, sizes, given)

    def new_initial_state(self) -> Red7State:
        """Return the state before the deal."""
        return Red7State(self, str(self.rules))

    def max_chance_nodes_in_history(self) -> int:
        """Return a number of chance nodes that no game exceeds: each card of the deal, and each draw."""
        return self.rules.num_cards + most_moves(self.rules)

    def make_py_observer(
        self,
        iig_obs_type: Any = None,  # noqa: ANN401 - OpenSpiel has no types
        params: Mapping[str, Any] | None = None,
    ) -> Red7Observer:
        """Return an observer; see there."""
        chosen = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Red7Observer(self.rules, most_moves(self.rules), chosen, params)


def most_moves(rules: Rules) -> int:
    """Return a number of moves that no round exceeds.

    Let a card in a hand count 2 and one in the deck 1. A play or a discard takes away 2, of which a draw or an action
    that comes with it gives back at most 1, so there are at most as many of them as the cards count at first. Without
    actions a card leaves a hand only once. Each is followed by at most two moves of other kinds, and every seat but one
    passes.
    """
    from_hands = rules.num_cards * (1 if rules.actions is None else 2)
    return 3 * from_hands + rules.players - 1


def _rules_of(field: object, players: object) -> Rules:
    if not isinstance(field, str):
        raise RulesError(f"rules: found {shown(field)}, expected text such as basic")
    if not isinstance(players, int):
        raise RulesError(f"players: found {shown(players)}, expected 2, 3 or 4")
    return Rules.from_field(field, players)


pyspiel.register_game(GAME_TYPE, Red7Game)
