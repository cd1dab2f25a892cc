"""Games in the browser: whole ones by HTTP, some moves by a real browser, and who is kept out."""

import re
import time
from contextlib import contextmanager
from html import unescape
from http.client import HTTPConnection
from threading import Thread
from urllib.parse import urlencode

import pytest

from experiments.play import cli
from experiments.play.browser import Desk, serving
from experiments.play.browser.server import HOST
from red7_env.cli import main as red7
from red7_env.game import Game
from red7_env.render import picture
from tests.browser import Browser, chromium

SMALL = "basic@3x4x2 - R4O1:Y3/R2Y4:O4 0 R3O3Y2O2R1Y1"


@contextmanager
def playing(monkeypatch, *words):
    """Play in another thread; give the server, and leave at the end."""
    servers, status = [], []

    @contextmanager
    def noted(desk, port=0):
        with serving(desk, port) as server:
            servers.append(server)
            yield server

    monkeypatch.setattr(cli, "serving", noted)
    thread = Thread(target=lambda: status.append(cli.main(["--browser", *words])))
    thread.start()
    while not servers and thread.is_alive():
        time.sleep(0.01)
    (server,) = servers
    server.desk.wait(60)
    try:
        yield server
    finally:
        while thread.is_alive():
            server.desk.answer(server.desk.sight().step, "y" if server.desk.sight().kind == "confirm" else "q")
            thread.join(0.05)
    assert status == [0]


def asked(server, path="", *, form=None, **headers):
    """Return status, headers and text of an answer."""
    connection = HTTPConnection(HOST, server.server_port, timeout=60)
    path = f"/{server.secret}/{path}" if not path.startswith("/") else path
    body = None if form is None else urlencode(form)
    connection.request("GET" if form is None else "POST", path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, dict(answer.headers), text


def posted(server, line, **headers):
    """Answer the question that is asked, and return the page that follows."""
    step = re.search(r'name="step" value="(\d+)"', asked(server)[2])[1]
    status, found, text = asked(server, "answer", form={"step": step, "line": line}, **headers)
    if status == 200:
        return text
    page, end = asked(server, found["Location"].removeprefix("./"))[2], time.monotonic() + 120
    while "The others think" in page and time.monotonic() < end:  # a slow machine, or one that compiles
        time.sleep(0.1)
        page = asked(server)[2]
    return page


def answers(page):
    return [unescape(value) for value in re.findall(r'name="line" value="([^"]*)"', page)]


def test_games_of_several_players(monkeypatch, tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    words = ("--opponents", "greedy", "random", "--rules", "advanced+revised", "--seed", "5", "--record", str(path))
    with playing(monkeypatch, *words) as server:
        page, over = asked(server)[2], 0
        while over < 2:
            if "The game is over." in page:
                over += 1
                status, headers, text = asked(server, "replay")
                assert status == 200
                assert "script-src" not in headers["Content-Security-Policy"]
                assert "Red7: " in text
                page = posted(server, "n")
            else:
                assert asked(server, "replay")[0] == 404
                page = posted(server, answers(page)[0])
        assert "deal 2: you are seat" in page
    assert red7(["verify", str(path)]) == 0
    assert capsys.readouterr().out.endswith("ok: 2 games\n")


def test_what_the_seat_knows_is_shown_and_no_more(monkeypatch):
    with playing(monkeypatch, "--position", SMALL, "--seat", "0") as server:
        page = asked(server)[2]
        game = Game.from_position(SMALL)
        assert picture(game.view(0), names=["you", "seat 1: greedy"]).svg() in page
        assert set(answers(page)) == {*game.moves(), "h", "?", "q"}
        assert "the others think" not in page.lower()


def test_moves_are_taken_back_and_hints_given(monkeypatch):
    with playing(monkeypatch, "--position", SMALL, "--seat", "0", "--hint", "greedy") as server:
        page = posted(server, "+R4")
        assert {"u", "r"} <= set(answers(page))
        page = posted(server, "u")
        assert "Taken back: +R4" in page
        assert "u" not in answers(page)
        assert "Hint of greedy: " in posted(server, "h")
        assert "green: most even cards" in posted(server, "?")
        page = posted(server, "#")
        assert "If you pass, you are out of this round. Pass?" in unescape(page)
        assert answers(page) == ["y", "n"]
        assert "+R4" in answers(posted(server, "n"))
        posted(server, "#")
        page = posted(server, "y")
        assert "You passed and are out." in page
        assert answers(page) == ["n", "q"]
        assert "replay" not in page  # the position is no deal, so there is no record
        assert "can be closed" in posted(server, "q")


def test_an_answer_to_an_earlier_question_is_left_alone(monkeypatch):
    with playing(monkeypatch, "--position", SMALL, "--seat", "0") as server:
        step = server.desk.sight().step
        posted(server, "+R4")
        asked(server, "answer", form={"step": step, "line": "u"})
        asked(server, "answer", form={"step": "x" * 9, "line": "u"})
        assert server.desk.sight().begun
        page = posted(server, "<b>nonsense</b>")
        assert "<b>nonsense" not in page
        assert "nonsense" in page


def test_who_is_kept_out(monkeypatch):
    with playing(monkeypatch, "--position", SMALL, "--seat", "0") as server:
        assert server.server_address[0] == "127.0.0.1"
        assert len(server.secret) > 20
        assert asked(server, "/")[0] == asked(server, "/x/")[0] == asked(server, "/x/answer", form={})[0] == 404
        assert asked(server, "nothing")[0] == 404
        for host in ("evil.example", f"evil.example:{server.server_port}", HOST):
            assert asked(server, Host=host)[0] == 421
        assert asked(server, Host=f"localhost:{server.server_port}")[0] == 200
        for origin in ("http://evil.example", "null", f"http://{HOST}:1"):
            assert asked(server, "answer", form={"line": "q"}, Origin=origin)[0] == 403
        assert asked(server, "other", form={"line": "q"})[0] == 403
        assert asked(server, "answer", form={"line": "q" * 2000})[0] == 413
        _, headers, _ = asked(server)
        assert headers["Cache-Control"] == "no-store"
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert not [name for name in headers if name.lower().startswith("access-control")]
        assert server.desk.sight().kind == "move"
        assert "+R4" in answers(posted(server, "h", Origin=server.origin))


def test_refusals(capsys):
    with serving(Desk()) as server:
        assert cli.main(["--browser", "--port", str(server.server_port)]) == 2
    assert re.fullmatch(r"error: port: found \d+ \(.*\), expected one that is free\n", capsys.readouterr().err)
    assert cli.main(["--port", "8000"]) == 2
    assert capsys.readouterr().err == "error: port: found 8000 without --browser, expected both\n"


@pytest.fixture
def browser():
    chromium()
    with Browser() as found:
        yield found


def load(browser, address):
    browser.call("Page.navigate", url=address)
    ready(browser)


def ready(browser):
    while browser.run("document.readyState + !!document.querySelector('form')") != "completetrue":
        time.sleep(0.02)


@pytest.mark.parametrize(("width", "dark"), [(360, True), (1000, False)])
def test_a_person_plays_in_a_browser(width, dark, monkeypatch, browser):
    with playing(monkeypatch, "--opponents", "greedy", "greedy", "greedy", "--seed", "3", "--seat", "1") as server:
        browser.shape(width, 800, dark=dark)
        load(browser, server.address)
        for _ in range(3):
            step = server.desk.sight().step
            assert browser.run("document.documentElement.scrollWidth") <= width
            assert browser.run("document.querySelectorAll('svg').length") == 1
            browser.click(".moves button")
            while server.desk.sight().step == step:
                time.sleep(0.02)
            server.desk.wait(30)
            ready(browser)
        assert set(browser.faults) <= {f"loads {server.address}", f"loads {server.address}answer"}
