"""What a security does, as its parts use it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Union

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa

if TYPE_CHECKING:
    from typing import Callable

    from .algorithms import Algorithm
    from .replays import Replays
    from .tokens import TokenReference
    from .tree import Element
    from .trust import Trust

PrivateKey = Union[rsa.RSAPrivateKey, ec.EllipticCurvePrivateKey]


class Signer(NamedTuple):
    """Whose signatures are written."""

    key: PrivateKey
    certificate: x509.Certificate
    algorithm: Algorithm
    reference: TokenReference
    headers: frozenset[tuple[str, str]]


class Recipient(NamedTuple):
    """To whom messages are encrypted."""

    certificate: x509.Certificate
    key: rsa.RSAPublicKey
    key_algorithm: Algorithm
    data_algorithm: Algorithm
    reference: TokenReference


class Reader(NamedTuple):
    """A key of ours that decrypts."""

    key: rsa.RSAPrivateKey
    certificate: x509.Certificate


@dataclass(frozen=True)
class Options:
    """All that a security was told."""

    signer: Signer | None
    recipient: Recipient | None
    readers: tuple[Reader, ...]
    trust: Trust
    required_headers: frozenset[tuple[str, str]]
    require_encrypted: bool
    timestamps: bool
    loose_prefixes: bool
    allowed: frozenset[Algorithm]
    saml: Element | None
    max_size: int
    clock: Callable[[], float]
    replays: Replays
