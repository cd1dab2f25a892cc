"""The compiled steps of ``Red7Batch``: everything that happens between two decisions, in one call."""

import numpy as np

from red7_env.batch_rewards import write_final_rewards, write_step_rewards
from red7_env.game.bits import I64, U64, ZERO
from red7_env.game.choice import write_mask
from red7_env.game.deal import deal_round, next_round
from red7_env.game.jit import inlined, kernel
from red7_env.game.offer import offer_of
from red7_env.game.state import ROUND_OVER, State, States, seats_of
from red7_env.game.streams import below, mixed, stream_start
from red7_env.game.turn import apply_move
from red7_env.observation.borrowed import borrowed
from red7_env.observation.kernels import write_observation_of
from red7_env.observation.table import Layout

_ROW_STEP = U64(0x9E3779B97F4A7C15)


@inlined
def _deal(state: State, seed: U64, game: U64) -> None:
    """Deal a game of a seed into a record that holds the rules, and perhaps a finished game."""
    for seat in range(seats_of(state)):
        state.scored[seat] = ZERO
    state.round = 0
    state.rng = stream_start(seed, game)
    deal_round(state)


@inlined
def _show(state: State, layout: Layout, obs: np.ndarray, obs_row: int, mask: np.ndarray, mask_row: int) -> None:
    """Write mask and observation of the seat to move."""
    offer = offer_of(state)
    write_mask(state, offer, mask, mask_row)
    write_observation_of(state, I64(state.to_move), layout, obs, obs_row, offer)


@kernel
def start_many(
    states: States,
    seed: U64,
    games: np.ndarray,
    layouts: np.ndarray,
    obs: np.ndarray,
    mask: np.ndarray,
    to_move: np.ndarray,
) -> None:
    """Deal a game into each slot and show it.

    Args:
        states: [N] records that hold the rules.
        seed: Seed of the games.
        games: [N] uint64 numbers of the games.
        layouts: ``table.layout`` of the rules and features.
        obs: [N, size] uint8.
        mask: [N, A] uint8.
        to_move: [N] int64.
    """
    flat_obs, flat_mask = borrowed(obs.reshape(-1)), borrowed(mask.reshape(-1))
    for i in range(len(states)):
        _deal(states[i], seed, games[i])
        to_move[i] = states[i].to_move
        _show(states[i], layouts[0], flat_obs, i * obs.shape[1], flat_mask, i * mask.shape[1])


@kernel
def refused_action(actions: np.ndarray, mask: np.ndarray) -> int:
    """Return the index of the first game whose action is not offered, or -1; [N] int64 and [N, A] uint8."""
    for i in range(len(actions)):
        action = actions[i]
        if action < 0 or action >= mask.shape[1] or mask[i, action] == 0:
            return i
    return -1


@kernel
def step_many(
    states: States,
    actions: np.ndarray,
    seed: U64,
    games: np.ndarray,
    games_ahead: U64,
    reward: int,
    layouts: np.ndarray,
    obs: np.ndarray,
    mask: np.ndarray,
    to_move: np.ndarray,
    rewards: np.ndarray,
    done: np.ndarray,
    final_states: States,
    final_rewards: np.ndarray,
) -> None:
    """Do one offered move in each game, go on to the next decision, and show it.

    A match goes on to its next round. Where the game is over, it is kept and paid, and the slot's next game is dealt.

    Args:
        states: [N] records.
        actions: [N] int64, offered.
        seed: Seed of the games.
        games: [N] uint64 number of the game in each slot.
        games_ahead: Difference to the number of the slot's next game.
        reward: ``batch_rewards.WIN`` or ``POINTS``.
        layouts: ``table.layout`` of the rules and features.
        obs: [N, size] uint8.
        mask: [N, A] uint8.
        to_move: [N] int64.
        rewards: [N, players] float32, what this move paid.
        done: [N] bool, whether it ended the game.
        final_states: [N] records, written where done.
        final_rewards: [N, players] float32, written where done.
    """
    flat_obs, flat_mask = borrowed(obs.reshape(-1)), borrowed(mask.reshape(-1))
    flat_rewards = borrowed(rewards.reshape(-1))
    flat_final = borrowed(final_rewards.reshape(-1))
    players = rewards.shape[1]
    for i in range(len(states)):
        state = states[i]
        seats_before = I64(state.seats_in)
        apply_move(state, actions[i])
        if state.phase == ROUND_OVER and state.match:
            next_round(state)
        over = state.phase >= ROUND_OVER
        write_step_rewards(state, seats_before, over, reward, flat_rewards, i * players)
        done[i] = over
        if over:
            final_states[i] = state
            write_final_rewards(state, reward, flat_final, i * players)
            games[i] += games_ahead
            _deal(state, seed, games[i])
        to_move[i] = state.to_move
        _show(state, layouts[0], flat_obs, i * obs.shape[1], flat_mask, i * mask.shape[1])


@kernel
def random_actions_many(mask: np.ndarray, seed: U64, step: U64, out: np.ndarray) -> None:
    """Choose one offered move a row, each equally likely; [N, A] uint8 into [N] int64, -1 for a row of zeros."""
    rng = stream_start(seed, step)
    for i in range(len(mask)):
        offered = 0
        for action in range(mask.shape[1]):
            offered += mask[i, action]
        left = I64(below(mixed(rng + U64(i) * _ROW_STEP), U64(offered)))
        choice = -1
        while left >= 0 and choice + 1 < mask.shape[1]:
            choice += 1
            left -= mask[i, choice]
        out[i] = choice if offered > 0 else -1
