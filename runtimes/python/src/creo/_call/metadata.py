"""Pairs of metadata of calls and answers, as the binary wire has them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from .._base import MAX_METADATA_PAIRS, CreoError, ErrorCode, invalid_value, shown, too_large
from .._binary import FAILURES, Bad, count, read_count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .._base import Limits

_KEY: Final = re.compile(r"[a-z0-9.-]{1,64}", re.ASCII)


def encode_metadata(pairs: Mapping[str, str], limits: Limits) -> bytes:
    """The metadata of a request; empty without pairs (TCP-17)."""
    if not pairs:
        return b""
    if len(pairs) > MAX_METADATA_PAIRS:
        raise too_large(
            "maxMetadataSize", limits.max_metadata_size, f"more than {MAX_METADATA_PAIRS} pairs"
        )
    parts = [count(len(pairs))]
    for key, value in pairs.items():
        if _KEY.fullmatch(key) is None:
            message = f"a metadata key is 1 to 64 characters of a-z, 0-9, '.', '-', not {key!r:.80}"
            raise invalid_value(message, "$metadata")
        if key.startswith("creo-"):
            raise invalid_value(
                f"metadata keys that start with creo- are reserved: {key}", "$metadata"
            )
        try:
            data = value.encode()
        except UnicodeEncodeError:
            raise invalid_value(f"the value of {key} holds a lone surrogate", "$metadata") from None
        parts += (count(len(key)), key.encode(), count(len(data)), data)
    made = b"".join(parts)
    if len(made) > limits.max_metadata_size:
        raise too_large(
            "maxMetadataSize",
            limits.max_metadata_size,
            f"metadata of {len(made)} bytes is larger than the {limits.max_metadata_size} allowed",
        )
    return made


def read_metadata(data: bytes, limits: Limits) -> tuple[dict[str, str], int]:
    """The metadata with which an answer begins, and where their bytes end (CALL-5)."""
    pairs: list[tuple[str, str]] = []
    try:
        n, p = read_count(data, 0)
        if 2 * n > len(data) - p:
            raise Bad
        if n > MAX_METADATA_PAIRS:
            raise _too_much(limits)
        for _ in range(n):
            key, p = _metadata_text(data, p, limits)
            value, p = _metadata_text(data, p, limits)
            pairs.append((key, value))
    except FAILURES:
        raise CreoError(ErrorCode.MALFORMED, "the answer's metadata cannot be read") from None
    return received_metadata(pairs, limits), p


def _metadata_text(data: bytes, p: int, limits: Limits) -> tuple[str, int]:
    n, start = read_count(data, p)
    end = start + n
    if end > limits.max_metadata_size:
        raise _too_much(limits)
    if end > len(data):
        raise Bad
    return data[start:end].decode(), end


def received_metadata(pairs: Sequence[tuple[str, str]], limits: Limits) -> dict[str, str]:
    """The metadata of an answer, if they keep the rules (CALL-5)."""
    size = 1
    for key, value in pairs:
        if _KEY.fullmatch(key) is None:
            message = f"the answer has metadata with the key {shown(key[:80])!r}"
            raise CreoError(ErrorCode.MALFORMED, message)
        n = len(value.encode())
        size += 1 + len(key) + len(count(n)) + n
    if len(pairs) > MAX_METADATA_PAIRS or size > limits.max_metadata_size:
        raise _too_much(limits)
    found = dict(pairs)
    if len(found) < len(pairs):
        raise CreoError(ErrorCode.MALFORMED, "the answer has metadata with one key twice")
    return found


def _too_much(limits: Limits) -> CreoError:
    allowed = limits.max_metadata_size
    message = f"the answer has metadata of more than {MAX_METADATA_PAIRS} pairs or {allowed} bytes"
    return too_large("maxMetadataSize", allowed, message)
