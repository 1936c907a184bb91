"""The model file: one safetensors file that cannot execute anything and is checked on touch.

The format is specified in ``docs/model-format.md``. Its parts, each in a file of this folder:
:mod:`document` (the canonical JSON entry), :mod:`table` (the header of the container),
:mod:`reading`, :mod:`writing` and
:mod:`contradictions` (contents that cannot be).

numpy is imported when a file is written, never to read one; only
:meth:`ModelFile.array` needs numpy.
"""

from hardlimit.model_file.reading import ModelFile, open, refuse_contradictions
from hardlimit.model_file.writing import write

__all__ = ["ModelFile", "open", "refuse_contradictions", "write"]
