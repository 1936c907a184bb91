"""The lock of a model: many readers, or one who learns."""

from __future__ import annotations

from hardlimit import _native

# A class and no front: a stream of single rows takes it every few microseconds.
ModelLock = _native.ModelLock
Reading = _native.Reading
