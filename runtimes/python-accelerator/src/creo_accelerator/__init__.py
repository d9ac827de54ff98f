"""Makes objects, and reads and writes Creo's binary wire, JSON and XML, in C. The runtime finds it automatically: there is nothing to call here."""

from ._codec import INTERFACE, constructor, context, node

__version__ = "0.1.0"
__all__ = ["INTERFACE", "__version__", "constructor", "context", "node"]
