"""WS-Security of SOAP messages: signatures, encryption, SAML tokens (SOAP-80 to SOAP-90).

Needs the package ``cryptography``; no other part of the runtime does::

    from creo.soap import SoapChannel
    from creo.wss import WsSecurity

    security = WsSecurity(sign=(key, certificate), trust=partner)
    with DataClient.over(SoapChannel(url, security=security)) as client:
        client.find(query)
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from typing import Callable, Final, Union

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from ._wss import names
from ._wss.algorithms import Algorithm, Kind
from ._wss.checking import check
from ._wss.options import Options, PrivateKey, Reader, Recipient, Signer
from ._wss.reason import Reason
from ._wss.replays import Replays
from ._wss.tokens import TokenReference, key_identifier
from ._wss.tree import parse
from ._wss.trust import MIN_EC, MIN_RSA, Trust, is_strong
from ._wss.writing import secure

__all__ = ["Algorithm", "Certificates", "Key", "TokenReference", "WsSecurity"]

Key = Union[PrivateKey, bytes]
"""A private key: an object of ``cryptography``, or PEM without a password."""
Certificates = Union[x509.Certificate, bytes, Iterable[Union[x509.Certificate, bytes]]]
"""Certificates: an object of ``cryptography``, PEM with one or several, or several of these."""

_MAX_SIZE: Final = 16 << 20
_EC_384: Final = 384
_HEADER: Final = re.compile(r"(?:\{([^{}\s]+)\})?([^{}\s:]+)")


class WsSecurity:
    """The security of a client's SOAP messages.

    Keep one for as long as the program runs: it remembers the signatures of ten minutes, and
    refuses those that come again. It does not change otherwise, and channels and threads may share
    it. Without ``trust``, ``trust_issuers`` and ``decrypt``, answers are not checked.
    """

    def __init__(
        self,
        *,
        sign: tuple[Key, Certificates] | None = None,
        reference: TokenReference | str = TokenReference.BINARY_TOKEN,
        signature: Algorithm | str | None = None,
        sign_headers: Iterable[str] = (),
        encrypt_to: Certificates | None = None,
        key_reference: TokenReference | str = TokenReference.ISSUER_SERIAL,
        key_encryption: Algorithm | str = Algorithm.RSA_OAEP,
        data_encryption: Algorithm | str = Algorithm.AES256_GCM,
        decrypt: Iterable[tuple[Key, Certificates]] = (),
        trust: Certificates = (),
        trust_issuers: Certificates = (),
        accept: Callable[[x509.Certificate], bool] | None = None,
        know: Certificates = (),
        require_signed_headers: Iterable[str] = (),
        require_encrypted: bool = False,
        timestamps: bool = True,
        allow_loose_prefixes: bool = False,
        allow: Iterable[Algorithm | str] = (),
        saml: str | None = None,
        max_size: int = _MAX_SIZE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """What is written, and what is demanded.

        Requests: ``sign`` is a key with its certificate; the body, a timestamp and the tokens of
        users and assertions are signed. The key is of RSA with 2,048 bits or more, or of an
        elliptic curve with 256 bits or more. Of several certificates, the first is used.
        ``reference`` says how signatures refer to it; ``signature`` is the algorithm, by default
        that of the key with SHA-256, or with SHA-384 for curves of 384 bits. ``sign_headers`` are
        header elements that are signed, too, each as ``"{namespace}name"``; the name ``*`` means
        all of the namespace. ``encrypt_to`` is a certificate of RSA, to which the body and tokens
        are encrypted; ``key_reference``, ``key_encryption`` and ``data_encryption`` say how.
        ``saml`` is an assertion of SAML 2.0, which is sent as it is.

        Answers: ``trust`` demands signatures, and trusts those of these certificates while they are
        valid; ``trust_issuers`` those of certificates that these authorities have issued, of which
        ``accept`` accepts some, such as by their subject. Revocation is not checked. ``know`` are
        certificates that messages may refer to without containing them, and authorities between
        them and ``trust_issuers``; they are not trusted. ``decrypt`` are keys, each with its
        certificate, to which messages are encrypted: several while one replaces another.
        ``require_signed_headers`` are header elements that must be signed where they are, and
        ``require_encrypted`` demands that the body is encrypted. Without ``timestamps``, messages
        without a signed timestamp are accepted; then only repetitions within ten minutes are found.
        ``allow_loose_prefixes`` accepts an ``xsi:type`` whose prefix the signature does not
        protect: who changes a message on its way could give the value another type. ``allow`` names
        weak algorithms that are accepted. ``max_size`` is the max bytes of an answer that is
        checked; its tree takes a multiple of that.

        ``clock`` returns seconds since 1970.

        :raises ValueError: if an argument is invalid, or a key too weak.
        """
        if max_size < 1:
            raise ValueError(f"max_size must be positive, but is {max_size}")
        signer = None
        if sign is not None:
            signer = _signer(
                sign, TokenReference(reference), signature, _header_names(sign_headers)
            )
        elif signature is not None:
            raise ValueError("a signature needs a key that signs")
        recipient = None
        if encrypt_to is not None:
            recipient = _recipient(
                encrypt_to,
                TokenReference(key_reference),
                _algorithm(key_encryption, Kind.KEY),
                _algorithm(data_encryption, Kind.DATA),
            )
        assertion = None if saml is None else parse(saml.encode(), "utf-8")
        if assertion is not None and not assertion.is_(names.SAML_2, "Assertion"):
            raise ValueError("no assertion of SAML 2.0")
        self._options = Options(
            signer=signer,
            recipient=recipient,
            readers=tuple(_reader(pair) for pair in decrypt),
            trust=Trust(
                _certificates(trust), _certificates(trust_issuers), _certificates(know), accept
            ),
            required_headers=_header_names(require_signed_headers),
            require_encrypted=require_encrypted,
            timestamps=timestamps,
            loose_prefixes=allow_loose_prefixes,
            allowed=frozenset(Algorithm(each) for each in allow),
            saml=assertion,
            max_size=max_size,
            clock=clock,
            replays=Replays(clock),
        )

    def send(self, request: bytes) -> bytes:
        """The request as it is sent, of its envelope in UTF-8."""
        return secure(self._options, request)

    def receive(self, answer: bytes, charset: str | None) -> bytes:
        """The envelope of an answer, without what was checked.

        :raises CreoError: if the answer is refused; the text begins with the reason and a colon.
        """
        if not (self._options.trust.exists or self._options.readers):
            return answer
        if not answer:
            raise Reason.NO_SECURITY.because("an empty answer")
        return check(self._options, answer, charset)


def _signer(
    pair: tuple[Key, Certificates],
    reference: TokenReference,
    signature: Algorithm | str | None,
    headers: frozenset[tuple[str, str]],
) -> Signer:
    key, certificate = _key(pair[0]), _one(pair[1])
    if not is_strong(key):
        raise ValueError(
            f"a signature needs a key of RSA with {MIN_RSA} bits, or of a curve with {MIN_EC}"
        )
    if key.public_key() != certificate.public_key():
        raise ValueError("the certificate is not that of the key")
    if signature is not None:
        algorithm = _algorithm(signature, Kind.SIGNATURE)
        if algorithm.facts.form != ("RSA" if isinstance(key, rsa.RSAPrivateKey) else "EC"):
            raise ValueError(f"{algorithm.value} does not fit the key that signs")
    elif isinstance(key, rsa.RSAPrivateKey):
        algorithm = Algorithm.RSA_SHA256
    else:
        long = key.curve.key_size >= _EC_384
        algorithm = Algorithm.ECDSA_SHA384 if long else Algorithm.ECDSA_SHA256
    _check_identifier(certificate, reference)
    return Signer(key, certificate, algorithm, reference, headers)


def _recipient(
    given: Certificates, reference: TokenReference, key_algorithm: Algorithm, data: Algorithm
) -> Recipient:
    certificate = _one(given)
    key = certificate.public_key()
    if not isinstance(key, rsa.RSAPublicKey) or not is_strong(key):
        raise ValueError(f"messages are encrypted to a key of RSA with {MIN_RSA} bits")
    _check_identifier(certificate, reference)
    return Recipient(certificate, key, key_algorithm, data, reference)


def _reader(pair: tuple[Key, Certificates]) -> Reader:
    key, certificate = _key(pair[0]), _one(pair[1])
    if not isinstance(key, rsa.RSAPrivateKey):
        raise ValueError("messages are decrypted with a key of RSA")
    if key.public_key() != certificate.public_key():
        raise ValueError("the certificate is not that of the key")
    return Reader(key, certificate)


def _check_identifier(certificate: x509.Certificate, reference: TokenReference) -> None:
    if reference is TokenReference.KEY_IDENTIFIER and key_identifier(certificate) is None:
        raise ValueError("the certificate has no identifier of its key")


def _algorithm(given: Algorithm | str, kind: Kind) -> Algorithm:
    found = Algorithm(given)
    if found.facts.kind is not kind:
        raise ValueError(f"{found.value} is no algorithm of the kind {kind.value}")
    return found


def _key(given: Key) -> PrivateKey:
    key = serialization.load_pem_private_key(given, None) if isinstance(given, bytes) else given
    if not isinstance(key, (rsa.RSAPrivateKey, ec.EllipticCurvePrivateKey)):
        raise ValueError("a key is of RSA or of an elliptic curve")
    return key


def _certificates(given: Certificates) -> list[x509.Certificate]:
    if isinstance(given, x509.Certificate):
        return [given]
    if isinstance(given, bytes):
        return x509.load_pem_x509_certificates(given)
    if isinstance(given, str):
        raise ValueError("a certificate is an object of cryptography, or PEM as bytes")
    return [certificate for each in given for certificate in _certificates(each)]


def _one(given: Certificates) -> x509.Certificate:
    found = _certificates(given)
    if not found:
        raise ValueError("a key has a certificate")
    return found[0]


def _header_names(given: Iterable[str]) -> frozenset[tuple[str, str]]:
    """Names of header elements, as namespaces and local names."""
    if isinstance(given, str):
        raise ValueError("header elements are a sequence of names, not one name")
    found: set[tuple[str, str]] = set()
    for name in given:
        parts = _HEADER.fullmatch(name)
        if parts is None:
            raise ValueError(f"a header element is {{namespace}}name, not {name!r:.200}")
        found.add((parts[1] or "", parts[2]))
    return frozenset(found)
