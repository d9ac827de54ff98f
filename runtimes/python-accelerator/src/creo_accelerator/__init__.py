"""Reads and writes Creo's binary wire in C. The runtime finds it automatically: there is nothing to call here."""

from ._codec import INTERFACE, context, node

__version__ = "0.1.0"
__all__ = ["INTERFACE", "__version__", "context", "node"]
