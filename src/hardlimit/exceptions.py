"""The tree of errors and warnings.

::

    HardlimitError
    ├── InputError (ValueError)           data or a parameter that cannot be used
    │   ├── DataFormatError               a file that breaks its format; names file:line:column
    │   └── ColumnError                   a column that is not there; names those that are
    ├── KindError (TypeError)             an object of the wrong kind
    ├── NotFittedError (ValueError, AttributeError)   asked before ``fit``
    ├── ModelFileError (ValueError)       a model file that is refused, and why
    ├── ProofError (ValueError)           a proof that does not hold, or not for these data
    ├── MemoryEstimateError (MemoryError) more memory would be needed than there is
    ├── FileError (OSError)               a path that cannot be read or written
    └── MissingExtraError (ImportError)   an optional package; names the ``pip install``

    HardlimitWarning (UserWarning)
    ├── ConvergenceWarning                what was asked for was not reached
    ├── ScaleWarning                      columns in units that differ too much
    └── DataWarning                       data that look like a slip (labels `Spam` and `spam `)

A message names who, what was given, what was wanted, where, and the mend.
"""

from __future__ import annotations


class HardlimitError(Exception):
    """The root: ``except HardlimitError`` catches all that this package raises on purpose."""


class InputError(HardlimitError, ValueError):
    """Data or a parameter that cannot be used."""


class DataFormatError(InputError):
    """A file that breaks its format; the message starts with ``file:line:column``."""


class ColumnError(InputError):
    """A column that is not in the file; the message names those that are."""


class KindError(HardlimitError, TypeError):
    """An object of the wrong kind."""


class NotFittedError(HardlimitError, ValueError, AttributeError):
    """A fitted model was needed."""


class ModelFileError(HardlimitError, ValueError):
    """A model file that is refused; the message says why."""


class ProofError(HardlimitError, ValueError):
    """A proof that does not hold, or is of other data; the message names the first failure."""


class MemoryEstimateError(HardlimitError, MemoryError):
    """The work would need more memory than the machine has."""


class FileError(HardlimitError, OSError):
    """A path that cannot be read or written."""


class MissingExtraError(HardlimitError, ImportError):
    """An optional package is missing; the message names the ``pip install`` that mends it."""


class HardlimitWarning(UserWarning):
    """The root of the warnings."""


class ConvergenceWarning(HardlimitWarning):
    """What the user asked for explicitly was not reached."""


class ScaleWarning(HardlimitWarning):
    """Columns whose norms differ so much that the small ones hardly count."""


class DataWarning(HardlimitWarning):
    """Data that can be used but look like a slip."""
