"""The page of a replay as a document; ``test_browser`` looks at it."""

import base64
import hashlib
import json
from html.parser import HTMLParser

import pytest

from experiments.replay import Replay, ReplayError
from red7_env.game import Red7Error
from red7_env.game.bits import cards_of
from red7_env.game.record import make_record, read_record
from tests.experiments.replay.games import VARIANTS, finished, record

EVIL = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>")


class Document(HTMLParser):
    """The parts of a page: tags with attributes, and the text of style and scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self._open = [], {}, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._open = (tag, dict(attrs).get("type", ""))

    def handle_data(self, data):
        self.texts[self._open] = self.texts.get(self._open, "") + data

    def handle_endtag(self, tag):  # noqa: ARG002 - fixed by the parser
        self._open = None


def data_of(page):
    return json.loads(Document(page).texts["script", "application/json"])


@pytest.mark.parametrize("rules", VARIANTS)
def test_the_data_are_the_game(rules):
    replay = Replay(record(rules))
    game, data = replay.game, data_of(replay.html())
    assert data["names"] == list("abcd"[: game.rules.players])
    assert data["winners"] == game.winners
    assert [seat["points"] for seat in data["steps"][-1]["seats"]] == (
        game.scores if game.rules.match else [0] * len(data["names"])
    )
    assert len(data["steps"]) == len(replay.stages)
    for step, stage in zip(data["steps"], replay.stages, strict=True):
        state = stage.state[0]
        assert step["move"] == stage.move
        for number, seat in enumerate(step["seats"]):
            assert seat["hand"] == cards_of(state["hands"][number])
            assert seat["palette"] == cards_of(state["palettes"][number])
    made = [data["moves"][str(step["move"])][0] for step in data["steps"] if step["move"] is not None]
    assert made == [token for log in game.rounds for turn in log.turns for token in turn.split()]


def test_decisions_hold_what_was_thought():
    data = data_of(Replay(record(), ["random", "rollout:playouts=3"]).html())
    assert [critic["spec"] for critic in data["critics"]] == ["random", "rollout:playouts=3"]
    assert [(critic["chances"], critic["worths"], critic["values"]) for critic in data["critics"]] == [
        (True, False, False),
        (False, True, True),
    ]
    decisions = [step["decision"] for step in data["steps"] if "decision" in step]
    assert decisions
    for decision in decisions:
        chances, worths = decision["opinions"][0]["chances"], decision["opinions"][1]["worths"]
        assert len(chances) == len(worths) == len(decision["keeps"]) == len(decision["offer"]) > 1
        assert sum(chances) == pytest.approx(1, abs=0.01)
    assert [row["who"] for row in data["summary"]] == ["random", "rollout:playouts=3", "open hands"]
    assert all(len(row["seats"]) == 2 for row in data["summary"])


def test_slips_are_found():
    found = []
    for seed in range(6):
        replay = Replay(record(seed=seed))
        for number, step in enumerate(data_of(replay.html())["steps"]):
            if "decision" in step:
                after = replay.verdicts.get(number + 1)
                winner = after.winner if after else replay.game.winner
                assert step["decision"]["slip"] == (step["winner"] == step["mover"] != winner)
                found.append(step["decision"]["slip"])
    assert {True, False} == set(found)


def test_the_page_loads_nothing_and_runs_only_its_own_script():
    page = Replay(record()).html()
    document = Document(page)
    assert not any({"src", "href", "style"} & attributes.keys() for _, attributes in document.tags)
    assert not any(name.startswith("on") for _, attributes in document.tags for name in attributes)
    (policy,) = (a["content"] for tag, a in document.tags if tag == "meta" and "http-equiv" in a)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag, kind in (("style", ""), ("script", "")):
        digest = hashlib.sha256(document.texts[tag, kind].encode()).digest()
        assert f"{tag}-src 'sha256-{base64.b64encode(digest).decode()}'" in policy
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page


def test_names_are_text_and_nothing_else():
    page = Replay(record(names=EVIL)).html()
    assert page.count("<script") == 2
    assert "<img" not in page
    assert data_of(page)["names"] == list(EVIL)


def test_names_fit_the_page():
    assert Replay(record(names=("a\n b" + "c" * 99, " "))).names == ["a b" + "c" * 57, "player_1"]
    assert Replay(record(names=("x", "x"))).names == ["x (1)", "x (2)"]
    assert Replay(record(), names=["me", "you"]).names == ["me", "you"]
    with pytest.raises(ReplayError, match="names: found 1, expected 2"):
        Replay(record(), names=["me"])


def test_replays_of_games_and_records_are_the_same():
    game = finished("advanced:2p")
    parsed = read_record(record("advanced:2p", names=("player_0", "player_1")))
    pages = {
        Replay(what).html() for what in (game, parsed, json.dumps(parsed), make_record(game, ("player_0", "player_1")))
    }
    assert len(pages) == 1


def test_a_notebook_shows_it_in_a_frame():
    replay = Replay(record(names=EVIL))
    (tag, attributes), *rest = Document(replay._repr_html_()).tags
    assert (tag, rest) == ("iframe", [])
    assert attributes["srcdoc"] == replay.html()
    assert attributes["sandbox"] == "allow-scripts"
    assert repr(replay).startswith("<Replay of basic:2p: </script>")


@pytest.mark.parametrize("change", ["winners", "scores", "players"])
def test_records_that_are_not_true(change):
    lie = json.loads(record())
    lie[change] = {"winners": [1 - lie["winners"][0]], "scores": [1, 0], "players": ["a", "b", "c"]}[change]
    with pytest.raises(Red7Error):
        Replay(json.dumps(lie))


def test_games_under_way_are_refused():
    from red7_env.game import Game

    with pytest.raises(Red7Error, match="game: found one that is not over"):
        Replay(Game.deal())
