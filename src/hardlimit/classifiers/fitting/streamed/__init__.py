"""Fits of examples that do not fit into memory: the same bits, a block of rows at a time.

The room of the classifiers: it knows choices, labels, models and the learner. What knows none of
these (batches, blocks, threads, the cache's file, counting of terms) is `hardlimit.streaming`.

::

    fronts   continuing          fit_stream: checks, passes, the cache, the fit; an earlier model
    run   memory                 the fit of blocks; what it takes
    pieces                       blocks as the learner takes them
    texts   numbers              rows of a user's batches: of texts and tables, of numbers
    opening   disk_cache         the first rows, looks at all of them, blocks; its rows on disk
    position                     chunks, digests, how far a run is, its checkpoints

Imports point downwards only, those for types too.
"""
