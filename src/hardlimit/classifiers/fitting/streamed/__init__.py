"""Fits of examples that do not fit into memory: the same bits, a block of rows at a time.

The room of the classifiers: it knows choices, labels, models and the learner. What knows none of
these (batches, blocks, threads, the cache's file, counting of terms) is `hardlimit.streaming`.

::

    fronts   continuing          fit_stream: checks, passes, the cache, the fit; an earlier model
    run   memory                 the fit of blocks; what it takes
    pieces                       blocks as the learner takes them
    texts   numbers              blocks of a user's batches: of texts and tables, of numbers
    looking   continuing         looks at all rows before they are learnt; models that go on
    opened   disk_cache          what is asked and known of a stream; its rows on disk
    position                     chunks, digests, how far a run is, its checkpoints

Imports point downwards only, those for types too.
"""
