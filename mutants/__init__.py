"""Mutation testing: small changes of the sources, and whether the tests notice them.

``python -m mutants live`` changes ``src/hardlimit/live`` in a copy, one place at a time, and runs
the tests that reach this place. The operators are those of mutmut; see ``CONTRIBUTING.md``.
"""
