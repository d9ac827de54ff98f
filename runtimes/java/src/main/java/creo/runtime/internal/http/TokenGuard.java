package creo.runtime.internal.http;

import creo.runtime.PasswordSource;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The passwords of a service, and its recent nonces (SOAP-53). Safe for use by many threads. */
public final class TokenGuard {
    private static final int MAX_NONCES = 100_000;
    private static final long KEPT = TimeUnit.MINUTES.toNanos(10);

    /** The result of a check of a nonce. */
    public enum Nonce { NEW, KNOWN, NO_ROOM }

    private record Used(String nonce, long at) {}

    private final PasswordSource passwords;
    private final Set<String> nonces = new HashSet<>();
    private final ArrayDeque<Used> order = new ArrayDeque<>();

    public TokenGuard(PasswordSource passwords) {
        this.passwords = passwords;
    }

    /** The password of a user, or null. */
    public String passwordOf(String user) {
        return passwords.passwordOf(user);
    }

    /** Whether two texts are equal, in constant time. */
    public static boolean isEqual(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    /** Remembers a nonce. */
    public synchronized Nonce use(String nonce) {
        long now = System.nanoTime();
        for (Used first = order.peek(); first != null && now - first.at() >= KEPT; first = order.peek()) {
            nonces.remove(order.poll().nonce());
        }
        if (nonces.contains(nonce)) {
            return Nonce.KNOWN;
        }
        if (nonces.size() >= MAX_NONCES) {
            return Nonce.NO_ROOM;
        }
        nonces.add(nonce);
        order.add(new Used(nonce, now));
        return Nonce.NEW;
    }
}
