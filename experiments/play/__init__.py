"""A game for a person at the terminal, against any agents: ``python -m experiments play``.

``cli`` reads the command line, ``settings`` says what is played and by whom, ``loop`` plays a game, ``narrate`` tells
what the others did, ``saved`` keeps the records and the game under way. The person is the agent ``human``.
"""
