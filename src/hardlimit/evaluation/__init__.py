"""Judging predictions: figures, a held-out part, a threshold.

Plain Python over labels and scores; nothing here knows how they were made.
"""

from hardlimit.evaluation.figures import ClassFigures, Figures, figures, wilson_interval
from hardlimit.evaluation.holdout import stratified_holdout
<<<<<<< HEAD
from hardlimit.evaluation.ranking import area_under_roc, average_precision, ranking
=======
from hardlimit.evaluation.intervals import Estimate, f1_interval, macro_f1, matthews, roc_area
from hardlimit.evaluation.spelling import as_known
>>>>>>> part/report
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
<<<<<<< HEAD
    "area_under_roc",
    "average_precision",
=======
    "as_known",
    "f1_interval",
>>>>>>> part/report
    "figures",
    "macro_f1",
    "matthews",
    "precision_recall",
<<<<<<< HEAD
    "ranking",
=======
    "roc_area",
>>>>>>> part/report
    "stratified_holdout",
    "threshold_for_false_positives",
    "threshold_table",
    "toward",
    "wilson_interval",
]
