"""PPO: whose outcome a decision is learned from, and that learning works."""

import numpy as np
import pytest
import torch

from agents import make
from agents.learned.networks import PolicyValue
from agents.learned.player import NetPlayer
from agents.table import play_deals
from experiments.train.evaluation import strength
from experiments.train.ppo import GREEDY, LEARNER, SNAPSHOT, Ppo
from red7_env.game.moves import PASS
from tests.experiments.train.cases import after, tiny, trained

VARIANTS = (
    "basic@4x4x3:2p",
    "basic+revised@5x5x3:3p",
    "advanced@4x5x3:4p",
    "advanced+first@4x4x3:2p:match",
    "advanced+revised@4x5x3:3p:match",
)


def transitions(steps, game, seat):
    """Return what a seat went through in a slot: [step, value, what was paid until its next decision, value there].

    The last two are None while it is not known what followed; the value of the end of a game is 0.0.
    """
    chain, paid, closed = [], 0.0, True
    for step in range(len(steps.seats)):
        if steps.learns[step, game] and steps.seats[step, game] == seat:
            if not closed:
                chain[-1][2:] = [paid, float(steps.values[step, game])]
            chain.append([step, float(steps.values[step, game]), None, None])
            paid, closed = 0.0, False
        paid += float(steps.rewards[step, game, seat])
        if (steps.done[step, game] or steps.rewards[step, game, seat] != 0) and not closed:
            chain[-1][2:] = [paid, "end"]
            closed = True
    return chain


def expected_advantages(steps, gae):
    """Return by step and game the advantage of each decision whose outcome is known, one seat at a time."""
    found = {}
    for game in range(steps.seats.shape[1]):
        for seat in range(steps.rewards.shape[2]):
            later = 0.0
            for step, value, paid, there in reversed(transitions(steps, game, seat)):
                if paid is None:
                    continue
                later = paid - value + (0.0 if there == "end" else there + gae * later)
                found[step, game] = later
    return found


@pytest.mark.parametrize("rules", VARIANTS)
def test_advantages_run_along_the_decisions_of_one_seat(rules):
    ppo = Ppo(tiny(rules=rules, greedy=0.3, snapshots=0.3))
    steps = after(ppo, 3)
    expected = expected_advantages(steps, 0.9)
    rows, advantages = steps.advantages(0.9)
    at = [(row // len(ppo.games), row % len(ppo.games)) for row in rows.tolist()]
    assert set(at) == {place for place in expected if place[0] < steps.steps}
    np.testing.assert_allclose(advantages, [expected[place] for place in at], atol=1e-5)
    assert len(rows) > 0.97 * steps.learns[: steps.steps].sum()


@pytest.mark.parametrize("rules", VARIANTS[:3])
def test_every_seat_sees_wins_and_losses(rules):
    ppo = Ppo(tiny(rules=rules, steps=64))
    steps = after(ppo, 2)
    rows, advantages = steps.advantages(1.0)
    returns = advantages + steps.values.reshape(-1)[rows]
    seats = steps.seats.reshape(-1)[rows]
    players = ppo.info.rules.players
    ends = np.abs(returns - 1) < 1e-4, np.abs(returns + 1 / (players - 1)) < 1e-4
    for seat in range(players):
        assert (ends[0] & (seats == seat)).sum() > 5
        assert (ends[1] & (seats == seat)).sum() > 5


def test_only_the_learners_own_choices_are_learned_from():
    ppo = Ppo(tiny(greedy=0.3, snapshots=0.3))
    for _ in range(2):
        players = ppo.players.copy()
        steps = after(ppo, 2)
    assert (steps.offered[steps.learns].sum(axis=1) > 1).all()
    assert not steps.offered[steps.learns][:, PASS].any()
    assert {LEARNER, SNAPSHOT, GREEDY} == set(np.unique(players).tolist())
    # Against others there is one learner's seat in a game.
    alone = (players != LEARNER).any(axis=1)
    assert ((players[alone] == LEARNER).sum(axis=1) == 1).all()
    assert 0.3 < alone.mean() < 0.9


def test_the_policy_sees_nothing_hidden():
    """Its input is what the environment shows to the seat to move, of which other tests say that it hides the rest."""
    ppo = Ppo(tiny(critic="oracle"))
    steps = after(ppo, 2)
    assert steps.hidden.shape[2] > steps.obs.shape[2]
    learns = steps.learns
    assert (steps.hidden[learns][:, : steps.obs.shape[2]] == steps.obs[learns]).all()
    assert ppo.network.trunk[0].in_features == steps.obs.shape[2]
    assert ppo.critic.trunk[0].in_features == steps.hidden.shape[2]


def test_it_learns_a_small_deck():
    config = tiny(moves=80_000, games=128, steps=32, minibatch=512, hidden=(64,), kickstart=0.0, greedy=0.0)
    ppo = Ppo(config)
    before = strength(ppo.player(), make("random:unit=turn"), ppo.info.rules, 200)
    while ppo.moves < config.moves:
        ppo.advance(ppo.moves / config.moves)
    after = strength(ppo.player(), make("random:unit=turn"), ppo.info.rules, 200)
    assert before.rate < 54
    assert after.low > max(53, before.high)


@pytest.mark.parametrize("more", [{"critic": "oracle"}, {"magnet": 0.2}, {"reward": "points"}, {"example": "random"}])
def test_variants_of_learning_run(more):
    ppo = Ppo(tiny(rules="advanced+revised@4x5x3:3p", **more))
    row = [ppo.advance(done) for done in (0.0, 0.5)][1]
    assert row["decisions"] > 50
    assert all(np.isfinite(value) for value in row.values())


def test_a_strong_magnet_keeps_the_policy_where_it_was():
    moved = []
    for magnet in (0.0, 30.0):
        ppo = Ppo(tiny(magnet=magnet, kickstart=0.0, games=128))
        for _ in range(6):
            row = ppo.advance(0.3)
        moved.append(row["divergence"])
    assert moved[1] < moved[0] / 2


def updates(count, **more):
    """Make so many updates with a rate that tears the policy apart; the environment refuses what is not offered."""
    ppo = Ppo(tiny(rules="advanced+revised@4x5x3:2p", minibatch=8, learning_rate=0.05, steps=8, games=8, **more))
    made = 0
    while made < count:
        row = ppo.advance(0.0)
        made += 3 * -(-row["decisions"] // 8)
        assert np.isfinite(row.get("loss value", 0.0))
    steps = after(ppo, 1)
    assert np.take_along_axis(steps.offered, steps.moves[..., None], axis=2)[steps.ahead :].all()


def test_masks_are_respected():
    updates(1500)


@pytest.mark.slow
def test_masks_are_respected_in_a_hundred_thousand_updates():
    updates(100_000)


def test_the_stored_model_plays_the_same_moves(tmp_path):
    config = tiny()
    ppo = Ppo(config)
    trained(ppo, config, tmp_path)
    stored = make(f"ppo:model={tmp_path / 'last.safetensors'}")
    games = [
        play_deals([agent, make("greedy")], ppo.info.rules, 20, seed=3, keep_moves=True)
        for agent in (ppo.player(), stored)
    ]
    assert all((a == b).all() for a, b in zip(games[0].moves, games[1].moves, strict=True))
    chances = make(f"ppo:model={tmp_path / 'best.safetensors'}:temperature=1")
    assert chances.spec.endswith("temperature=1")


def test_the_average_follows_the_network():
    ppo = Ppo(tiny(average=0.9))
    for _ in range(4):
        ppo.advance(0.2)
    nets = ppo.network, ppo.played
    fast, slow = (torch.nn.utils.parameters_to_vector(net.parameters()).detach() for net in nets)
    assert 0 < float((fast - slow).norm()) < float(fast.norm())
    assert isinstance(ppo.player(), NetPlayer)
    assert isinstance(ppo.played, PolicyValue)
