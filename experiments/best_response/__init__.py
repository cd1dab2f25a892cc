"""How much a best response wins from an agent, at least: ``python -m experiments best-response --against ppo``.

The full game is far too large for an exact best response (``experiments.exploitability`` has those of small decks). So
the agent is frozen and a *responder* learns to beat it: Deep Monte Carlo (``experiments.train.dmc``) plays one seat of
every game, the agent all others. The evaluations along the way choose the responder's best weights; then these play the
agent on fresh deals, which served neither the training nor the choice. What the responder wins there any best response
wins too, so it is a lower bound of how exploitable the agent is. An agent from which little was won may still be
exploitable: by a longer run, or by a learner of another kind.

In two players the bound compares with exact figures: a share of wins w from both seats means a NashConv of at least
4 w - 2, and that the agent wins no more than 1 - w of the games against whoever responds best.

A run's folder is that of a training run (see ``experiments.train.folder``; ``best.safetensors`` plays as
``dmc:model=...``) with ``response.json``, ``response.md``, ``curve.csv``, ``curve.png`` and ``measured.json``, what the
responder won of each fresh deal. A run that was stopped or killed goes on with ``--resume``. One that counts
``--moves`` instead of time comes out the same each time.
"""
