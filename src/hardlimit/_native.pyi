"""
Compiled loops of hardlimit; use hardlimit.engine and hardlimit.text instead.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias, overload

import numpy
from numpy.typing import NDArray


Floats: TypeAlias = NDArray[numpy.float32] | NDArray[numpy.float64]
Integers: TypeAlias = NDArray[numpy.int32] | NDArray[numpy.int64]
Octets: TypeAlias = bytes | memoryview | NDArray[numpy.uint8]
Vector: TypeAlias = NDArray[numpy.float64] | NDArray[numpy.int64] | NDArray[numpy.int32]

class Reading:
    """The side of a ModelLock for those who only look."""

    def __enter__(self) -> None: ...

    def __exit__(self, arg0: object | None, arg1: object | None, arg2: object | None, /) -> None: ...

class ModelLock:
    """Many readers or one learner: see native/bind/model_lock.hpp."""

    def __init__(self) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, arg0: object | None, arg1: object | None, arg2: object | None, /) -> None: ...

    @property
    def reading(self) -> Reading: ...

def close(seconds: float) -> None:
    """
    At the exit: wait so long for compiled work, and let none begin in other threads.
    """

def before_fork(seconds: float) -> None: ...

def after_fork_in_parent() -> None: ...

def after_fork_in_child() -> None: ...

class BadValue(ValueError):
    pass

class Rows:
    """Checked rows of examples, dense or sparse."""

    @staticmethod
    def dense(values: Floats, bias: float, measuring: tuple[NDArray[numpy.int64] | None, bool] | None = None) -> Rows: ...

    @staticmethod
    def sparse(indptr: Integers, indices: Integers, values: Floats, n_columns: int, bias: float, measuring: tuple[NDArray[numpy.int64] | None, bool] | None = None) -> Rows | None: ...

    def keep_norms(self) -> None: ...

    def scores(self, weights: Floats) -> NDArray[numpy.float64]: ...

    def part(self, begin: int, end: int) -> Rows:
        """The rows begin .. end - 1 as they lie: nothing is copied."""

    def first_negative(self) -> tuple[int, int, float] | None:
        """Row, column and value of the first negative value, or None."""

    @property
    def n_rows(self) -> int: ...

    @property
    def n_columns(self) -> int: ...

    @property
    def n_values(self) -> int:
        """Values that are looked at in a pass over all rows."""

def sparse_scores(indptr: Integers, indices: Integers, values: Floats, n_columns: int, bias: float, weights: NDArray[numpy.float64]) -> NDArray[numpy.float64] | None: ...

def draw_with_replacement(n: int, seed: int, epoch: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

def shuffle(n: int, seed: int, epoch: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

def column_sums(rows: Rows, center: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, present: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, before: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]] | None = None) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

def column_spread(rows: Rows) -> tuple[float, int, float, int]: ...

def largest_sqnorm(rows: Rows, present: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> float: ...

class ColumnUnits:
    """Shift and unit of each column."""

    def __init__(self, shifts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], units: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def rows(self, rows: Rows) -> Rows: ...

def to_unit_length(rows: Rows) -> Rows: ...

class Rule:
    """A rule as the loops see it."""

    def required(self, scalars: Mapping[str, float]) -> float: ...

    def change(self, scalars: Mapping[str, float]) -> tuple[float, float, float]:
        """tau, shrink and beta of a correction."""

    @property
    def equality_violates(self) -> bool: ...

    @property
    def is_python(self) -> bool: ...

    @property
    def needs_example(self) -> bool: ...

    @property
    def needs_sqnorm(self) -> bool: ...

    @property
    def needs_wsq(self) -> bool: ...

    @property
    def shrinks(self) -> bool: ...

def compiled_rule(name: str, parameters: Mapping[str, float]) -> Rule | None: ...

def python_rule(tau: Callable[..., Any], tau_names: Sequence[str], required: Callable[..., Any] | float, required_names: Sequence[str], equality_violates: bool, answers: str = 'tau', covariance: Mapping[str, float] = {}) -> Rule: ...

class Schedule:
    """A schedule as the loops see it."""

    def eta(self, scalars: Mapping[str, float], required: float = 0.0) -> float: ...

def compiled_schedule(name: str, parameters: Mapping[str, float]) -> Schedule | None: ...

def python_schedule(eta: Callable[..., Any]) -> Schedule: ...

def scheduled(rule: Rule, schedule: Schedule) -> Rule: ...

def guarded(rule: Rule, name: str, parameters: Mapping[str, float]) -> Rule:
    """
    The rule behind a guard. Several are put around it in the order of guard_names().
    """

def guard_names() -> list[str]:
    """The compiled guards, the innermost first."""

class Votes:
    """All hypotheses of a run, each to vote as often as it lived."""

    @staticmethod
    def restore(arrays: dict[str, Any]) -> Votes:
        """
        From what ``arrays()`` gave. Everything is checked, for files may be hostile;
        ValueError says what does not fit.
        """

    def arrays(self) -> dict[str, Vector]:
        """
        Copies of all there is: {name: vector}. ``counts`` holds presentations, n_columns,
        n_outputs and the scheme.
        """

    def __getstate__(self) -> dict[str, Vector]: ...

    def __setstate__(self, arg: dict[str, Any], /) -> None: ...

    def scores(self, rows: Rows) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        (votes for - votes against) / presentations for each output, in [-1, 1]; of coupled
        classes the share of the votes for each, in [0, 1]. A score of zero and a tie at the
        top abstain. Signals are looked at on the way.
        """

    def cost(self, n_rows: int) -> float:
        """Multiply-adds for so many rows, about."""

    @property
    def nbytes(self) -> int:
        """Memory: grows with every correction."""

    @property
    def n_corrections(self) -> int: ...

    @property
    def n_rows(self) -> int:
        """Distinct rows among the corrected."""

    @property
    def n_presentations(self) -> int: ...

    @property
    def n_columns(self) -> int: ...

    @property
    def n_outputs(self) -> int: ...

def lies_in_cells(rule: Rule, scheme: str, n_columns: int, n_outputs: int) -> bool:
    """
    Whether the weights of such a state lie in cells: the memory of what is touched.
    """

class Examples:
    """Examples as they are presented, epoch after epoch."""

    def __init__(self, rows: Rows, targets: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, tol: float = 0.0) -> None: ...

    def set_present(self, present: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def set_order(self, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None: ...

    def n_i(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def alpha_i(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def grain(self, most: int) -> tuple[int, float] | None: ...

    def rows_at(self, begin: int, end: int) -> list[int]: ...

    def present_at(self, begin: int, end: int) -> list[int]: ...

    @property
    def n_present(self) -> int: ...

    @property
    def length(self) -> int: ...

class TrainingState:
    """What partial_fit continues; Online and Dual know how it is moved."""

    def set_initial_weights(self, of_column: float, of_bias: float) -> None: ...

    def take_tally(self) -> list[tuple[int, int, int]]: ...

    def scores(self, rows: Rows, of_last: float, of_sum: float, divisor: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    @overload
    def weights(self, of_last: float, of_sum: float, divisor: float, single_precision: Literal[False] = False) -> NDArray[numpy.float64]: ...
    @overload
    def weights(self, of_last: float, of_sum: float, divisor: float, single_precision: bool) -> Floats: ...

    def weights_of(self, columns: Sequence[int], of_last: float, of_sum: float, divisor: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def watch(self, names: Sequence[str], seed: int) -> None: ...

    @overload
    def hypothesis(self, name: str, single_precision: Literal[False] = False) -> NDArray[numpy.float64]: ...
    @overload
    def hypothesis(self, name: str, single_precision: bool) -> Floats: ...

    def set_rule(self, rule: Rule) -> None: ...

    def rest(self, counter: int) -> None: ...

    def wake(self) -> None: ...

    def grow_columns(self, n_columns: int) -> None: ...

    def rearrange_outputs(self, sources: Sequence[int], factors: Sequence[float], scheme: str) -> None: ...

    def array(self, name: str) -> NDArray[numpy.float64] | None: ...

    def has_weights(self, weights: NDArray[numpy.float64]) -> bool: ...

    def squared_lengths(self) -> list[float]: ...

    @property
    def array_names(self) -> list[str]: ...

    def set_array(self, name: str, source: NDArray[numpy.float64]) -> None: ...

    def copy_outputs(self, source: TrainingState, begin: int, place: int, count: int) -> None: ...

    def restore_counts(self, presentations: int, corrections: Sequence[int], lengths: Sequence[tuple[float, float, int]]) -> None: ...

    @property
    def shrinkages(self) -> list[tuple[float, float, int, int]]: ...

    @shrinkages.setter
    def shrinkages(self, arg: Sequence[tuple[float, float, int, int]], /) -> None: ...

    @property
    def presentations(self) -> int: ...

    @property
    def n_columns(self) -> int: ...

    @property
    def n_outputs(self) -> int: ...

    @property
    def needs_example(self) -> bool: ...

    @property
    def shrinks(self) -> bool: ...

    @property
    def lies_in_cells(self) -> bool: ...

    @property
    def is_worth_packing(self) -> bool: ...

    @property
    def averaged(self) -> bool: ...

    @property
    def finite(self) -> bool: ...

    @property
    def collapse(self) -> tuple[int, int]: ...

    @property
    def corrections(self) -> list[int]: ...

    @property
    def lengths(self) -> list[tuple[float, float, int]]: ...

    @property
    def common(self) -> float: ...

    @common.setter
    def common(self, arg: float, /) -> None: ...

    @property
    def resting(self) -> list[bool]: ...

class Online(TrainingState):
    """The training state of a linear classifier."""

    def __init__(self, rule: Rule, scheme: str, n_columns: int, n_outputs: int, averaged: bool) -> None: ...

    def present(self, examples: Examples, begin: int, work_limit: int) -> int: ...

    def begin_skipping(self, examples: Examples, always: bool, epochs: int) -> bool: ...

    def end_skipping(self) -> None: ...

    def take_products(self) -> int | None: ...

    def gather(self, examples: Examples, begin: int, work_limit: int) -> int: ...

    def apply(self, examples: Examples, combine: str) -> list[tuple[int, bool]]: ...

    def begin_worst(self, examples: Examples, bytes: int) -> None: ...

    def search(self, examples: Examples, steps: int, work_limit: int) -> tuple[int, bool]: ...

    def largest_eigenvalue(self, examples: Examples) -> float: ...

    def verify(self, examples: Examples) -> list[tuple[int, int]]: ...

    def close(self, examples: Examples) -> None: ...

    def spread_cells(self) -> None:
        """Weights that lie in cells become arrays."""

    def gather_cells(self) -> None:
        """Weights in arrays become cells."""

    def votes(self, examples: Examples) -> Votes: ...

class PackedWeights:
    """
    Weights of many outputs: the cells that are not zero, and one run of
    them for all columns whose cells are equal.
    """

    def __init__(self, runs: NDArray[numpy.uint32], starts: NDArray[Any], outputs: NDArray[Any], values: Floats, n_outputs: int) -> None:
        """
        Everything is checked, for files may be hostile; ValueError says what is wrong.
        """

    def scores(self, rows: Rows) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def dense(self) -> Floats:
        """An array (n_columns + 1, n_outputs)."""

    def rows_of(self, columns: Sequence[int]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def largest(self, top: int) -> list[list[tuple[int, float]]]: ...

    def sums(self) -> tuple[list[float], list[float]]:
        """Of each output the sums of abs(w) and of w**2."""

    @property
    def finite(self) -> bool: ...

    @property
    def n_columns(self) -> int: ...

    @property
    def n_outputs(self) -> int: ...

def packed_state(state: TrainingState) -> tuple[NDArray[numpy.uint32], NDArray[Any], NDArray[Any], NDArray[numpy.float64], NDArray[numpy.float64] | None]: ...

def set_packed_state(state: TrainingState, runs: NDArray[numpy.uint32], starts: NDArray[Any], outputs: NDArray[Any], w: NDArray[numpy.float64], u: NDArray[numpy.float64] | None) -> None: ...

def packed_weights(state: TrainingState, of_last: float, of_sum: float, divisor: float, single_precision: bool) -> tuple[NDArray[numpy.uint32], NDArray[Any], NDArray[Any], Floats]: ...

def pack_weights(weights: Floats) -> tuple[NDArray[numpy.uint32], NDArray[Any], NDArray[Any], Floats]: ...

class KeptColumns:
    """What columns of a state and its bias hold."""

    def __init__(self, state: TrainingState, columns: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def take_back(self, state: TrainingState, some: NDArray[numpy.int64] | None) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64], NDArray[numpy.float64] | None]:
        """
        Let them hold that again; (cells, w, u or None) that had moved, of some columns where no others can have.
        """

def distinct_columns(examples: Examples) -> NDArray[numpy.int64]:
    """Columns in which the rows of an epoch hold something, ascending."""

def moved_cells(state: TrainingState, base: TrainingState, columns: NDArray[numpy.int64]) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64], NDArray[numpy.float64] | None]:
    """(cells, w, u or None) that differ in these columns and in the bias."""

def mix_cells(base: TrainingState, cells: Sequence[NDArray[numpy.int64]], w: Sequence[NDArray[numpy.float64]], u: Sequence[NDArray[numpy.float64] | None], shares: NDArray[numpy.float64], clocks: NDArray[numpy.float64], clock: float) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64], NDArray[numpy.float64] | None]:
    """(cells, w, u or None) of the mixture of what the shards moved."""

def accelerate_cells(base: TrainingState, moved: Sequence[NDArray[numpy.int64]], moved_w: Sequence[NDArray[numpy.float64]], cells: NDArray[numpy.int64], w: NDArray[numpy.float64], u: NDArray[numpy.float64] | None, lead_cells: NDArray[numpy.int64], lead: NDArray[numpy.float64], by_movers: bool, momentum: float, clock: float) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64] | None, NDArray[numpy.float64]]:
    """(w, u or None, lead) of the cells of a mixture of equal shares."""

def assign_cells(states: Sequence[TrainingState], cells: Sequence[NDArray[numpy.int64]], w: Sequence[NDArray[numpy.float64]], u: Sequence[NDArray[numpy.float64] | None], n_threads: int) -> None:
    """
    Cells of all states, which are of one shape, hold these numbers from now on.
    """

def note_corrected(state: TrainingState) -> None:
    """Note from now on which rows are corrected."""

def corrected_columns(state: TrainingState, examples: Examples, most: int) -> NDArray[numpy.int64] | None:
    """
    Columns in which the rows that were corrected hold something, ascending; None where they hold more than so many values. Nothing is noted any more.
    """

def copy_cells(state: TrainingState, source: TrainingState, cells: NDArray[numpy.int64]) -> None: ...

class Monomials:
    """The map of the polynomial kernel."""

    def __init__(self, n_columns: int, degree: int, c: float) -> None: ...

    def count(self, rows: Rows) -> float:
        """Cells of the sparse rows, or a few more."""

    def sparse(self, rows: Rows, wide: bool) -> tuple[NDArray[numpy.int64], Integers, NDArray[numpy.float64]]:
        """
        indptr, indices (int64 if wide) and data; the latter two may be longer than needed.
        """

    def dense(self, rows: Rows, n_columns: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

class Pairs:
    """Products of two columns each."""

    def __init__(self, n_columns: int, places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)], singles: bool, bits: int) -> None: ...

    def see(self, starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)], partners: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)]) -> None:
        """Number these pairs only."""

    def count(self, rows: Rows) -> float:
        """Cells of the sparse rows, or a few more."""

    def sparse(self, rows: Rows, wide: bool) -> tuple[NDArray[numpy.int64], Integers, NDArray[numpy.float64]]:
        """
        indptr, indices (int64 if wide) and data; the latter two may be longer than needed.
        """

    def dense(self, rows: Rows, n_columns: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

class MercerKernel:
    """A kernel as the loops see it."""

def compiled_kernel(name: str, parameters: Mapping[str, float]) -> MercerKernel | None: ...

class Gram:
    """Inner products of rows in the space of a kernel."""

    def block(self, rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], others: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    @property
    def n_rows(self) -> int: ...

def compute_gram(rows: Rows, others: Rows, kernel: MercerKernel, bias: float) -> Gram: ...

def wrap_gram(matrix: NDArray[numpy.float64]) -> Gram: ...

def sqnorms(rows: Rows) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class Holding:
    """Who holds the supports: see native/dual/dual.hpp."""

class Dual(TrainingState):
    """The training state of a kernel classifier."""

    def __init__(self, rule: Rule, scheme: str, n_places: int, n_outputs: int, averaged: bool) -> None: ...

    def attach(self, gram: Gram, n_supports: int) -> None: ...

    def set_scores_ahead(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], products: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], deviation: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], magnitude: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], moved: Sequence[float], by_row: bool) -> None: ...

    def set_holding(self, holding: Holding | None) -> None: ...

    def detach(self) -> None: ...

    def coefficients(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def drop_scores_ahead(self) -> None: ...

    @property
    def stale(self) -> bool: ...

    def present_span(self, examples: Examples, begin: int, end: int, exact_margins: bool) -> int: ...

    def verify_span(self, examples: Examples, begin: int, end: int) -> list[tuple[int, int]]: ...

    def close(self, examples: Examples) -> None: ...

    def votes(self, examples: Examples) -> Votes: ...

    def kept(self) -> list[int]: ...

    def compact(self) -> None: ...

    def spread(self) -> None: ...

    @property
    def held(self) -> list[float]: ...

    @held.setter
    def held(self, arg: Sequence[float], /) -> None: ...

    def resize(self, n_places: int) -> None: ...

    def begin_skipping(self, examples: Examples, always: bool, epochs: int) -> bool: ...

    def end_skipping(self) -> None: ...

    def take_products(self) -> int | None: ...

    @property
    def supports(self) -> list[int]: ...

def compiled_budget(name: str, parameters: Mapping[str, float], seed: int, negligible: float) -> Holding | None: ...

class Search:
    """A search among signed rows: see native/finders/."""

    def advance(self, work_limit: int) -> None: ...

    def direction(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def weighting(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def smallest(self) -> float: ...

    @property
    def length(self) -> float: ...

    @property
    def iterations(self) -> int: ...

    @property
    def found_at(self) -> int: ...

    @property
    def done(self) -> bool: ...

def new_search(name: str, rows: Rows, parameter: float, seed: int) -> Search: ...

class ExactPerceptron:
    """The perceptron on integer rows, which sees its weights repeat."""

    def __init__(self, indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_columns: int, seed: int) -> None: ...

    def advance(self, work_limit: int) -> None: ...

    def direction(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def weighting(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    @property
    def n_corrections(self) -> int: ...

    @property
    def period(self) -> int: ...

    @property
    def ended(self) -> str: ...

def power(base: float, exponent: float) -> float:
    """base^exponent of a base >= 0"""

def exponentials(numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """Replace each number x by e^x."""

def sorted_columns(columns: Sequence[int], bits: int) -> list[int]:
    """The sort of one document's columns, each below 2**bits."""

def siphash13(k0: int, k1: int, bytes: bytes) -> int:
    """The keyed hash of growing tables, for tests."""

def in_unicode_tables(code_point: int) -> bool:
    """Whether the tables know anything of a code point below 0x110000."""

UNICODE_VERSION: str = '14.0.0'

HASH_NAME: str = 'product-1'

class TextRows:
    """Rows in the making: counts first, weights after weighing."""

    def __init__(self) -> None: ...

    @property
    def n_values(self) -> int: ...

    def distinct_counts(self, n_threads: int = 1) -> list[int]:
        """The term frequencies that occur, ascending."""

    def take(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float32]]:
        """``(indptr, indices, data)``, handed over; the rows are empty then."""

    @property
    def n_columns(self) -> int:
        """Columns of the features that weighed them."""

    def copy(self) -> TextRows:
        """The same rows once more."""

    def take_counts(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.uint32]]:
        """The same of rows that were not weighed."""

class TextFeatures:
    """A vocabulary or a hashing, and its frequencies."""

    def __init__(self, words: tuple[int, int], chars: tuple[int, int], hash_bits: int, salt: int, count_documents: bool, column_limit: int = 2147483647, blocks: bool = False, across: bool = False, stop_words: Sequence[str] = []) -> None:
        """
        (0, 0) is none; hash_bits 0 is a vocabulary. ``across``: n-grams of characters reach
        over the borders of words.
        """

    def limit(self, fewest: int, most_documents: int, most: int | None, rows: TextRows) -> int:
        """
        Leave the terms in so many documents, and the ``most`` frequent of words and of
        characters; returns how many are left.
        """

    def add_terms(self, terms: Sequence[str]) -> list[int]:
        """Add terms that were in no document; returns their columns."""

    def give_vocabulary(self, terms: Sequence[str]) -> None:
        """All terms, by column, of features that have learnt nothing yet."""

    @property
    def closed(self) -> bool: ...

    @closed.setter
    def closed(self, arg: bool, /) -> None: ...

    def count(self, texts: Sequence[str | bytes], first: int, learn: bool, rows: TextRows, keep: bool = True, n_threads: int = 1, least_share: int = 262144) -> int:
        """
        Append rows of counts; returns how many code points were replaced. Texts of fewer
        than ``least_share`` bytes get no thread of their own.
        """

    @property
    def n_documents(self) -> int: ...

    @n_documents.setter
    def n_documents(self, arg: int, /) -> None: ...

    @property
    def n_columns(self) -> int: ...

    def longest_search(self) -> int:
        """Steps of the longest search of a term, for tests: O(capacity)."""

    def frequencies_without_idf(self) -> list[int]: ...

    def learn_idf(self, frequencies: Sequence[int], idf: Sequence[float]) -> None: ...

    def forget_idf(self) -> None: ...

    def weigh(self, rows: TextRows, tf: int, l2: bool, use_idf: bool, idf_of_unseen: float, counts: Sequence[int], logs: Sequence[float], of_block: tuple[float, float] = (1.0, 1.0), n_threads: int = 1) -> None:
        """``of_block``: weights of words and characters."""

    def names(self, columns: Sequence[int]) -> list[str]: ...

    def freeze(self, used: Sequence[int] | None, keep_unused: bool, with_idf: bool) -> dict[str, tuple[str, NDArray[numpy.uint8]]]: ...

    def dump(self) -> dict[str, tuple[str, NDArray[numpy.uint8]]]: ...

    def restore(self, tensors: Mapping[str, Any], n_documents: int) -> None: ...

    def absorb(self, tensors: Mapping[str, Any], n_documents: int) -> None:
        """Learn what another vocabulary learnt of the texts that come next."""

class TextScorer:
    """Raw text to scores, straight from the tensors of a model file."""

    def __init__(self, header: str | Mapping[str, Any], tables: Mapping[str, CheckedBuffer], weights: CheckedBuffer | None, intercept: Sequence[float]) -> None:
        """
        ``header``: TextVectorizer.header() as JSON or dict; ``tables``: {name: CheckedBuffer};
        ``weights``: float32, a row of outputs for each used column; None where the tables
        have packed weights: runs, starts, outputs and cells.
        """

    @property
    def n_outputs(self) -> int: ...

    def scores(self, texts: Sequence[str | bytes], n_threads: int = 1, least_share: int = 262144) -> bytes:
        """Doubles, ``n_outputs`` for each text of a list, as bytes."""

    def known(self, texts: Sequence[str | bytes], n_threads: int = 1, least_share: int = 262144) -> list[int]:
        """Distinct terms of each text that have weights."""

    def scores_and_known(self, texts: Sequence[str | bytes], n_threads: int = 1, least_share: int = 262144) -> tuple[bytes, list[int]]:
        """Both in one pass."""

    def name_of_column(self, column: int) -> object:
        """The term of an original column; '' where hashing lost it."""

    def weights_of_column(self, column: int) -> list[float]:
        """The weights of an original column, by output; none where it has none."""

    def contributions(self, text: str | bytes) -> list[tuple[int, float, int, tuple[float, ...]]]:
        """
        ``(original column, value, row of weights, weights)`` of each known term that has
        weights, ascending column.
        """

    def term(self, row: int) -> str:
        """The term that a row of weights belongs to; '' where hashing lost it."""

def standardise(numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], mean: float, deviation: float, marked: bool) -> TextRows:
    """
    Rows of ``(x - mean) / deviation`` in column 0. NaN is nothing, or, where ``marked``, 1 in
    column 1.
    """

def indicate(columns: Sequence[int], n_columns: int) -> TextRows:
    """Rows of 1 in the column of each; below 0 is nothing."""

def find_beyond(numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: float) -> list[int]:
    """The places of numbers that are not between -most and most."""

class JoinedColumns:
    """Which of all columns are those of each block of features."""

    @overload
    def __init__(self, n_blocks: int) -> None: ...

    @overload
    def __init__(self, blocks: Sequence[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]], n_columns: int) -> None:
        """
        The columns of each block, ascending; ValueError where they contradict each other.
        """

    @property
    def n_columns(self) -> int: ...

    def widen(self, block: int, size: int) -> None:
        """
        The block has so many columns by now; the new ones stand behind all others.
        """

    def columns(self, block: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """The columns of a block, ascending: a copy."""

    def columns_of(self, block: int, own: Sequence[int]) -> list[int]:
        """The columns of some that the block counts itself."""

    def owners(self, columns: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]:
        """
        The block of each column and its number in the block; -1 where there is none.
        """

    def join(self, parts: list[Any], scales: Sequence[float], learnt: bool = False) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float32], int]:
        """
        ``(indptr, indices, data, n_columns)`` of rows of all blocks, columns ascending; the
        values of each block are multiplied with its scale. ``learnt``: blocks have as many
        columns as their rows say. Cost: O(features), and the new columns.
        """

DIGEST_BLOCK_SIZE: int = 1048576

def digest(buffer: object) -> int:
    """The 64-bit digest of the bytes of ``buffer`` (docs/model-format.md)."""

def block_digests(buffer: object) -> list[int]:
    """The digest of every block of 1 MiB of ``buffer``, in order."""

class CheckedBuffer:
    """The bytes of one tensor, each block verified when first touched."""

    def __init__(self, name: str, buffer: object, digests: Sequence[int] | None = None) -> None:
        """``digests``: one number a block of 1 MiB; None trusts the bytes."""

    @property
    def name(self) -> str: ...

    @property
    def n_blocks(self) -> int: ...

    @property
    def n_blocks_seen(self) -> int: ...

    def __len__(self) -> int: ...

    def read(self, first: int, count: int) -> bytes:
        """A copy of some bytes, verified."""

    def verify(self) -> None:
        """Compare every block with its digest; raises ModelFileError on damage."""

class MailSettings:
    def __init__(self, parts: int, limits: Sequence[int], keep_labels: bool, all_headers: bool, headers: Sequence[str], dropped: Sequence[str], never: Sequence[str]) -> None: ...

    def read(self, message: bytes, decode: Callable[[str, bytes], tuple[bytes, int] | None]) -> tuple[str, list[int]]: ...

    def blocks(self, message: bytes, decode: Callable[[str, bytes], tuple[bytes, int] | None]) -> tuple[tuple[str, str, str], list[int]]: ...

    def field(self, message: bytes, name: str, decode: Callable[[str, bytes], tuple[bytes, int] | None]) -> str: ...

class CsvRecords:
    """Where the records of a CSV file end."""

    def __init__(self, delimiter: str, begin: int, targets: Sequence[int]) -> None: ...

    def read(self, block: bytes) -> bool:
        """False where the bytes that come next are not written plainly."""

    @property
    def may_end(self) -> bool: ...

    @property
    def ends(self) -> list[int]:
        """
        For each target the end of the first record that ends there or behind it.
        """

class SvmlightRows:
    """The rows of an svmlight file."""

    def __init__(self, need_label: bool) -> None: ...

    @property
    def n_lines(self) -> int: ...

    @property
    def n_queries(self) -> int: ...

    @property
    def n_unlabelled(self) -> int: ...

    def read(self, block: bytes, first: int) -> int:
        """
        Read whole lines from byte ``first`` on; the number of bytes read. It stops before a line that is broken or written in a rare way.
        """

    def add(self, label: float, indices: Sequence[int], values: Sequence[float], labelled: bool, query: bool) -> None:
        """Add the row of one line."""

    def skip_line(self) -> None:
        """Count a line without a row."""

    def take(self) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64], NDArray[numpy.int64]]:
        """labels, starts, indices, values and lines; the rows are then gone."""

class VowpalRows:
    """The rows of a file of Vowpal Wabbit."""

    def __init__(self, need_label: bool) -> None: ...

    @property
    def n_lines(self) -> int: ...

    @property
    def n_unlabelled(self) -> int: ...

    @property
    def n_bases(self) -> int: ...

    @property
    def n_unknown(self) -> int: ...

    def know(self, names: list[bytes]) -> None:
        """
        Take the names of the columns; features of other names are then counted and left out.
        """

    def read(self, block: bytes, first: int) -> int:
        """
        Read whole lines from byte ``first`` on; the number of bytes read. It stops before a line that is broken or written in a rare way.
        """

    def add(self, label: float, weight: float, spaces: list[bytes], names: list[bytes], values: Sequence[float], labelled: bool, base: bool) -> None:
        """Add the row of one line: namespaces, names and values of its features."""

    def skip_line(self) -> None:
        """Count a line without a row."""

    def names(self) -> list[bytes]:
        """The names of the columns."""

    def take(self) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64], NDArray[numpy.int64]]:
        """
        labels, weights, starts, indices, values and lines; the rows are then gone.
        """

def write_svmlight_rows(labels: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], lowest: int) -> bytes:
    """
    The lines of rows, index ``lowest`` for the first column; numbers have the fewest digits that give them back.
    """

class LiveRow:
    """One example as corrections see it."""

    @property
    def keys(self) -> list[int]:
        """
        Columns, then 2**32 + the number of a new term, then 2**33 for the bias.
        """

    @property
    def values(self) -> list[float]: ...

    @property
    def base(self) -> list[float]:
        """The base's scores."""

    @property
    def n_columns(self) -> int: ...

    @property
    def n_new(self) -> int: ...

    @property
    def n_known(self) -> int:
        """Distinct terms that have weights."""

    @property
    def n_words(self) -> int:
        """Of a text that was read to learn from it."""

    @property
    def n_unknown(self) -> int:
        """Words that the base does not know."""

    @property
    def squared_length(self) -> float:
        """The bias included."""

    def dot(self, other: LiveRow) -> float: ...

    def to_bytes(self, overlay: Overlay) -> bytes: ...

class LiveTextReader:
    """Texts to rows, with terms of their own."""

    def __init__(self, scorer: TextScorer, grows: bool) -> None: ...

    @property
    def grows(self) -> bool:
        """Whether corrections add terms."""

    def read(self, overlay: Overlay, text: object, learn: bool) -> LiveRow: ...

class Overlay:
    """Corrections on top of a base that never changes."""

    def __init__(self, base_classes: int, threshold: float, bias: float) -> None: ...

    @property
    def n_classes(self) -> int: ...

    @n_classes.setter
    def n_classes(self, arg: int, /) -> None: ...

    @property
    def threshold(self) -> float: ...

    @threshold.setter
    def threshold(self, arg: float, /) -> None: ...

    @property
    def n_outputs(self) -> int: ...

    @property
    def n_terms(self) -> int: ...

    def term(self, number: int) -> object: ...

    def forget_terms(self, after: int) -> None: ...

    def row(self, columns: Sequence[int], values: Sequence[float], base: Sequence[float], terms: Sequence[str] = [], term_values: Sequence[float] = [], learn: bool = False) -> LiveRow:
        """``terms``: names of what the base does not know."""

    def row_of_bytes(self, bytes: bytes) -> LiveRow: ...

    def known_row_of_bytes(self, bytes: bytes) -> LiveRow:
        """Without the terms that no row has added."""

    def scores_of_texts(self, scorer: TextScorer, grows: bool, texts: object) -> tuple[bytes, list[int]]:
        """
        Doubles, ``n_outputs`` for each text of a list, as bytes; ``n_known`` of each.
        """

    def scores(self, row: LiveRow) -> list[float]: ...

    def decide(self, row: LiveRow) -> int: ...

    def margin(self, row: LiveRow, y: int) -> float: ...

    def correct(self, row: LiveRow, y: int, margin: float) -> tuple[list[tuple[int, float]], bytes]:
        """Returns the steps, and the values of before as bytes."""

    def add(self, row: LiveRow, steps: object) -> bytes: ...

    def rewind(self, row: LiveRow, steps: object, before: bytes) -> None: ...

    def weights(self) -> list[tuple[int, int, float]]:
        """``(key, output, value)`` of each that is not 0, ascending."""

    def contributions(self, row: LiveRow) -> list[tuple[int, float, list[tuple[int, float]]]]:
        """
        ``(key, value, [(output, weight), ...])`` of the row's keys that were corrected.
        """

    def dump(self) -> bytes: ...

    def restore(self, bytes: bytes) -> None: ...

class Watch:
    """Rows whose answers are followed."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def add(self, overlay: Overlay, number: int, row: LiveRow) -> int:
        """Returns the class of now."""

    def remove(self, number: int) -> None: ...

    def move(self, overlay: Overlay, row: LiveRow, steps: object) -> None: ...

    def changes(self, overlay: Overlay) -> list[tuple[int, int, int]]:
        """``(number, class before, class of now)`` of the rows that changed."""

    def refresh(self, overlay: Overlay) -> list[tuple[int, int, int]]: ...

def pack_cells(starts: NDArray[numpy.int64], columns: Integers, counts: NDArray[numpy.uint32] | None, n_columns: int) -> tuple[bytes, bytes | None]:
    """The packed columns and counts of CSR rows (docs/cache-format.md)."""

def unpack_cells(packed: Octets, n_rows: int, n_cells: int, n_columns: int, wide: bool) -> tuple[NDArray[numpy.int64], Integers]:
    """``(starts, columns)``, int64 columns where ``wide``."""

def unpack_counts(columns: Octets, counts: Octets, n_rows: int, n_cells: int, n_columns: int) -> TextRows:
    """Rows of counts, to be weighed."""

def unpack_weighed(columns: Octets, counts: Octets, n_rows: int, n_cells: int, features: TextFeatures, tf: int, l2: bool, use_idf: bool, idf_of_unseen: float, numbers: Sequence[int], logs: Sequence[float], of_block: tuple[float, float]) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float32]]:
    """``(starts, columns, values)``, the bits of weighing the counts."""

def largest_count(counts: Octets, n_cells: int) -> int:
    """The largest count of a packed block."""

def pack_numbers(numbers: Octets, item: int, floats: bool) -> bytes:
    """Numbers of ``item`` bytes, packed."""

def unpack_numbers(packed: Octets, n: int, item: int, may_be_one: bool) -> NDArray[numpy.uint8]:
    """The bytes of ``n`` numbers."""

class TermOccurrences:
    """How often each column occurs."""

    def __init__(self) -> None: ...

    def add(self, rows: TextRows) -> None:
        """Add the counts of rows that are not weighed."""

    @property
    def n_bytes(self) -> int: ...

def count_bytes_of_terms(features: TextFeatures, words: int = 0, runs: int = 0, chars: int = 0) -> int:
    """Bytes that a vocabulary and its records take with so many more terms."""

class TermSpill:
    """The terms of a vocabulary as sorted records."""

    def __init__(self, features: TextFeatures, occurrences: TermOccurrences, run: int) -> None: ...

    def write(self, n_bytes: int) -> bytes:
        """The next records, about so many bytes; none after the last."""

class TermMerge:
    """Sorted records of several sources as one."""

    def __init__(self, n_sources: int) -> None: ...

    def hungry(self) -> int:
        """A source that needs more bytes; -1: none."""

    def feed(self, source: int, bytes: bytes) -> None:
        """More bytes of a source; none at its end."""

    def write(self, n_bytes: int) -> bytes:
        """Merged records, until a source is hungry."""

    @property
    def done(self) -> bool: ...

class TermSelection:
    """The terms that a vocabulary keeps."""

    def __init__(self, fewest: int, most_documents: int, most: int | None, keep_all: bool) -> None: ...

    def add(self, records: bytes) -> None:
        """Look at whole records."""

    def choose(self) -> int:
        """After the last record; how many parts of kept terms are wanted."""

    def find_parts(self, records: bytes) -> None:
        """Look at the same records once more, for those parts."""

    @property
    def n_kept(self) -> int: ...

    def fill(self, features: TextFeatures, n_documents: int) -> None:
        """Put the terms into features that have learnt nothing."""
