"""The version of this package, for the parts below the door."""

VERSION = "0.1.0"
