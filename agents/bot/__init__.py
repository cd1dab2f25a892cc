"""``bot:COMMAND``: any program, in any language, as an agent, over lines of JSON on its standard input and output.

``bot:python agents/example_bot.py`` plays with the ten-line example; ``bot:seconds=2:start=30:./my_bot --level 3`` has
two seconds for a move, and thirty more for the first one after it was started (5 and 10 where the spec is silent). The
command is parted into words as in a shell, but no shell runs it. It runs with your rights: nothing shields you from it.
It takes a POSIX system, such as Linux or macOS.

# The protocol, ``red7-bot/1``

Every line is one JSON object in UTF-8, ended by a line feed. The first line greets and needs no answer; it comes again
if the same program is then asked by other rules:

    {"protocol": "red7-bot/1", "rules": "basic:2p", "seconds": 5.0, "start": 10.0}

Every other line asks for a move, and has an ``id``; ids count from 1. The program answers with one line, which repeats
the id and names one of the offered moves, and *flushes it*. It may add other keys. Only then is it asked again.

    {"id": 1, "seat": 0, "seed": 2718281828, "view": {...}, "moves": ["+R7", ">G4", "#"]}
    {"id": 1, "move": "+R7"}

``seed`` is a random whole number below 2**32, drawn for this request: a program that takes all its chance from it plays
the same games again from the same seed. Requests of many games may come mixed, and not in the order of their turns, so
a program should need nothing but the request. Unknown keys and lines without an ``id`` are to be ignored: later
versions of the protocol may add some. When its input ends, the program should end; a second later it is killed.

The view holds what the seat knows, and nothing else. Cards and moves are written as in positions and records: ``R7`` is
the red 7, a list of cards is ``R7O3V1``, an empty one ``-``, and ``??`` is a card that the seat does not know, so that
a list always has two characters a card. Lists by seat begin with seat 0.

| key | holds |
| --- | --- |
| `rules` | the rules' text, ``advanced+revised@3x4x2:3p:match`` |
| `seat` | the seat to move, whose view it is |
| `round` | number of the round, from 1; always 1 outside of a match |
| `turn` | number of the turn in the round, from 1 |
| `phase` | ``start`` of the turn; ``play again`` for a 5; ``take a card`` for a 1; ``move a card`` for a 7; ``after the play``, where a discard or the end of the turn follows; ``after the discard``, where a draw may follow |
| `played` | the card last played to the palette in this turn, or ``-`` |
| `hoped` | whether a 3 has drawn a card in this turn |
| `rule` | the colour in force, ``red`` to ``violet`` |
| `canvas` | from the bottom to the top; ``-`` is the start card alone |
| `seats_in` | the seats that are in the round, a list of numbers |
| `palettes` | by seat, highest card first; of a seat that is out, what it had shown |
| `hands` | by seat, highest card first: the own hand, and of the others the cards that are known, then ``??`` |
| `known` | by seat, the cards in its hand that everyone knows; of the own seat, what the others know of it |
| `deck` | from the top: cards that everyone saw put there, then ``??`` |
| `scored` | by seat, the cards scored in earlier rounds; null outside of a match |
| `target` | the points that end the match; null outside of a match |

The moves are ``+R7`` play to the palette, ``>R7`` discard to the canvas, ``.`` end the turn or decline the draw, ``*``
take the draw, ``#`` pass, and for actions ``^R7`` (a 1 puts it from another palette on the deck), ``~R7`` and ``_R7``
(a 7 puts it from the own palette on the canvas, or on the deck). A turn is several moves of one seat. Exactly the moves
from which the turn can still end in the lead are offered, and at the start of a turn the pass. ``python -m red7_env
serve`` answers questions about positions and moves, for programs without an engine of their own.

# Faults

A program that gives no move passes (``#``); within a turn, where the pass is not offered, it ends the turn (``.``), and
where that is not offered either it makes the first offered move (``instead``). The game goes on. This happens

- when it crashes, closes its output, or cannot be started (``crash``);
- when no answer comes in time (``time-out``);
- when it writes a line that is no JSON object (``garbage``), one with another id (``stray answer``), or one of more
  than 64 KiB (``long line``);
- when its move is not offered (``illegal move``).

An illegal move costs just this move. After every other fault the program and what it has started is killed, for nobody
can tell which request its next line would answer; it is started again for the next move. A program that has failed
four times, with fewer than 100 good answers in a row in between, is not started again and passes for good (``given
up``), so one that hangs does not hold up a league for more than a minute. The first fault of each kind is told on
standard error; ``Bot.faults`` counts them all. What the program writes to standard error is read and thrown away, but
for the last line before a crash, which is told.
"""  # noqa: E501 - lines of tables cannot be broken

from agents.bot.agent import FORGIVEN, RESTARTS, Bot, instead

__all__ = ["FORGIVEN", "RESTARTS", "Bot", "instead"]
