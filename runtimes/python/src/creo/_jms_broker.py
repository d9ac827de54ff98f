"""Where a broker is, and how it is spoken to: apart from addresses (JMS-1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ._net import tls_context

if TYPE_CHECKING:
    from ._net import Tls


@dataclass(frozen=True)
class JmsBroker:
    """A broker that speaks AMQP 1.0."""

    host: str
    port: int = 5672
    #: Without a user, the client says that it is nobody (``ANONYMOUS``).
    user: str | None = None
    #: Goes over the connection as it is: only TLS hides it.
    password: str | None = field(default=None, repr=False)
    #: ``True``, or an ``ssl.SSLContext`` that verifies certificate and host name.
    tls: Tls | None = None
    #: The name in the certificate if it is not ``host``.
    server_name: str | None = None

    def __post_init__(self) -> None:
        if not self.host or not 0 < self.port < 65_536:
            raise ValueError(f"no host and port: {self.host!r:.200}, {self.port!r:.20}")
        if self.user is None and self.password is not None:
            raise ValueError("a password needs a user")
        tls_context(self.tls)
