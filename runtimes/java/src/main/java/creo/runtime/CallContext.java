package creo.runtime;

import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.host.HostAccess;
import creo.runtime.internal.host.IncomingCall;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What a service can learn about the call that it serves. */
public final class CallContext {
    private static final ThreadLocal<CallContext> CURRENT = new ThreadLocal<>();

    static {
        HostAccess.open(new HostAccess.Contexts() {
            @Override
            public CallContext context(IncomingCall<?, ?> call, String peer, Map<String, String> metadata) {
                return new CallContext(call, peer, metadata);
            }

            @Override
            public void enter(CallContext context) {
                CURRENT.set(context);
            }

            @Override
            public void principal(CallContext context, Principal who) {
                context.principal = who;
            }
        });
    }

    private final IncomingCall<?, ?> call;
    private final String peer;
    private final Map<String, String> metadata;
    private Principal principal;

    private CallContext(IncomingCall<?, ?> call, String peer, Map<String, String> metadata) {
        this.call = call;
        this.peer = peer;
        this.metadata = metadata;
    }

    /**
     * The call that this thread serves. An asynchronous method has it until it returns, and may keep it for later.
     *
     * @throws IllegalStateException on a thread that serves no call
     */
    public static CallContext current() {
        CallContext context = CURRENT.get();
        if (context == null) {
            throw new IllegalStateException("this thread serves no call");
        }
        return context;
    }

    /** The called method. */
    public ServiceMethod<?, ?> method() {
        return call.method();
    }

    /** The address of the caller. */
    public String peer() {
        return peer;
    }

    /** The wire and the transport of the call: {@code binary+tcp}, {@code json+http}, {@code soap+messages}; {@code binary+process} within the process. */
    public String wire() {
        return call.wire();
    }

    /**
     * The certificates that the client presented in TLS: its own first, then those of the authorities that issued it.
     * The server's {@code SSLContext} has verified them. The first one's {@code getSubjectX500Principal()} names the client. The list is
     * unmodifiable; it is empty without TLS, if the server does not ask for {@link ClientCertificates}, or if the client has none.
     */
    public List<X509Certificate> peerCertificates() {
        return call.peerCertificates();
    }

    /** The caller's metadata (TCP-17). */
    public Map<String, String> metadata() {
        return metadata;
    }

    /**
     * Identifies this call where the transport can: the correlation id or message id of a message, otherwise null. A redelivered message keeps its
     * id, so a service can skip what it has already done.
     */
    public String id() {
        return call.callId();
    }

    /** Whether the transport reports that it may have delivered this call before. */
    public boolean isRedelivered() {
        return call.isRedelivered();
    }

    /** The caller as the server's {@link Authenticator} identified it, or null. */
    public Principal principal() {
        return principal;
    }

    /**
     * Sets a pair of the answer's metadata, in place of an earlier one of the same key (CALL-2). The answer carries it whatever it is: a result, an
     * exception or an error. From any thread, until the last interceptor's end has run; later it has no effect.
     *
     * @throws CreoException when the key has other characters than {@code [a-z0-9.-]} or is reserved, or there is too much metadata; the pairs that were
     *     set before remain
     */
    public void answerMetadata(String key, String value) {
        call.answerMetadata(key, value);
    }

    /**
     * Sets a header of the answer under its own name if it is one of HTTP (HTTP-26), in place of an earlier one of the same name; {@code Set-Cookie} may be
     * set several times. Otherwise as {@link #answerMetadata}.
     *
     * @throws CreoException when the name is no token or the transport's own, the value is not printable ASCII, or there are too many
     */
    public void answerHeader(String name, String value) {
        call.answerHeader(name, value);
    }

    /** The time left for the call, or null if it has no deadline. Never negative. */
    public Duration timeLeft() {
        return call.timeLeft();
    }

    /** Whether the caller no longer waits: it gave up, its deadline has passed or it has disconnected. */
    public boolean isCancelled() {
        return call.isOver();
    }
}
