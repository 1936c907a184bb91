"""The door to compiled corrections; importing it does not import numpy."""

from hardlimit._native import LiveRow, LiveTextReader, ModelLock, Overlay, Watch

__all__ = ["LiveRow", "LiveTextReader", "ModelLock", "Overlay", "Watch"]
