package creo.runtime.internal.soap;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.FaultCode;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.http.TextRequest;
import creo.runtime.internal.http.TokenGuard;
import creo.runtime.internal.text.TextName;
import java.security.Principal;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;

/** Authenticates the caller by the token in a request's header (SOAP-53). */
final class TokenCheck {
    private static final int MIN_NONCE = 8;
    private static final int MAX_NONCE = 64;
    private static final int MAX_TEXT = 1_024;
    private static final FaultCode FAILED = new FaultCode(TextName.SECURITY, "FailedAuthentication");
    private static final FaultCode INVALID = new FaultCode(TextName.SECURITY, "InvalidSecurity");
    private static final FaultCode EXPIRED = new FaultCode(TextName.UTILITY, "MessageExpired");
    /** Compared if there is no such user, to take the same time. */
    private static final String NOBODY = "-";

    /** A user with a valid token. */
    private record User(String name) implements Principal {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** A request with an invalid token. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient FaultCode code;
        private final transient CreoException error;

        Refused(FaultCode code, ErrorCode error, String reason) {
            super(reason, null, false, false);
            this.code = code;
            this.error = Failures.ofRuntime(error, reason);
        }

        TextRequest.Refusal refusal(SoapAnswers form) {
            return new TextRequest.Refusal(form.withFaultCode(code), error, false);
        }
    }

    private TokenCheck() {}

    /** The caller of the request whose header was read. */
    static Principal check(SoapReader r, TokenGuard guard) {
        SecurityBlock block = r.security;
        if (block == null || r.securityBlocks > 1 || block.tokens != 1 || block.user == null || block.password == null) {
            throw failed();
        }
        if (block.user.isEmpty() || block.user.length() > MAX_TEXT || block.password.length() > MAX_TEXT) {
            throw failed();
        }
        String stale;
        try {
            stale = block.stale(Instant.now());
        } catch (CreoException e) {
            throw new Refused(INVALID, ErrorCode.UNAUTHENTICATED, e.reason());
        }
        if (stale != null) {
            throw new Refused(EXPIRED, ErrorCode.UNAUTHENTICATED, stale);
        }
        String known = guard.passwordOf(block.user);
        String expected = known == null ? NOBODY : known;
        byte[] nonce = nonce(block);
        boolean right;
        if (isDigest(block)) {
            if (nonce == null || block.created == null) {
                throw new Refused(INVALID, ErrorCode.UNAUTHENTICATED, "a digest of a password without Nonce or Created");
            }
            right = TokenGuard.isEqual(block.password.strip(), SoapHeaders.digest(nonce, block.created, expected));
        } else {
            right = TokenGuard.isEqual(block.password, expected);
        }
        if (known == null || known.isEmpty() || !right) {
            throw failed();
        }
        if (nonce != null) {
            switch (guard.use(HexFormat.of().formatHex(nonce))) {
                case NEW -> {}
                case KNOWN -> throw new Refused(EXPIRED, ErrorCode.UNAUTHENTICATED, "the token was used before");
                case NO_ROOM -> throw new Refused(EXPIRED, ErrorCode.OVERLOADED, "too many tokens with a nonce came within ten minutes");
            }
        }
        return new User(block.user);
    }

    private static boolean isDigest(SecurityBlock block) {
        String type = block.type == null ? "" : block.type.strip();
        if (type.isEmpty() || type.endsWith("#PasswordText")) {
            return false;
        }
        if (type.endsWith("#PasswordDigest")) {
            return true;
        }
        throw new Refused(INVALID, ErrorCode.UNAUTHENTICATED, "a password of the type \"" + CreoException.shown(type) + "\"");
    }

    private static byte[] nonce(SecurityBlock block) {
        if (block.nonce == null) {
            return null;
        }
        byte[] nonce;
        try {
            nonce = Base64.getMimeDecoder().decode(block.nonce);
        } catch (IllegalArgumentException e) {
            throw new Refused(INVALID, ErrorCode.UNAUTHENTICATED, "a nonce that is not base64");
        }
        if (nonce.length < MIN_NONCE || nonce.length > MAX_NONCE) {
            throw new Refused(INVALID, ErrorCode.UNAUTHENTICATED, "a nonce of " + nonce.length + " bytes");
        }
        return nonce;
    }

    private static Refused failed() {
        return new Refused(FAILED, ErrorCode.UNAUTHENTICATED, "the caller is not known, or the password is wrong");
    }
}
