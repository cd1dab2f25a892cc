"""What the page of a replay is given: plain values for JSON. All rules are applied here, none by the page."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from experiments.replay.explain import Critic, Opinion, Verdict, decisions
from experiments.replay.words import begun, told
from red7_env.game import Rules
from red7_env.game.bits import cards_of, points_of_word
from red7_env.game.cards import COLOUR_LETTERS, COLOUR_NAMES
from red7_env.game.moves import move_text, move_words
from red7_env.game.state import MATCH_OVER, PILE_SIZE, ROUND_OVER
from red7_env.render.words import RULE_WORDS, best_sets_of, leader_of, mover_words, turn_words
from red7_env.stages import Stage

_DIGITS: Final = 4
Data = dict[str, Any]


def page_data(
    rules: Rules,
    names: Sequence[str],
    stages: Sequence[Stage],
    verdicts: Mapping[int, Verdict],
    critics: Sequence[Critic],
) -> Data:
    """Return all that a page shows.

    Args:
        rules: What is played.
        names: What the seats are called.
        stages: The stages of the game.
        verdicts: The solver's, by number of the stage.
        critics: The agents that explain.
    """
    offers = decisions(stages)
    moves = {stage.move for stage in stages if stage.move is not None}.union(*offers.values())
    steps = [_step(stage) for stage in stages]
    steps[0]["told"] = begun(stages[0], names)
    for number, step in enumerate(steps):
        if number:
            step["told"] = told(stages[number - 1], stages[number], names)
        if number in verdicts:
            step["winner"] = verdicts[number].winner
        if number in offers:
            opinions = [critic.opinions[number] for critic in critics]
            step["decision"] = _decision(offers[number], stages[number], verdicts.get(number), opinions)
    return {
        "title": _title(rules, names, stages[-1]),
        "names": list(names),
        "rules": str(rules),
        "match": rules.match,
        "target": rules.target,
        "solved": bool(verdicts),
        "colours": list(COLOUR_NAMES),
        "letters": COLOUR_LETTERS,
        "ruleWords": list(RULE_WORDS),
        "critics": [_critic(critic) for critic in critics],
        "winners": _winners(stages[-1].state[0]),
        "summary": _summary(stages, verdicts, critics, len(names)),
        "moves": {move: [move_text(move), move_words(move)] for move in sorted(moves)},
        "steps": steps,
    }


def _title(rules: Rules, names: Sequence[str], last: Stage) -> str:
    winners = [names[seat] for seat in _winners(last.state[0])]
    against = [name for seat, name in enumerate(names) if seat not in _winners(last.state[0])]
    verb = "beat" if len(winners) > 1 or not against else "beats"
    return f"{' and '.join(winners)} {verb} {', '.join(against) or 'nobody'}: {rules}"


def _winners(state: np.void) -> list[int]:
    return [seat for seat in range(int(state["players"])) if int(state["winners"]) >> seat & 1]


def _critic(critic: Critic) -> Data:
    opinions = critic.opinions.values()
    return {
        "spec": critic.spec,
        "seesAll": critic.sees_all,
        "chances": any(opinion.chances is not None for opinion in opinions),
        "worths": any(opinion.worths is not None for opinion in opinions),
        "values": any(opinion.value is not None for opinion in opinions),
    }


def _summary(
    stages: Sequence[Stage], verdicts: Mapping[int, Verdict], critics: Sequence[Critic], seats: int
) -> list[Data]:
    """Return, for each who judges, in words how each seat did in all of its decisions."""
    asked: list[list[int]] = [[] for _ in range(seats)]
    offers = decisions(stages)
    for number in offers:
        asked[int(stages[number].state[0]["to_move"])].append(number)
    rows = [
        {"who": critic.spec, "seats": [_agreement(critic, stages, offers, numbers) for numbers in asked]}
        for critic in critics
    ]
    if verdicts:
        rows.append({"who": "open hands", "seats": [_slips(stages, verdicts, numbers) for numbers in asked]})
    return rows


def _agreement(critic: Critic, stages: Sequence[Stage], offers: Mapping[int, list[int]], asked: Sequence[int]) -> str:
    """Return how often a seat played as an agent would, and what its moves cost in the mean."""
    opinions = [critic.opinions[number] for number in asked]
    same = sum(opinion.choice == stages[number].move for opinion, number in zip(opinions, asked, strict=True))
    words = f"same move {same} of {len(asked)}"
    places = [offers[number].index(_made(stages[number])) for number in asked]
    regrets = [opinion.regret(place) for opinion, place in zip(opinions, places, strict=True)]
    known = [regret for regret in regrets if regret is not None]
    return f"{words}, cost {sum(known) / len(known):.3f} a move" if known else words


def _slips(stages: Sequence[Stage], verdicts: Mapping[int, Verdict], asked: Sequence[int]) -> str:
    """Return how often a seat gave a won game away, and how often it could have."""
    won = [number for number in asked if verdicts[number].keeping]
    slips = sum(stages[number].move not in verdicts[number].keeping for number in won)
    return f"gave the win away {slips} of {len(won)} times"


def _made(stage: Stage) -> int:
    assert stage.move is not None  # noqa: S101 - a decision of a finished game was made
    return stage.move


def _step(stage: Stage) -> Data:
    """Return how the table stands; whose eyes see what of it is for the page to choose."""
    state = stage.state[0]
    size, deck, known = (int(state[name]) for name in ("canvas_size", "deck_size", "deck_known"))
    pile, leader = state["pile"].tolist(), leader_of(state)
    return {
        "when": turn_words(state),
        "mover": int(state["to_move"]),
        "phase": mover_words(state),
        "over": bool(state["phase"] >= ROUND_OVER),
        "end": bool(state["phase"] == MATCH_OVER or (state["phase"] == ROUND_OVER and not state["match"])),
        "rule": int(state["rule"]),
        "leader": -1 if leader is None else leader,
        "canvas": pile[:size],
        "deck": deck,
        "top": pile[PILE_SIZE - deck :][:known],
        "seats": [_seat(state, seat, best) for seat, best in enumerate(best_sets_of(state))],
        "position": stage.position,
        "turn": " ".join(stage.turn),
        "move": stage.move,
    }


def _seat(state: np.void, seat: int, best: int) -> Data:
    inside = bool(int(state["seats_in"]) >> seat & 1)
    return {
        "in": inside,
        "hand": cards_of(state["hands"][seat]),
        "known": cards_of(state["known"][seat]),
        "palette": cards_of(state["palettes"][seat]),
        "set": cards_of(best),
        "scored": cards_of(state["scored"][seat]),
        "points": points_of_word(state["scored"][seat]),
    }


def _decision(offer: Sequence[int], stage: Stage, verdict: Verdict | None, opinions: Sequence[Opinion]) -> Data:
    """Return what was offered, what was done, and what agents and solver think of it."""
    place = None if stage.move is None else offer.index(stage.move)
    return {
        "offer": list(offer),
        "keeps": None if verdict is None else [int(move in verdict.keeping) for move in offer],
        "slip": verdict is not None and bool(verdict.keeping) and stage.move not in verdict.keeping,
        "opinions": [_opinion(opinion, place) for opinion in opinions],
    }


def _opinion(opinion: Opinion, place: int | None) -> Data:
    return {
        "choice": opinion.choice,
        "chances": _numbers(opinion.chances),
        "worths": _numbers(opinion.worths),
        "value": _number(opinion.value),
        "regret": None if place is None else _number(opinion.regret(place)),
    }


def _numbers(values: Any) -> list[float | None] | None:  # noqa: ANN401 - an array or None
    return None if values is None else [_number(float(value)) for value in values]


def _number(value: float | None) -> float | None:
    """Return a number as short as the page needs it; JSON has no NaN."""
    return None if value is None or math.isnan(value) else round(value, _DIGITS)
