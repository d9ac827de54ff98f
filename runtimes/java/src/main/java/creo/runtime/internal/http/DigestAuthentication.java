package creo.runtime.internal.http;

import creo.runtime.internal.call.ClientAccess;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.Supplier;

/** What a client shows a service that asks for Digest: that it knows a password (HTTP-48 to HTTP-51). Thread-safe. */
final class DigestAuthentication {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String UNRESERVED = "!#$&+-.^_`|~";
    private static final long MAX_COUNT = 0xffff_ffffL;

    private final ClientAccess.Login login;
    private final Supplier<String> cnonces;
    /** The challenge that requests answer without waiting to be asked, or null. Guarded by this. */
    private Kept kept;

    DigestAuthentication(ClientAccess.Login login) {
        this(login, DigestAuthentication::cnonce);
    }

    /** @param cnonces makes the nonces of the client; tests have others than random ones */
    DigestAuthentication(ClientAccess.Login login, Supplier<String> cnonces) {
        this.login = login;
        this.cnonces = cnonces;
    }

    private static String cnonce() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** A challenge, with the number of requests that have answered it. */
    private static final class Kept {
        final DigestChallenge challenge;
        final String cnonce;
        long count;

        Kept(DigestChallenge challenge, String cnonce, long count) {
            this.challenge = challenge;
            this.cnonce = cnonce;
            this.count = count;
        }
    }

    /** One call: what its requests have shown, and to what its answers have led. Used by one thread at a time. */
    final class Attempt {
        private Kept used;
        private boolean asked;
        private boolean refused;

        /** The field of a request as a line with its CR LF; empty if no challenge is known. */
        String line(String method, String target) {
            long count;
            synchronized (DigestAuthentication.this) {
                used = kept;
                if (used == null) {
                    return "";
                }
                count = ++used.count;
                kept = count == MAX_COUNT ? null : kept;
            }
            return "Authorization: " + value(used.challenge, used.cnonce, count, method, target) + "\r\n";
        }

        /** Takes an answer 401. Returns whether the request is to be sent again, with another line. */
        boolean isAgain(HttpFields fields) throws DigestChallenge.Unusable {
            boolean again = false;
            try {
                DigestChallenge challenge = DigestChallenge.of(fields.all("www-authenticate"));
                again = challenge != null && isAgain(challenge);
                if (again) {
                    keep(challenge);
                }
                return again;
            } finally {
                if (!again) {
                    forget(used);
                }
            }
        }

        private boolean isAgain(DigestChallenge challenge) {
            if (used == null) {
                boolean first = !asked;
                asked = true;
                return first;
            }
            boolean first = !refused;
            refused = true;
            return first && (challenge.stale() || !asked && !challenge.nonce().equals(used.challenge.nonce()));
        }
    }

    Attempt attempt() {
        return new Attempt();
    }

    private synchronized void keep(DigestChallenge challenge) {
        boolean known = kept != null && kept.challenge.nonce().equals(challenge.nonce());
        kept = known ? new Kept(challenge, kept.cnonce, kept.count) : new Kept(challenge, cnonces.get(), 0);
    }

    private synchronized void forget(Kept refused) {
        if (kept == refused) {
            kept = null;
        }
    }

    private String value(DigestChallenge challenge, String cnonce, long count, String method, String target) {
        MessageDigest hash = hash(challenge);
        String secret = hex(hash, login.user() + ":" + challenge.realm() + ":" + login.password());
        if (challenge.session()) {
            secret = hex(hash, secret + ":" + challenge.nonce() + ":" + cnonce);
        }
        String nc = String.format("%08x", count);
        String middle = challenge.qop() ? ":" + nc + ":" + cnonce + ":auth:" : ":";
        String response = hex(hash, secret + ":" + challenge.nonce() + middle + hex(hash, method + ":" + target));
        StringBuilder value = new StringBuilder("Digest ").append(user(challenge, hash));
        value.append(", realm=").append(quoted(challenge.realm())).append(", nonce=").append(quoted(challenge.nonce()));
        value.append(", uri=").append(quoted(target)).append(", response=").append(quoted(response));
        if (challenge.algorithm() != null) {
            value.append(", algorithm=").append(challenge.algorithm());
        }
        if (challenge.opaque() != null) {
            value.append(", opaque=").append(quoted(challenge.opaque()));
        }
        if (challenge.qop()) {
            value.append(", qop=auth, nc=").append(nc).append(", cnonce=").append(quoted(cnonce));
        }
        return value.append(challenge.userhash() ? ", userhash=true" : "").toString();
    }

    private String user(DigestChallenge challenge, MessageDigest hash) {
        if (challenge.userhash()) {
            return "username=" + quoted(hex(hash, login.user() + ":" + challenge.realm()));
        }
        if (login.user().chars().allMatch(c -> c < 0x80)) {
            return "username=" + quoted(login.user());
        }
        StringBuilder value = new StringBuilder("username*=UTF-8''");
        for (byte b : login.user().getBytes(StandardCharsets.UTF_8)) {
            boolean plain = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || UNRESERVED.indexOf(b) >= 0;
            value.append(plain ? String.valueOf((char) b) : String.format("%%%02X", b));
        }
        return value.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static MessageDigest hash(DigestChallenge challenge) {
        try {
            return MessageDigest.getInstance(challenge.sha256() ? "SHA-256" : "MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5 and SHA-256", e);
        }
    }

    private static String hex(MessageDigest hash, String text) {
        return HexFormat.of().formatHex(hash.digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
