"""The vectorizer: texts in, weighted sparse rows out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hardlimit import _native
from hardlimit.examples.sparse import Csr
from hardlimit.examples.texts import refuse_others
from hardlimit.exceptions import InputError, KindError, NotFittedError
from hardlimit.foundation import progress
from hardlimit.foundation.parameters import Parameterised
from hardlimit.foundation.workers import count_workers
from hardlimit.text import batches, freezing, limits, logs, room, settings, weighing
from hardlimit.text.accents import strip_accents
from hardlimit.text.batches import Texts, length_of, split_batches
from hardlimit.text.freezing import check_written

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from hardlimit._native import TextFeatures, TextRows

UNICODE_VERSION: str = _native.UNICODE_VERSION


class TextVectorizer(Parameterised):
    r"""Texts to weighted sparse rows: words, n-grams, tf-idf.

    Parameters
    ----------
    words
        ``(least, most)`` words per n-gram of words, or None for no words. Words are the tokens of
        ``re.findall(r"(?u)\b\w\w+\b", text.lower())``.
    chars
        ``(least, most)`` characters per n-gram inside word boundaries (scikit-learn's
        ``analyzer="char_wb"``), or None.
    hash_bits
        None keeps an exact vocabulary that grows with every text learnt. ``b`` from 1 to 31 hashes
        to ``2**b`` columns instead: memory is bounded and, with ``idf=None``, nothing need be
        learnt; different terms may then share a column.
    tf
        Weight of a term met ``c`` times: ``"raw"`` c, ``"binary"`` 1, ``"sublinear"`` 1 + ln c.
    idf
        Factor of a term found in ``df`` of ``n`` documents: ``"smooth"`` ln((1+n)/(1+df)) + 1,
        ``"ratio"`` 1/df, None 1.
    norm
        ``"l2"`` divides each row by its Euclidean length; None leaves it.
    salt
        From 0 to 2**64 - 1: another salt is another hash function.
    block_weights
        ``(words, characters)``: each of the two blocks of a row is divided by its own Euclidean
        length (with ``norm="l2"``) and multiplied by its weight, as a ``FeatureUnion`` of two
        vectorizers with ``transformer_weights`` does. A text has several times as many n-grams of
        characters as words, which outweigh the words where all share one length. ``{runs}`` belong
        to the words. It acts where there are both; None divides by one length. With ``hash_bits``
        words have the even columns and characters the odd ones, so that no column is in both.
    analyzer
        ``"char_wb"``: n-grams of characters inside word boundaries. ``"char"``: across them, of the
        whole text, in which a run of white space counts as one blank (scikit-learn leaves a tab or
        line break that stands alone as it is).
    strip_accents
        ``"unicode"`` or ``"ascii"``: accents are removed after lower casing, as scikit-learn does.
        It is done in Python and costs about 1 us for 10 characters of texts that are not ASCII.
    stop_words
        Words that are left out before n-grams are made: a list, or ``"english"`` for the list of
        an installed scikit-learn. It does not act on characters.
    min_df, max_df
        Leave out terms in fewer or more of the texts of ``fit``: a number of texts (int) or a
        fraction of them (float).
    max_features
        Keep the terms that occur most often, so many n-grams of words and as many of characters;
        among equals those that came first.
    vocabulary
        The terms, written as below, in the order of their columns; or a mapping of terms to
        columns. The limits are then ignored. A vocabulary that was given or limited does not grow:
        ``partial_fit`` counts the documents of its terms, and ignores others.
    n_jobs
        Threads: None is 1 and -1 all cores. Rows, columns and all that is learnt are the same, to
        the last bit, whatever it is; few or short texts get one thread anyway.

    Attributes
    ----------
    n_columns_ : int
        Columns so far.
    n_documents_ : int
        Documents learnt so far.
    n_replaced_ : int
        Bad bytes and lone surrogates that became U+FFFD in the last call, counted as
        ``bytes.decode("utf-8", "replace")`` does.

    Notes
    -----
    Cost: O(bytes) time; a vocabulary keeps 16 to 51 bytes for an n-gram of words. Columns are
    numbered by first appearance and do not depend on how the texts are cut into batches.
    The hash is ``product-1`` (see ``native/text/hash.hpp``): with salt 0 and 20 bits ``win`` is
    column 225800, ``win prize`` 404667, ``[ wi]`` 725310 and ``{中文}`` 713255.

    Terms are written as they are found: words as they are, n-grams of characters in brackets,
    ``[ wi]``, and in braces, ``{中文}``, one to three letters of scripts that put no spaces
    between words, such as Chinese, Japanese and Thai.

    Examples
    --------
    >>> vectorizer = TextVectorizer(words=(1, 2))
    >>> X = vectorizer.fit_transform(["Win a prize now", "Lunch now?"])
    >>> X.shape
    (2, 7)
    >>> list(vectorizer.get_feature_names_out())
    ['win', 'prize', 'now', 'win prize', 'prize now', 'lunch', 'lunch now']
    """

    _lock: _native.ModelLock | None = None
    _reading: _native.Reading | None = None

    def __init__(
        self,
        words: tuple[int, int] | None = (1, 2),
        chars: tuple[int, int] | None = None,
        hash_bits: int | None = None,
        tf: str = "sublinear",
        idf: str | None = "smooth",
        norm: str | None = "l2",
        salt: int = 0,
        block_weights: tuple[float, float] | None = None,
        analyzer: str = "char_wb",
        strip_accents: str | None = None,
        stop_words: str | Collection[str] | None = None,
        min_df: int | float = 1,
        max_df: int | float = 1.0,
        max_features: int | None = None,
        vocabulary: Iterable[str] | Mapping[str, int] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.words = words
        self.chars = chars
        self.hash_bits = hash_bits
        self.tf = tf
        self.idf = idf
        self.norm = norm
        self.salt = salt
        self.block_weights = block_weights
        self.analyzer = analyzer
        self.strip_accents = strip_accents
        self.stop_words = stop_words
        self.min_df = min_df
        self.max_df = max_df
        self.max_features = max_features
        self.vocabulary = vocabulary
        self.n_jobs = n_jobs

    def fit(self, texts: Texts, y: object = None) -> TextVectorizer:
        """Forget everything and learn the terms of ``texts``; ``y`` is ignored."""
        self._learn_anew(texts, keep=False)
        return self

    def partial_fit(self, texts: Texts, y: object = None) -> TextVectorizer:
        """Learn the terms of more texts.

        Terms already learnt keep their idf until :meth:`refresh_idf`; new ones get theirs from the
        document frequencies up to and including these texts.
        """
        with self.lock:
            features = self._ensure_started()
            self._count(features, texts, learn=True, keep=False)
            self._learn_idf(features)
        return self

    def meet(self, texts: Texts) -> None:
        """Learn terms of some of many texts; `learn_idf` behind the last gives them their idf."""
        with self.lock:
            self._count(self._ensure_started(), texts, learn=True, keep=False)

    def learn_idf(self) -> None:
        """Give terms that have no idf the one of the frequencies counted so far."""
        with self.lock:
            self._learn_idf(self._fitted_features())

    def refresh_idf(self) -> TextVectorizer:
        """Give every term the idf of the frequencies counted so far."""
        with self.lock:
            features = self._fitted_features()
            features.forget_idf()
            self._learn_idf(features)
        return self

    def set_documents(self, n_documents: int) -> None:
        """Say how many documents were learnt, of a stream that goes back to an earlier place."""
        with self.lock:
            self._fitted_features().n_documents = n_documents

    def new_features(self) -> TextFeatures:
        """Return features of these settings that have learnt nothing."""
        params = self.get_params()
        features = _native.TextFeatures(**settings.check_settings(params))
        terms = limits.check_vocabulary(params)
        if terms is not None:
            features.give_vocabulary(terms)
        return features

    def prepare(self, batch: list[str | bytes]) -> list[str | bytes]:
        """Return what is read of a list of texts."""
        return batch if self.strip_accents is None else strip_accents(batch, self.strip_accents)

    def count_into(self, features: TextFeatures, texts: Texts) -> int:
        """Count texts into features of :meth:`new_features`; return the replaced characters."""
        self._count(features, texts, learn=True, keep=False)
        return self.n_replaced_

    def take_features(self, features: TextFeatures, n_replaced: int) -> TextVectorizer:
        """Forget everything, and take features that all texts were counted into."""
        self.n_replaced_ = n_replaced
        self._learn_idf(features)
        self._features = features
        return self

    def transform(self, texts: Texts) -> Any:
        """Return the rows of ``texts`` in float32.

        They are a ``scipy.sparse.csr_matrix``, or :class:`Csr` where scipy is missing. With
        ``hash_bits`` and ``idf=None`` nothing need be fitted first.

        Raises
        ------
        NotFittedError, KindError
            Before ``fit``; a text that is neither str nor bytes, by its position.
        """
        return self.rows(texts).to_scipy()

    def fit_transform(self, texts: Texts, y: object = None) -> Any:
        """Fit and transform the same texts in one pass."""
        return self.fit_rows(texts).to_scipy()

    def rows(self, texts: Texts) -> Csr:
        """Return the rows of ``texts`` like :meth:`transform`, without scipy."""
        return weighing.take(self.compiled_rows(texts))

    def fit_rows(self, texts: Texts) -> Csr:
        """Fit and return the rows of the same texts, without scipy."""
        return weighing.take(self.fit_compiled_rows(texts))

    def learn_rows(self, texts: Texts) -> Csr:
        """Learn more texts and return their rows, counted once."""
        return weighing.take(self.learn_compiled_rows(texts))

    # The same rows before they are arrays, of which a row in several columns would need many.

    def compiled_rows(self, texts: Texts) -> TextRows:
        """Return what :meth:`rows` makes arrays of."""
        if self.hash_bits is not None and self.idf is None:
            self._ensure_started()
        with self._reading or self.reading:
            features = self._fitted_features()
            rows = self._count(features, texts, learn=False, keep=True)
            return weighing.weigh(features, self, rows, count_workers(self.n_jobs))

    def fit_compiled_rows(self, texts: Texts) -> TextRows:
        """Fit, and return what :meth:`fit_rows` makes arrays of."""
        features, rows = self._learn_anew(texts, keep=True)
        return weighing.weigh(features, self, rows, count_workers(self.n_jobs))

    def learn_compiled_rows(self, texts: Texts) -> TextRows:
        """Learn more texts, and return what :meth:`learn_rows` makes arrays of."""
        with self._lock or self.lock:
            features = self._ensure_started()
            rows = self._count(features, texts, learn=True, keep=True)
            self._learn_idf(features)
            return weighing.weigh(features, self, rows, count_workers(self.n_jobs))

    def add_terms(self, terms: Sequence[str]) -> list[int]:
        """Make terms known that may be in no text so far; return their columns.

        Terms are written as they are found (see above). Nothing else is learnt: one that is in no
        text has the document frequency 0, and the idf of that.

        Raises
        ------
        InputError, KindError
            A term that no text has, such as ``"Free"``; one that a given vocabulary lacks.

        Examples
        --------
        >>> vectorizer = TextVectorizer().fit(["win a prize"])
        >>> vectorizer.add_terms(["prize", "free"]), vectorizer.n_documents_
        ([1, 3], 1)
        """
        terms = list(terms)
        check_written(TextVectorizer, self.get_params(), terms)
        with self.lock:
            features = self._ensure_started()
            if self.vocabulary is not None:
                limits.check_known(self.vocabulary, terms)
            columns: list[int] = features.add_terms(terms)
        return columns

    def count(self, texts: Texts) -> TextRows:
        """Return the counts of ``texts``, which :meth:`weigh` turns into their rows.

        That is all that need be stored of them: :mod:`hardlimit.streaming.cache`.
        """
        if self.hash_bits is not None and self.idf is None:
            self._ensure_started()
        with self._reading or self.reading:
            return self._count(self._fitted_features(), texts, learn=False, keep=True)

    def learn_counts(self, texts: Texts) -> TextRows:
        """Learn more texts and return their counts, like :meth:`count`."""
        with self._lock or self.lock:
            features = self._ensure_started()
            rows = self._count(features, texts, learn=True, keep=True)
            self._learn_idf(features)
            return rows

    def weigh(self, counts: TextRows) -> Csr:
        """Return the rows of counts, with the bits of :meth:`rows`; the counts are gone then."""
        if self.hash_bits is not None and self.idf is None:
            self._ensure_started()
        with self._reading or self.reading:
            features = self._fitted_features()
            return weighing.take(weighing.weigh(features, self, counts, count_workers(self.n_jobs)))

    def weigh_packed(self, packed: tuple[Any, Any], n_rows: int, n_cells: int) -> Csr:
        """Return the rows of packed columns and counts: :mod:`hardlimit.streaming.cache`."""
        if self.hash_bits is not None and self.idf is None:
            self._ensure_started()
        with self._reading or self.reading:
            features = self._fitted_features()
            return weighing.weigh_packed(features, self, packed, n_rows, n_cells)

    def terms(self, columns: NDArray[np.integer[Any]] | list[int]) -> list[str]:
        """Return the terms of some columns.

        With ``hash_bits`` it is the first term met in ``fit``, and ``""`` where there was none.
        One search of the vocabulary a call, so ask for many at once.
        """
        features = self._fitted_features()
        numbers = [int(column) for column in columns]
        for column in numbers:
            if not 0 <= column < features.n_columns:
                wanted = f"columns 0 to {features.n_columns - 1}"
                raise InputError(parameter="columns", got=column, wanted=wanted)
        names: list[str] = features.names(numbers)
        return names

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:
        """Return the term of every column."""
        import numpy as np

        return np.array(self.terms(range(self._fitted_features().n_columns)), dtype=object)  # type: ignore[arg-type]

    @property
    def n_columns_(self) -> int:
        """Columns so far."""
        return int(self._fitted_features().n_columns)

    @property
    def n_documents_(self) -> int:
        """Documents learnt so far."""
        return int(self._fitted_features().n_documents)

    def header(self) -> dict[str, Any]:
        """Return settings, counts and versions as plain JSON."""
        return freezing.describe_features(self.get_params(), self._fitted_features())

    def frozen_tables(
        self, columns: NDArray[np.integer[Any]] | None = None
    ) -> dict[str, NDArray[Any]]:
        """Return the tables from which ``_native.TextScorer`` predicts without building anything.

        Parameters
        ----------
        columns
            The columns that have weights, ascending; row ``r`` of the weights belongs to the
            ``r``-th of them. None is all. With a norm the other terms stay in the tables, without
            weights, because a row's length needs them; without one they are left out.
        """
        return freezing.freeze_tables(self.get_params(), self._fitted_features(), columns)

    def state_tables(self) -> dict[str, NDArray[Any]]:
        """Return everything learnt, as arrays from which :meth:`from_frozen` can go on learning."""
        return freezing.dump_tables(self._fitted_features())

    @classmethod
    def from_frozen(cls, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> TextVectorizer:
        """Make a vectorizer from :meth:`header` and :meth:`state_tables`, with columns and idf.

        Raises
        ------
        ModelFileError
            When the arrays contradict themselves or each other.
        """
        vectorizer = cls(**freezing.read_parameters(header))
        vectorizer.__setstate__({"n_replaced_": 0, "_frozen": (header, arrays)})
        return vectorizer

    def __getstate__(self) -> dict[str, Any]:
        with self.reading:
            state = self.__dict__.copy()
            for name in ("_lock", "_reading"):
                state.pop(name, None)
            if state.pop("_features", None) is not None:
                state["_frozen"] = self.header(), self.state_tables()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        frozen = state.pop("_frozen", None)
        self.__dict__.update(state)
        if frozen is not None:
            self.restore(*frozen)

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
        """Take what was learnt, of the same settings, from header and state tables."""
        # Its terms are in the tables, also those of a given vocabulary.
        features = _native.TextFeatures(**settings.check_settings(self.get_params()))
        freezing.restore_tables(header, arrays, features)
        self._features = features

    # scikit-learn's protocol, without scikit-learn

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_features")

    def __sklearn_tags__(self) -> Any:
        utils = import_module("sklearn.utils")
        return utils.Tags(
            estimator_type=None,
            target_tags=utils.TargetTags(required=False),
            input_tags=utils.InputTags(string=True, two_d_array=False),
        )

    # Inside

    @property
    def lock(self) -> _native.ModelLock:
        """Taken for each step of learning."""
        return self._both()[0]

    @property
    def reading(self) -> _native.Reading:
        """Taken by whoever asks for several things of one moment."""
        return self._reading or self._both()[1]

    def _both(self) -> tuple[_native.ModelLock, _native.Reading]:
        # Made on first use: __init__ may store nothing but its arguments (scikit-learn's clone).
        lock = self.__dict__.get("_lock") or self.__dict__.setdefault("_lock", _native.ModelLock())
        # Two threads may both come here; all sides of one lock are the same.
        self._reading = lock.reading
        return lock, self._reading

    def _ensure_started(self) -> TextFeatures:
        if not hasattr(self, "_features"):
            features = self.new_features()
            limits.refuse_in_stream(self.get_params(), features)
            # Of two threads that start at once the first makes the vocabulary of both.
            self.__dict__.setdefault("_features", features)
        return self._features

    def _fitted_features(self) -> TextFeatures:
        if not hasattr(self, "_features"):
            raise NotFittedError(
                "not fitted yet", who="TextVectorizer", fix="call fit(texts) first"
            )
        return self._features

    def _learn_anew(self, texts: Texts, keep: bool) -> tuple[TextFeatures, TextRows]:
        # Aside: until all texts are learnt, and where they are refused, the old ones answer.
        features = self.new_features()
        # The most frequent terms are counted in the rows of all texts.
        rows = self._count(features, texts, learn=True, keep=keep or self.max_features is not None)
        limits.leave_out_terms(self.get_params(), features, rows)
        self.take_features(features, self.n_replaced_)
        return features, rows

    def _count(self, features: TextFeatures, texts: Texts, learn: bool, keep: bool) -> TextRows:
        rows, n_replaced = _native.TextRows(), 0
        total = len(texts) if type(texts) is list else length_of(texts)
        n_threads, plain = count_workers(self.n_jobs), self.strip_accents is None
        for first, batch in room.watch(split_batches(texts, n_threads), texts, features, rows):
            progress.report("turning texts into features", first, total, "texts")
            try:
                read = batch if plain else self.prepare(batch)
                n_replaced += features.count(
                    read, first, learn, rows, keep, n_threads, batches.LEAST_SHARE
                )
            except KindError:
                refuse_others(batch, first)  # says more: of a missing text what to do
                raise
        self.n_replaced_ = n_replaced
        return rows

    def _learn_idf(self, features: TextFeatures) -> None:
        if self.idf is None:
            return
        frequencies = features.frequencies_without_idf()
        idf, n = logs.IDF[self.idf], features.n_documents
        features.learn_idf(frequencies, [idf(n, df) for df in frequencies])
