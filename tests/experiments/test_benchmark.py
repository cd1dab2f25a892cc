"""The benchmark: what it times, how it puts figures together, and what its command line does."""

import json
import subprocess
import sys

import numpy as np
import pytest

from experiments.benchmark import (
    calibration,
    cli,
    engine,
    environments,
    league,
    machine,
    measure,
    report,
    starts,
    suite,
)
from experiments.benchmark.measure import Figure, Kind, Measurement, Results, Sample, UnavailableError
from experiments.benchmark.positions import middle_positions, random_actions
from experiments.benchmark.training import _Stopwatch
from red7_env.game import Rules, batch
from red7_env.game.state import START

RATE, TIME, SHARE = (Figure("moves", kind) for kind in Kind)
LOOP = calibration.measurements()[0]


class Clock:
    """A clock of CPU time that goes on only when told to."""

    def __init__(self, monkeypatch):
        self.ns = 0
        monkeypatch.setattr("time.process_time_ns", lambda: self.ns)

    def spend(self, ns):
        self.ns += ns


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def planted(name, run, **options):
    """Return a measurement that is run by a function."""
    return Measurement("planted", name, (RATE, TIME), lambda: run, **options)


def steady(ns, moves):
    return lambda _: Sample(ns, {"moves": moves})


def measured(*measurements, runs=3):
    results = Results(measurements)
    measure.measure(results, runs, 0, lambda *_: None)
    return results


def test_a_run_times_the_work_alone_and_lasts_long_enough(clock):
    def work():
        clock.spend(30)
        return {"moves": 2, "games": 1}

    run = measure.repeated(work, before=lambda: clock.spend(1000))
    assert run(100e-9) == Sample(120, {"moves": 8, "games": 4})
    assert run(0) == Sample(30, {"moves": 2, "games": 1})


def test_figures_and_their_spread():
    samples = [Sample(100, {"moves": 50}), Sample(400, {"moves": 50}), Sample(200, {"moves": 50})]
    assert measure.summary(TIME, samples) == measure.Summary(4, 2, 8)
    assert measure.summary(RATE, samples) == measure.Summary(250e6, 125e6, 500e6)
    assert SHARE.value(Sample(5, {"moves": 20})) == 0.25
    assert [figure.ns_each(8) for figure in (RATE, TIME, SHARE)] == [125e6, 8, None]


def test_measurements_run_by_turns_after_a_piece_that_does_not_count():
    calls = []

    def logged(name):
        return lambda seconds: calls.append((name, seconds)) or Sample(1, {"moves": len(calls)})

    results = Results([planted("a", logged("a")), planted("b", logged("b")), planted("c", logged("c"), max_runs=1)])
    measure.measure(results, 2, 0.5, lambda *_: None)
    assert calls == [("a", 0), ("b", 0), ("a", 0.5), ("b", 0.5), ("c", 0.5), ("a", 0.5), ("b", 0.5)]
    assert {title: len(samples) for title, samples in results.samples.items()} == {
        "planted: a": 2,
        "planted: b": 2,
        "planted: c": 1,
    }


def test_what_cannot_be_measured_is_left_out_with_its_reason():
    def fail():
        raise UnavailableError("cards are not installed")

    absent = Measurement("planted", "absent", (RATE,), fail)
    results = measured(absent, planted("here", steady(10, 5)))
    assert list(results.samples) == ["planted: here"]
    assert "absent                                        cards are not installed" in report.table(results, {})
    entry, other = report.document(results, {}, {})["measurements"]
    assert (entry["left_out"], entry["runs"], entry["figures"]) == ("cards are not installed", [], [])
    assert other["left_out"] is None


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (12_345_678, Kind.RATE, ("12.3", "M")),
        (999, Kind.RATE, ("999", "")),
        (0.5, Kind.RATE, ("0.50", "")),
        (1.234, Kind.TIME, ("1.23", "ns")),
        (56_789, Kind.TIME, ("56.8", "us")),
        (4.2e10, Kind.TIME, ("42.0", "s")),
        (0.0298, Kind.SHARE, ("2.98", "%")),
    ],
)
def test_numbers_have_three_digits(value, kind, expected):
    assert report.scaled(value, kind) == expected


def test_the_table_shows_median_spread_and_calibration():
    loop = Measurement(calibration.SECTION, LOOP.name, LOOP.figures, lambda: lambda _: Sample(8000, {"steps": 2000}))
    times = iter([1000, 1000, 4000, 2000])
    results = measured(loop, planted("cards", lambda _: Sample(next(times), {"moves": 100})))
    lines = report.table(results, {"cpu": "abacus"}).splitlines()
    assert "  cpu                abacus" in lines
    start = next(place for place, line in enumerate(lines) if line.startswith("  cards"))
    assert lines[start].split() == ["cards", "50.0", "M", "moves/s", "25.0", "..", "100", "5.00"]
    assert lines[start + 1].split() == ["20.0", "ns/move", "10.0", "..", "40.0", "5.00"]
    entry = report.document(results, {}, {})["measurements"][1]
    assert entry["runs"] == [{"ns": ns, "counts": {"moves": 100}} for ns in (1000, 4000, 2000)]
    assert entry["figures"][1] == {
        "of": "moves",
        "kind": "ns each",
        "median": 20.0,
        "lowest": 10.0,
        "highest": 40.0,
        "loop_steps": 5.0,
    }


def test_calls_within_calls_are_counted_once(clock):
    watch = _Stopwatch()
    inner = watch.timed(lambda: clock.spend(5))
    outer = watch.timed(lambda: (clock.spend(1), inner()))
    outer()
    inner()
    clock.spend(100)
    assert watch.ns == 11


@pytest.mark.parametrize(
    "arguments",
    [
        ["--runs", "0"],
        ["--runs", "two"],
        ["--only", "no such thing\n"],
        ["--json", "/no/such/folder/file"],
        ["--json", "."],
        ["--fast"],
        ["extra"],
    ],
)
def test_bad_arguments_are_refused_in_one_line(arguments, capsys):
    assert cli.main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1


def test_an_interrupt_shows_and_keeps_what_there_is(monkeypatch, capsys, tmp_path):
    runs = iter([Sample(1, {"moves": 1}), Sample(10, {"moves": 5}), KeyboardInterrupt()])

    def run(_):
        outcome = next(runs)
        if isinstance(outcome, KeyboardInterrupt):
            raise outcome
        return outcome

    monkeypatch.setattr(suite, "SECTIONS", [lambda: [planted("first", run), planted("second", steady(4, 1))]])
    monkeypatch.setattr(calibration, "measurements", lambda: [LOOP])
    assert cli.main(["--quick", "--json", str(tmp_path / "out.json")]) == 130
    printed = capsys.readouterr()
    assert "500 M moves/s" in printed.out
    assert "interrupted" in printed.err
    kept = json.loads((tmp_path / "out.json").read_text())
    assert [len(entry["runs"]) for entry in kept["measurements"]] == [2, 1, 1]


def test_a_quick_benchmark_leaves_out_what_is_slow(monkeypatch, capsys):
    monkeypatch.setattr(suite, "SECTIONS", [lambda: [planted("slow", steady(1, 1), slow=True)]])
    assert cli.main(["--quick", "--runs", "1"]) == 0
    assert "slow                                          left out of a quick benchmark" in capsys.readouterr().out


def test_the_engine_is_measured_from_start_to_end(capsys, tmp_path):
    names = ["--only", "N=1024", "--only", "advanced:2p:match"]
    assert cli.main(["--quick", "--runs", "1", *names, "--json", str(tmp_path / "out.json")]) == 0
    assert "determinise at N games a call" in capsys.readouterr().out
    kept = json.loads((tmp_path / "out.json").read_text())
    assert kept["settings"] == {"runs": 1, "seconds_a_run": 0.01, "quick": True}
    assert kept["machine"].keys() >= {"cpu", "cores", "python", "numpy", "numba", "llvmlite", "commit"}
    for entry in kept["measurements"]:
        for figure in entry["figures"]:
            # A position in a nanosecond or in a tenth of a millisecond would be no measurement.
            each = 1e9 / figure["median"] if figure["kind"] == "a second" else figure["median"]
            assert 1 < each < 1e5 or entry["name"] == "advanced:2p:match", entry
            assert figure["loop_steps"] > 0
    assert sum(entry["name"].endswith("N=1024") for entry in kept["measurements"]) == 10


def test_every_title_is_different():
    titles = [measurement.title for measurement in suite.chosen([])]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("text", engine.BATCH_RULES)
def test_positions_are_from_the_middle_of_games(text):
    states = middle_positions(Rules.parse(text), 300, seed=5)
    assert states.shape == (300,)
    assert batch.offers(states).any(axis=1).all()
    assert ((states["turn"] > 1) | (states["phase"] != START)).all()
    assert len(np.unique(states)) > 250
    middle_positions.cache_clear()
    assert middle_positions(Rules.parse(text), 300, seed=5).tobytes() == states.tobytes()


def test_random_actions_are_offered_and_differ():
    mask = np.zeros((4000, 101), np.int8)
    mask[:, [3, 50, 99]] = 1
    actions = random_actions(mask, np.random.default_rng(0))
    found, counts = np.unique(actions, return_counts=True)
    assert found.tolist() == [3, 50, 99]
    assert counts.min() > 1200


def test_playouts_count_turns_moves_and_games():
    run = engine._playouts(Rules())
    counts = run(0).counts
    assert counts["moves"] > counts["turns"] > counts["games"] == engine._GAMES_A_CALL
    assert run(0).counts == counts


def test_a_start_is_measured_by_a_process_of_its_own():
    alone, busy = (starts._child(code).ns for code in ("", "sum(range(3_000_000))"))
    assert busy > alone > 1e6
    with pytest.raises(subprocess.CalledProcessError):
        starts._child("raise SystemExit(3)")


@pytest.mark.parametrize("loop", environments.LOOPS)
@pytest.mark.parametrize("name", environments.PEERS)
def test_peers_are_played_or_said_to_be_missing(name, loop):
    before = "pygame" in sys.modules
    try:
        run = environments._peer(environments.PEERS[name], loop)
    except UnavailableError as fault:
        assert str(fault) == "rlcard is not installed"  # noqa: PT017 - it depends on what is installed
    else:
        assert run(0).counts == {"steps": environments._STEPS}
    assert before or "pygame" not in sys.modules or sys.modules["pygame"].__file__ is not None


@pytest.mark.parametrize("text", environments.AEC_RULES)
def test_the_environments_are_played(text):
    rules = Rules.parse(text)
    for loop in environments.LOOPS:
        assert environments._red7(rules, loop)(0).counts == {"steps": environments._STEPS}
    assert environments._gymnasium(rules)(0).counts == {"steps": environments._STEPS}
    assert environments._vector(rules)(0).counts == {"steps": environments.NUM_GAMES}
    assert environments._batch(rules, "base")(0).counts == {"moves": environments.NUM_GAMES}


def test_agents_and_solver_are_measured():
    assert league._games(league.PAIRS[0])(0).counts == {"games": 2 * league._DEALS_A_CALL}
    assert league._decisions("greedy")(0).counts == {"decisions": league._DECISIONS_A_CALL}
    assert league._deals()(0).counts == {"deals": league._DEALS_A_CALL}


def test_the_machine_is_described_without_git(monkeypatch):
    assert machine.facts()["cpu"]
    monkeypatch.setenv("PATH", "")
    assert machine.facts()["commit"] == "unknown"
