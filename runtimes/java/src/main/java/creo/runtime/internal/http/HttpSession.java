package creo.runtime.internal.http;

import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.internal.call.ClientAccess;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** What a client does beyond one request and its answer: it follows redirects, keeps cookies, and says who calls (HTTP-40 to HTTP-51). Thread-safe. */
final class HttpSession {
    private static final Pattern REFERENCE = Pattern.compile("(?:[A-Za-z0-9\\-._~:/?#\\[\\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*+");
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");
    private static final Pattern WEB = Pattern.compile("(?i)https?://.*");
    private static final Pattern LOOPBACK = Pattern.compile("(?i)localhost|127(?:\\.[0-9]{1,3}){3}|::1");

    private final URI uri;
    private final int redirects;
    private final boolean bound;
    private final String authorization;
    /** Null without its option. */
    private final DigestAuthentication digest;
    private final CookieJar jar;

    private HttpSession(URI uri, ClientOptions options, String authorization, boolean bound) {
        this.uri = uri;
        this.redirects = options.redirects();
        this.bound = bound;
        this.authorization = authorization;
        ClientAccess.Login login = ClientAccess.login(options);
        this.digest = login == null ? null : new DigestAuthentication(login);
        this.jar = options.cookies() ? new CookieJar(host(uri), isSecure(uri), () -> System.currentTimeMillis() / 1_000) : null;
    }

    /**
     * A request of a call.
     *
     * @param uri where it goes
     * @param left whether the call has been at another origin, so nothing of the client's own goes with it
     * @param seen the URLs of the call, with this one
     * @param digest what the call has shown; null without the option
     */
    record Hop(URI uri, HttpRequest request, boolean left, List<String> seen, DigestAuthentication.Attempt digest) {}

    /** A redirect that is not followed, with the reason. */
    private static final class NotFollowed extends Exception {
        private static final long serialVersionUID = 1L;

        NotFollowed(String why) {
            super(why, null, false, false);
        }
    }

    /**
     * The session of a channel; null if the options ask for nothing that needs one.
     *
     * @param bound whether messages say who calls, and so do not go to another origin (HTTP-42)
     */
    static HttpSession of(URI uri, ClientOptions options, boolean bound) {
        String authorization = ClientAccess.authorization(options);
        if (authorization != null && !isSecure(uri) && !LOOPBACK.matcher(host(uri)).matches()) {
            throw new IllegalArgumentException("credentials go to https or to the own host only: what is meant to be sent in clear is the header Authorization");
        }
        boolean any = authorization != null || ClientAccess.login(options) != null || options.cookies() || options.redirects() > 0;
        return any ? new HttpSession(uri, options, authorization, bound) : null;
    }

    /** Passes on the credentials as a line; fails if the program sets what this client sets itself. */
    void write(Map<String, String> headers, Map<String, String> metadata, Consumer<String> lines) {
        if ((authorization != null || digest != null) && (headers.containsKey("Authorization") || metadata.containsKey("authorization"))) {
            throw CreoException.invalid("the header Authorization, which the credentials of the client are");
        }
        if (authorization != null) {
            lines.accept("Authorization: " + authorization + "\r\n");
        }
        if (jar != null && headers.containsKey("Cookie")) {
            throw CreoException.invalid("the header Cookie of a client that keeps cookies");
        }
    }

    /** The first request of a call. */
    Hop first(URI place, HttpRequest request) {
        return new Hop(place, request, false, List.of(text(place)), digest == null ? null : digest.attempt());
    }

    boolean isOwn(Hop hop) {
        return origin(hop.uri()).equals(origin(uri));
    }

    /** The request as it is sent now. */
    HttpRequest ready(Hop hop) {
        if (hop.left()) {
            return hop.request();
        }
        String cookies = jar == null ? null : jar.header(path(hop.uri()));
        String more = (cookies == null ? "" : "Cookie: " + cookies + "\r\n") + (digest == null ? "" : hop.digest().line("POST", HttpRequest.Target.path(hop.uri())));
        return more.isEmpty() ? hop.request() : hop.request().withOwn(hop.request().own() + more);
    }

    /** Takes the cookies of an answer of the channel's own origin. */
    void answered(URI place, HttpResponseHead head) {
        if (jar != null) {
            jar.take(path(place), head.fields().all("set-cookie"));
        }
    }

    /** Takes the answer to a request whose cookies are taken. Returns the request if it is to be sent again (HTTP-51), or null. */
    Hop again(Hop hop, HttpResponse answer) {
        if (digest == null || hop.left() || answer.head().status() != 401) {
            return null;
        }
        try {
            if (!hop.digest().isAgain(answer.head().fields())) {
                return null;
            }
        } catch (DigestChallenge.Unusable e) {
            throw HttpFailures.notShown(answer, hop.uri(), e.getMessage());
        }
        if (hop.request().open()) {
            throw HttpFailures.notShown(answer, hop.uri(), "items of a stream are not sent twice; the next call has credentials");
        }
        return hop;
    }

    /** Takes the answer to a request. Returns the request that follows, whose target is still that of this one; null for none. */
    Hop next(Hop hop, HttpResponse answer) {
        HttpResponseHead head = answer.head();
        if (!hop.left()) {
            answered(hop.uri(), head);
        }
        Hop again = again(hop, answer);
        if (again != null) {
            return again;
        }
        if (redirects == 0 || head.status() != 307 && head.status() != 308) {
            return null;
        }
        try {
            URI place = location(hop.uri(), head.fields());
            boolean left = hop.left() || !origin(place).equals(origin(uri));
            if (left && bound) {
                throw new NotFollowed("a request with a block of WS-Security stays at its origin");
            }
            String text = text(place);
            if (hop.seen().size() > redirects) {
                throw new NotFollowed(redirects + " of this call were followed" + (hop.seen().contains(text) ? ", and it has been there before" : ""));
            }
            List<String> seen = new ArrayList<>(hop.seen());
            seen.add(text);
            return new Hop(place, left ? hop.request().withOwn(HttpRequest.USER_AGENT) : hop.request(), left, seen, hop.digest());
        } catch (NotFollowed e) {
            throw HttpFailures.notFollowed(answer, hop.uri(), e.getMessage());
        }
    }

    /** Where a redirect leads (HTTP-41). */
    private static URI location(URI from, HttpFields fields) throws NotFollowed {
        List<String> places = fields.all("location");
        if (places.size() != 1) {
            throw new NotFollowed("Location is not there once");
        }
        String place = places.get(0);
        if (!REFERENCE.matcher(place).matches()) {
            throw new NotFollowed("Location is no URL");
        }
        int fragment = place.indexOf('#');
        place = fragment < 0 ? place : place.substring(0, fragment);
        if (SCHEME.matcher(place).matches() && !WEB.matcher(place).matches()) {
            throw new NotFollowed("Location is no URL of HTTP");
        }
        URI found;
        try {
            found = new URI(resolved(from, place));
        } catch (URISyntaxException e) {
            throw new NotFollowed("Location is no URL");
        }
        int port = port(found);
        if (found.getHost() == null || found.getRawAuthority().indexOf('@') >= 0 || port < 1 || port > 65_535) {
            throw new NotFollowed("Location is no URL of HTTP, or has a user");
        }
        if (isSecure(from) && !isSecure(found)) {
            throw new NotFollowed("it leads from https to http");
        }
        return found;
    }

    /** A reference as a URL (RFC 3986, section 5.2). {@link URI#resolve} follows an older RFC. */
    private static String resolved(URI from, String place) {
        if (SCHEME.matcher(place).matches()) {
            return place;
        }
        if (place.startsWith("//")) {
            return from.getScheme() + ":" + place;
        }
        String origin = from.getScheme() + "://" + from.getRawAuthority();
        if (place.isEmpty()) {
            return origin + path(from) + (from.getRawQuery() == null ? "" : "?" + from.getRawQuery());
        }
        if (place.startsWith("?")) {
            return origin + path(from) + place;
        }
        int query = place.indexOf('?');
        String path = query < 0 ? place : place.substring(0, query);
        if (!path.startsWith("/")) {
            path = path(from).substring(0, path(from).lastIndexOf('/') + 1) + path;
        }
        return origin + withoutDots(path) + (query < 0 ? "" : place.substring(query));
    }

    private static String withoutDots(String path) {
        List<String> kept = new ArrayList<>();
        String[] parts = path.substring(1).split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            boolean dots = parts[i].equals(".") || parts[i].equals("..");
            if (parts[i].equals("..") && !kept.isEmpty()) {
                kept.remove(kept.size() - 1);
            }
            if (!dots || i == parts.length - 1) {
                kept.add(dots ? "" : parts[i]);
            }
        }
        return "/" + String.join("/", kept);
    }

    private static String path(URI place) {
        return place.getRawPath().isEmpty() ? "/" : place.getRawPath();
    }

    private static boolean isSecure(URI place) {
        return "https".equalsIgnoreCase(place.getScheme());
    }

    private static String host(URI place) {
        String host = place.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static int port(URI place) {
        return place.getPort() >= 0 ? place.getPort() : isSecure(place) ? 443 : 80;
    }

    private static String origin(URI place) {
        return (isSecure(place) ? "https://" : "http://") + place.getHost().toLowerCase(Locale.ROOT) + ":" + port(place);
    }

    private static String text(URI place) {
        return origin(place) + path(place) + (place.getRawQuery() == null ? "" : "?" + place.getRawQuery());
    }
}
