package creo.runtime.internal.host;

import creo.runtime.Endpoint;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.TextWire;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.http.HttpRequestHead;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.ServicePlace;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The services and their HTTP paths ({@code spec/transports/http.md}). Shared by all connections. */
public final class HttpService {
    /** The target of a request. */
    sealed interface Target {}

    /** A message that names the method it calls. */
    record ByMessage(ServicePlace place, TextWire wire, MediaType type) implements Target {}

    /** A call of a named method. */
    record ByPath(ServicePlace place, String name) implements Target {}

    /**
     * A request with a fixed answer, whatever its body.
     *
     * @param allow the allowed methods, or null
     */
    record Fixed(int status, String mediaType, byte[] body, String allow) implements Target {
        static Fixed text(int status, String text, String allow) {
            return new Fixed(status, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8), allow);
        }
    }

    private static final byte[] NOTHING = {};
    private static final int MAX_HOST = 255;
    private static final String HEALTH = "/healthz";

    private final Host host;
    private final Map<String, ServicePlace> places = new TreeMap<>();
    private final Set<String> origins;

    /**
     * The services of a host.
     *
     * @param origins that browsers may call from; "*" is any
     * @param all whether to reject an interface with code for the binary wire alone; otherwise it is not served here
     */
    public HttpService(Host host, Map<String, List<Endpoint>> endpoints, Set<String> origins, boolean all) {
        this.host = host;
        this.origins = Set.copyOf(origins);
        endpoints.forEach((path, served) -> {
            ServicePlace place = new ServicePlace(path);
            List<Endpoint> readable = all ? served : served.stream().filter(HostAccess::hasText).toList();
            readable.forEach(endpoint -> serve(endpoint, place));
            if (!readable.isEmpty()) {
                places.put(path, place);
            }
        });
    }

    /** The default path of an interface (HTTP-1). */
    public static String pathOf(Endpoint endpoint) {
        String name = endpoint.service().name();
        return "/" + name.substring(name.lastIndexOf('.') + 1);
    }

    /** Checks a path chosen by the user. */
    public static String checked(String path) {
        if (!path.startsWith("/") || path.indexOf('?') >= 0 || path.indexOf('#') >= 0) {
            throw new IllegalArgumentException("a path begins with a slash and has no query, unlike " + path);
        }
        return path;
    }

    private static void serve(Endpoint endpoint, ServicePlace place) {
        if (HostAccess.wires(endpoint).isEmpty()) {
            throw new IllegalStateException(endpoint.service().name() + " has no text wire: it is not served over HTTP");
        }
        HostAccess.serve(endpoint, place);
    }

    Host host() {
        return host;
    }

    /** Refuses calls from now on. */
    public void drain() {
        host.drain();
    }

    public boolean isDraining() {
        return host.isDraining();
    }

    /** Fails when calls are refused. */
    void checkServing() {
        if (host.isDraining()) {
            throw Failures.ofRuntime(ErrorCode.UNAVAILABLE, "the server is shutting down; nothing was started");
        }
    }

    /** The origin to allow in an answer, or null if it may not call. */
    String allowedOrigin(HttpRequestHead head) {
        if (origins.isEmpty()) {
            return null;
        }
        String origin = head.fields().first("origin");
        return origin == null ? null : origins.contains("*") ? "*" : origins.contains(origin) ? origin : null;
    }

    /** Whether a request comes from a page of a foreign origin, which may not call. */
    boolean isForeign(HttpRequestHead head) {
        String origin = head.fields().first("origin");
        return origin != null && allowedOrigin(head) == null && !origin.endsWith("://" + head.authority());
    }

    /** Routes a request (HTTP-1, HTTP-2, HTTP-11). */
    Target route(HttpRequestHead head, InetSocketAddress local, boolean tls) {
        return route(head, () -> base(head, local, tls));
    }

    /**
     * Routes a request.
     *
     * @param base the part of the requested URL before the path
     */
    Target route(HttpRequestHead head, Supplier<String> base) {
        String method = head.method();
        if (method.equals("OPTIONS") && (head.path().equals("*") || isPreflight(head))) {
            return new Fixed(204, null, NOTHING, "GET, HEAD, POST, OPTIONS");
        }
        String path = head.path();
        ServicePlace place = places.get(path);
        if (place == null) {
            if (path.equals(HEALTH) && (method.equals("GET") || method.equals("HEAD"))) {
                return health();
            }
            // As much work as there are places, however many slashes the path has: the last one that fits is the longest.
            ServicePlace above = null;
            int name = 0;
            for (Map.Entry<String, ServicePlace> each : places.entrySet()) {
                String key = each.getKey();
                int beneath = path.startsWith(key + "/") ? key.length() + 1 : key.equals("/") ? 1 : 0;
                if (beneath > 0 && !each.getValue().wiresByPath().isEmpty()) {
                    above = each.getValue();
                    name = beneath;
                }
            }
            if (above != null) {
                return new ByPath(above, path.substring(name));
            }
            return Fixed.text(404, "nothing is served at this path; there is: " + String.join(", ", places.keySet()), null);
        }
        TextWire wire = place.wireByMessage();
        if (method.equals("POST") && wire != null) {
            MediaType type = MediaType.parse(head.fields().first("content-type"));
            if (!wire.claims(type) || !wire.reads(type)) {
                return Fixed.text(415, wire.expected(), null);
            }
            return new ByMessage(place, wire, type);
        }
        if (method.equals("GET") || method.equals("HEAD")) {
            ServicePlace.Description description = place.describe(head.query(), () -> base.get() + path);
            if (description != null) {
                return new Fixed(200, description.type(), description.text().getBytes(StandardCharsets.UTF_8), null);
            }
        }
        if (wire == null) {
            return Fixed.text(405, "each method has a path beneath this one, and GET with the query wsdl or openapi tells what it is", "GET");
        }
        return Fixed.text(405, "this is a service of SOAP: POST calls it, and GET with the query wsdl or openapi tells what it is", "POST");
    }

    /** SVC-6 */
    private Fixed health() {
        String state = host.isDraining() ? "draining" : "serving";
        byte[] body = ("{\"status\":\"" + state + "\"}").getBytes(StandardCharsets.UTF_8);
        return new Fixed(host.isDraining() ? 503 : 200, "application/json", body, null);
    }

    private boolean isPreflight(HttpRequestHead head) {
        return !origins.isEmpty() && head.fields().has("origin") && head.fields().has("access-control-request-method");
    }

    /** The address under which a description was requested. The caller's text is used only if it looks like one. */
    private static String base(HttpRequestHead head, InetSocketAddress local, boolean tls) {
        String asked = head.authority();
        if (asked == null || asked.length() > MAX_HOST || !asked.matches("[A-Za-z0-9._:\\[\\]-]+")) {
            asked = local.getHostString() + ":" + local.getPort();
        }
        return (tls ? "https://" : "http://") + asked;
    }
}
