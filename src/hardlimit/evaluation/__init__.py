"""Judging predictions: figures, a held-out part, a threshold.

Plain Python over labels and scores; nothing here knows how they were made.
"""

from hardlimit.evaluation.best_threshold import threshold_for_accuracy, threshold_for_f1
from hardlimit.evaluation.figures import (
    ClassFigures,
    Figures,
    figures,
    figures_of_counts,
    wilson_interval,
)
from hardlimit.evaluation.goals import Goal, choose_threshold
from hardlimit.evaluation.holdout import label_holdout, match_labels, stratified_holdout
from hardlimit.evaluation.intervals import Estimate, f1_interval, macro_f1, matthews, roc_area
from hardlimit.evaluation.several_labels import (
    LabelFigures,
    figures_of_label_sets,
    figures_of_labels,
)
from hardlimit.evaluation.threshold import (
    ThresholdChoice,
    ThresholdPoint,
    average_precision,
    orient_threshold,
    precision_recall,
    ranking,
    threshold_for_false_positives,
    threshold_table,
)

__all__ = [
    "ClassFigures",
    "Estimate",
    "Figures",
    "Goal",
    "LabelFigures",
    "ThresholdChoice",
    "ThresholdPoint",
    "average_precision",
    "choose_threshold",
    "f1_interval",
    "figures",
    "figures_of_counts",
    "figures_of_label_sets",
    "figures_of_labels",
    "label_holdout",
    "macro_f1",
    "match_labels",
    "matthews",
    "orient_threshold",
    "precision_recall",
    "ranking",
    "roc_area",
    "stratified_holdout",
    "threshold_for_accuracy",
    "threshold_for_f1",
    "threshold_for_false_positives",
    "threshold_table",
    "wilson_interval",
]
