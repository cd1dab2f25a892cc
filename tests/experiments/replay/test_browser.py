"""The page of a replay in headless Chromium: it runs, steps, and shows what the record says."""

import time

import pytest

from experiments.replay import Replay
from experiments.replay.words import told
from red7_env.game.bits import cards_of
from red7_env.game.cards import COLOUR_NAMES, cards_text
from tests.browser import SECONDS, Browser
from tests.experiments.replay.games import record
from tests.experiments.replay.test_page import EVIL

SHOWN = """(() => {
  const cards = (where) =>
    [...document.querySelectorAll(`${where} .card`)].map((card) => card.dataset.card ?? "??").join("");
  const seats = [...document.querySelectorAll(".seat")].map((_, n) =>
    ["palette", "hand"].map((row) => cards(`.seat[data-seat="${n}"] .${row}`)));
  return {step: document.body.dataset.step, told: document.getElementById("told").textContent,
          seats, canvas: cards("#canvas"), rule: document.querySelector(".rule h2").textContent};
})()"""
WIDE = """[...document.querySelectorAll("body *")]
  .filter((node) => node.getBoundingClientRect().right > innerWidth + 1 && !node.closest(".scroll"))
  .map((node) => node.outerHTML)"""


@pytest.fixture(scope="module")
def browser():
    with Browser() as found:
        found.shape(1200, 900)
        yield found


@pytest.fixture(scope="module")
def replays(tmp_path_factory):
    """Return replays with their pages: one solved and explained, one with everything that four players have."""
    folder = tmp_path_factory.mktemp("pages")
    made = {
        "basic": Replay(record(), ["random", "rollout:playouts=3", "greedy"]),
        "match": Replay(record("advanced+revised:2p:match"), ["rollout:playouts=1"]),
        "four": Replay(record("advanced+revised:4p")),
        "evil": Replay(record(names=EVIL), ["greedy"]),
    }
    for name, replay in made.items():
        replay.save(folder / f"{name}.html")
    return {name: (replay, folder / f"{name}.html") for name, replay in made.items()}


@pytest.fixture(autouse=True)
def no_faults(browser):
    """Make sure that a page writes nothing to the console and asks for nothing from elsewhere."""
    browser.faults.clear()
    yield
    assert browser.faults == []


def expected(state, eyes=None):
    """Return what stands on the table for somebody's eyes, as the page tells it."""
    seats = []
    for seat in range(int(state["players"])):
        seen = cards_of(state["hands"][seat] if eyes in (None, seat) else state["known"][seat])
        hidden = int(state["hand_sizes"][seat]) - len(seen)
        hand = ("" if not seen else cards_text(seen)) + "??" * hidden
        palette = cards_of(state["palettes"][seat])
        seats.append([cards_text(palette) if palette else "", hand])
    size = int(state["canvas_size"])
    canvas = state["pile"][max(0, size - 6) : size].tolist()
    return seats, cards_text(canvas) if canvas else "??"


def replay_words(replay):
    return told(replay.stages[-2], replay.stages[-1], replay.names)


def assert_shows(browser, replay, number, eyes=None):
    shown = browser.run(SHOWN)
    seats, canvas = expected(replay.stages[number].state[0], eyes)
    assert shown["step"] == str(number)
    assert shown["seats"] == seats
    assert shown["canvas"] == canvas
    assert shown["rule"] == f"The rule is {COLOUR_NAMES[int(replay.stages[number].state[0]['rule'])]}"


@pytest.mark.parametrize("name", ["basic", "four"])
def test_keys_step_through_the_whole_game(browser, replays, name):
    replay, path = replays[name]
    browser.open(path)
    last = len(replay.stages) - 1
    for number in range(last + 1):
        if number % max(1, last // 25) == 0 or number == last:
            assert_shows(browser, replay, number)
        browser.press("ArrowRight")
    assert_shows(browser, replay, last)
    assert browser.run(SHOWN)["told"] == replay_words(replay)
    browser.press("ArrowLeft")
    assert_shows(browser, replay, last - 1)
    browser.press("Home")
    assert_shows(browser, replay, 0)
    browser.press("End")
    assert_shows(browser, replay, last)


def test_buttons_slider_and_address(browser, replays):
    replay, path = replays["match"]
    last = len(replay.stages) - 1
    browser.open(path)
    browser.click("#on")
    browser.click("#on")
    assert_shows(browser, replay, 2)
    browser.click("#back")
    assert_shows(browser, replay, 1)
    browser.click("#last")
    assert_shows(browser, replay, last)
    browser.click("#first")
    assert_shows(browser, replay, 0)
    browser.run(
        "(() => {const s = document.getElementById('slider'); s.value = 7; s.dispatchEvent(new Event('input'))})()"
    )
    assert_shows(browser, replay, 7)
    assert browser.run("location.hash") == "#7"
    browser.open(path, "#last")
    assert_shows(browser, replay, last)
    assert browser.run(SHOWN)["told"] == replay_words(replay)
    browser.open(path, "#5&see=1")
    assert_shows(browser, replay, 5, 1)
    browser.open(path, "#99999&see=77")
    assert_shows(browser, replay, last)
    browser.open(path, "#<b>&see=x")
    assert_shows(browser, replay, 0)


def test_turns(browser, replays):
    replay, path = replays["four"]
    starts = [number for number, stage in enumerate(replay.stages) if not stage.turn or stage.move is None]
    browser.open(path)
    for start in starts[1:]:
        browser.press("PageDown")
        assert_shows(browser, replay, start)
    for start in starts[-2::-1]:
        browser.press("PageUp")
        assert_shows(browser, replay, start)


@pytest.mark.parametrize("name", ["basic", "four"])
def test_eyes_see_no_more_than_a_seat(browser, replays, name):
    replay, path = replays[name]
    middle = len(replay.stages) // 2
    browser.open(path, f"#{middle}")
    for seat in range(len(replay.names)):
        browser.press(str(seat + 1))
        assert_shows(browser, replay, middle, seat)
        text = browser.run("document.body.innerText")
        own = replay.stages[middle].state[0]["to_move"] == seat
        assert ("is seen by this seat alone" in text) != own
        assert "position as text" not in text
        assert "With open hands" not in text
    browser.press("0")
    assert_shows(browser, replay, middle)
    assert replay.stages[middle].position in browser.run("document.body.textContent")


def test_decisions_tell_what_agents_and_solver_think(browser, replays):
    replay, path = replays["basic"]
    critic = replay.critics[1]
    number = next(iter(critic.opinions))
    browser.open(path, f"#{number}")
    rows = browser.run("[...document.querySelectorAll('#decision tbody tr')].map((row) => row.innerText)")
    opinion = critic.opinions[number]
    assert len(rows) == len(opinion.worths)
    assert sum("played" in row for row in rows) == 1
    assert sum("would play" in row for row in rows) == 1
    assert sum("wins" in row for row in rows) == len(replay.verdicts[number].keeping)
    best = browser.run("document.querySelector('#decision tbody tr').innerText")
    assert "%" in best
    text = browser.run("document.getElementById('decision').innerText")
    assert f"With open hands and no error {replay.names[replay.verdicts[number].winner]} wins." in text
    assert f"rollout:playouts=3: expects to win {round(100 * opinion.value)} %" in text
    curve = browser.run("document.querySelectorAll('#curve path').length")
    assert curve == 2
    points = browser.run("document.querySelectorAll('#curve circle').length")
    assert points == len(critic.opinions) + 2
    assert browser.run("document.querySelectorAll('#summary tbody tr').length") == 4


def test_the_curve_leads_to_a_step(browser, replays):
    replay, path = replays["match"]
    browser.open(path)
    browser.click("#curve svg")
    step = int(browser.run(SHOWN)["step"])
    assert len(replay.stages) // 3 < step < 2 * len(replay.stages) // 3
    assert_shows(browser, replay, step)


def test_names_are_shown_as_they_are(browser, replays):
    _, path = replays["evil"]
    browser.open(path, "#last")
    assert browser.run("[...document.querySelectorAll('.seat h2')].map((e) => e.textContent)") == list(EVIL)
    assert browser.run("document.querySelectorAll('img, script:not([type])').length") == 1


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("width", "height"), [(1200, 900), (390, 844), (320, 640)])
def test_every_size_and_theme_fits(browser, replays, width, height, dark):
    for name in ("basic", "four", "evil"):
        replay, path = replays[name]
        browser.shape(width, height, dark=dark)
        browser.open(path, f"#{len(replay.stages) // 2}")
        assert browser.run("document.documentElement.scrollWidth") <= width
        assert browser.run(WIDE) == []
        scheme = "getComputedStyle(document.documentElement).colorScheme"
        assert browser.run(scheme) == ("dark" if dark else "light")
        browser.click("#theme")
        assert browser.run(scheme) == ("light" if dark else "dark")
    browser.shape(1200, 900)


def test_a_frame_in_a_notebook_works(browser, replays, tmp_path):
    replay, _ = replays["basic"]
    (tmp_path / "notebook.html").write_text(f"<!doctype html><meta charset=utf-8>{replay._repr_html_()}")
    browser.open(tmp_path / "notebook.html")
    # The frame is a process of its own, which a loaded machine starts late: what is clicked and typed before is lost.
    end = time.monotonic() + SECONDS
    while not _end_turns_the_page(browser):
        assert time.monotonic() < end


def _end_turns_the_page(browser) -> bool:
    """Click into the frame and press a key; tell whether the picture becomes another within a second."""
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=300, y=60, button="left", clickCount=1)
    browser.press("Home")
    before = browser.picture()
    browser.press("End")
    end = time.monotonic() + 1
    while (same := browser.picture() == before) and time.monotonic() < end:
        time.sleep(0.05)
    return not same
