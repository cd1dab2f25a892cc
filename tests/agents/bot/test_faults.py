import os
import select
import subprocess
import sys
import time

import numpy as np
import pytest

from agents.bot import RESTARTS, agent, instead
from agents.bot.faults import CRASH, FLOOD, GARBAGE, GIVEN_UP, ILLEGAL, SILENCE, STRAY, Fault
from agents.bot.lines import MAX_LINE, Lines
from agents.table import play_deals
from agents.uniform import Random
from red7_env.game import Rules
from red7_env.game.moves import parse_move
from tests.agents.bot import hostile
from tests.agents.bot.cases import ROOT, asked, hostile_bot
from tests.agents.cases import VARIANTS

SHORT = {"seconds": 0.15, "start": 0.25}
STARTS = RESTARTS + 1


def rng():
    return np.random.default_rng(3)


@pytest.mark.parametrize(
    ("way", "kind", "times", "detail"),
    [
        ("silent", SILENCE, SHORT, "no answer within 0.4 s"),
        ("deaf", SILENCE, SHORT, "no answer within 0.4 s"),
        ("complain", SILENCE, SHORT, "no answer within 0.4 s"),
        ("garbage", GARBAGE, {}, """found 'What a fine hand!', expected a line like {"id": 1, "move":"""),
        ("no_text", GARBAGE, {}, "found '{"),
        ("no_object", GARBAGE, {}, """found '[1, "#"]', expected"""),
        ("deep", GARBAGE, {}, "found '[[["),
        ("digits", GARBAGE, {}, "found '{"),
        ("blank", GARBAGE, {}, "found '', expected"),
        ("flood", GARBAGE, {}, "found 'x', expected"),
        ("huge", FLOOD, {}, "found a line of more than 65536 bytes"),
        ("wrong_id", STRAY, {}, "id: found 2, expected 1"),
        ("odd_id", STRAY, {}, "id: found True, expected 1"),
        ("no_id", STRAY, {}, "id: found nothing, expected 1"),
        ("crash_at_start", CRASH, {}, "it ended with status 1, and said 'really'"),
        ("close_output", CRASH, {}, "it closed its input or output"),
    ],
)
def test_a_broken_conversation_ends_the_program(way, kind, times, detail, capfd):
    views, masks = asked("basic:3p", 7)
    with hostile_bot(way, **times) as bot:
        start = time.monotonic()
        moves = bot.act(views, masks, rng())
        assert time.monotonic() - start < 50
        assert bot.faults == {kind: STARTS, GIVEN_UP: 7 - STARTS}
    assert moves.tolist() == [instead(np.flatnonzero(mask).tolist()) for mask in masks]
    first, last = capfd.readouterr().err.splitlines()
    assert first.startswith(f"{bot.spec}: {kind}: {detail}")
    assert first.endswith("; its seat passes")
    assert last == f"{bot.spec}: given up: it has failed 4 times and is not started again; its seat passes"


@pytest.mark.parametrize(
    ("way", "detail"),
    [
        ("not_offered", "move: found '~R7', expected one of "),
        ("no_token", "move: found '\\ud800\\n\\ud800"),
        ("no_move", "move: found nothing, expected one of "),
    ],
)
def test_an_illegal_move_costs_that_move_only(way, detail, capfd):
    views, masks = asked("basic:2p", 6)
    with hostile_bot(way) as bot:
        moves = bot.act(views[:1], masks[:1], rng()).tolist()
        first = bot._lines.pid
        moves += bot.act(views[1:], masks[1:], rng()).tolist()
        assert bot._lines.pid == first
        assert bot.faults == {ILLEGAL: 6}
    assert moves == [instead(np.flatnonzero(mask).tolist()) for mask in masks]
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"{bot.spec}: illegal move: {detail}")


@pytest.mark.parametrize(
    ("way", "times", "good", "faults"),
    [
        ("leave", {}, 4, {CRASH: 4, GIVEN_UP: 1}),
        ("crash_in_game", {}, 6, {CRASH: 3}),
        ("late", {"seconds": 0.3, "start": 20}, 4, {SILENCE: 4, GIVEN_UP: 1}),
    ],
)
def test_a_program_is_started_again_for_the_next_move(way, times, good, faults):
    views, masks = asked("basic:2p", 9)
    with hostile_bot(way, **times) as bot:
        moves = bot.act(views, masks, rng())
        assert bot.faults == faults
    firsts = masks.argmax(axis=1)
    others = np.array([instead(np.flatnonzero(mask).tolist()) for mask in masks])
    assert ((moves == firsts) | (moves == others)).all()
    assert (moves == firsts).sum() >= good


def test_an_answer_ahead_of_its_request_brings_the_next_into_disorder():
    views, masks = asked("basic:2p", 9)
    with hostile_bot("ahead") as bot:
        bot.act(views, masks, rng())
        assert bot.faults.pop(STRAY) == 3
        assert set(bot.faults) <= {STRAY, ILLEGAL}  # as the answer that was ahead happened to be


def test_a_program_that_does_not_read_is_out_of_time():
    """Whether it is noticed as a crash depends on who is first, the program or the request."""
    views, masks = asked("basic:2p", 2)
    with hostile_bot("close_input", **SHORT) as bot:
        bot.act(views, masks, rng())
        assert sum(bot.faults.values()) == 2
        assert set(bot.faults) <= {CRASH, SILENCE}


def test_good_answers_make_up_for_failures(monkeypatch):
    monkeypatch.setattr(agent, "FORGIVEN", 2)
    views, masks = asked("basic:2p", 30)
    with hostile_bot("crash_in_game") as bot:
        bot.act(views, masks, rng())
        assert bot.faults == {CRASH: 10}


def test_messages_never_hold_a_program_up():
    views, masks = asked("basic:2p", 40)
    with hostile_bot("chatter") as bot:
        moves = bot.act(views, masks, rng())
        assert bot.faults == {}
    assert (moves == masks.argmax(axis=1)).all()


def test_huge_output_is_not_kept():
    lines = Lines([sys.executable, hostile.__file__, "huge"])
    lines.send(b"{}")
    with pytest.raises(Fault) as fault:
        lines.receive(30)
    assert fault.value.kind == FLOOD
    assert len(lines._received) <= MAX_LINE + 65536
    lines.close()


def test_messages_are_not_kept():
    lines = Lines([sys.executable, hostile.__file__, "complain"])
    while not lines._tail:
        with pytest.raises(Fault, match=r"no answer within 0\.2 s"):
            lines.receive(0.2)
    assert len(lines._tail) <= 2048
    lines.close()


def test_what_cannot_be_started_is_a_crash(tmp_path, capfd):
    program = tmp_path / "bot"
    program.write_bytes(b"\x00\x01 no program")
    program.chmod(0o755)
    views, masks = asked("basic:2p", 2)
    bot = agent.Bot(command=str(program))
    bot.act(views, masks, rng())
    assert bot.faults == {CRASH: 2}
    assert ": crash: it cannot be started (" in capfd.readouterr().err


@pytest.mark.parametrize("text", VARIANTS)
def test_a_league_goes_on_without_the_program(text):
    rules = Rules.parse(text)
    with hostile_bot("crash_at_start") as bot:
        games = play_deals([bot, *[Random()] * (rules.players - 1)], rules, 2, seed=1)
        assert CRASH in bot.faults
    assert len(games.winners) == 2 * rules.players


@pytest.mark.parametrize(
    ("offered", "move"), [("+R7 >G4 #", "#"), ("+R7 .", "."), (". *", "."), ("+G4 +R7", "+G4"), ("^R1 ^R2", "^R1")]
)
def test_the_move_of_a_seat_without_one(offered, move):
    assert instead(sorted(map(parse_move, offered.split()))) == parse_move(move)


@pytest.fixture
def held(tmp_path):
    """A named pipe, and the function that waits until nobody has it open for writing any more."""
    path = tmp_path / "held"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reader, True)

    def released() -> bool:
        return bool(select.select([reader], [], [], 60)[0]) and os.read(reader, 1) == b""

    yield path, released
    os.close(reader)


def test_nothing_is_left_of_a_program(held):
    """Its child dies with it, also where neither minds the end of its input or a signal."""
    path, released = held
    views, masks = asked("basic:2p", 3)
    with hostile_bot("immortal", path) as bot:
        assert (bot.act(views, masks, rng()) == masks.argmax(axis=1)).all()
        pid, start = bot._lines.pid, time.monotonic()
    assert time.monotonic() - start < 10
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert released()


def test_a_forgotten_program_is_ended(held):
    path, released = held
    views, masks = asked("basic:2p", 3)
    bot = hostile_bot("immortal", path)
    bot.act(views, masks, rng())
    del bot
    assert released()


@pytest.mark.parametrize("end", ["exit", "kill"])
def test_a_program_ends_with_the_process_that_asks_it(end, held):
    path, released = held
    code = f"""
import numpy as np
from tests.agents.bot.cases import asked, hostile_bot
bot = hostile_bot("immortal", {str(path)!r})
bot.act(*asked("basic:2p", 1), np.random.default_rng(0))
print("ready", flush=True)
input()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    if end == "kill":
        process.kill()
        process.communicate()
    else:
        process.communicate("\n")
        assert process.returncode == 0
    assert released()
