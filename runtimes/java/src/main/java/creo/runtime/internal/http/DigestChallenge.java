package creo.runtime.internal.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A challenge of the scheme Digest that a client can answer (HTTP-49).
 *
 * @param opaque null if there is none
 * @param algorithm as it came; null if there is none
 * @param sha256 whether SHA-256 hashes, and not MD5
 * @param session whether the algorithm ends in {@code -sess}
 * @param qop whether {@code qop=auth} is offered; without it, answers are those of RFC 2069
 * @param userhash whether the name of the user is sent as a hash
 * @param stale whether the credentials that were refused are good, and their nonce is too old
 */
record DigestChallenge(String realm, String nonce, String opaque, String algorithm, boolean sha256, boolean session, boolean qop, boolean userhash, boolean stale) {
    private static final int MAX_LIST = 8_192;
    private static final int MAX_PARAMETER = 1_024;
    private static final String SESSION = "-SESS";

    /** What a service asks for cannot be answered; the message says why. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1L;

        Unusable(String why) {
            super(why, null, false, false);
        }
    }

    /** The strongest challenge of the values of {@code WWW-Authenticate}, one character per byte; null if none is of this scheme. */
    static DigestChallenge of(List<String> values) throws Unusable {
        String list = String.join(", ", values);
        List<Parameters> offered;
        try {
            offered = new ListReader(list).read();
        } catch (Unusable e) {
            if (list.toLowerCase(Locale.ROOT).contains("digest")) {
                throw e;
            }
            return null;
        }
        DigestChallenge best = null;
        Unusable why = null;
        for (Parameters parameters : offered) {
            try {
                DigestChallenge challenge = of(parameters);
                if (best == null || challenge.sha256 && !best.sha256) {
                    best = challenge;
                }
            } catch (Unusable e) {
                why = why == null ? e : why;
            }
        }
        if (best == null && why != null) {
            throw why;
        }
        return best;
    }

    private static DigestChallenge of(Parameters parameters) throws Unusable {
        if (parameters.twice) {
            throw new Unusable("its challenge has a parameter twice");
        }
        String realm = parameters.text("realm");
        String nonce = parameters.text("nonce");
        String opaque = parameters.text("opaque");
        if (realm == null || nonce == null || nonce.isEmpty()) {
            throw new Unusable("its challenge has no realm or no nonce");
        }
        if (!isAscii(nonce) || opaque != null && !isAscii(opaque)) {
            throw new Unusable("its challenge has a nonce or an opaque that is not ASCII");
        }
        String algorithm = parameters.values.get("algorithm");
        String name = algorithm == null ? "MD5" : algorithm.toUpperCase(Locale.ROOT);
        boolean session = name.endsWith(SESSION);
        String hash = session ? name.substring(0, name.length() - SESSION.length()) : name;
        if (!hash.equals("MD5") && !hash.equals("SHA-256")) {
            throw new Unusable("it offers no algorithm of MD5, MD5-sess, SHA-256 and SHA-256-sess");
        }
        String qop = parameters.values.get("qop");
        if (qop != null && List.of(qop.toLowerCase(Locale.ROOT).split(",")).stream().noneMatch(one -> one.strip().equals("auth"))) {
            throw new Unusable("it does not offer qop=auth, the only one that clients know");
        }
        if (session && qop == null) {
            throw new Unusable("an algorithm with -sess needs a qop");
        }
        return new DigestChallenge(realm(realm), nonce, opaque, algorithm, hash.equals("SHA-256"), session, qop != null, parameters.isTrue("userhash"), parameters.isTrue("stale"));
    }

    private static String realm(String bytes) throws Unusable {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1))).toString();
        } catch (CharacterCodingException e) {
            throw new Unusable("the realm of its challenge is not UTF-8");
        }
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    /** The parameters of one challenge, by their names in lower case. */
    private static final class Parameters {
        final Map<String, String> values = new HashMap<>();
        boolean twice;

        void add(String name, String value) {
            twice |= values.put(name.toLowerCase(Locale.ROOT), value) != null;
        }

        /** Text that is sent back; null if it is absent. */
        String text(String name) throws Unusable {
            String value = values.get(name);
            if (value != null && (value.length() > MAX_PARAMETER || value.chars().anyMatch(c -> c < 0x20 || c == 0x7f))) {
                throw new Unusable("the " + name + " of its challenge has more than 1,024 bytes, or control characters");
            }
            return value;
        }

        boolean isTrue(String name) {
            return "true".equalsIgnoreCase(values.get(name));
        }
    }

    /** Reads a list of challenges (RFC 9110, section 11.6.1). */
    private static final class ListReader {
        private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]++");
        private static final Pattern TOKEN68 = Pattern.compile("[A-Za-z0-9._~+/-]++=*+(?=[ \t]*+(?:,|$))");
        private final String text;
        private int at;

        ListReader(String text) {
            this.text = text;
        }

        /** The challenges of the scheme Digest. */
        List<Parameters> read() throws Unusable {
            if (text.length() > MAX_LIST) {
                throw new Unusable("its challenges have more than 8,192 bytes");
            }
            List<Parameters> digests = new ArrayList<>();
            Parameters current = null;
            while (true) {
                while (is(',') || is(' ') || is('\t')) {
                    at++;
                }
                if (at == text.length()) {
                    return digests;
                }
                String name = token();
                int end = at;
                skipSpace();
                if (current != null && is('=')) {
                    current.add(name, value());
                } else {
                    current = new Parameters();
                    if (name.equalsIgnoreCase("Digest")) {
                        digests.add(current);
                    }
                    if (at > end && at < text.length() && !is(',') && !skip68()) {
                        String first = token();
                        skipSpace();
                        current.add(first, value());
                    }
                }
                skipSpace();
                if (at < text.length() && !is(',')) {
                    throw malformed();
                }
            }
        }

        private boolean is(char c) {
            return at < text.length() && text.charAt(at) == c;
        }

        private void skipSpace() {
            while (is(' ') || is('\t')) {
                at++;
            }
        }

        private Matcher matcher(Pattern pattern) {
            return pattern.matcher(text).region(at, text.length());
        }

        private boolean skip68() {
            Matcher found = matcher(TOKEN68);
            boolean is = found.lookingAt();
            at = is ? found.end() : at;
            return is;
        }

        private String token() throws Unusable {
            Matcher found = matcher(TOKEN);
            if (!found.lookingAt()) {
                throw malformed();
            }
            at = found.end();
            return found.group();
        }

        /** An equals sign, and a token or a quoted string. */
        private String value() throws Unusable {
            if (!is('=')) {
                throw malformed();
            }
            at++;
            skipSpace();
            if (!is('"')) {
                return token();
            }
            StringBuilder value = new StringBuilder();
            for (at++; at < text.length(); at++) {
                if (is('"')) {
                    at++;
                    return value.toString();
                }
                if (is('\\') && ++at == text.length()) {
                    break;
                }
                value.append(text.charAt(at));
            }
            throw malformed();
        }

        private static Unusable malformed() {
            return new Unusable("its challenges are malformed");
        }
    }
}
