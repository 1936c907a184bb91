"""The tree of errors and warnings, and what they say, field by field.

::

    HardlimitError
    ├── InputError (ValueError)           data or a parameter that cannot be used
    │   ├── DataFormatError               a file that breaks its format; names file:line:column
    │   ├── ColumnError                   a column that is not there; names those that are
    │   └── CorrectionError               a correction that is refused; ``topic`` says why
    ├── KindError (TypeError)             an object of the wrong kind
    ├── NotFittedError (ValueError, AttributeError)   asked before ``fit``
    ├── ModelFileError (ValueError)       a model file that is refused, and why
    ├── LedgerError (ValueError)          a ledger of corrections that is refused, and why
    ├── ProofError (ValueError)           a proof that does not hold, or not for these data
    ├── MemoryEstimateError (MemoryError) more memory would be needed than is left
    ├── FileError (OSError)               a path that cannot be read or written
    ├── ClusterError (RuntimeError)       workers or a scheduler: lost, missing, of another version
    └── MissingExtraError (ImportError)   an optional package; names the ``pip install``

    HardlimitWarning (UserWarning)
    ├── ConvergenceWarning                what was asked for was not reached
    ├── ScaleWarning                      columns in units that differ too much
    └── DataWarning                       data that look like a slip (labels `Spam` and `spam `)

An error carries fields, and the face that shows it makes the sentence: ``str(error)`` speaks of
Python's parameters, the command line of its options. No code reads a sentence.

>>> error = InputError(parameter="tol", got=-1, wanted="a number >= 0")
>>> str(error), error.parameter, error.got
('tol: got -1, wanted a number >= 0', 'tol', -1)

The sentence is ``where: who: parameter: got ..., wanted ...: reason; fix``, without what is not
there. ``wanted``, ``reason`` and ``fix`` are texts, or tuples of texts and references, which each
face spells in its own way:

>>> fix = ("use ", Setting("order", "cyclic"), " or ", Suggestion("rules.PAUM", tau_plus=2))
>>> str(InputError("this order needs all rows", who="partial_fit", fix=fix))
"partial_fit: this order needs all rows; use order='cyclic' or rules.PAUM(tau_plus=2)"
"""

from __future__ import annotations

import re
import sys
from collections.abc import Hashable
from typing import Any, Self


class Setting:
    """A parameter and the value to set it to: ``order='cyclic'``, or ``--order cyclic``."""

    __slots__ = ("name", "value")

    def __init__(self, name: str, value: object) -> None:
        self.name, self.value = name, value


class Parameter:
    """A parameter by its Python name: ``class_weight``, or ``--class-weight``."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Suggestion:
    """An object to use, as ``rules.PAUM(tau_plus=2)`` or ``--rule paum:tau_plus=2``.

    path : the module of the package and the class, ``"guards.AlphaBound"``. Without parameters it
    names the class alone.
    """

    __slots__ = ("parameters", "path")

    def __init__(self, path: str, **parameters: object) -> None:
        self.path, self.parameters = path, parameters


Reference = Setting | Parameter | Suggestion
Text = str | Reference | tuple[str | Reference, ...]


class PythonFace:
    """Spells parameters, settings and suggestions as Python code does."""

    def sentence(self, said: Explained) -> str:
        """``where: who: parameter: got ..., wanted ...: reason; fix``."""
        parts = shorten(said.where), shorten(self.subject(said)), shorten(self.body(said), 1200)
        fix = shorten(self.text(said.fix))
        return ": ".join(part for part in parts if part) + (f"; {fix}" if fix else "")

    def subject(self, said: Explained) -> str:
        """Who, and which parameter where it does not stand beside its value."""
        beside = bool(said.who) and said.has_got
        names = (said.who, "" if beside else said.parameter)
        return ": ".join(name for name in names if name)

    def body(self, said: Explained) -> str:
        """What was given, what was wanted, and why."""
        clauses = []
        if said.has_got:
            value = self.value(said.got)
            beside = said.who and said.parameter
            clauses.append(f"got {said.parameter}={value}" if beside else f"got {value}")
        wanted = self.text(said.wanted)
        if wanted:
            clauses.append(f"wanted {wanted}")
        reason = self.text(said.reason)
        return ": ".join(part for part in (", ".join(clauses), reason) if part)

    def value(self, value: object) -> str:
        """What was given, cut where it is long."""
        return abbreviate(value)

    def text(self, text: Text) -> str:
        """A text with its references spelled out."""
        pieces = text if isinstance(text, tuple) else (text,)
        return "".join(
            self.reference(one) if isinstance(one, Reference) else str(one) for one in pieces
        )

    def reference(self, reference: Reference) -> str:
        """A reference as Python code."""
        if isinstance(reference, Setting):
            return f"{reference.name}={reference.value!r}"
        if isinstance(reference, Parameter):
            return reference.name
        given = ", ".join(f"{name}={value!r}" for name, value in reference.parameters.items())
        return f"{reference.path}({given})" if given else reference.path


class Given(str):
    """A value that was given, already spelled for people: shown as it is, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Cell(str):
    """A place in a matrix, ``"row 3, column 1"``: the row and the column, counted from 0."""

    __slots__ = ("column", "row")

    row: int
    column: int

    def __new__(cls, row: int, column: int) -> Self:
        """Make the place of these numbers."""
        cell = super().__new__(cls, f"row {row}, column {column}")
        cell.row, cell.column = row, column
        return cell

    def __reduce__(self) -> tuple[Any, ...]:
        return Cell, (self.row, self.column)


def abbreviate(value: object) -> str:
    """A value as a message shows it, cut where it is long.

    >>> abbreviate(0.5), abbreviate(10**400)
    ('0.5', '1000000000000000000000000000000000000000...')
    """
    try:
        text = repr(value)
    except ValueError:  # Python writes no int of more than 4,300 digits
        return f"a number of the type {type(value).__name__} with thousands of digits"
    except Exception:  # whose author did not think of repr()
        return f"a value of type {type(value).__name__}"
    # An error is one line, and arrays are written in several.
    text = " ".join(line.strip() for line in text.splitlines())
    return text if len(text) <= 200 else f"{text[:40]}..."


def shorten(text: str, most: int = 400) -> str:
    """A text for a message, its middle left out where it is long.

    >>> shorten("a" * 1000, 21)
    'aaaaaaaa ... aaaaaaaa'
    """
    half = (most - 5) // 2
    return text if len(text) <= most else f"{text[:half]} ... {text[-half:]}"


# A scheme is bounded, so that a long word costs linear time. A container of Azure stands before an
# @ too, but has no password.
_URI = r"(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{0,30}://)"
_PASSWORD = _URI + r"[^/?#\s:@]*:[^/?#\s]*@"
_TOKEN = r"(?i)(?<![A-Za-z0-9+.-])(https?://)[^/?#\s]*@"
# A whole word at once: a second look at its rest would take quadratic time.
_WORD = _URI + r"\S*"
_BEHIND = r"[?#][^'\"]*"


def mask(text: str) -> str:
    """Return a text without the credentials of its URIs: passwords, queries and fragments.

    >>> mask("https://ann:secret@example.org/a.csv?X-Amz-Signature=1f: no such file")
    'https://***@example.org/a.csv?... no such file'
    >>> mask("https://example.org/a.csv#token=secret"), mask("s3://bucket/part-?.csv")
    ('https://example.org/a.csv#...', 's3://bucket/part-?.csv')
    """
    if "://" not in text:
        return text
    # Compiled when there is the first: most processes never see one.
    text = re.sub(_TOKEN, r"\1***@", re.sub(_PASSWORD, r"\1***@", text))
    return re.sub(_WORD, _without_query, text)


def _without_query(word: re.Match[str]) -> str:
    """Return a URI without its query and its fragment.

    A ``?`` or ``#`` without a value is part of a name, but of the web each ``#`` begins a fragment.
    """
    is_web = word[1].lower() in ("http://", "https://")

    def cut(behind: re.Match[str]) -> str:
        if "=" in behind[0]:
            return f"{behind[0][0]}..."
        name, mark, _ = behind[0].partition("#")
        return f"{name}#..." if mark and is_web else behind[0]

    return re.sub(_BEHIND, cut, word[0])


def _masked(value: object) -> Any:
    """Return a field of an error, texts masked."""
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(_masked, value))
    if not isinstance(value, str) or "://" not in value:
        return value
    found = mask(value)
    return value if found == value else type(value)(found) if type(value) is Given else found


_PYTHON = PythonFace()
_NOTHING: Any = object()


class Explained(Exception):  # noqa: N818  (of errors and warnings alike)
    """What an error or a warning says, in fields.

    reason : why it cannot be done.                who : whoever refuses, ``"partial_fit"``.
    parameter, got, wanted : of a value that cannot be used.
    where : ``"news.csv:18:3"``.                   fix : what to do instead.
    topic : a name for what happened, for a face that says it in words of its own.
    """

    def __init__(
        self,
        reason: Text = "",
        /,
        *,
        who: str = "",
        parameter: str = "",
        got: object = _NOTHING,
        wanted: Text = "",
        where: str = "",
        fix: Text = "",
        topic: str = "",
    ) -> None:
        reason, where, fix = _masked(reason), _masked(where), _masked(fix)
        super().__init__(reason)
        self.reason, self.who, self.parameter, self.got = reason, who, parameter, _masked(got)
        self.wanted, self.where, self.fix, self.topic = wanted, where, fix, topic

    @property
    def has_got(self) -> bool:
        """Whether a value was given; None is a value."""
        return self.got is not _NOTHING

    @property
    def fields(self) -> dict[str, Any]:
        """All fields but the reason, without those that are not there."""
        names = ("who", "parameter", "got", "wanted", "where", "fix", "topic")
        found = {name: getattr(self, name) for name in names}
        return {name: v for name, v in found.items() if v is not _NOTHING and v != ""}

    def replaced(self, **fields: Any) -> Self:
        """The same error with some fields put in or replaced."""
        reason = fields.pop("reason", self.reason)
        return type(self)(reason, **(self.fields | fields))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __str__(self) -> str:
        return _PYTHON.sentence(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.reason, self.fields)


def _restored(cls: type[Explained], reason: Text, fields: dict[str, Any]) -> Explained:
    return cls(reason, **fields)


class HardlimitError(Explained):
    """The root: ``except HardlimitError`` catches all that this package raises on purpose."""


class InputError(HardlimitError, ValueError):
    """Data or a parameter that cannot be used."""


class DataFormatError(InputError):
    """A file that breaks its format; the message starts with ``file:line:column``."""


class ColumnError(InputError):
    """A column that is not in the file; the message names those that are."""


class CorrectionError(InputError):
    """A correction, an undo or a guard that a live model refuses.

    topic : "no-features", "same-as-a-guard", "guard-in-the-way", "infeasible", "out-of-reach",
        "influence", "rate", "read-only", "no-such-entry", "already-undone",
        "guard-does-not-hold", "not-the-answer", "unknown-label" or "look-alike-label".
    guards : ids of the guards that are in the way.
    multipliers : of an infeasible correction, by guard, 0 for the correction itself: lambda >= 0
        with sum lambda_i z_i = 0 and sum lambda_i c_i > 0.
    wait : of a "rate", the seconds after which it is worth another try.
    refusals : of several corrections, none of which is made: the place of each refused one, from 0,
        and its error.
    label, nearest : of an "unknown-label" or a "look-alike-label": it, and the nearest label that
        the model has; None of others.
    """

    def __init__(
        self,
        reason: Text = "",
        /,
        *,
        guards: tuple[int, ...] = (),
        multipliers: tuple[tuple[int, str], ...] = (),
        wait: float = 0.0,
        label: Hashable | None = None,
        nearest: Hashable | None = None,
        refusals: tuple[tuple[int, InputError | KindError], ...] = (),
        **fields: Any,
    ) -> None:
        super().__init__(reason, **fields)
        self.guards, self.multipliers, self.wait = guards, multipliers, wait
        self.label, self.nearest, self.refusals = label, nearest, refusals

    @property
    def fields(self) -> dict[str, Any]:
        """All fields but the reason, without those that are not there."""
        return super().fields | {
            "guards": self.guards,
            "multipliers": self.multipliers,
            "wait": self.wait,
            "label": self.label,
            "nearest": self.nearest,
            "refusals": self.refusals,
        }


class KindError(HardlimitError, TypeError):
    """An object of the wrong kind."""


class NotFittedError(HardlimitError, ValueError, AttributeError):
    """A fitted model was needed."""


class ModelFileError(HardlimitError, ValueError):
    """A model file that is refused; the message says why."""


class LedgerError(HardlimitError, ValueError):
    """A ledger that is refused: cut off, edited, newer, or of another model."""


class ProofError(HardlimitError, ValueError):
    """A proof that does not hold, or is of other data; the message names the first failure."""


class MemoryEstimateError(HardlimitError, MemoryError):
    """The work would need more memory than this process may still take.

    needed, available : bytes.
    """

    def __init__(
        self, reason: Text = "", /, *, needed: int = 0, available: int = 0, **fields: Any
    ) -> None:
        super().__init__(reason, **fields)
        self.needed, self.available = needed, available

    @property
    def fields(self) -> dict[str, Any]:
        """All fields but the reason, without those that are not there."""
        return super().fields | {"needed": self.needed, "available": self.available}


class FileError(HardlimitError, OSError):
    """A path that cannot be read or written."""


class ClusterError(HardlimitError, RuntimeError):
    """Workers or a scheduler that are lost, that are not there, or that are of another version."""


class MissingExtraError(HardlimitError, ImportError):
    """An optional package is missing; the message names the ``pip install`` that installs it."""


class HardlimitWarning(Explained, UserWarning):
    """The root of the warnings."""


class ConvergenceWarning(HardlimitWarning):
    """What the user asked for explicitly was not reached.

    Where scikit-learn was imported, a warning is one of its ``ConvergenceWarning`` too, so that its
    users' filters find it.
    """

    def __new__(cls, *args: Any, **fields: Any) -> Self:
        """Make a warning of the class that scikit-learn's filters know, where it is there."""
        theirs = getattr(sys.modules.get("sklearn.exceptions"), "ConvergenceWarning", None)
        if cls is ConvergenceWarning and theirs is not None:
            cls = _known_to(theirs)
        return super().__new__(cls, *args, **fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (ConvergenceWarning, self.reason, self.fields)


_KNOWN: dict[type, Any] = {}


def _known_to(theirs: type) -> Any:
    """The class that is ours and theirs; the same one each time."""
    if theirs not in _KNOWN:
        members = {"__module__": __name__, "__doc__": ConvergenceWarning.__doc__}
        _KNOWN[theirs] = type("ConvergenceWarning", (ConvergenceWarning, theirs), members)
    return _KNOWN[theirs]


class ScaleWarning(HardlimitWarning):
    """Columns whose norms differ so much that the small ones hardly count."""


class DataWarning(HardlimitWarning):
    """Data that can be used but look like a slip."""
