"""The ciphers of XML Encryption (SOAP-86)."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from . import names
from .algorithms import Algorithm
from .reason import Reason
from .tokens import bytes_of
from .tree import Attribute

if TYPE_CHECKING:
    from .tree import Element

_GCM_IV: Final = 12
_BLOCK: Final = 16


class _Digest(NamedTuple):
    """A digest of OAEP: its URI, and the URI of MGF1 with it."""

    hash: hashes.HashAlgorithm
    uri: str
    mask: str


_DIGESTS: Final = (
    _Digest(hashes.SHA1(), Algorithm.SHA1.facts.uri, f"{names.XENC_11}mgf1sha1"),
    _Digest(hashes.SHA256(), Algorithm.SHA256.facts.uri, f"{names.XENC_11}mgf1sha256"),
    _Digest(hashes.SHA384(), Algorithm.SHA384.facts.uri, f"{names.XENC_11}mgf1sha384"),
    _Digest(hashes.SHA512(), Algorithm.SHA512.facts.uri, f"{names.XENC_11}mgf1sha512"),
)


def encrypt(algorithm: Algorithm, key: bytes, plain: bytes) -> bytes:
    """Encrypts data; the initialization vector comes first."""
    if algorithm.facts.form == "GCM":
        iv = secrets.token_bytes(_GCM_IV)
        return iv + AESGCM(key).encrypt(iv, plain, None)
    iv = secrets.token_bytes(_BLOCK)
    # The padding of PKCS #5 is one of those that XML Encryption allows.
    n = _BLOCK - len(plain) % _BLOCK
    cipher = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    return iv + cipher.update(plain + bytes([n]) * n) + cipher.finalize()


def decrypt(algorithm: Algorithm, key: bytes, data: bytes) -> bytes | None:
    """Decrypts data; None if it was not encrypted with this key."""
    if algorithm.facts.form == "GCM":
        if len(data) < _GCM_IV + _BLOCK:
            return None
        try:
            return AESGCM(key).decrypt(data[:_GCM_IV], data[_GCM_IV:], None)
        except InvalidTag:
            return None
    if len(data) < 2 * _BLOCK or len(data) % _BLOCK:
        return None
    cipher = Cipher(algorithms.AES(key), modes.CBC(data[:_BLOCK])).decryptor()
    plain = cipher.update(data[_BLOCK:]) + cipher.finalize()
    n = plain[-1]
    return plain[:-n] if 1 <= n <= _BLOCK else None


def wrap(algorithm: Algorithm, to: rsa.RSAPublicKey, key: bytes, method: Element) -> bytes:
    """Encrypts a key, and says in ``EncryptionMethod`` how."""
    if algorithm is Algorithm.RSA_1_5:
        return to.encrypt(key, padding.PKCS1v15())
    digest = _DIGESTS[1 if algorithm is Algorithm.RSA_OAEP_SHA256 else 0]
    method.add("ds", names.DSIG, "DigestMethod").set(Attribute("", "", "Algorithm", digest.uri))
    if algorithm is Algorithm.RSA_OAEP_SHA256:
        mask = method.add("xenc11", names.XENC_11, "MGF")
        mask.set(Attribute("", "", "Algorithm", digest.mask))
    return to.encrypt(key, padding.OAEP(padding.MGF1(digest.hash), digest.hash, None))


def unwrap(algorithm: Algorithm, own: rsa.RSAPrivateKey, data: bytes, method: Element) -> bytes:
    """Decrypts a key as ``EncryptionMethod`` says; empty if it was not encrypted to this key."""
    form: padding.AsymmetricPadding = padding.PKCS1v15()
    if algorithm is not Algorithm.RSA_1_5:
        form = _oaep(algorithm, method)
    try:
        return own.decrypt(data, form)
    except ValueError:
        return b""


def _oaep(algorithm: Algorithm, method: Element) -> padding.OAEP:
    digest = masked = _DIGESTS[0]
    named = method.only(names.DSIG, "DigestMethod")
    if named is not None:
        uri = named.get("Algorithm")
        digest = next((d for d in _DIGESTS if d.uri == uri), None) or _refused("digest")
    mask = method.only(names.XENC_11, "MGF")
    if mask is not None and algorithm is not Algorithm.RSA_OAEP:
        uri = mask.get("Algorithm")
        masked = next((d for d in _DIGESTS if d.mask == uri), None) or _refused("mask")
    given = method.only(names.XENC, "OAEPparams")
    label = None if given is None else bytes_of(given.text())
    return padding.OAEP(padding.MGF1(masked.hash), digest.hash, label)


def _refused(what: str) -> _Digest:
    raise Reason.ALGORITHM.because(f"a {what} of OAEP that is not accepted")
