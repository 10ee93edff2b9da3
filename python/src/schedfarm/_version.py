"""The version of the program that this package belongs to; a test compares the two."""

__version__ = "0.1.0"
