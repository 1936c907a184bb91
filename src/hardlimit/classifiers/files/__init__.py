"""Models to model files and back: a codec a kind; ``docs/model-format.md`` says what is stored.

A codec is a module with ``write(model, path, training_state)`` and ``read(file)``. It knows the
model, and no classifier: :mod:`hardlimit.classifiers.loading` has the one table of kinds, with the
codec and the classifier of each. Seconds, dates and paths never enter a file: same input and seed,
same bytes.
"""
