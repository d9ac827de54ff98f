"""The functions and classes that generated code uses for methods with streams."""

# isort: off
# fmt: off
from .._call.streams import (
    AsyncItemStream as AsyncItemStream, AsyncStreamClient as AsyncStreamClient, Items as Items,
    ItemStream as ItemStream, StreamClient as StreamClient, stream_method as stream_method,
    upload_method as upload_method, void_upload_method as void_upload_method,
)
