"""Functions that explain games and policies: typed, without figures, for notebooks and reports.

``decisions`` collects what was decided in games; the other modules take it from there.
"""

from experiments.analysis.agreement import Judged, Row, agreement, judged
from experiments.analysis.calibration import Reliability, brier, reliability
from experiments.analysis.curves import Curve, iqm, learning_curve
from experiments.analysis.decisions import Decisions, collected, played
from experiments.analysis.estimate import Estimate, mean_over_games
from experiments.analysis.importance import Importance, permutation_importance
from experiments.analysis.setting import Setting, rule_changes, setting
from experiments.analysis.tree import TreeProperties, tree_properties, worlds

__all__ = [
    "Curve",
    "Decisions",
    "Estimate",
    "Importance",
    "Judged",
    "Reliability",
    "Row",
    "Setting",
    "TreeProperties",
    "agreement",
    "brier",
    "collected",
    "iqm",
    "judged",
    "learning_curve",
    "mean_over_games",
    "permutation_importance",
    "played",
    "reliability",
    "rule_changes",
    "setting",
    "tree_properties",
    "worlds",
]
