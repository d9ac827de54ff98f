package creo.runtime;

import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.host.HostAccess;
import creo.runtime.internal.host.IncomingCall;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What a service may know about the call that it serves. */
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
     * The call that this thread serves. A method that answers by a stage has it until it returns; it may keep it for later.
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

    /** The method that is called. */
    public ServiceMethod<?, ?> method() {
        return call.method();
    }

    /** The address of the caller. */
    public String peer() {
        return peer;
    }

    /**
     * The certificates that the client has shown in TLS and proved to own: its own first, then those of the authorities that issued it.
     * The server's {@code SSLContext} has verified them. The first one's {@code getSubjectX500Principal()} names the client. The list is
     * unmodifiable; it is empty without TLS, if the server does not ask for {@link ClientCertificates}, or if the client has none.
     */
    public List<X509Certificate> peerCertificates() {
        return call.peerCertificates();
    }

    /** The pairs that the caller sent along (TCP-17). */
    public Map<String, String> metadata() {
        return metadata;
    }

    /**
     * What tells this call from others, where the transport has that: of a message, its correlation id or message id. A message that is
     * delivered again has it again, so that a service can drop what it has done before. Otherwise null.
     */
    public String id() {
        return call.callId();
    }

    /** Whether the transport says that it may have delivered this call before. */
    public boolean isRedelivered() {
        return call.isRedelivered();
    }

    /** Who calls, by the server's {@link Authenticator}, or null. */
    public Principal principal() {
        return principal;
    }

    /**
     * Sets a pair of the answer's metadata, in place of an earlier one of the same key (CALL-2). The answer carries it whatever it is: a result, an
     * exception or an error. From any thread, until the method has ended and the last interceptor was told so; later it has no effect.
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

    /** The time that is left for the call, or null if it has no deadline. Never negative. */
    public Duration timeLeft() {
        return call.timeLeft();
    }

    /** Whether the caller does not wait any more: it gave up, its deadline is over or it is gone. */
    public boolean isCancelled() {
        return call.isOver();
    }
}
