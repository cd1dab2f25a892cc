"""RLlib learns Red7: an example of its new API stack with action masks, ``python -m experiments rllib``.

``masked`` is the environment with the mask in the observation, as RLlib wants it, ``module`` the ``RLModule`` that
heeds the mask, ``learn`` the configuration and the loop, ``run`` a run from its folder to its model. The network is
that of ``train ppo``, so what RLlib has learned plays in comparisons as ``ppo:model=PATH``. Who wants to train well
takes ``train ppo``, which is many times as fast; RLlib's are the other algorithms, and the clusters.
"""
