package creo.runtime.internal.http;

import java.nio.charset.StandardCharsets;

/**
 * A request target (RFC 9112, section 3.2).
 *
 * @param target as received
 * @param path percent-decoded; {@code *} for the server itself, empty for CONNECT
 * @param query as received, without the question mark, or null
 * @param authority host and port in the target itself, or null
 */
record HttpTarget(String target, String path, String query, String authority) {
    static HttpTarget parse(String method, byte[] b, int from, int to) throws HttpFault {
        String target = HttpSyntax.text(b, from, to);
        if (method.equals("CONNECT")) {
            int colon = target.lastIndexOf(':');
            if (colon <= 0 || colon == target.length() - 1 || !HttpSyntax.isAuthority(b, from, to)) {
                throw HttpFault.bad("CONNECT needs a host and a port");
            }
            return new HttpTarget(target, "", null, target);
        }
        if (target.equals("*") && method.equals("OPTIONS")) {
            return new HttpTarget(target, "*", null, null);
        }
        int pathFrom = from;
        String authority = null;
        if (from == to || b[from] != '/') {
            int authorityFrom = from + schemeLength(b, from, to);
            pathFrom = authorityFrom;
            while (pathFrom < to && b[pathFrom] != '/' && b[pathFrom] != '?') {
                pathFrom++;
            }
            if (pathFrom == authorityFrom || b[authorityFrom] == ':' || !HttpSyntax.isAuthority(b, authorityFrom, pathFrom)) {
                throw HttpFault.bad("a request target whose host is missing or malformed");
            }
            authority = HttpSyntax.text(b, authorityFrom, pathFrom);
        }
        int pathTo = HttpSyntax.skip(HttpSyntax.PATH, b, pathFrom, to);
        int end = pathTo < to && b[pathTo] == '?' ? HttpSyntax.skip(HttpSyntax.QUERY, b, pathTo, to) : pathTo;
        if (end < to) {
            throw HttpFault.bad("a request target with a character that it cannot have");
        }
        String query = pathTo == to ? null : HttpSyntax.text(b, pathTo + 1, to);
        String empty = query == null && method.equals("OPTIONS") ? "*" : "/";
        return new HttpTarget(target, pathFrom == pathTo ? empty : decoded(b, pathFrom, pathTo), query, authority);
    }

    private static int schemeLength(byte[] b, int from, int to) throws HttpFault {
        for (String scheme : new String[] {"http://", "https://"}) {
            if (to - from >= scheme.length() && HttpSyntax.is(b, from, from + scheme.length(), scheme)) {
                return scheme.length();
            }
        }
        throw HttpFault.bad("a request target that is neither a path nor a URL of HTTP");
    }

    /** Decodes percent escapes as UTF-8. Invalid UTF-8 becomes U+FFFD. */
    private static String decoded(byte[] b, int from, int to) {
        byte[] decoded = new byte[to - from];
        int n = 0;
        for (int p = from; p < to; p++) {
            if (b[p] == '%') {
                decoded[n++] = (byte) (HttpSyntax.HEX[b[p + 1]] << 4 | HttpSyntax.HEX[b[p + 2]]);
                p += 2;
            } else {
                decoded[n++] = b[p];
            }
        }
        return new String(decoded, 0, n, StandardCharsets.UTF_8);
    }
}
