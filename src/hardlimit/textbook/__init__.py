"""The algorithms of the textbook again, slow and obvious, step by step.

::

    from hardlimit import textbook

    print(textbook.trace(X, y, "perceptron", order="batch"))   # the table of the blackboard

    ex = textbook.examples(X, y, bias_feature=-1)              # Fractions: 0.1 is 1/10
    steps, outcome = textbook.run(textbook.incremental(ex, "perceptron"))

An algorithm is a generator of steps, and what it returns is the outcome. It takes the rule's own
``required`` and ``tau``, and works on Fractions, ints or floats, whichever the examples hold.

============================ =====================================================================
:func:`incremental`          one by one: fixed increment, and every scalar rule
:func:`batch`                all violators at once: sum or average
:func:`with_margin`          variable increment with margin
:func:`in_batches`           variable increment in batches
:func:`minover`              the worst example first
:func:`mixed`                shards that learn an epoch each, and are mixed
:func:`coupled`              many classes, one shared correction (Kesler)
:func:`neurons`              M neurons with target vectors
:func:`dual`                 the dual form, with any kernel
:func:`adatron`              alphas that rise and fall, to the largest margin
:func:`budgeted`             the dual form that holds only so many corrections
:func:`balanced_winnow`      two vectors of weights that are multiplied
:func:`winnow`               Littlestone's, with positive weights
:func:`descend`              gradient descent on a criterion, with exact line search
:func:`noise_tolerant`       margin, lambda-trick and alpha-bound
:func:`survivors`            voted, and longest survivor
:func:`margin`               the margin of weights, 0 or less if they do not separate;
                             :func:`measure_margin`
:func:`convergence`          what the proofs promise: k0 from any weights, max form, sum form
:func:`average`              the mean in three conventions; :func:`average_lazily`
============================ =====================================================================

Nothing here is fast: a step costs some 40 microseconds a column in fractions, 1 in floats or ints,
and 20 beside.
"""

from hardlimit.foundation.exact_numbers import exact
from hardlimit.foundation.package import list_only_public
from hardlimit.textbook.adatron import adatron
from hardlimit.textbook.averaging import CONVENTIONS, TwoVectors, average, average_lazily, mean
from hardlimit.textbook.batch_mode import batch
from hardlimit.textbook.budgeted_mode import BudgetStep, budgeted
from hardlimit.textbook.convergence_proofs import Convergence, convergence
from hardlimit.textbook.criteria import CRITERIA, Criterion, criterion
from hardlimit.textbook.data import Examples, examples
from hardlimit.textbook.descent import DescentStep, descend
from hardlimit.textbook.dual_form import DualStep, dual, gram
from hardlimit.textbook.incremental_mode import incremental
from hardlimit.textbook.kesler import coupled, rows_of_classes
from hardlimit.textbook.layer_of_neurons import neurons, one_against_rest
from hardlimit.textbook.learner import Guard
from hardlimit.textbook.margins import MeasuredMargin, margin, measure_margin
from hardlimit.textbook.noise_tolerance import noise_tolerant
from hardlimit.textbook.parameter_mixing import MixedEpoch, mixed
from hardlimit.textbook.sentences import About
from hardlimit.textbook.steps import Outcome, Run, Step, run
from hardlimit.textbook.traces import Trace, collect
from hardlimit.textbook.tracing import can_be_exact, trace
from hardlimit.textbook.variable_increment import in_batches, one_over, with_margin
from hardlimit.textbook.voted import Survivor, longest, survivors, vote
from hardlimit.textbook.winnow_balanced import BalancedStep, balanced_winnow, weight_of
from hardlimit.textbook.winnow_positive import PositiveStep, winnow
from hardlimit.textbook.worst_first import minover

__all__ = [
    "CONVENTIONS",
    "CRITERIA",
    "About",
    "BalancedStep",
    "BudgetStep",
    "Convergence",
    "Criterion",
    "DescentStep",
    "DualStep",
    "Examples",
    "Guard",
    "MeasuredMargin",
    "MixedEpoch",
    "Outcome",
    "PositiveStep",
    "Run",
    "Step",
    "Survivor",
    "Trace",
    "TwoVectors",
    "adatron",
    "average",
    "average_lazily",
    "balanced_winnow",
    "batch",
    "budgeted",
    "can_be_exact",
    "collect",
    "convergence",
    "coupled",
    "criterion",
    "descend",
    "dual",
    "exact",
    "examples",
    "gram",
    "in_batches",
    "incremental",
    "longest",
    "margin",
    "mean",
    "measure_margin",
    "minover",
    "mixed",
    "neurons",
    "noise_tolerant",
    "one_against_rest",
    "one_over",
    "rows_of_classes",
    "run",
    "survivors",
    "trace",
    "vote",
    "weight_of",
    "winnow",
    "with_margin",
]

list_only_public(globals())
