"""Files to cut."""

from tests.distributed.conftest import files

__all__ = ["files"]
