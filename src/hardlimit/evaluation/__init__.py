"""Judging predictions: figures, a held-out part, a threshold.

Plain Python over labels and scores; nothing here knows how they were made.
"""

from hardlimit.evaluation.figures import ClassFigures, Figures, figures, wilson_interval
from hardlimit.evaluation.holdout import stratified_holdout
from hardlimit.evaluation.ranking import area_under_roc, average_precision, ranking
from hardlimit.evaluation.threshold import (
    ThresholdChoice,
    ThresholdPoint,
    precision_recall,
    threshold_for_false_positives,
    threshold_table,
)

__all__ = [
    "ClassFigures",
    "Figures",
    "ThresholdChoice",
    "ThresholdPoint",
    "area_under_roc",
    "average_precision",
    "figures",
    "precision_recall",
    "ranking",
    "stratified_holdout",
    "threshold_for_false_positives",
    "threshold_table",
    "wilson_interval",
]
