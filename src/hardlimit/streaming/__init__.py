"""Examples that do not fit into memory: batches in, blocks of rows out, a few at a time.

::

    batches ---> [reader's thread] ---> [featuriser's thread] ---> blocks ---> whoever learns

`batches` checks what a user gives, `blocks` cuts it anew, so that a result does not depend on how
it was cut before, and `pipeline` lets the stages overlap through bounded queues. `cache` keeps rows
in a file, `terms` counts those of texts.

Nothing here knows a label, a model or a learner: the fit itself, with its checkpoints, is
:mod:`hardlimit.classifiers.fitting.streamed`, which is made of these parts.
"""
