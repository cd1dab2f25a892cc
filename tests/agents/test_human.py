"""A person as an agent: what is asked and shown, undone, hinted and refused."""

import io
import re
import sys

import numpy as np
import pytest

from agents import SpecError, make
from agents.human import Console, Human, PersonLeftError
from agents.human.table import table_text
from agents.human.turn import Turn, draws_unseen, hopeful
from agents.options import parse_options
from agents.registry import entry_of
from agents.table import play_deals
from red7_env.game import Game, Rules, batch
from red7_env.game.moves import move_text, parse_move
from red7_env.game.state import ROUND_OVER
from red7_env.gym_env import Red7GymEnv
from tests.agents.cases import VARIANTS, positions, seen, view_of
from tests.agents.typing_person import careless, typed

SMALL = "basic@3x4x2 - R4O1:Y3/R2Y4:O4 0 R3O3Y2O2R1Y1"
THREES = "advanced+revised - O3G6V2:B4/Y7:R6 0 I1V7V1"
CHAIN = "basic+revised - G5B2V2:R4/Y7:O4 0 I1V7V1"


@pytest.fixture
def types(monkeypatch):
    """Return a function that puts lines on standard input."""

    def put(stream):
        monkeypatch.setattr(sys, "stdin", stream)

    return put


def asked(view, agent=None):
    agent = agent or Human()
    return agent.act(view, batch.offers(view), np.random.default_rng(0))


def played(position, agent, turn=""):
    """Return the tokens that an agent plays in one turn of a written position, asked for one after the other."""
    game = Game.from_position(position, turn)
    turns, tokens = game.state[0]["turn"], []
    while game.state[0]["turn"] == turns:
        move = int(asked(game.view(game.to_move), agent)[0])
        tokens.append(move_text(move))
        game.play(move)
    return " ".join(tokens)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_turn_put_together_on_a_view_is_the_turn_that_is_played(variant):
    """Each view of the plan is the very view that is seen when its move is to be made."""
    rng = np.random.default_rng(2)
    state = batch.deal(Rules.parse(variant), 1, 7)
    turns = 0
    while state[0]["phase"] < ROUND_OVER:
        before = seen(state).tobytes()
        turn = Turn(seen(state))
        while not turn.whole:
            turn.do(int(rng.choice(turn.offered)))
        assert Turn(seen(state)).view.tobytes() == before
        number, unseen = int(state[0]["turn"]), draws_unseen(turn.view, turn.moves[-1])
        plan = turn.plan()
        for _ in turn.moves:
            assert state[0]["turn"] == number
            batch.play(state, np.array([plan.pop(seen(state).tobytes())]))
        assert not plan
        assert unseen or state[0]["turn"] == number + 1
        turns += 1
    assert turns > 2


def test_moves_are_taken_back_up_to_the_begin_of_the_turn():
    view = view_of("basic+revised - R5O5Y5G2:V1/B1:Y4 0 G1")
    turn = Turn(view)
    for token in ("+R5", "+O5", "+Y5", "+G2"):
        turn.do(parse_move(token))
    assert [move_text(turn.undo()) for _ in range(4)] == ["+G2", "+Y5", "+O5", "+R5"]
    assert turn.moves == []
    assert turn.view.tobytes() == view.tobytes()


def test_a_draw_that_all_can_see_can_be_taken_back():
    game = Game.from_position("basic+revised - V1:R6/R3O3:G7Y2 0 I1I2I4", "+V1 ^G7 .")
    turn = Turn(game.view(1))
    turn.do(parse_move("+R3"))
    assert not turn.whole
    assert "G7" in table_text(turn.view, Console(io.StringIO(), io.StringIO())).splitlines()[-1]
    turn.undo()
    assert turn.view.tobytes() == game.view(1).tobytes()
    turn.do(parse_move("+R3"))
    turn.do(turn.offered[0])
    assert turn.whole or turn.offered


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_person_plays_like_any_agent(variant, types, capsys):
    """Only offered moves, or the table would complain, and the arguments are left alone."""
    rules = Rules.parse(variant)
    types(careless(4000))
    games = play_deals([make("human"), *[make("greedy")] * (rules.players - 1)], rules, 1, seed=4)
    assert len(games.winners) == rules.players
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80

    views = seen(positions(variant, 3, seed=1))
    masks = batch.offers(views)
    before = views.tobytes(), masks.tobytes()
    types(careless(20))
    moves = Human().act(views, masks, np.random.default_rng(1))
    assert moves.dtype == np.int64
    assert (masks[np.arange(3), moves] == 1).all()
    assert (views.tobytes(), masks.tobytes()) == before
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.startswith("Game ")] == [f"Game {n} of 3" for n in (1, 2, 3)]


def test_a_person_sits_in_an_environment(types, capsys):
    env = Red7GymEnv(num_players=3, opponents=[make("human"), make("greedy")], variant="advanced", actions="revised")
    types(careless(200))
    env.reset(seed=3)
    terminated = False
    while not terminated:
        *_, terminated, _, _ = env.step(int(env.action_masks().argmax()))
    assert capsys.readouterr().out.count("Your move") > 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_hidden_is_shown_or_hinted(variant, types, capsys):
    views = seen(positions(variant, 4, seed=8))
    shown = []
    for some in (views, seen(batch.determinise(views, seed=3))):
        types(careless(20, ["h", "b", "1", "y"]))
        asked(some, Human(hint="rollout,playouts=2"))
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert "Hint of rollout:playouts=2" in shown[0]


def test_the_table_in_words():
    game = Game.from_position("advanced V3G6 R5:R7O7I6/B1O3:Y4V1/x 1 R2R3 G1/-/R4")
    assert (
        table_text(game.view(1), Console(io.StringIO(), io.StringIO()))
        == """\
Rule    green (most even cards)
Canvas  V3 G6 (top)
Deck    2 cards
Leads   seat 0
Under   red 0, orange 0, yellow 0, blue 0, indigo 0, violet you
Seat 0: 1 card in hand, 1 of 35 points
    palette R7 O7 I6*
You (seat 1): 2 cards in hand, 0 of 35 points
    palette Y4* V1
    hand    O3 B1
Seat 2: out, 4 of 35 points
    palette -"""
    )


def test_names_and_known_cards_are_shown():
    game = Game.from_position("basic+revised - V1V2O4:R6/R3O2O5:G7Y2/I7:I6 0 I1I2I4", "+V1 ^Y2 >V2; +R3 >O2")
    text = table_text(game.view(2), Console(io.StringIO(), io.StringIO()), ["greedy", "pimc", "human"])
    assert "Seat 1 (pimc): 2 cards in hand (Y2 among them)" in text
    text = table_text(game.view(1), Console(io.StringIO(), io.StringIO()), ["greedy", "pimc", "human"])
    assert "(all have seen Y2)" in text
    assert "Seat 2 (human)" in text
    text = table_text(game.view(1), Console(io.StringIO(), io.StringIO()), ["bot:" + "x" * 99, "human", "pimc"])
    assert f"Seat 0 (bot:{'x' * 23}...): " in text


def test_a_turn_move_by_move_and_at_once(types, capsys):
    types(typed("+R4", ">O1"))
    assert played(SMALL, Human()) == "+R4 >O1"
    types(typed("+r4 >o1"))
    assert played(SMALL, Human()) == "+R4 >O1"
    types(typed("1", ""))
    assert played("basic - R7:V1/V2:R6 0 -", Human()) == "+R7 ."
    assert "Nothing else is possible: Enter does it." in capsys.readouterr().out


def test_undo_and_restart(types, capsys):
    types(typed("u", "+R4", "u", "+R4", "r", "r", "+R4 .", "+R4"))
    assert played(SMALL, Human()) == "+R4 ."
    out = capsys.readouterr().out
    assert out.count("Nothing to take back: your turn begins here.") == 2
    assert "Taken back: +R4" in out
    assert "Taken back: all moves" in out


def test_nothing_is_taken_back_past_a_drawn_card(types, capsys):
    types(typed("+O3", "y", "u", "r", "1"))
    assert played(THREES, Human()).startswith("+O3 ")
    assert capsys.readouterr().out.count("Nothing to take back: you have seen the card that you drew.") == 2


def test_moves_that_another_agent_began_stay(types, capsys):
    types(typed("u", "1"))
    assert played(SMALL, Human(), "+R4") == ">O1"
    assert "Nothing to take back: the moves before were played." in capsys.readouterr().out


def test_passing_is_asked_about(types, capsys):
    types(typed("pass", "maybe", "n", "#", "yes"))
    assert played(SMALL, Human()) == "#"
    assert capsys.readouterr().out.count("you are out of this round. Pass? (y/n)") == 3


def test_who_can_only_pass_is_told(types, capsys):
    types(typed(""))
    assert played("basic - O4:V5/R6:R7 0 -", Human()) == "#"
    assert "You cannot end this turn in the lead" in capsys.readouterr().out


@pytest.mark.parametrize("edition", ["revised", "first"])
@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("O3V2", ["+O3"]),  # neither leads by itself
        ("O3R7", ["+O3"]),  # R7 leads on the palette, but not on the canvas after O3
        ("G5O3", ["+G5", "+O3"]),  # the 5 goes on with the 3
        ("V2V1", []),
    ],
)
def test_moves_that_hope_for_a_card(edition, hand, expected):
    view = view_of(f"basic+{edition} - {hand}:B4/Y7:R6R1R2 0 I1V7")
    assert sorted(map(move_text, hopeful(view))) == expected


def test_hope_is_confirmed_where_there_is_something_safer(types, capsys):
    position = "basic+revised - R7O3:B4/Y7:R6 0 I1V7V1"
    types(typed("+O3", "n", "u", "+O3", "y", "1"))
    assert played(position, Human()).startswith("+O3 ")
    out = capsys.readouterr().out
    assert out.count("After +O3 you are out, unless you draw the right card. Play it? (y/n)") == 2
    assert "+O3  play O3, hoping for the right card: without it you are out" in out
    assert "Nothing to take back: your turn begins here." in out  # it was not played yet
    types(typed("+O3", "1"))
    played(position.replace("R7O3", "O3"), Human())
    assert "(y/n)" not in capsys.readouterr().out  # the pass is no better


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", "Type a number from 1 to "),
        ("0", "found '0', expected a number from 1 to 2"),
        ("3", "found '3', expected a number from 1 to 2"),
        ("9" * 5000, "found '999999"),
        ("-1", "found '-1', expected a number from 1 to 2, a token"),
        ("+R9", "found '+R9', expected a number"),
        ("\x1b[A", r"found '\x1b[A', expected a number"),
        ("+R7", "+R7 is not offered: R7 is not in your hand."),
        (">R4", ">R4 is not offered: now, or after it, you could not end your turn in the lead."),
        ("^R2", "^R2 is not offered now."),
        ("*", "* is not offered now."),
        ("+R4 nonsense", "found 'nonsense'"),
        ("+R4 . +R4", "The turn ended before '+R4'."),
    ],
)
def test_nonsense_is_refused_in_words(line, expected, types, capsys):
    types(typed(line, "r", "+R4 ."))
    assert played(SMALL, Human()) == "+R4 ."
    assert expected in capsys.readouterr().out


def test_help_names_every_rule(types, capsys):
    types(typed("?", "+R4 ."))
    played(SMALL, Human())
    out = capsys.readouterr().out
    assert "  blue: most different colours" in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_hint_is_a_whole_turn_and_stays_the_same(types, capsys):
    types(typed("h", "hint", "+R4", "h", "."))
    played(SMALL, Human(hint="random:unit=turn"))
    hints = re.findall(r"Hint of random:unit=turn: (.*)", capsys.readouterr().out)
    assert len(hints) == 3
    assert hints[0] == hints[1]
    game = Game.from_position(SMALL)
    game.play_turn(hints[0].split())


def test_a_hint_ends_where_a_card_is_drawn(types, capsys):
    types(typed("h", "q"))
    with pytest.raises(PersonLeftError):
        played("basic+revised - O3V2:B4/Y7:R6 0 I1V7V1", Human(hint="greedy"))
    out = capsys.readouterr().out
    assert "Hint of greedy: +O3\n" in out
    assert "it depends on the card that you draw" in out


def test_chance_is_left_alone(types):
    types(typed("h", "1", "1", "1"))
    rng = np.random.default_rng(5)
    view = view_of(SMALL)
    Human().act(view, batch.offers(view), rng)
    assert rng.bit_generator.state == np.random.default_rng(5).bit_generator.state


def test_the_end_of_the_input_and_leaving(types, monkeypatch):
    for line in ([], ["q"], ["quit"], ["EXIT"], ["+R4", "q"]):
        types(typed(*line))
        with pytest.raises(PersonLeftError):
            asked(view_of(SMALL))
    types(io.StringIO("+R4 ."))  # without a line end
    assert move_text(int(asked(view_of(SMALL))[0])) == "+R4"
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(PersonLeftError, match="closed"):
        asked(view_of(SMALL))


def test_bytes_that_are_no_text(types):
    types(io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n" + b"x" * 3000 + b"\n+R4 .\n"), encoding="utf-8"))
    assert played(SMALL, Human()) == "+R4 ."


def test_a_turn_that_did_not_go_on_is_forgotten(types):
    agent = Human()
    types(typed("+R4 >O1"))
    view = view_of(SMALL)
    assert move_text(int(asked(view, agent)[0])) == "+R4"
    types(typed("+R7 ."))
    asked(view_of("basic - R7:V1/V2:R6 0 -"), agent)  # another game
    types(typed())
    with pytest.raises(PersonLeftError):
        asked(view_of(SMALL, "+R4"), agent)


def test_specs():
    assert Human().spec == "human"
    assert make("human").spec == "human"
    spec = "human:hint=pimc,samples=3"
    assert make(spec).spec == spec
    assert parse_options("hint=pimc,samples=3", entry_of("human").options) == {"hint": "pimc,samples=3"}
    for bad in ("oracle", "human", "clever", "pimc,samples=0"):
        with pytest.raises(SpecError):
            make(f"human:hint={bad}")


def test_colours_are_for_terminals(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    view = view_of(SMALL)
    monkeypatch.delenv("NO_COLOR", raising=False)
    plain, coloured = Console(io.StringIO(), io.StringIO()), Console(io.StringIO(), Terminal())
    assert "\x1b[38;5;16;48;5;203mR4\x1b[0m" in table_text(view, coloured)
    assert re.sub(r"\x1b\[[0-9;]*m", "", table_text(view, coloured)) == table_text(view, plain)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in table_text(view, Console(io.StringIO(), Terminal()))


def test_eleven_cards_each_fit_eighty_columns(monkeypatch):
    """The widest table: four players with eleven palette cards each, all counting, and eleven in the hand."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    cards = [f"{colour}{number}" for number in range(7, 0, -1) for colour in "ROYGBIV"]
    palettes = ["".join(cards[seat::4][:9]) for seat in range(4)]
    hand = "".join(cards[36:47])
    view = view_of(
        f"basic - {hand}:{palettes[0]}/-:{palettes[1]}/-:{palettes[2]}/-:{palettes[3]} 0 {''.join(cards[47:])}"
    )
    out = io.StringIO()
    Console(io.StringIO(), out).say(
        table_text(view, Console(io.StringIO(), out), ["human"] + ["pimc:samples=50:depth=3"] * 3)
    )
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) == 14
    assert re.search(r"hand    (\S\d ){10}\S\d$", out.getvalue(), re.MULTILINE)


def test_long_lines_go_on_below():
    out = io.StringIO()
    Console(io.StringIO(), out).say("a " * 60 + "\n" + "b" * 100, indent=2)
    first, second, *rest = out.getvalue().splitlines()
    assert first == "a " * 39 + "a"
    assert second.split() == ["a"] * 20
    assert second.startswith("  a")
    assert rest == ["b" * 100]
