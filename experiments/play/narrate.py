"""Turns in words, as they are told to the person at the table."""

from collections.abc import Sequence

from agents.human.console import Console
from agents.human.words import canvas_words, owner_of, seat_words
from red7_env.game import Game, States
from red7_env.game.moves import DISCARD, DRAW, END, PASS, TAKE, TO_CANVAS, TO_DECK
from red7_env.game.state import PILE_SIZE


class Narrator:
    """Puts together what happened in a turn, from the moves one by one; nothing hidden from the viewer is told."""

    def __init__(self, viewer: int, names: Sequence[str], console: Console) -> None:
        """Say for whom it is told, who sits at the seats, and with whose colours."""
        self._viewer, self._names, self._console = viewer, names, console
        self._deeds: list[str] = []

    def note(self, before: States, move: int, after: States) -> str:
        """Take down a move; return what the viewer has to hear at once, the card that a 3 drew.

        Args:
            before: [1] the state in which it was made.
            move: Its action id.
            after: [1] the state it led to.
        """
        if move != END:
            self._deeds.append(self._deed(before, move))
        if move == DRAW or after[0]["deck_size"] >= before[0]["deck_size"]:
            return ""
        self._deeds.append(self._draw(before))
        return f"You {self._deeds[-1]}." if before[0]["to_move"] == self._viewer else ""

    def tell(self, seat: int, seats_in: int, after: States) -> str:
        """Return the turn that has ended in words, and begin the next one.

        Args:
            seat: Whose turn it was.
            seats_in: Who was in before it, bit s for seat s.
            after: [1] the state after it.
        """
        deeds, self._deeds = self._deeds, []
        gone = [other for other in range(len(self._names)) if (seats_in & ~int(after[0]["seats_in"])) >> other & 1]
        told = [f"{self._name(seat)} {_listed(deeds)}{' and ' + self._are(seat) + ' out' if seat in gone else ''}."]
        told += [
            f"{self._name(other)} {self._have(other)} no cards left and {self._are(other)} out."
            for other in gone
            if other != seat
        ]
        return " ".join(told)

    def start(self, game: Game) -> str:
        """Return which game or round begins, or goes on, and whose turn it is."""
        seat = game.to_move
        rounds = f", round {int(game.state[0]['round']) + 1}" if game.rules.match else ""
        begin = "goes on" if game.rounds[-1].turns or game.turn else "begins"
        return f"\n{game.rules}{rounds} {begin}; {seat_words(seat, self._viewer, self._names)} to move."

    def game_end(self, game: Game) -> str:
        """Return who has won the game, and with how many points."""
        winners = game.winners
        names = " and ".join(map(self._name, winners))
        verb = self._have(winners[0]) if len(winners) == 1 else "share the win: they have"
        points = f" with {game.scores[winners[0]]} points" if game.rules.match else ""
        return f"{names} {verb} won the game{points}."

    def round_end(self, game: Game) -> str:
        """Return who has won the round that is over, and what was scored."""
        winner = game.winner
        if winner is None:
            return ""
        words = f"{self._name(winner)} {self._have(winner)} won the round"
        if not game.rules.advanced:
            return f"{words}."
        cards = game.best_set(winner)
        points = sum(card // 7 + 1 for card in cards)
        verb = "score" if winner == self._viewer else "scores"
        return f"{words} and {verb} {self._console.cards(cards)}: {points} points."

    def scores(self, game: Game) -> str:
        """Return the points of all seats in a match."""
        points = [f"{self._name(seat)} {score}" for seat, score in enumerate(game.scores)]
        return f"Points ({game.rules.target} end the match): {', '.join(points)}."

    def _deed(self, before: States, move: int) -> str:  # noqa: PLR0911 - one exit a kind of move reads best
        if move == PASS:
            return "passed"
        if move == DRAW:
            return self._draw(before)
        card = self._console.card(move % 49 if move < END else (move - TAKE) % 49)
        if move < DISCARD:
            return f"played {card}"
        if move < END:
            return f"discarded {card}: {self._rule(before, move - DISCARD)}"
        if move < TO_CANVAS:
            owner = seat_words(owner_of(before, move - TAKE), self._viewer, self._names)
            return f"put {card} of {owner} on the deck"
        if move < TO_DECK:
            return f"moved {card} from the palette to the canvas: {self._rule(before, move - TO_CANVAS)}"
        return f"moved {card} from the palette to the deck"

    def _rule(self, before: States, card: int) -> str:
        return canvas_words(card, int(before[0]["rule"]), self._console)

    def _draw(self, before: States) -> str:
        state = before[0]
        card = int(state["pile"][PILE_SIZE - int(state["deck_size"])])
        if state["deck_known"]:
            return f"drew {self._console.card(card)}, which all had seen"
        return f"drew {self._console.card(card)}" if state["to_move"] == self._viewer else "drew a card"

    def _name(self, seat: int) -> str:
        words = seat_words(seat, self._viewer, self._names)
        return words[0].upper() + words[1:]

    def _are(self, seat: int) -> str:
        return "are" if seat == self._viewer else "is"

    def _have(self, seat: int) -> str:
        return "have" if seat == self._viewer else "has"


def _listed(deeds: list[str]) -> str:
    return ", then ".join(deeds) if deeds else "ended the turn"
