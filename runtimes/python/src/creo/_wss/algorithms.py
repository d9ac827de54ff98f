"""The algorithms of messages (SOAP-85, SOAP-86)."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final, NamedTuple

from cryptography.hazmat.primitives import hashes

from .._base import shown
from . import names
from .reason import Reason

if TYPE_CHECKING:
    from collections.abc import Collection

_MORE: Final = "http://www.w3.org/2001/04/xmldsig-more#"
_NEWER: Final = "http://www.w3.org/2007/05/xmldsig-more#"


class Algorithm(str, enum.Enum):
    """An algorithm, by the word that names it.

    Those that are weak are accepted only if ``allow`` names them: ``rsa-sha1`` and ``sha1`` in
    signatures, ``rsa-1_5``, ``aes128-cbc`` and ``aes256-cbc`` in encryption.
    """

    RSA_SHA256 = "rsa-sha256"
    RSA_SHA384 = "rsa-sha384"
    RSA_SHA512 = "rsa-sha512"
    RSA_PSS_SHA256 = "rsa-pss-sha256"
    ECDSA_SHA256 = "ecdsa-sha256"
    ECDSA_SHA384 = "ecdsa-sha384"
    ECDSA_SHA512 = "ecdsa-sha512"
    RSA_SHA1 = "rsa-sha1"
    SHA256 = "sha256"
    SHA384 = "sha384"
    SHA512 = "sha512"
    SHA1 = "sha1"
    RSA_OAEP = "rsa-oaep"
    RSA_OAEP_SHA256 = "rsa-oaep-sha256"
    RSA_1_5 = "rsa-1_5"
    AES128_GCM = "aes128-gcm"
    AES256_GCM = "aes256-gcm"
    AES128_CBC = "aes128-cbc"
    AES256_CBC = "aes256-cbc"

    @property
    def facts(self) -> Facts:
        """What the runtime knows of it."""
        return _FACTS[self]


class Kind(enum.Enum):
    """What an algorithm does."""

    SIGNATURE = "signature"
    DIGEST = "digest"
    KEY = "key"
    DATA = "data"


class Facts(NamedTuple):
    """An algorithm."""

    kind: Kind
    uri: str
    form: str
    """The kind of key of a signature, the padding of a key, or the mode of data."""
    hash: hashes.HashAlgorithm | None = None
    """That of a signature or digest."""
    size: int = 0
    """The bytes of the key of data."""
    weak: bool = False


_SHA: Final = {256: hashes.SHA256(), 384: hashes.SHA384(), 512: hashes.SHA512()}
_SHA1: Final = hashes.SHA1()

_FACTS: Final = {
    Algorithm.RSA_SHA256: Facts(Kind.SIGNATURE, f"{_MORE}rsa-sha256", "RSA", _SHA[256]),
    Algorithm.RSA_SHA384: Facts(Kind.SIGNATURE, f"{_MORE}rsa-sha384", "RSA", _SHA[384]),
    Algorithm.RSA_SHA512: Facts(Kind.SIGNATURE, f"{_MORE}rsa-sha512", "RSA", _SHA[512]),
    Algorithm.RSA_PSS_SHA256: Facts(Kind.SIGNATURE, f"{_NEWER}sha256-rsa-MGF1", "RSA", _SHA[256]),
    Algorithm.ECDSA_SHA256: Facts(Kind.SIGNATURE, f"{_MORE}ecdsa-sha256", "EC", _SHA[256]),
    Algorithm.ECDSA_SHA384: Facts(Kind.SIGNATURE, f"{_MORE}ecdsa-sha384", "EC", _SHA[384]),
    Algorithm.ECDSA_SHA512: Facts(Kind.SIGNATURE, f"{_MORE}ecdsa-sha512", "EC", _SHA[512]),
    Algorithm.RSA_SHA1: Facts(Kind.SIGNATURE, f"{names.DSIG}rsa-sha1", "RSA", _SHA1, weak=True),
    Algorithm.SHA256: Facts(Kind.DIGEST, f"{names.XENC}sha256", "", _SHA[256]),
    Algorithm.SHA384: Facts(Kind.DIGEST, f"{_MORE}sha384", "", _SHA[384]),
    Algorithm.SHA512: Facts(Kind.DIGEST, f"{names.XENC}sha512", "", _SHA[512]),
    Algorithm.SHA1: Facts(Kind.DIGEST, f"{names.DSIG}sha1", "", _SHA1, weak=True),
    # MGF1 of SHA-1, which is not weak there, and a digest that the message names.
    Algorithm.RSA_OAEP: Facts(Kind.KEY, f"{names.XENC}rsa-oaep-mgf1p", "OAEP"),
    # That of XML Encryption 1.1; written with SHA-256.
    Algorithm.RSA_OAEP_SHA256: Facts(Kind.KEY, f"{names.XENC_11}rsa-oaep", "OAEP"),
    Algorithm.RSA_1_5: Facts(Kind.KEY, f"{names.XENC}rsa-1_5", "PKCS1", weak=True),
    Algorithm.AES128_GCM: Facts(Kind.DATA, f"{names.XENC_11}aes128-gcm", "GCM", size=16),
    Algorithm.AES256_GCM: Facts(Kind.DATA, f"{names.XENC_11}aes256-gcm", "GCM", size=32),
    # Weak, since who decrypts it can be asked what the text was.
    Algorithm.AES128_CBC: Facts(Kind.DATA, f"{names.XENC}aes128-cbc", "CBC", size=16, weak=True),
    Algorithm.AES256_CBC: Facts(Kind.DATA, f"{names.XENC}aes256-cbc", "CBC", size=32, weak=True),
}
_BY_URI: Final = {(facts.kind, facts.uri): algorithm for algorithm, facts in _FACTS.items()}


def accepted(kind: Kind, uri: str, allowed: Collection[Algorithm]) -> Algorithm:
    """The algorithm with a URI.

    One that is unknown, of another kind, or weak and not allowed, is refused.
    """
    found = _BY_URI.get((kind, uri))
    if found is None or (found.facts.weak and found not in allowed):
        raise Reason.ALGORITHM.because(f'the algorithm "{shown(uri)}" is not accepted')
    return found
