"""Fuzz targets: inputs made at random that should be read or refused, never anything else."""
