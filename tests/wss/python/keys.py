"""The keys of the tests of Java, as objects of `cryptography`."""

from __future__ import annotations

import base64
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import serialization

from conftest import Partner


class Pair(NamedTuple):
    """A key with its certificate."""

    key: Any
    certificate: x509.Certificate


def keys_of(partner: Partner) -> dict[str, Pair]:
    """All keys, by name."""
    found = {}
    for each in partner.ask("keys")[0].split(";")[:-1]:
        name, key, certificate = each.split(" ")
        found[name] = Pair(serialization.load_der_private_key(base64.b64decode(key), None), x509.load_der_x509_certificate(base64.b64decode(certificate)))
    return found
