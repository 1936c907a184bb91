"""What is not changed, by rule: code of which no test could or should notice a change.

Each rule is a function of a node of libcst, and its docstring is the reason.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst
import libcst.matchers as m

# Arguments that are words for people, in errors and in the description of the service.
WORDS = {"description", "summary", "title", "example", "examples"}
WORDS |= {"who", "what", "got", "wanted", "where", "fix", "parameter"}
# Arguments that refuse mistakes of a programmer, or names shown by a debugger.
ASSURANCES = {"strict", "stacklevel", "thread_name_prefix", "daemon"}
LISTS_OF_NAMES = {"__slots__", "__all__", "__match_args__"}


def is_annotation(node: cst.CSTNode) -> bool:
    """Types are checked by mypy; at run time nobody reads them."""
    return isinstance(node, cst.Annotation) or m.matches(
        node, m.AnnAssign(annotation=m.Annotation(m.Name("TypeAlias")))
    )


def is_for_type_checkers(node: cst.CSTNode) -> bool:
    """A block below ``if TYPE_CHECKING`` is never run, and a cast does nothing."""
    return m.matches(node, m.If(test=m.Name("TYPE_CHECKING")) | m.Call(func=m.Name("cast")))


def is_of_another_system(node: cst.CSTNode) -> bool:
    """Locks and files of Windows are not reached where these tests run."""
    return isinstance(node, cst.If) and bool(m.findall(node.test, m.Name("msvcrt")))


def is_docstring(node: cst.CSTNode) -> bool:
    """A text that stands for itself is documentation."""
    return m.matches(node, m.Expr(m.SimpleString() | m.ConcatenatedString()))


def is_list_of_names(node: cst.CSTNode) -> bool:
    """``__slots__`` saves memory, ``__all__`` is read by ``import *`` alone."""
    return isinstance(node, cst.Assign) and any(
        m.matches(one.target, m.Name(m.MatchIfTrue(LISTS_OF_NAMES.__contains__)))
        for one in node.targets
    )


def is_decorator(node: cst.CSTNode) -> bool:
    """``frozen``, ``slots`` and their like refuse writers that the code does not have."""
    return isinstance(node, cst.Decorator)


def is_prose(node: cst.CSTNode) -> bool:
    """A text with a space is a message or a statement of SQL; no code reads a message."""
    if isinstance(node, cst.SimpleString):
        return " " in node.value
    if isinstance(node, cst.FormattedString):
        texts = [part.value for part in node.parts if isinstance(part, cst.FormattedStringText)]
        return any(" " in text for text in texts)
    return isinstance(node, cst.ConcatenatedString)


def is_argument_for_people(node: cst.CSTNode) -> bool:
    """Fields of errors and descriptions are shown to people, and no code reads them."""
    return isinstance(node, cst.Arg) and (
        (node.keyword is not None and node.keyword.value in WORDS | ASSURANCES)
        or is_prose(node.value)
    )


def is_type_variable(node: cst.CSTNode) -> bool:
    """Type variables are for type checkers."""
    return m.matches(node, m.Assign(value=m.Call(func=m.Name("TypeVar"))))


def is_import(node: cst.CSTNode) -> bool:
    """An import has nothing to change."""
    return isinstance(node, cst.Import | cst.ImportFrom)


RULES = (
    is_annotation,
    is_for_type_checkers,
    is_of_another_system,
    is_docstring,
    is_list_of_names,
    is_decorator,
    is_prose,
    is_argument_for_people,
    is_type_variable,
    is_import,
)


def is_excluded(node: cst.CSTNode) -> bool:
    """Whether a rule excludes the node, with all that is in it."""
    return any(rule(node) for rule in RULES)


def is_trifle(before: cst.CSTNode, after: cst.CSTNode) -> bool:
    """Whether a changed call is one too many, or lacks an argument that is excluded.

    A keyword is left out, so that its default holds; an argument without a keyword becomes
    ``None``. The other two ways say the same again, or fail at the first call.
    """
    if not (isinstance(before, cst.Call) and isinstance(after, cst.Call)):
        return False
    left_out = len(after.args) < len(before.args)
    changed = _missing(before.args, after.args)
    return any(is_argument_for_people(one) or (one.keyword is None) == left_out for one in changed)


def _missing(before: Sequence[cst.Arg], after: Sequence[cst.Arg]) -> list[cst.Arg]:
    kept = {id(one) for one in after}
    return [one for one in before if id(one) not in kept]
