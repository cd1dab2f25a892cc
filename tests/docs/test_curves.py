"""The curves of solvers that the documentation shows."""

import csv
import json
from collections import defaultdict

from docs.curves import FOLDER, PICTURE, TABLE, join


def test_the_published_curves_reach_what_the_page_says():
    last, sets = {}, defaultdict(set)
    with (FOLDER / TABLE).open(newline="") as file:
        for row in csv.DictReader(file):
            last[row["deck"], row["solver"]] = float(row["nash_conv"])
            sets[row["deck"]].add(int(row["information_sets"]))
    assert all(len(numbers) == 1 for numbers in sets.values())
    sizes = sorted((numbers.pop(), deck) for deck, numbers in sets.items())
    assert len(sizes) >= 3
    assert sizes[0][0] < 10_000
    assert sizes[-1][0] > 1_000_000
    assert all(last[deck, solver] < 1e-3 for _, deck in sizes for solver in ("cfr+", "mmd"))


def test_curves_are_joined_by_the_size_of_the_deck(tmp_path):
    for deck, sets in (("3x3x3", 70), ("2x2x1", 7)):
        curve = [{"first": 0.5, "second": -0.25}, {"first": 0.0, "second": 0.0}]
        found = {"rules": f"basic@{deck}:2p", "sizes": {"sets": sets}, "points": [1, 2], "curves": {"mmd": curve}}
        (tmp_path / deck).mkdir()
        (tmp_path / deck / "results.json").write_text(json.dumps(found))
    curves = join([tmp_path / "3x3x3", tmp_path / "2x2x1"], tmp_path)
    assert [curve.deck for curve in curves] == ["2x2x1", "3x3x3"]
    lines = (tmp_path / TABLE).read_text().splitlines()
    assert lines[:3] == [
        "deck,information_sets,solver,iterations,nash_conv",
        "2x2x1,7,mmd,1,2.500e-01",
        "2x2x1,7,mmd,2,0.000e+00",
    ]
    assert (tmp_path / PICTURE).read_bytes().startswith(b"\x89PNG")
