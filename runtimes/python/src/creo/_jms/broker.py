"""Where a broker is, and how it is spoken to: apart from addresses (JMS-1)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .._call.net import address, tls_context

if TYPE_CHECKING:
    from .._call.net import Tls


@dataclass(frozen=True)
class JmsBroker:
    """The way to a broker that speaks AMQP 1.0, or to several that stand for each other."""

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
    #: Hosts and ports of brokers that stand for this one, as ``or_`` adds them.
    others: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        for host, port in self.places:
            if not host or not 0 < port < 65_536:
                raise ValueError(f"no host and port: {host!r:.200}, {port!r:.20}")
        if self.user is None and self.password is not None:
            raise ValueError("a password needs a user")
        tls_context(self.tls)

    def or_(self, host: str, port: int = 5672) -> JmsBroker:
        """The same, and one more place that is tried where others do not answer (JMS-17).

        That is the backup of a live broker, or another one of a cluster.
        """
        return replace(self, others=(*self.others, (host, port)))

    @property
    def places(self) -> tuple[tuple[str, int], ...]:
        """All hosts and their ports."""
        return ((self.host, self.port), *self.others)

    def __str__(self) -> str:
        return " or ".join(address(host, port) for host, port in self.places)
