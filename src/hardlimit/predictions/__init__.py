"""Answers of a model to the rows of files: what is asked of it, and the columns of its answers.

:mod:`answerers` answers, whatever kind of model it is; :mod:`showing` has what is asked for beside
label and score, :mod:`columns` what stands beside the columns of the input. The command
``predict`` and :mod:`hardlimit.distributed.scoring` show the same answers by it.
"""
