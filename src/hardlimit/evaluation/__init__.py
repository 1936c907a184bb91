"""Judging predictions: figures, a held-out part, a threshold.

Plain Python over labels and scores; nothing here knows how they were made.
"""

from hardlimit.evaluation.figures import ClassFigures, Figures, figures, wilson_interval
from hardlimit.evaluation.holdout import stratified_holdout
from hardlimit.evaluation.intervals import Estimate, f1_interval, macro_f1, matthews, roc_area
from hardlimit.evaluation.ranking import average_precision, ranking
from hardlimit.evaluation.spelling import as_known
from hardlimit.evaluation.threshold import (
    ThresholdChoice,
    ThresholdPoint,
    precision_recall,
    threshold_for_false_positives,
    threshold_table,
    toward,
)

__all__ = [
    "ClassFigures",
    "Estimate",
    "Figures",
    "ThresholdChoice",
    "ThresholdPoint",
    "as_known",
    "average_precision",
    "f1_interval",
    "figures",
    "macro_f1",
    "matthews",
    "precision_recall",
    "ranking",
    "roc_area",
    "stratified_holdout",
    "threshold_for_false_positives",
    "threshold_table",
    "toward",
    "wilson_interval",
]
