package creo.runtime;

import creo.runtime.internal.call.ClientAccess;
import creo.runtime.internal.call.HttpHeaders;
import creo.runtime.internal.call.Metadata;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/** How a client reaches its service. Immutable: each {@code with} method returns a changed copy. */
public final class ClientOptions implements Cloneable {
    private static final int MAX_REDIRECTS = 20;

    /** Plain TCP, default limits, no compression. */
    public static final ClientOptions DEFAULT = new ClientOptions();

    static {
        ClientAccess.open(new ClientAccess.Access() {
            @Override
            public String proxyAuthorization(ClientOptions options) {
                return options.proxyAuthorization;
            }

            @Override
            public String authorization(ClientOptions options) {
                return options.authorization;
            }

            @Override
            public ClientAccess.Login login(ClientOptions options) {
                return options.login;
            }

            @Override
            public ClientAccess.Soap soap(ClientOptions options) {
                return options.soap;
            }

            @Override
            public CallOptions joined(ClientOptions options, CallOptions call) {
                Map<String, String> metadata = java.util.Collections.unmodifiableMap(Metadata.join(options.metadata, call.metadata()));
                return new CallOptions(call.deadline() != null ? call.deadline() : options.limits.deadline(), metadata,
                    HttpHeaders.join(options.headers, call.headers()), call.answer());
            }
        });
    }

    private Limits limits = Limits.DEFAULT;
    private SSLContext tls;
    private boolean compression;
    private int maxConnections = 64;
    private Map<String, String> metadata = Map.of();
    private Map<String, String> headers = Map.of();
    private List<Interceptor> interceptors = List.of();
    private Channel.Retries retry;
    private RawMessages rawMessages;
    private ClientAccess.Soap soap = ClientAccess.Soap.DEFAULT;
    private boolean mtom;
    private TableOptions tables;
    private InetSocketAddress proxy;
    /** The value of {@code Proxy-Authorization}, or null. */
    private String proxyAuthorization;
    /** The value of {@code Authorization}, or null. */
    private String authorization;
    /** What a digest shows, or null. */
    private ClientAccess.Login login;
    private int redirects;
    private boolean cookies;

    private ClientOptions() {}

    /** A changed copy. */
    private ClientOptions with(Consumer<ClientOptions> change) {
        try {
            ClientOptions copy = (ClientOptions) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    public Limits limits() {
        return limits;
    }

    /** The TLS context, or null for no TLS. */
    public SSLContext tls() {
        return tls;
    }

    /** Whether large requests are compressed. */
    public boolean compression() {
        return compression;
    }

    /** The max number of connections used by one blocking call each; further calls share one. */
    public int maxConnections() {
        return maxConnections;
    }

    /** The metadata sent with every call. */
    public Map<String, String> metadata() {
        return metadata;
    }

    /** The HTTP headers sent with every call. */
    public Map<String, String> headers() {
        return headers;
    }

    /** The interceptors of every call. */
    public List<Interceptor> interceptors() {
        return interceptors;
    }

    /** When calls are repeated, or null for never. */
    public Channel.Retries retry() {
        return retry;
    }

    /** What sees the messages of calls, or null. */
    public RawMessages rawMessages() {
        return rawMessages;
    }

    /** Whether all requests are written as SOAP 1.2, regardless of the description. */
    public boolean soap12() {
        return Boolean.TRUE.equals(soap.soap12);
    }

    /** Whether SOAP requests, and tables over HTTP, carry large byte strings as separate MIME parts. */
    public boolean mtom() {
        return mtom;
    }

    /** How requests are written as tables, or null for none. */
    public TableOptions tables() {
        return tables;
    }

    /** The HTTP proxy, its name not resolved; null: {@link java.net.ProxySelector} chooses. */
    public InetSocketAddress proxy() {
        return proxy;
    }

    /** The max number of redirects that a call over HTTP follows. */
    public int redirects() {
        return redirects;
    }

    /** Whether a client over HTTP keeps cookies. */
    public boolean cookies() {
        return cookies;
    }

    /** Writes SOAP bodies as tables of this scheme; on a channel of tables, sets the scheme. */
    public ClientOptions withTables(TableOptions tables) {
        return with(o -> o.tables = Objects.requireNonNull(tables, "tables"));
    }

    public ClientOptions withLimits(Limits limits) {
        return with(o -> o.limits = Objects.requireNonNull(limits, "limits"));
    }

    /** Uses TLS; the certificate and the host name are always verified. {@code SSLContext.getDefault()} trusts what the JDK trusts. */
    public ClientOptions withTls(SSLContext context) {
        return with(o -> o.tls = Objects.requireNonNull(context, "context"));
    }

    /** Compresses requests of 1,024 bytes and more, if the server can read them. The server decides whether answers are compressed. */
    public ClientOptions withCompression() {
        return with(o -> o.compression = true);
    }

    /** Uses SOAP 1.1, even if the description says 1.2; channels of other wires ignore it. */
    public ClientOptions withSoap11() {
        return soap(s -> s.soap12 = false);
    }

    /** Uses SOAP 1.2; channels of other wires ignore it. */
    public ClientOptions withSoap12() {
        return soap(s -> s.soap12 = true);
    }

    /** Sends WS-Addressing headers in SOAP requests over HTTP, regardless of the description. */
    public ClientOptions withAddressing() {
        return soap(s -> s.addressing = true);
    }

    /** Sends no WS-Addressing headers in SOAP requests, regardless of the description. */
    public ClientOptions withoutAddressing() {
        return soap(s -> s.addressing = false);
    }

    /**
     * Identifies the caller in SOAP requests by a {@code UsernameToken} with a plain-text password: use TLS.
     *
     * @throws CreoException if the user or the password is empty, longer than 1,024 characters, or contains a character that XML does not allow
     */
    public ClientOptions withUsernameToken(String user, String password) {
        return token(user, password, false);
    }

    /** As {@link #withUsernameToken}, with a digest of the password, a nonce and the time. */
    public ClientOptions withUsernameTokenDigest(String user, String password) {
        return token(user, password, true);
    }

    /** Adds a WS-Security {@code Timestamp} to SOAP requests; it expires after five minutes. */
    public ClientOptions withTimestamp() {
        return soap(s -> s.timestamp = true);
    }

    /**
     * Secures SOAP requests, and checks answers, by signatures or encryption (SOAP-80). Byte strings then stay in the envelope, even with
     * {@link #withMtom}, and answers in packages are refused.
     */
    public ClientOptions withSecurity(ClientSecurity security) {
        Objects.requireNonNull(security, "security");
        return soap(s -> s.security = security);
    }

    /** Reads SOAP answers that do not follow the description, where that does no harm (XML-51). */
    public ClientOptions withLenient() {
        return soap(s -> s.lenient = true);
    }

    /**
     * Skips these header elements of SOAP answers although they must be understood (SOAP-25), in addition to those named before.
     *
     * @param names each {@code {namespace}name}, or {@code name} without a namespace
     * @throws IllegalArgumentException if one is not such a name
     */
    public ClientOptions withUnderstood(String... names) {
        return soap(s -> s.understood = ClientAccess.understood(s.understood, names));
    }

    private ClientOptions token(String user, String password, boolean digest) {
        return soap(s -> {
            s.user = ClientAccess.credential(user);
            s.password = ClientAccess.credential(password);
            s.digest = digest;
        });
    }

    private ClientOptions soap(Consumer<ClientAccess.Soap> change) {
        return with(o -> o.soap = soap.with(change));
    }

    /** Sends each {@code byte[]} of 1,024 bytes and more as a MIME part (MTOM), with SOAP or tables over HTTP. */
    public ClientOptions withMtom() {
        return with(o -> o.mtom = true);
    }

    /**
     * Sends calls over HTTP through this proxy, those of {@code https} through a tunnel. By default {@link java.net.ProxySelector#getDefault}
     * chooses, which obeys the system properties {@code http.proxyHost}, {@code https.proxyHost} and {@code http.nonProxyHosts}. The binary
     * wire does not use proxies.
     */
    public ClientOptions withProxy(String host, int port) {
        Objects.requireNonNull(host, "host");
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("a port is from 1 to 65535, not " + port);
        }
        return with(o -> o.proxy = InetSocketAddress.createUnresolved(host, port));
    }

    /**
     * Sends these credentials to the proxy by the Basic scheme, unencrypted. The user must not contain a colon; neither may contain control
     * characters.
     */
    public ClientOptions withProxyCredentials(String user, String password) {
        if (user.indexOf(':') >= 0 || (user + password).chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the user of a proxy must not have a colon, nor user and password control characters");
        }
        return with(o -> o.proxyAuthorization = "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
    }

    /** Sets the max number of connections; with 0, all calls share one connection. */
    public ClientOptions withMaxConnections(int connections) {
        if (connections < 0) {
            throw new IllegalArgumentException("maxConnections must not be negative, but is " + connections);
        }
        return with(o -> o.maxConnections = connections);
    }

    /** Adds a metadata entry to every call (TCP-17). */
    public ClientOptions withMetadata(String key, String value) {
        Metadata.checkPair(key, value);
        Map<String, String> more = new LinkedHashMap<>(metadata);
        more.put(key, value);
        return with(o -> o.metadata = java.util.Collections.unmodifiableMap(more));
    }

    /** Adds an interceptor: it sees the beginning of a call after those added before, and the end before them. */
    public ClientOptions withInterceptor(Interceptor interceptor) {
        Objects.requireNonNull(interceptor, "interceptor");
        return with(o -> o.interceptors = Stream.concat(interceptors.stream(), Stream.of(interceptor)).toList());
    }

    /** Shows each message of calls to this, such as a {@code RawLog} (CALL-60 to CALL-68). Calls within a process have none. */
    public ClientOptions withRawMessages(RawMessages hook) {
        return with(o -> o.rawMessages = Objects.requireNonNull(hook, "hook"));
    }

    /**
     * Repeats calls that fail (CALL-20 to CALL-27). The interceptors of these options see a call once, however often it is attempted.
     *
     * @param policy a {@code RetryPolicy}, which a copied runtime has with {@code --with retries}
     */
    public ClientOptions withRetry(Channel.Retries policy) {
        return with(o -> o.retry = Objects.requireNonNull(policy, "policy"));
    }

    /**
     * Adds an HTTP header to every call, such as an API key (HTTP-24). Other transports do not send it.
     *
     * @throws CreoException when the name is not a token or belongs to the transport, or the value is not printable ASCII
     */
    public ClientOptions withHeader(String name, String value) {
        return with(o -> o.headers = HttpHeaders.with(headers, name, value));
    }

    /**
     * Follows redirects of HTTP with the statuses 307 and 308, which keep the message (HTTP-40 to HTTP-42). To another origin go the message and
     * the fields of its wire, and neither credentials, headers, metadata nor cookies.
     *
     * @param max of a call, from 0, none, to 20
     */
    public ClientOptions withRedirects(int max) {
        if (max < 0 || max > MAX_REDIRECTS) {
            throw new IllegalArgumentException("the max number of redirects is from 0 to " + MAX_REDIRECTS + ", not " + max);
        }
        return with(o -> o.redirects = max);
    }

    /** Keeps the cookies of a service over HTTP, in memory, and sends them with later calls of the same client (HTTP-43 to HTTP-45). */
    public ClientOptions withCookies() {
        return with(o -> o.cookies = true);
    }

    /**
     * Identifies the caller by basic authentication over HTTP, in place of a token or a digest (HTTP-46). It needs {@code https}, or a service on the own
     * host: a client of another URL cannot be made.
     *
     * @throws IllegalArgumentException if the user has a colon, or one of both has a control character or more than 1,024 characters
     */
    public ClientOptions withBasicAuthentication(String user, String password) {
        return authorized(HttpHeaders.basic(user, password), null);
    }

    /**
     * Identifies the caller by a bearer token over HTTP, in place of a user and a password (HTTP-47); see {@link #withBasicAuthentication} for the URL. A token
     * that changes is better a header of each call.
     *
     * @throws IllegalArgumentException if it is not 1 to 8,192 letters, digits and {@code -._~+/} with {@code =} at its end
     */
    public ClientOptions withBearerToken(String token) {
        return authorized(HttpHeaders.bearer(token), null);
    }

    /**
     * Shows a service over HTTP that asks for it by a digest that the caller knows a password, in place of {@link #withBasicAuthentication} or a
     * token (HTTP-48). The password is not sent, so the URL may be of {@code http}. The first call is sent twice, if it has no stream of items.
     *
     * @throws IllegalArgumentException if the user has a colon, or one of both has a control character or more than 1,024 characters
     */
    public ClientOptions withDigestAuthentication(String user, String password) {
        HttpHeaders.checkCredentials(user, password);
        return authorized(null, new ClientAccess.Login(user, password));
    }

    private ClientOptions authorized(String value, ClientAccess.Login shown) {
        return with(o -> {
            o.authorization = value;
            o.login = shown;
        });
    }
}
