"""The compiled side of ``seats``: many games, in each of which one seat waits for a learner."""

import numpy as np

from red7_env.batch_kernels import deal_game
from red7_env.batch_rewards import loss, write_final_rewards
from red7_env.game.bits import I64, ONE, U64, ZERO
from red7_env.game.choice import Offer, nth_move, offer_size, write_mask
from red7_env.game.deal import next_round
from red7_env.game.jit import inlined, kernel
from red7_env.game.moves import PASS
from red7_env.game.offer import offer_of
from red7_env.game.state import ROUND_OVER, START, State, States, seats_of
from red7_env.game.streams import advanced, below, mixed, stream_start
from red7_env.game.turn import apply_move
from red7_env.game.views import hide
from red7_env.observation.borrowed import borrowed
from red7_env.observation.kernels import write_observation_of

PLAN = np.dtype(
    [
        ("seed", "<u8"),  # of the games
        ("ahead", "<u8"),  # difference of a slot's next game to its present one
        ("seat", "<i8"),  # the learners', or ROTATE or RANDOM
        ("reward", "<i8"),  # rewards.WIN or rewards.POINTS
        ("pays_early", "u1"),  # 1 if a learner that is out of the round is paid at once
        ("keeps_turns", "u1"),  # 1 if turns may be taken back
        ("passed_over", "<i8"),  # counts the games that were over before the learner had a move
    ],
    align=True,
)
"""What is the same in all slots."""

ROTATE, RANDOM = -1, -2
"""Values of ``seat``: game k's learner has seat k modulo the number of players, or one drawn from seed and k."""

SLOT = np.dtype([("game", "<u8"), ("seat", "<i8"), ("lineup", "<i8"), ("moves", "<i8")], align=True)
"""What a game has beside its state: its number, the learner's seat, who plays the others, the learner's moves."""

BEGIN, ABORT, FORFEIT = -1, -2, -3
"""Codes that may stand for an action: deal the slot's game, end it as lost, take the turn back and pass."""

_ASK = -4
"""Stands for an action that somebody has to be asked for."""

_ABORTED = -1.0
"""Reward of a learner whose game is aborted, as by PettingZoo's TerminateIllegalWrapper."""

Record = State
"""One element of ``PLAN`` or ``SLOT`` inside compiled code."""


@inlined
def _lineup_of(plan: Record, game: U64, shares: np.ndarray) -> int:
    """Return the lineup that meets the learner in a game, drawn from seed and number alone."""
    word = mixed(stream_start(~plan.seed, game))
    chance = I64(word >> U64(11)) * 2.0**-53
    lineup = 0
    while chance >= shares[lineup]:
        lineup += 1
    return lineup


@inlined
def _seat_of(seat: int, seed: U64, game: U64, players: int) -> int:
    """Return the learner's seat in a game, itself or by the codes ``ROTATE`` and ``RANDOM``."""
    if seat == ROTATE:
        return I64(game % U64(players))
    if seat == RANDOM:
        return I64(below(mixed(advanced(stream_start(~seed, game))), U64(players)))
    return seat


@kernel
def seat_of_game(seat: int, seed: U64, game: U64, players: int) -> int:
    """Return the learner's seat in game ``game`` of ``seed``, given as a seat or a code."""
    return _seat_of(seat, seed, game, players)


@inlined
def _begin(plan: Record, state: State, slot: Record, shares: np.ndarray) -> None:
    """Deal a slot's game into a record that holds the rules, and perhaps a finished game."""
    deal_game(state, plan.seed, slot.game)
    slot.seat = _seat_of(plan.seat, plan.seed, slot.game, seats_of(state))
    slot.lineup = _lineup_of(plan, slot.game, shares)
    slot.moves = 0


@inlined
def _is_over(plan: Record, state: State, slot: Record) -> bool:
    """Tell whether nothing more can happen to the learner in its game."""
    if state.phase >= ROUND_OVER:
        return True
    return plan.pays_early and not state.seats_in >> slot.seat & 1


@inlined
def _pay(plan: Record, state: State, slot: Record, pay: np.ndarray) -> float:
    """Return what the learner gets for a game that is over for it; ``pay``: [4] float64 of room."""
    if state.phase < ROUND_OVER:
        return loss(state)
    write_final_rewards(state, plan.reward, pay, 0)
    return pay[slot.seat]


@inlined
def _opponent_of(state: State, slot: Record, seating: np.ndarray) -> int:
    """Return the number of the opponent that is to move."""
    after = I64(state.to_move) - slot.seat
    after += seats_of(state) if after < 0 else 0
    return seating[slot.lineup, after - 1]


@inlined
def _do(plan: Record, state: State, slot: Record, shares: np.ndarray, action: int) -> None:
    """Do an action, and go on to a match's next round where it ended one."""
    if action == BEGIN:
        _begin(plan, state, slot, shares)
    elif action != ABORT:
        apply_move(state, action)
        if state.phase == ROUND_OVER and state.match:
            next_round(state)


@inlined
def _only_move(state: State, slot: Record, offer: Offer) -> int:
    """Return the one move that an opponent is offered, or ``_ASK``."""
    if I64(state.to_move) != slot.seat and offer_size(offer) == ONE:
        return nth_move(state.phase, offer, ZERO)
    return _ASK


@kernel
def advance(
    plans: np.ndarray,
    states: States,
    slots: np.ndarray,
    turn_starts: States,
    shares: np.ndarray,
    seating: np.ndarray,
    layouts: np.ndarray,
    chosen: np.ndarray,
    actions: np.ndarray,
    obs: np.ndarray,
    mask: np.ndarray,
    rewards: np.ndarray,
    done: np.ndarray,
    final_slots: np.ndarray,
    final_states: States,
    queues: np.ndarray,
    queued: np.ndarray,
) -> None:
    """Do a move in some slots, and take each to where somebody has to be asked.

    A single offered move of an opponent is made at once. A game that ends is paid, and the slot's next one dealt; a
    game that ends before its learner has moved is passed over.

    Args:
        plans: [1] ``PLAN``.
        states: [N] records that hold the rules.
        slots: [N] ``SLOT``.
        turn_starts: [N] the states at the start of the learners' turns, if they are kept.
        shares: [L] float64, see ``Lineups``.
        seating: [L, players - 1] int64, see ``Lineups``.
        layouts: ``table.layout`` of the rules and features.
        chosen: [M] int64 slots to act in, each once.
        actions: [M] int64 offered action ids, or codes.
        obs: [N, size] uint8, written for each slot whose learner is to move.
        mask: [N, A] uint8, the offer to whoever is to move.
        rewards: [N] float64, written where a game ends.
        done: [N] bool, set where a game ends.
        final_slots: [N] ``SLOT`` of the games that have ended.
        final_states: [N] their states.
        queues: [O, N] int64, the slots that wait for each opponent.
        queued: [O] int64, how many; added to.
    """
    flat_obs, flat_mask = borrowed(obs.reshape(-1)), borrowed(mask.reshape(-1))
    plan, pay = plans[0], np.empty(4, np.float64)
    for n in range(len(chosen)):
        i = chosen[n]
        state, slot, action = states[i], slots[i], actions[n]
        if action != BEGIN and I64(state.to_move) == slot.seat:
            slot.moves += 1
        if action == FORFEIT:
            states[i] = turn_starts[i]
            action = I64(PASS)
        offer = (ZERO, ZERO, ZERO)
        while action != _ASK:
            _do(plan, state, slot, borrowed(shares), action)
            if action != ABORT and not _is_over(plan, state, slot):
                offer = offer_of(state)
                action = I64(_only_move(state, slot, offer))
                continue
            if slot.moves > 0:
                rewards[i] = _ABORTED if action == ABORT else _pay(plan, state, slot, pay)
                done[i] = True
                final_slots[i] = slot
                final_states[i] = state
            else:
                plan.passed_over += 1
            slot.game += plan.ahead
            action = I64(BEGIN)
        write_mask(state, offer, flat_mask, i * mask.shape[1])
        if I64(state.to_move) == slot.seat:
            write_observation_of(state, slot.seat, layouts[0], flat_obs, i * obs.shape[1], offer)
            if plan.keeps_turns and state.phase == START:
                turn_starts[i] = state
        else:
            opponent = _opponent_of(state, slot, borrowed(seating))
            queues[opponent, queued[opponent]] = i
            queued[opponent] += 1


@kernel
def show(states: States, mask: np.ndarray, chosen: np.ndarray, views: States, masks: np.ndarray) -> None:
    """Gather what opponents are asked with.

    Args:
        states: [N] records.
        mask: [N, A] uint8.
        chosen: [M] int64 slots.
        views: [M] records, written: the view of each slot's seat to move.
        masks: [M, A] uint8, written: its offer.
    """
    for n in range(len(chosen)):
        i = chosen[n]
        views[n] = states[i]
        hide(views[n], I64(states[i].to_move))
        masks[n] = mask[i]


@kernel
def draw_lineups(plans: np.ndarray, slots: np.ndarray, shares: np.ndarray) -> None:
    """Draw anew who plays the other seats in the game of each slot."""
    for i in range(len(slots)):
        slots[i].lineup = _lineup_of(plans[0], slots[i].game, shares)
