"""What methods with streams return."""

from ._call.streams import AsyncItemStream, ItemStream

__all__ = ["AsyncItemStream", "ItemStream"]
