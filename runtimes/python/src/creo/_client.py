"""The blocking client: a call writes once and usually reads once, on the caller's thread.

There is no thread in the background. Of the threads that wait for answers on a connection, one
reads for all; when its own answer has come, it hands over to another.
"""

from __future__ import annotations

import copy
import socket
import ssl
import sys
import threading
import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from ._calls import Method, with_peer
from ._connection import Connection, Pending
from ._errors import CreoError, ErrorCode
from ._frames import encode_metadata
from ._limits import DEFAULT_LIMITS, Limits
from ._net import (
    CallOptions,
    address,
    connect_error,
    deadline_exceeded,
    open_socket,
    tls_context,
)
from ._values import SAME, Same
