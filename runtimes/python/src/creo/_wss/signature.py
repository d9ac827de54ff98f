"""Signatures that are verified (SOAP-84, SOAP-85)."""

from __future__ import annotations

import hashlib
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Final, NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils

from .._base import shown
from . import names
from .algorithms import Algorithm, Kind, accepted
from .canonical import canonical
from .envelope import referred
from .reason import Reason
from .tokens import bytes_of, read_reference

if TYPE_CHECKING:
    from collections.abc import Collection

    from .._base import CreoError
    from .envelope import Envelope, Ids
    from .options import Options
    from .tree import Element

_MAX_REFERENCES: Final = 32
_PARTS: Final = ["SignedInfo", "SignatureValue", "KeyInfo"]
#: How long the salt of PSS is, which is that of its digest.
_SALT: Final = 32


class Signature(NamedTuple):
    """A signature that was verified."""

    certificate: x509.Certificate
    signed: list[Element]
    """The very elements that it signs."""
    hash: bytes
    """Of what the key has signed: the signature itself could be changed without breaking it."""

    def covers(self, element: Element) -> bool:
        """Whether it signs this very element."""
        return any(each is element for each in self.signed)


class _Reference(NamedTuple):
    """A reference of a signature."""

    element: Element
    prefixes: frozenset[str]
    """Those whose declarations it protects wherever they are; ``""`` is the default namespace."""
    digest: hashes.HashAlgorithm
    value: bytes


def verify(element: Element, envelope: Envelope, options: Options) -> Signature:
    """Verifies a signature; refuses any that is not in the form that SOAP-84 and SOAP-85 allow."""
    ids = envelope.ids()
    info, value, key_info = _checked_parts(element)
    algorithm = _check_shape(info, options.allowed)
    certificate = read_reference(key_info, envelope, ids, options.trust.known)
    now = datetime.fromtimestamp(options.clock(), timezone.utc)
    options.trust.check(certificate, now)
    key = certificate.public_key()
    form = "RSA" if isinstance(key, rsa.RSAPublicKey) else "EC"
    if algorithm.facts.form != form:
        raise Reason.ALGORITHM.because(
            f'the algorithm "{algorithm.facts.uri}" does not fit the key'
        )
    references: list[_Reference] = []
    for each in info.elements()[2:]:
        found = _reference(each, envelope, ids, options.allowed)
        if any(other.element is found.element for other in references):
            raise Reason.MISPLACED.because("two references to one element")
        references.append(found)
    signed_info = canonical(info, _prefixes(info.required(names.DSIG, "CanonicalizationMethod")))
    try:
        check_value(key, algorithm, bytes_of(value.text()), signed_info)
    except InvalidSignature:
        raise Reason.BAD_SIGNATURE.because("the signature is not that of the message") from None
    for reference in references:
        digest = hashes.Hash(reference.digest)
        digest.update(canonical(reference.element, reference.prefixes))
        if digest.finalize() != reference.value:
            name = shown(reference.element.name)
            raise Reason.BAD_DIGEST.because(f"the element {name} was changed")
    if not options.loose_prefixes:
        for reference in references:
            _check_prefixes(reference)
    signed = [reference.element for reference in references]
    return Signature(certificate, signed, hashlib.sha256(signed_info).digest())


def _checked_parts(element: Element) -> tuple[Element, Element, Element]:
    parts = element.elements()
    if [part.local for part in parts] != _PARTS or any(p.space != names.DSIG for p in parts):
        raise Reason.UNREADABLE.because(
            "a signature has SignedInfo, SignatureValue and KeyInfo, and nothing else"
        )
    return parts[0], parts[1], parts[2]


def _check_shape(info: Element, allowed: Collection[Algorithm]) -> Algorithm:
    """The algorithm of a signature. None of it is worked on before it has its form."""
    parts = info.elements()
    if len(parts) - 2 > _MAX_REFERENCES:
        raise Reason.TOO_MANY.because(f"more than {_MAX_REFERENCES} references in a signature")
    if _algorithm(info, "CanonicalizationMethod") != names.EXCLUSIVE:
        raise Reason.ALGORITHM.because("only exclusive canonicalization is accepted")
    for reference in parts:
        if reference.is_(names.DSIG, "Reference"):
            accepted(Kind.DIGEST, _algorithm(reference, "DigestMethod"), allowed)
            for transform in _transforms(reference):
                used = transform.get("Algorithm")
                if used != names.EXCLUSIVE:
                    raise Reason.TRANSFORM.because(f'the transform "{shown(used)}" is not accepted')
    algorithm = accepted(Kind.SIGNATURE, _algorithm(info, "SignatureMethod"), allowed)
    wanted = ["CanonicalizationMethod", "SignatureMethod", *["Reference"] * (len(parts) - 2)]
    if len(parts) < 3 or [p.local for p in parts] != wanted or parts[1].elements():
        raise _unreadable()
    if any(part.space != names.DSIG for part in parts):
        raise _unreadable()
    return algorithm


def _unreadable() -> CreoError:
    return Reason.UNREADABLE.because("a signature that cannot be read")


def _algorithm(parent: Element, local: str) -> str:
    return parent.required(names.DSIG, local).get("Algorithm")


def _transforms(reference: Element) -> list[Element]:
    found = reference.only(names.DSIG, "Transforms")
    return [] if found is None else found.elements()


def _reference(
    reference: Element, envelope: Envelope, ids: Ids, allowed: Collection[Algorithm]
) -> _Reference:
    """A reference to the body, a block of the header, or a child of the block, at its place."""
    transforms = _transforms(reference)
    if len(transforms) != 1:
        raise Reason.TRANSFORM.because("a reference has one transform, exclusive canonicalization")
    if not transforms[0].is_(names.DSIG, "Transform") or [
        part.local for part in reference.elements()
    ] != ["Transforms", "DigestMethod", "DigestValue"]:
        raise _unreadable()
    signed = referred(reference.get("URI"), ids)
    parent = signed.parent
    if signed is not envelope.body and (
        parent is None or (parent is not envelope.header and parent is not envelope.security)
    ):
        raise Reason.MISPLACED.because(
            f"the signature is for an element {shown(signed.name)} that is not at its place"
        )
    digest = accepted(Kind.DIGEST, _algorithm(reference, "DigestMethod"), allowed).facts.hash
    value = bytes_of(reference.required(names.DSIG, "DigestValue").text())
    if digest is None:
        raise _unreadable()
    return _Reference(signed, _prefixes(transforms[0]), digest, value)


def _prefixes(method: Element) -> frozenset[str]:
    """The prefixes whose declarations a canonicalization keeps."""
    children = method.elements()
    if not children:
        return frozenset()
    if len(children) != 1 or not children[0].is_(names.EXCLUSIVE, "InclusiveNamespaces"):
        raise _unreadable()
    listed = children[0].get("PrefixList").split()
    return frozenset("" if prefix == "#default" else prefix for prefix in listed)


def check_value(key: object, algorithm: Algorithm, value: bytes, signed: bytes) -> None:
    """Verifies the value of a signature.

    :raises InvalidSignature: if it is not that of these bytes.
    """
    hash_ = algorithm.facts.hash
    if hash_ is None:
        raise InvalidSignature
    if isinstance(key, rsa.RSAPublicKey):
        key.verify(value, signed, rsa_padding(algorithm), hash_)
    elif isinstance(key, ec.EllipticCurvePublicKey):
        half = len(value) // 2
        if not value or len(value) % 2 or half > (key.curve.key_size + 7) // 8:
            raise InvalidSignature
        r, s = int.from_bytes(value[:half], "big"), int.from_bytes(value[half:], "big")
        key.verify(utils.encode_dss_signature(r, s), signed, ec.ECDSA(hash_))
    else:
        raise InvalidSignature


def rsa_padding(algorithm: Algorithm) -> padding.AsymmetricPadding:
    """The padding of a signature of RSA."""
    if algorithm is Algorithm.RSA_PSS_SHA256:
        return padding.PSS(padding.MGF1(hashes.SHA256()), _SALT)
    return padding.PKCS1v15()


# Prefixes in values


def _check_prefixes(reference: _Reference) -> None:
    """Refuses an ``xsi:type`` whose prefix is not a part of what is signed."""
    signed, listed = reference.element, reference.prefixes
    scope = signed.scope()
    #: The namespace of each prefix where it is next used by a name around the current element.
    used: dict[str, str] = {}
    waiting: list[Element | list[tuple[dict[str, str], str, str | None]]] = [signed]
    while waiting:
        element = waiting.pop()
        if isinstance(element, list):
            for map_, prefix, before in element:
                if before is None:
                    del map_[prefix]
                else:
                    map_[prefix] = before
            continue
        new = [(scope, prefix, uri) for prefix, uri in element.declared.items()]
        uses = {a.prefix: a.space for a in element.attributes if a.prefix}
        uses[element.prefix] = element.space
        new += [(used, prefix, uri) for prefix, uri in uses.items()]
        waiting.append([(map_, prefix, map_.get(prefix)) for map_, prefix, _ in new])
        for map_, prefix, uri in new:
            map_[prefix] = uri
        kind = element.attribute(names.XSI, "type")
        if kind is not None:
            name = kind.value.strip()
            prefix = name.partition(":")[0] if ":" in name else ""
            meant = scope.get(prefix, "")
            protected = prefix in listed or used.get(prefix, "" if not prefix else None) == meant
            if not protected:
                raise Reason.PREFIX.because(
                    f'the signature does not protect the prefix of the type "{shown(name)}"'
                )
        waiting.extend(reversed(element.elements()))
