"""Why a message is refused (SOAP-90)."""

from __future__ import annotations

import enum

from .._base import CreoError, ErrorCode


class Reason(enum.Enum):
    """The words that the text of a refusal begins with."""

    NO_SECURITY = "no-security"
    SECURITY_BLOCKS = "security-blocks"
    TOKEN = "token"
    UNREADABLE = "unreadable"
    TOO_MANY = "too-many"
    ALGORITHM = "algorithm"
    TRANSFORM = "transform"
    REFERENCE = "reference"
    UNKNOWN_ID = "unknown-id"
    DUPLICATE_ID = "duplicate-id"
    MISPLACED = "misplaced"
    KEY_REFERENCE = "key-reference"
    WEAK_KEY = "weak-key"
    UNTRUSTED = "untrusted"
    BAD_SIGNATURE = "bad-signature"
    BAD_DIGEST = "bad-digest"
    NOT_DECRYPTED = "not-decrypted"
    NOT_SIGNED = "not-signed"
    NOT_ENCRYPTED = "not-encrypted"
    PREFIX = "prefix"
    STALE = "stale"
    REPLAYED = "replayed"
    REPLAY_MEMORY = "replay-memory"

    def because(self, text: str) -> CreoError:
        """The error of a client that refuses an answer; ``text`` must not contain secrets."""
        code = ErrorCode.PROTOCOL_MISMATCH
        if self in (Reason.UNTRUSTED, Reason.WEAK_KEY):
            code = ErrorCode.UNTRUSTED_PEER
        elif self is Reason.REPLAY_MEMORY:
            code = ErrorCode.OVERLOADED
        return CreoError(code, f"{self.value}: {text}")
