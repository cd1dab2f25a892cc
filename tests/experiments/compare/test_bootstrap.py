import numpy as np

from experiments.compare.bootstrap import bootstrap, resampled


def rate(sums):
    return sums[:, :1] / sums[:, 1:]


def deals(rng, count):
    """Return deals of two games each that mostly go the same way, which makes them worth less than two."""
    luck = rng.random(count)
    wins = (luck[:, None] + 0.3 * rng.random((count, 2)) < 0.75).sum(axis=1)
    return np.column_stack([wins, np.full(count, 2)]).astype(float)


def test_intervals_cover_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(5)
    truth = 0.6
    hits, widths = 0, []
    for number in range(300):
        value, low, high = bootstrap(deals(rng, 200), rate, seed=number, resamples=300)
        hits += low[0] <= truth <= high[0]
        widths.append(high[0] - low[0])
        assert low[0] <= value[0] <= high[0]
    assert 0.91 <= hits / 300 <= 0.98
    independent = 2 * 1.96 * np.sqrt(truth * (1 - truth) / 400)
    assert np.mean(widths) > 1.2 * independent  # games of one deal are not independent, and it knows


def test_a_resample_draws_as_many_deals_as_there_are():
    sums = resampled(np.ones((50, 2)), seed=1, resamples=20)
    assert (sums == 50).all()
    assert np.unique(resampled(np.arange(50.0)[:, None], seed=1, resamples=20)).size > 10


def test_the_seed_decides():
    values = np.arange(40.0)[:, None]
    assert (resampled(values, 3, 10) == resampled(values, 3, 10)).all()
    assert (resampled(values, 3, 10) != resampled(values, 4, 10)).any()
