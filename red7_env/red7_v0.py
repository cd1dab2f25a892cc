"""# Red7.

| | |
| --- | --- |
| import | `from red7_env import red7_v0` |
| creation | `red7_v0.env()`, or `pettingzoo.make("aec", "red7-v0")` after `import red7_env` |
| agents | `player_0` to `player_3` |
| actions | `Discrete(101)`, with card actions `Discrete(248)` |
| observations | dict of `observation`, a vector of zeros and ones, and `action_mask`, int8 |
| parallel API | no: one agent moves at a time |

## The game

Red7 has 49 cards: the numbers 1 to 7 in seven colours, red > orange > yellow > green > blue > indigo > violet. A
greater number is higher; equal numbers are ordered by colour. Each player has a hand of seven cards and a palette
of one face-up card. At the end of your turn you must be winning, by the rule on top of the canvas, or you are out;
the last player in wins. On your turn you play a card to your palette, or discard one to the canvas, whose colour
brings a new rule, or do both in this order, or give up.

| canvas | who leads: the most cards, and among equals the highest card in the set |
| --- | --- |
| red | the highest card |
| orange | cards of one number |
| yellow | cards of one colour |
| green | even cards |
| blue | cards of different colours |
| indigo | cards in a row |
| violet | cards below 4 |

`variant="advanced"` lets you draw a card after you discard one whose number is greater than the size of your
palette, and counts points: the round's winner scores the cards of the winning set. `match=True` plays rounds until
someone has 40, 35 or 30 points, with 2, 3 or 4 players. `actions` gives the odd cards played to the palette an
action: 1 puts a card of another palette on the deck, 3 draws, 5 plays once more, 7 moves another own card to the
canvas or the deck; `"revised"` and `"first"` are the two published editions.

A turn is a sequence of moves by the same agent, so `agent_selection` often stays. Offered are exactly the moves
from which the turn can still end in the lead, as far as the agent knows, and the pass at the start of a turn; a
move that certainly loses is never offered, since passing does the same.

## Arguments

| argument | default | meaning |
| --- | --- | --- |
| `num_players` | `2` | 2, 3 or 4 |
| `variant` | `"basic"` | or `"advanced"`: with draws and points |
| `actions` | `None` | or an edition of the card actions, `"revised"` or `"first"` |
| `match` | `False` | whether rounds are played until one has the points to win; in `"advanced"` only |
| `reward` | `"win"` | or `"points"`, in `"advanced"` only; see below |
| `deck` | `(7, 7, 7)` | colours (the highest ones), numbers (from 1), cards dealt to a hand: smaller for exact analysis |
| `dtype` | `uint8` | of the observation, or `float32`, which takes longer to write |
| `illegal` | `"terminate"` | what follows a move that is not offered; see below |
| `render_mode` | `None` | of `render()`: `"ansi"`, text; `"svg"`; `"rgb_array"`, pixels, by Pillow. `"human"`: text after every step |
| `features` | `"derived"` | pieces of the observation; `"base"` leaves out those that follow from others by the rules |

`env` minds the order of calls as PettingZoo's wrappers do, `raw_env` does not; both catch moves that are not
offered.

`reset(seed=s)` deals game 0 of seed s, and each later `reset()` the next game of the same seed: game 1, 2, ... They
are the games that `red7_env.game.Game.deal(rules, s, k)` and the batched environment play. Without any seed a
random one is drawn. `reset(options={"position": text})` begins at a written position, and plays on from there
`"turns": text` if given. `position()` is that text for the present turn, `record()` is the game so far as one line
of JSON, `game()` returns it as a `Game`. `clone()`, `copy.deepcopy` and `pickle` give an environment that goes on
identically; through a wrapper use the latter two, since a wrapper's `clone()` is that of the environment inside.

## Actions

| ids | move |
| --- | --- |
| 0-48 | play card i from the hand to the palette |
| 49-97 | discard card i - 49 from the hand to the canvas |
| 98 | end the turn, or decline the draw |
| 99 | pass: be out |
| 100 | take the advanced draw |
| 101-149 | action of a 1: card i - 101 from another palette to the top of the deck |
| 150-198 | action of a 7: card i - 150 from the own palette to the canvas |
| 199-247 | action of a 7: card i - 199 from the own palette to the top of the deck |

Card ids are `(number - 1) * 7 + colour`, with the colours from violet 0 to red 6. Without card actions the space
ends after 100. The mask is all 0 for an agent that is not to move, and never for the one that is.

`illegal` is about all moves that are not offered, those outside the space among them. A message names the move in
words and what was offered: `"raise"` raises `IllegalMoveError` with it and leaves the game as it is. The others log
it and put it into `infos[agent]["illegal"]`: `"terminate"` ends the game as PettingZoo's `TerminateIllegalWrapper`
does (terminated and truncated, -1 for the agent, 0 for the others: the only end that is not zero-sum),
`"eliminate"` takes the agent's turn back and passes for it.

## Observations

Every number is 0 or 1. Seats are relative: the observer's own first, then by turn order. The table holds what the
agent may know and nothing else, on its turn and off it. It is that of the default arguments;
`red7_env.observation.describe(rules, features)` prints that of any others, `explain` turns a vector back into words
and `split` into its named pieces.

| bits | piece | shape | kind | what it holds |
| --- | --- | --- | --- | --- |
| 0-2 | `phase` | 3 | choice | what the seat to move is asked for: start of the turn, after the play, round over |
| 3-4 | `to_move` | 2 | choice | the seat to move; the round's winner when it is over: own, next |
| 5-6 | `seats_in` | 2 | flags | the seats that are in: own, next |
| 7-13 | `rule` | 7 | choice | the colour whose rule is in force: violet, indigo, blue, green, yellow, orange, red |
| 14-27 | `hand_sizes` | 2 x 7 | count | cards in each hand (a seat that is out: when it left) |
| 28-76 | `hand` | 7 x 7 | cards | the own hand |
| 77-174 | `palettes` | 2 x 7 x 7 | cards | each palette; of a seat that is out what it had shown |
| 175-223 | `canvas` | 7 x 7 | cards | all cards discarded to the canvas |
| 224-237 | `leads_under` | 2 x 7 | flags | the rules under which each seat leads, with the palettes as they lie: violet, indigo, blue, green, yellow, orange, red |
| 238-335 | `set_sizes` | 2 x 7 x 7 | count | cards in each seat's best set under each rule, up to 7; none when it is out |
| 336-384 | `threat_counts` | 1 x 7 x 7 | count | for each other seat and rule: how many cards that may be in its hand would lead if played |
| 385-433 | `leading_plays` | 7 x 7 | cards | own hand cards that would lead at once if played to the palette |
| 434-482 | `threats` | 1 x 7 x 7 | cards | for each other seat: the cards that may be in its hand and would lead at once if played |
| 483-531 | `offered_plays` | 7 x 7 | cards | offered plays to the palette; this and all below are 0 off turn |
| 532-580 | `offered_discards` | 7 x 7 | cards | offered discards to the canvas |
| 581-583 | `offered_others` | 3 | flags | the other offered moves: end the turn, pass, draw |

`state()` is the oracle observation, in which all hands are shown, for centralised critics.

## Rewards

All rewards add up to zero. `"win"`: the winner gets 1, every other of n seats -1/(n-1); seats that share the win of
a match also share what the others lose. Outside of a match a seat that is out gets its loss at once, is terminated,
steps once with `None` and has left; the others play on. In a match it sits out the round only. `"points"`: each
seat gets its points less the mean of the others' points. That is known only at the end, so a seat that is out waits
for it.

## Training

`MaskablePPO` of sb3-contrib (`pip install red7-env[train]`) on the Gymnasium form, against random moves:

```python
import gymnasium
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

env = gymnasium.make("red7_env:Red7-v0", num_players=2, seat="rotate")
model = MaskablePPO("MlpPolicy", env, gamma=1.0, n_steps=256, batch_size=128, seed=1)
model.learn(20_000)

mean, _ = evaluate_policy(model, model.get_env(), n_eval_episodes=100)
print(f"wins {50 + 50 * mean:.0f} % against random moves")
```

## Version history

* v0: first release (rules 1, observation 1)

"""  # noqa: E501 - lines of tables cannot be broken

from red7_env.aec_env import Observation, OrderedRed7Env, Red7Env

env = OrderedRed7Env
raw_env = Red7Env

__all__ = ["Observation", "env", "raw_env"]
