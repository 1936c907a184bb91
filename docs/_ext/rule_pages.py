"""A page for each rule, from its docstring, its fields and the checks that a fit makes."""

from __future__ import annotations

from collections import defaultdict

from choice_pages import signature
from docstring_parts import HEADINGS, Parts, taken_apart
from hardlimit import rules
from hardlimit.classifiers.model import compatibility_table
from hardlimit.rules import RuleDescription
from rst import default_of, definitions, directive, joined, title

FAMILIES = {
    "tau": ("Rules that add", "A correction adds a multiple of the example."),
    "shrink, tau": (
        "Rules that shrink and add",
        "A correction first shrinks the weights: to keep them short, or to forget.",
    ),
    "tau, beta": (
        "Rules that keep a covariance",
        "They remember how sure each weight is, and move unsure ones further.",
    ),
    "factor": ("Rules that multiply", "A correction multiplies weights instead of adding to them."),
}
FAMILIES["tau, linked"] = FAMILIES["factor"]
OTHERS = ("Other rules", "")


def pages() -> dict[str, str]:
    """The pages by file name, the index among them."""
    described = sorted(rules.describe(), key=lambda rule: rule.name != "perceptron")
    found = {f"{rule.name}.rst": page(rule) for rule in described}
    found["index.rst"] = index(described)
    return found


def page(rule: RuleDescription) -> str:
    """One rule: what it does, when to use it, what it promises, what it costs, an example."""
    parts = taken_apart(rule.cls.__doc__ or "")
    blocks = [
        title(rule.cls.__name__, "="),
        f".. py:currentmodule:: {rules.__name__}",
        directive(f"py:class:: {rule.cls.__name__}{signature(rule.cls)}", parts.summary),
        f'By name ``{rule.name}``: ``LinearClassifier("{rule.name}")``, '
        f"``hardlimit train --rule {rule.name}``.",
        title("The rule", "-"),
        parts.statement,
        *parameters(parts, rule),
    ]
    for heading in HEADINGS:
        if heading in parts.sections:
            blocks += [title(heading, "-"), parts.sections[heading]]
        if heading == "Worked example" and parts.example:
            blocks += ["The same in Python:" if heading in parts.sections else "", parts.example]
        if heading == "Cost":
            blocks += [title("What it goes with", "-"), companions(rule.name)]
    return joined(blocks)


def parameters(parts: Parts, rule: RuleDescription) -> list[str]:
    """The parameters with their defaults, as a list of definitions."""
    if not rule.parameters:
        return ["It has no parameters."]
    said = {
        f"``{name} = {default_of(default)}``": parts.parameters.get(name, effect)
        for name, default, effect in rule.parameters
    }
    return [title("Parameters", "~"), definitions(said)]


def companions(name: str) -> str:
    """What the rule refuses, by reason; the rest goes with it."""
    by_reason = defaultdict(list)
    for one in compatibility_table.refusals():
        if one.rule == name:
            by_reason[one.sentence].append(f"``{one.choice}``")
    everything = "every order, schedule, guard, read-out, number of classes, kernel and budget"
    if not by_reason:
        return f"It goes with {everything}: see :doc:`/choices`."
    listed = "\n".join(f"- {', '.join(them)}: {reason}." for reason, them in by_reason.items())
    return f"It goes with {everything} (see :doc:`/choices`), but for these:\n\n{listed}"


def index(described: list[RuleDescription]) -> str:
    """All rules in families, each with its one line and when to use it."""
    families: dict[tuple[str, str], list[RuleDescription]] = {
        family: [] for family in [*FAMILIES.values(), OTHERS]
    }
    for rule in described:
        families[FAMILIES.get(getattr(rule.cls, "answers", ""), OTHERS)].append(rule)
    blocks = [title("Rules", "="), f".. py:currentmodule:: {rules.__name__}", rules_lead()]
    for (name, lead), members in families.items():
        if members:
            blocks += [title(name, "-"), lead, *map(entry, members)]
    listed = "\n".join(rule.name for them in families.values() for rule in them)
    blocks.append(directive("toctree::\n   :hidden:", listed))
    return joined(blocks)


def rules_lead() -> str:
    """What all rules have in common."""
    return (
        f"A rule answers two questions about an example: is it a violator, and how far do the "
        f"weights move? There are {len(rules.names())}; each page is made from the rule's own "
        "docstring. Unsure where to begin? For texts ``passive-aggressive``, for numbers with "
        "doubtful labels ``margin-perceptron``, for the blackboard ``perceptron``."
    )


def entry(rule: RuleDescription) -> str:
    """One rule of the index."""
    when = taken_apart(rule.cls.__doc__ or "").sections.get("When to use it", "")
    text = f"{rule.summary}\n\n*When:* {when[:1].lower()}{when[1:]}" if when else rule.summary
    return definitions({f":doc:`{rule.name}`": text})
