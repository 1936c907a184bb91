"""``fit_stream``: learning from examples that do not fit into memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from hardlimit.classifiers.fitting.fit import Callback
    from hardlimit.classifiers.fitting.streamed.memory import StreamPlan
    from hardlimit.foundation.types import PathLike, Targets


class OutOfCore:
    """A classifier that learns from batches, of which a few are in memory at a time."""

    def partial_fit_stream(
        self,
        batches: Any,
        *,
        epochs: int = 1,
        look: Callable[[int, int], object] | None = None,
    ) -> Self:
        """Go on from an earlier fit with batches, of which one is in memory at a time.

        The model is that of ``partial_fit`` of all rows at once, as often as ``epochs`` say, to the
        bit; how they are cut into batches changes nothing. Where new terms get an idf, or columns
        beside other blocks, a pass before counts them, so that the batches must begin anew.

        Parameters
        ----------
        batches : as :meth:`fit_stream` takes them
        epochs : how often all rows are shown
        look : called with the epoch and its rows so far after each batch

        Raises
        ------
        NotFittedError, InputError
            No fit before; batches that come once where they are needed again.

        Examples
        --------
        >>> from hardlimit import TextClassifier
        >>> clf = TextClassifier().fit(["win a prize", "lunch?"], ["spam", "ham"])
        >>> clf.partial_fit_stream([(["a trophy"], ["spam"]), (["dinner"], ["ham"])])
        TextClassifier()
        >>> print(clf.with_readout("last").predict(["the trophy!"])[0])
        spam
        """
        from hardlimit.classifiers.fitting.streamed import continuing  # start-up: few are streamed

        continuing.partial_fit_stream(self, batches, epochs, look)
        return self

    def fit_stream(
        self,
        batches: object,
        *,
        classes: Targets | None = None,
        initial_weights: object = None,
        callback: Callback | None = None,
        announce: Callable[[StreamPlan], object] | None = None,
        cache: PathLike | None = None,
        checkpoint: PathLike | None = None,
        every: float = 10.0,
        manifest: object = None,
    ) -> Self:
        """Forget everything and learn from batches, of which a few are in memory at a time.

        The model is that of ``fit`` in the order ``"stream"``, bit for bit: blocks of 1024 rows,
        each shuffled inside. Reading, featurising and learning overlap in three threads.

        Parameters
        ----------
        batches : pairs (texts, labels) or (rows, labels), or triples with sample weights; examples
            and labels as ``fit`` takes them, several labels an example and tables too. An
            iterable, or a function that returns one anew. How the examples are cut into batches
            changes nothing.
        classes : all classes; without them those of the first 10,000 examples. One that comes later
            is learnt from there on, with a warning; of several labels an example it is left out,
            with a warning, unless a pass before has counted it.
        initial_weights : where a rule that adds begins, as ``fit`` takes them
        callback : called with an :class:`~hardlimit.learner.EpochRecord` after each epoch
        announce : called before the first example is learnt with what the stream will do: passes
            over the batches, and the memory that it takes at most
        cache : file for the rows of the first pass, which later epochs read; removed afterwards.
            Of words and pairs of words it takes a third of long texts and six tenths of short
            messages; with characters beside them three times the messages. Default: in the folder
            of temporary files
        checkpoint : file for what was learnt so far, written ``every`` so many minutes. Where it is
            there, the run goes on from it and ends with the bits of an unbroken one; it is a model
            file, and removed at the end
        manifest : plain JSON that says what is learnt from, to be compared with the checkpoint's

        Notes
        -----
        With ``max_iter=1`` (and no aim that was asked for) the batches are gone through once, and
        nobody counts the training errors; ``progressive_error_`` is measured on the way. Later
        epochs read the rows from the cache, so that batches which come once are enough. ``idf``, a
        vocabulary (texts without ``hash_bits``) and ``class_weight="balanced"`` need a pass before,
        and so batches that begin anew.

        Memory is constant, but for a vocabulary without limits: 8 bytes a weight for each vector
        that is kept, names of the hashed columns, and a few blocks. Long texts are turned into rows
        a few megabytes at a time. Tables are measured by passes of their own, and so need batches
        that begin anew.

        Raises
        ------
        InputError
            Choices that need all examples at once; batches that cannot be used, such as those that
            come once where a pass before is needed.

        Examples
        --------
        >>> from hardlimit import TextClassifier
        >>> batches = [(["win a prize", "lunch?"], ["spam", "ham"]), (["a prize"], ["spam"])]
        >>> clf = TextClassifier(hash_bits=16, idf=None, max_iter=1).fit_stream(batches)
        >>> print(clf.predict(["prize!"])[0], round(clf.progressive_error_, 2))
        spam 0.67
        """
        from hardlimit.classifiers.fitting.streamed import fronts  # start-up: few fits are streamed

        fronts.fit_stream(
            self,
            batches,
            classes=classes,
            initial_weights=initial_weights,
            callback=callback,
            announce=announce,
            cache=cache,
            checkpoint=checkpoint,
            every=every,
            manifest=manifest,
        )
        return self
