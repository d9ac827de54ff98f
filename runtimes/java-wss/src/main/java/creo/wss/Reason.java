package creo.wss;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.FaultCode;
import creo.runtime.ServiceSecurity;

/** Why a message is refused (SOAP-90). */
enum Reason {
    NO_SECURITY("no-security", "InvalidSecurity"),
    SECURITY_BLOCKS("security-blocks", "InvalidSecurity"),
    TOKEN("token", "UnsupportedSecurityToken"),
    UNREADABLE("unreadable", "InvalidSecurity"),
    TOO_MANY("too-many", "InvalidSecurity"),
    ALGORITHM("algorithm", "UnsupportedAlgorithm"),
    TRANSFORM("transform", "UnsupportedAlgorithm"),
    REFERENCE("reference", "InvalidSecurity"),
    UNKNOWN_ID("unknown-id", "InvalidSecurity"),
    DUPLICATE_ID("duplicate-id", "InvalidSecurity"),
    MISPLACED("misplaced", "InvalidSecurity"),
    KEY_REFERENCE("key-reference", "SecurityTokenUnavailable"),
    WEAK_KEY("weak-key", "InvalidSecurityToken"),
    UNTRUSTED("untrusted", "InvalidSecurityToken"),
    BAD_SIGNATURE("bad-signature", "FailedCheck"),
    BAD_DIGEST("bad-digest", "FailedCheck"),
    NOT_DECRYPTED("not-decrypted", "FailedCheck"),
    NOT_SIGNED("not-signed", "InvalidSecurity"),
    NOT_ENCRYPTED("not-encrypted", "InvalidSecurity"),
    PREFIX("prefix", "InvalidSecurity"),
    STALE("stale", "MessageExpired"),
    REPLAYED("replayed", "MessageExpired"),
    REPLAY_MEMORY("replay-memory", "MessageExpired"),
    FAILED_AUTHENTICATION("failed-authentication", "FailedAuthentication");

    private final String word;
    private final String fault;

    Reason(String word, String fault) {
        this.word = word;
        this.fault = fault;
    }

    /** A refusal for this reason; {@code text} must not contain secrets. */
    Refusal because(String text) {
        return new Refusal(this, text);
    }

    /** A message that is refused; the reader of the message makes an error of it. */
    static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Reason reason;

        private Refusal(Reason reason, String text) {
            super(reason.word + ": " + text, null, false, false);
            this.reason = reason;
        }

        Reason reason() {
            return reason;
        }

        /** The error of a client that refuses an answer. */
        CreoException ofAnswer() {
            ErrorCode code = reason == UNTRUSTED || reason == WEAK_KEY ? ErrorCode.UNTRUSTED_PEER : reason == REPLAY_MEMORY ? ErrorCode.OVERLOADED : ErrorCode.PROTOCOL_MISMATCH;
            return CreoException.ofRuntime(code, getMessage(), null);
        }

        /** The fault of a service that refuses a request. */
        ServiceSecurity.Refused ofRequest() {
            ErrorCode code = reason == REPLAY_MEMORY ? ErrorCode.OVERLOADED : ErrorCode.UNAUTHENTICATED;
            FaultCode fault = new FaultCode(reason.fault.equals("MessageExpired") ? Names.WSU : Names.WSSE, reason.fault);
            return new ServiceSecurity.Refused(fault, CreoException.ofRuntime(code, getMessage(), null));
        }
    }
}
