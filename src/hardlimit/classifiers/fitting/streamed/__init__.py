"""Fits of examples that do not fit into memory: the same bits, a block of rows at a time.

`refusals` says what needs all examples at once, `passes` which passes there are, `texts` and
`numbers` make blocks of rows of a user's batches, `pieces` presents them, `run` joins the parts.
"""
