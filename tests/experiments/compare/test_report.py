import csv
import io

import pytest

from experiments.compare import figures, report
from experiments.compare.progress import Progress
from experiments.compare.scores import Scores
from experiments.compare.summary import Summary, summarise
from experiments.compare.units import Unit, units_of
from tests.experiments.compare.league import config_of, made_up_games

SPECS = [f"rollout:playouts={count}" for count in (1, 2, 3, 4, 5, 6, 7)]


def summary_of(count, rules="basic:2p", deals=20, **more):
    config = config_of(SPECS[:count], rules, deals, **more)
    scores = Scores(config)
    scores.add(made_up_games(config, {spec: place + 1.0 for place, spec in enumerate(SPECS)}))
    return summarise(scores, config, stopped=False)


@pytest.mark.parametrize(
    ("count", "rules", "more"),
    [
        (2, "basic:2p", {}),
        (7, "basic:2p", {}),
        (3, "advanced:3p:match", {"stop": "all"}),
        (2, "basic:4p", {"design": "duel"}),
    ],
)
def test_results_survive_json_and_are_shown(count, rules, more, tmp_path):
    import json

    summary = summary_of(count, rules, **more)
    again = Summary.from_json(json.loads(json.dumps(summary.to_json())))
    assert again == summary
    for shown in (report.text(again), report.markdown(again)):
        assert all(spec in shown for spec in SPECS[:count])
    figures.draw(again, tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_shares_of_a_pair_add_up():
    summary = summary_of(3)
    for first in range(3):
        assert summary.pairs[first][first] is None
        for second in range(first):
            assert summary.pairs[first][second].value + summary.pairs[second][first].value == pytest.approx(1)
    assert sum(entry.value for entry in summary.by_order) == pytest.approx(1)
    assert sum(entry.rating.value for entry in summary.standings) == pytest.approx(0, abs=1e-4)


def test_a_pair_that_never_won_is_not_compared(tmp_path):
    """Two agents that lose every game to the third: 50 % would be an invention."""
    config = config_of(["greedy", "pimc", "random"], "basic:3p", 2)
    scores = Scores(config)
    scores.add(made_up_games(config, {"greedy": 1, "pimc": 0, "random": 0}))
    summary = summarise(scores, config, stopped=False)
    specs = [entry.agent for entry in summary.standings]
    cells = {
        (first, second): cell
        for first, row in zip(specs, summary.pairs, strict=True)
        for second, cell in zip(specs, row, strict=True)
    }
    assert cells["pimc", "random"] is cells["random", "pimc"] is None
    assert cells["greedy", "random"].value == 1
    assert "random,pimc,,," in report.pairs_csv(summary)
    assert "| pimc | 0.0 [0.0, 0.0] |  |  |" in report.markdown(summary)
    figures.draw(summary, tmp_path)


def test_csv_files_hold_every_agent_and_pair():
    summary = summary_of(3, stop="all")
    agents = list(csv.DictReader(io.StringIO(report.agents_csv(summary))))
    assert [row["agent"] for row in agents] == [entry.agent for entry in summary.standings]
    assert float(agents[0]["wins"]) == summary.standings[0].wins.value
    assert float(agents[0]["wins_acting_2_low"]) == summary.standings[0].by_order[1].low
    assert agents[0]["points"] == ""
    pairs = list(csv.DictReader(io.StringIO(report.pairs_csv(summary))))
    assert len(pairs) == 6
    assert float(pairs[0]["difference_low"]) == summary.differences[0][1].low


def test_progress_weighs_tables_by_their_time():
    units = units_of(config_of(SPECS[:3], deals=300))
    progress = Progress(units, units[:3], workers=2, out=io.StringIO())
    assert progress.line() == "compare: 3/9 units, 33 %, ? left"
    for unit, seconds in zip(units[3:6], (10.0, 20.0, 60.0), strict=True):
        progress.advance(unit, seconds)
    assert progress.seconds_left() == 45
    assert progress.line() == "compare: 6/9 units, 66 %, 0:45 left"


def test_a_terminal_is_left_clean():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    out = Terminal()
    units = units_of(config_of(SPECS[:2], deals=100))
    progress = Progress(units, [], workers=1, out=out)
    progress.advance(Unit(0, 0, 0, 100), 1.0)
    progress.close()
    shown = out.getvalue()
    assert "compare: 1/1 units" in shown
    assert shown.endswith("\r")
    assert "\n" not in shown
