"""The address of a broker and the options for connecting, separate from addresses (JMS-1)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .._call.net import address, tls_context

if TYPE_CHECKING:
    from .._call.net import Tls


@dataclass(frozen=True)
class JmsBroker:
    """A broker that speaks AMQP 1.0, or several that replace one another."""

    host: str
    port: int = 5672
    #: Without a user, the client is anonymous (``ANONYMOUS``).
    user: str | None = None
    #: Sent unencrypted: only TLS hides it.
    password: str | None = field(default=None, repr=False)
    #: ``True``, or an ``ssl.SSLContext`` that verifies certificate and host name.
    tls: Tls | None = None
    #: The name in the certificate if it is not ``host``.
    server_name: str | None = None
    #: Hosts and ports of brokers that replace this one; ``or_`` adds them.
    others: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        for host, port in self.places:
            if not host or not 0 < port < 65_536:
                raise ValueError(f"no host and port: {host!r:.200}, {port!r:.20}")
        if self.user is None and self.password is not None:
            raise ValueError("a password needs a user")
        tls_context(self.tls)

    def or_(self, host: str, port: int = 5672) -> JmsBroker:
        """Adds an address to try if the others do not answer (JMS-17).

        It is the backup of a live broker, or another one of a cluster.
        """
        return replace(self, others=(*self.others, (host, port)))

    @property
    def places(self) -> tuple[tuple[str, int], ...]:
        """All hosts and their ports."""
        return ((self.host, self.port), *self.others)

    def __str__(self) -> str:
        return " or ".join(address(host, port) for host, port in self.places)
