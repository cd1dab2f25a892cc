import copy
import json
import os
import pickle
import random
import subprocess
import sys
import time

import numpy as np
import pytest

from agents import Agent, SpecError, make
from agents.bot import Bot, agent
from agents.table import play_deals
from red7_env.game import Rules, batch
from red7_env.game.moves import move_text, parse_move
from tests.agents.bot.cases import EXAMPLE, ROOT, asked, hostile_bot
from tests.agents.cases import VARIANTS


def rng(seed=3):
    return np.random.default_rng(seed)


@pytest.fixture
def example():
    with Bot(command=EXAMPLE) as bot:
        yield bot


def tokens(mask):
    return [move_text(move) for move in np.flatnonzero(mask)]


def expected_of_the_example(masks, seed=3):
    seeds = rng(seed).integers(2**32, size=len(masks)).tolist()
    for mask, number in zip(masks, seeds, strict=True):
        moves = [move for move in tokens(mask) if move != "#"] or ["#"]
        yield parse_move(random.Random(number).choice(moves))


@pytest.mark.parametrize("text", VARIANTS)
def test_the_example_plays_what_it_should(text, example):
    views, masks = asked(text, 30)
    assert example.act(views, masks, rng()).tolist() == list(expected_of_the_example(masks))
    assert example.faults == {}


@pytest.mark.parametrize("text", ["basic:2p", "advanced+revised:3p:match", "advanced+first:4p"])
def test_the_example_plays_whole_games(text, example):
    rules = Rules.parse(text)
    games = play_deals([example, *[make("random")] * (rules.players - 1)], rules, 3, seed=4)
    assert len(games.winners) == 3 * rules.players
    assert example.faults == {}


SHELL_BOT = r"""#!/bin/sh
while read -r line; do
    case $line in *'"moves"'*)
        id=${line#*'"id":'}
        move=${line##*[}
        move=${move##*,}
        printf '{"id": %s, "move": %s}\n' "${id%%,*}" "${move%]*}"
    esac
done
"""
"""Takes the last offered move out of the line, without reading it as JSON."""


def test_any_language_will_do(tmp_path):
    script = tmp_path / "my bot"
    script.write_text(SHELL_BOT)
    script.chmod(0o755)
    views, masks = asked("advanced+revised:3p", 20)
    with Bot(command=f"'{script}'") as bot:
        moves = bot.act(views, masks, rng()).tolist()
        assert bot.faults == {}
    assert moves == [int(np.flatnonzero(mask)[-1]) for mask in masks]


def test_a_bot_is_started_when_it_is_asked_and_reused(example):
    views, masks = asked("basic:2p", 4)
    assert example._lines is None
    example.act(views[:0], masks[:0], rng())
    assert example._lines is None
    example.act(views[:2], masks[:2], rng())
    first = example._lines.pid
    example.act(views[2:], masks[2:], rng())
    assert example._lines.pid == first
    example.close()
    example.close()
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    example.act(views, masks, rng())
    assert example._lines.pid != first
    assert example.faults == {}


def test_what_a_program_is_told(tmp_path):
    basic, match = asked("basic:2p", 2), asked("advanced+revised:3p:match", 1)
    with hostile_bot("record", tmp_path / "lines", seconds=20, start=30) as bot:
        for views, masks in (basic, match, basic):
            bot.act(views, masks, rng())
        assert bot.faults == {}
    lines = [json.loads(line) for line in (tmp_path / "lines").read_text().splitlines()]
    greetings = [line for line in lines if "id" not in line]
    assert [lines.index(line) for line in greetings[:2]] == [0, 3]
    assert greetings[0] == {"protocol": "red7-bot/1", "rules": "basic:2p", "seconds": 20, "start": 30}
    assert [line["rules"] for line in greetings] == ["basic:2p", "advanced+revised:3p:match", "basic:2p"]
    requests = [line for line in lines if "id" in line]
    assert [line["id"] for line in requests] == [1, 2, 3, 4, 5]
    assert [line["seed"] for line in requests[:2]] == rng().integers(2**32, size=2).tolist()
    for request, view, mask in zip(requests, [*basic[0], *match[0]], [*basic[1], *match[1]], strict=False):
        assert set(request) == {"id", "seat", "seed", "view", "moves"}
        assert request["seat"] == request["view"]["seat"] == view["to_move"]
        assert request["moves"] == tokens(mask)


@pytest.mark.parametrize("way", ["crash_at_start", "garbage", "not_offered", "record"])
def test_chance_is_used_alike_whatever_happens(way, tmp_path):
    views, masks = asked("basic:2p", 6)
    source, plain = rng(), rng()
    with hostile_bot(way, tmp_path / "lines") as bot:
        bot.act(views, masks, source)
    plain.integers(2**32, size=6)
    assert source.bit_generator.state == plain.bit_generator.state


def test_the_limit_is_for_one_move_and_not_for_all():
    views, masks = asked("basic:2p", 40)
    with hostile_bot("steady", seconds=1.5) as bot:
        start = time.monotonic()
        bot.act(views, masks, rng())
        assert time.monotonic() - start > 1.5
        assert bot.faults == {}


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda bot: pickle.loads(pickle.dumps(bot))])  # noqa: S301 - our own
def test_copies_have_programs_of_their_own(copied, example):
    views, masks = asked("basic:2p", 3)
    moves = example.act(views, masks, rng())
    with copied(example) as other:
        assert other.spec == example.spec
        assert (other.act(views, masks, rng()) == moves).all()
        assert other._lines.pid != example._lines.pid
    assert (example.act(views, masks, rng()) == moves).all()
    assert example.faults == {}


FORK = f"""
import os, sys
import numpy as np
from agents.bot import Bot
from tests.agents.bot.cases import asked

views, masks = asked("basic:2p", 3)
bot = Bot(command={EXAMPLE!r})
play = lambda: (bot.act(views, masks, np.random.default_rng(3)).tolist(), bot.faults, bot._lines.pid)
moves, faults, program = play()
child = os.fork()
if not child:
    sys.exit(play()[:2] != (moves, faults) or bot._lines.pid == program)  # its ends of the pipes are closed with it
assert os.waitpid(child, 0)[1] == 0
assert play() == (moves, faults, program)
"""


def test_a_forked_process_has_a_program_of_its_own():
    subprocess.run([sys.executable, "-c", FORK], cwd=ROOT, check=True)


def test_an_interrupted_request_is_not_answered_to_the_next(example, monkeypatch):
    views, masks = asked("basic:2p", 3)

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(agent.Lines, "receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            example.act(views, masks, rng())
    assert example.act(views, masks, rng()).tolist() == list(expected_of_the_example(masks))
    assert example.faults == {}


def test_a_spec_holds_command_and_times():
    command = f"{sys.executable} -c 'a:b=c' --seconds=5"
    assert make(f"bot:{command}").spec == f"bot:{command}"
    bot = make(f"bot:start=1:seconds=2.5:{command}")
    assert bot.spec == f"bot:seconds=2.5:start=1:{command}"
    assert make(bot.spec).spec == bot.spec
    assert isinstance(bot, Agent)
    assert isinstance(bot, Bot)
    assert bot.command == command
    assert bot.name == "bot"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bot", "command: found nothing, expected bot:COMMAND"),
        ("bot:", "command: found nothing, expected bot:COMMAND"),
        ("bot:seconds=3", "command: found nothing, expected bot:COMMAND"),
        ("bot:  ", "command: found nothing, expected a program on the PATH, or the path of one"),
        ("bot:no-such-program -x", "command: found 'no-such-program', expected a program on the PATH"),
        ("bot:./agents", "command: found './agents', expected a program"),
        ("bot:sh -c 'x", 'command: found "sh -c \'x" (no closing quotation), expected closed quotes'),
        ("bot:sh -c 'a\nb'", "command: found \"sh -c 'a\\nb'\", expected a line of printable characters"),
        ("bot:seconds=0:sh", "seconds: found '0', expected a number from 0.001 to 3600"),
        ("bot:seconds=1:seconds=2:sh", "seconds: found twice, expected once"),
        ("bot:start=never:sh", "start: found 'never', expected a number from 0 to 3600"),
    ],
)
def test_a_bad_spec_ends_in_one_clear_line(spec, message):
    with pytest.raises(SpecError) as error:
        make(spec)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_bots_need_process_groups(monkeypatch):
    monkeypatch.setattr(os, "name", "nt")
    with pytest.raises(SpecError, match="bot: found 'nt', expected a system with POSIX"):
        Bot(command="sh")


def test_views_and_masks_stay_as_they_are(example):
    views, masks = asked("advanced+revised:2p:match", 10)
    before = views.tobytes(), masks.tobytes()
    example.act(views, masks, rng())
    assert (views.tobytes(), masks.tobytes()) == before
    assert (batch.offers(views) == masks).all()
