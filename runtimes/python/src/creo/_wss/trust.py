"""Whose signatures are accepted (SOAP-87)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypeVar

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtensionOID

from .._base import shown
from .distinguished import text_of
from .reason import Reason

if TYPE_CHECKING:
    from typing import Callable

T = TypeVar("T", bound=x509.ExtensionType)

MIN_RSA: Final = 2_048
MIN_EC: Final = 256
#: The max certificates between the one that signs and an authority.
_MAX_BETWEEN: Final = 5
_HASHES: Final = (hashes.SHA256, hashes.SHA384, hashes.SHA512)
#: What may be critical in a certificate of a path: others restrict it in a way that is not checked.
_CHECKED: Final = frozenset(
    {
        ExtensionOID.BASIC_CONSTRAINTS,
        ExtensionOID.KEY_USAGE,
        ExtensionOID.EXTENDED_KEY_USAGE,
        ExtensionOID.SUBJECT_ALTERNATIVE_NAME,
        ExtensionOID.CERTIFICATE_POLICIES,
    }
)


class Trust:
    """Certificates that are accepted, and authorities."""

    def __init__(
        self,
        pins: Sequence[x509.Certificate],
        issuers: Sequence[x509.Certificate],
        known: Sequence[x509.Certificate],
        accepted: Callable[[x509.Certificate], bool] | None,
    ) -> None:
        self._pins = frozenset(pins)
        self._issuers = tuple(issuers)
        self.known = (*known, *pins)
        """The certificates that messages may refer to."""
        self._accepted = accepted

    @property
    def exists(self) -> bool:
        """Whether anyone is trusted, so that signatures are demanded."""
        return bool(self._pins or self._issuers)

    def check(self, certificate: x509.Certificate, now: datetime) -> None:
        """Refuses a certificate that is not trusted to sign messages now."""
        _check_size(certificate)
        who = shown(text_of(certificate.subject))
        usage = _extension(certificate, x509.KeyUsage)
        if usage is not None and not (usage.digital_signature or usage.content_commitment):
            raise Reason.UNTRUSTED.because(f"the certificate of {who} is not for signatures")
        if not _is_valid(certificate, now):
            raise Reason.UNTRUSTED.because(
                f"the certificate of {who} has expired, or is not valid yet"
            )
        if certificate in self._pins:
            return
        if not self._is_issued(certificate, now) or not (
            self._accepted is None or self._accepted(certificate)
        ):
            raise Reason.UNTRUSTED.because(f"the certificate of {who} is not trusted")

    def _is_issued(self, certificate: x509.Certificate, now: datetime) -> bool:
        """Whether a path leads to an authority."""
        if not _is_understood(certificate):
            return False
        waiting: list[tuple[x509.Certificate, ...]] = [(certificate,)]
        while waiting:
            path = waiting.pop()
            between = len(path) - 1
            if any(_has_issued(one, path[-1], between, given=True) for one in self._issuers):
                return True
            if between < _MAX_BETWEEN:
                waiting += [(*path, one) for one in self._between(path, now, between)]
        return False

    def _between(
        self, path: tuple[x509.Certificate, ...], now: datetime, between: int
    ) -> Iterator[x509.Certificate]:
        """The known authorities that can be next in a path."""
        for one in self.known:
            fits = one not in path and _is_valid(one, now) and _is_understood(one)
            if fits and _has_issued(one, path[-1], between, given=False):
                yield one


def _has_issued(
    issuer: x509.Certificate, issued: x509.Certificate, between: int, *, given: bool
) -> bool:
    """Whether a certificate is that of an authority, which has issued another one.

    ``between`` is how many authorities are below it in the path; ``given`` is whether the reader
    was given it as one, which alone may be too old a certificate to say what it is for.
    """
    constraints = _extension(issuer, x509.BasicConstraints)
    if constraints is None:
        if not given or issuer.version is not x509.Version.v1:
            return False
    elif not constraints.ca or (
        constraints.path_length is not None and constraints.path_length < between
    ):
        return False
    usage = _extension(issuer, x509.KeyUsage)
    if usage is not None and not usage.key_cert_sign:
        return False
    try:
        if not isinstance(issued.signature_hash_algorithm, _HASHES):
            return False
        if not is_strong(issuer.public_key()):
            return False
        issued.verify_directly_issued_by(issuer)
    except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def _is_understood(certificate: x509.Certificate) -> bool:
    """Whether nothing restricts a certificate in a way that is not checked."""
    return all(
        extension.oid in _CHECKED
        or not (extension.critical or extension.oid == ExtensionOID.NAME_CONSTRAINTS)
        for extension in certificate.extensions
    )


def _is_valid(certificate: x509.Certificate, now: datetime) -> bool:
    return certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc


def _extension(certificate: x509.Certificate, kind: type[T]) -> T | None:
    try:
        return certificate.extensions.get_extension_for_class(kind).value
    except x509.ExtensionNotFound:
        return None


def is_strong(key: object) -> bool:
    """Whether a key of RSA or of a curve is long enough."""
    if isinstance(key, (rsa.RSAPublicKey, rsa.RSAPrivateKey)):
        return key.key_size >= MIN_RSA
    curves = (ec.EllipticCurvePublicKey, ec.EllipticCurvePrivateKey)
    return isinstance(key, curves) and key.curve.key_size >= MIN_EC


def _check_size(certificate: x509.Certificate) -> None:
    if not is_strong(certificate.public_key()):
        raise Reason.WEAK_KEY.because(
            f"a key that is not RSA with {MIN_RSA} bits, or of a curve with {MIN_EC}"
        )
