"""Make a page for each rule, from its docstring, its fields and the checks of a fit."""

from __future__ import annotations

from collections import defaultdict

from benchmarks import compatibility_table
from choice_pages import signature
from docstring_parts import HEADINGS, Parts, parse_docstring
from hardlimit import rules
from hardlimit.rules import RuleDescription
from rst import default_of, definitions, directive, join_blocks, title

FAMILIES = {
    rules.AdditiveRule: ("Rules that add", "A correction adds a multiple of the example."),
    rules.ShrinkingRule: (
        "Rules that shrink and add",
        "A correction first shrinks the weights, to limit their length or to forget.",
    ),
    rules.CovarianceRule: (
        "Rules that keep a covariance",
        "They track how uncertain each weight is, and change uncertain weights more.",
    ),
    rules.MultiplicativeRule: (
        "Rules that multiply",
        "A correction multiplies weights instead of adding to them.",
    ),
}
FAMILIES[rules.LinkedRule] = FAMILIES[rules.MultiplicativeRule]
OTHERS = ("Other rules", "")
# One set for all rules: no column below 0, which Winnow's rules need, and separable.
DRAWN = """\
from hardlimit import pictures, textbook

X = [[0.4, 0.4], [1.2, 1.2], [0.2, 0.8], [1.6, 0.8], [0.4, 2.0], [1.0, 1.2],
     [0.8, 0.3], [1.0, 1.6], [0.6, 1.0], [2.0, 0.5], [0.8, 0.6], [1.6, 1.4]]
y = ["no", "yes"] * 6
trace = textbook.trace(X, y, "{rule}", exact=False, max_iter=4)
picture = pictures.steps(trace, panels=False)"""


def build_pages() -> dict[str, str]:
    """Return all pages by file name."""
    described = sorted(rules.describe(), key=lambda rule: rule.name != "perceptron")
    found = {f"{rule.name}.rst": page(rule) for rule in described}
    found["index.rst"] = index(described)
    return found


def page(rule: RuleDescription) -> str:
    """Return the page of one rule."""
    parts = parse_docstring(rule.cls.__doc__ or "")
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
        if heading == "Guarantee":
            blocks += draw(rule.name)
        if heading == "Cost":
            blocks += [title("Compatible choices", "-"), render_refusals(rule.name)]
    return join_blocks(blocks)


def draw(name: str) -> list[str]:
    """Return the picture of a rule on the set that all pages show, drawn when they are built."""
    lead = (
        "The line after each correction, older ones fainter, in at most four epochs over one set "
        "of rows that is the same on all pages:"
    )
    code = DRAWN.format(rule=name)
    return [title("What it does", "-"), lead, directive("picture:: steps", code)]


def parameters(parts: Parts, rule: RuleDescription) -> list[str]:
    """Return the parameters with their defaults, as a definition list."""
    if not rule.parameters:
        return ["This rule has no parameters."]
    said = {
        f"``{name} = {default_of(default)}``": parts.parameters.get(name, effect)
        for name, default, effect in rule.parameters
    }
    return [title("Parameters", "~"), definitions(said)]


def render_refusals(name: str) -> str:
    """Return the choices that the rule refuses, grouped by reason."""
    by_reason = defaultdict(list)
    for one in compatibility_table.refusals():
        if one.rule == name:
            by_reason[one.sentence].append(f"``{one.choice}``")
    everything = "every order, schedule, guard, read-out, number of classes, kernel and budget"
    if not by_reason:
        return f"The rule works with {everything}: see :doc:`/choices`."
    listed = "\n".join(f"- {', '.join(them)}: {reason}." for reason, them in by_reason.items())
    return f"The rule works with {everything} (see :doc:`/choices`), except:\n\n{listed}"


def index(described: list[RuleDescription]) -> str:
    """Return the index of all rules by family."""
    families: dict[tuple[str, str], list[RuleDescription]] = {
        family: [] for family in [*FAMILIES.values(), OTHERS]
    }
    for rule in described:
        families[family_of(rule.cls)].append(rule)
    blocks = [title("Rules", "="), f".. py:currentmodule:: {rules.__name__}", render_lead()]
    for (name, lead), members in families.items():
        if members:
            blocks += [title(name, "-"), lead, *map(entry, members)]
    listed = "\n".join(rule.name for them in families.values() for rule in them)
    blocks.append(directive("toctree::\n   :hidden:", listed))
    return join_blocks(blocks)


def family_of(cls: type) -> tuple[str, str]:
    """Return the family of a rule: its name and a description."""
    return next((family for kind, family in FAMILIES.items() if issubclass(cls, kind)), OTHERS)


def render_lead() -> str:
    """Return the introduction of the index."""
    return (
        f"A rule decides two things about an example: is it a violator, and how do the weights "
        f"change? There are {len(rules.names())} rules; each page is made from the docstring of "
        "the rule. Start with ``passive-aggressive`` for texts, with ``margin-perceptron`` for "
        "numbers with doubtful labels, and with ``perceptron`` to learn the algorithm. "
        ":doc:`/which-rule` has all rules measured on the same data."
    )


def entry(rule: RuleDescription) -> str:
    """Return the entry of one rule in the index."""
    when = parse_docstring(rule.cls.__doc__ or "").sections.get("When to use it", "")
    text = f"{rule.summary}\n\n*When:* {when[:1].lower()}{when[1:]}" if when else rule.summary
    return definitions({f":doc:`{rule.name}`": text})
