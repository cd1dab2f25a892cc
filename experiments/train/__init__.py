"""Training of agents: ``python -m experiments train ppo`` and ``train dmc``.

A run is a learner (``ppo``, ``sb3``, ``dmc``), a configuration (``config``), a folder (``folder``) and the loop around
them (``run``), which evaluates, writes checkpoints and shows how far it is.
"""
