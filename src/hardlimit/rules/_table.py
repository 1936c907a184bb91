"""The table of rules for documents, from the rules themselves."""

from __future__ import annotations

import numbers

from hardlimit.rules._registry import describe


def markdown_table() -> str:
    """Name, one line and parameters of each rule, as Markdown."""
    lines = ["| rule | what it does | parameters |", "|---|---|---|"]
    for rule in describe():
        parameters = "; ".join(
            f"`{name}={_shown(default)}`: {effect}" for name, default, effect in rule.parameters
        )
        summary = rule.summary.replace("``", "`")
        lines.append(f"| `{rule.name}` | {summary} | {parameters or 'none'} |")
    return "\n".join(lines) + "\n"


def _shown(default: object) -> str:
    return f"{default:g}" if isinstance(default, numbers.Real) else str(default)
