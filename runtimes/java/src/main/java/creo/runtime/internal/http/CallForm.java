package creo.runtime.internal.http;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import java.util.LinkedHashMap;
import java.util.Map;

/** The form of a client's calls: that of their wire, for any transport. */
public abstract class CallForm {
    /**
     * An outgoing message.
     *
     * @param action sent in addition to the message, or null
     * @param id of the message, to which an answer may refer, or null
     */
    public record Body(byte[] bytes, String mediaType, String action, String id) {
        /** A message without an id. */
        public Body(byte[] bytes, String mediaType, String action) {
            this(bytes, mediaType, action, null);
        }
    }

    /** The answer to a call, with an uncompressed body. */
    public abstract static class Reply {
        /** The HTTP status. Other transports use 200 for a result and 500 for anything else. */
        public final int status;
        public final MediaType type;
        public final PaddedBytes body;
        /** The id of the request's message, or null. */
        public final String id;

        public Reply(int status, MediaType type, PaddedBytes body, String id) {
            this.status = status;
            this.type = type;
            this.body = body;
            this.id = id;
        }

        /** The error for a reply whose body does not describe one (HTTP-3), with its other text, or null. */
        public abstract CreoException unexplained(String said);

        public final boolean isFine() {
            return status / 100 == 2;
        }

        public final boolean isType(String name) {
            return type != null && type.isReadable() && type.type().equals(name);
        }
    }

    /** Whether each method has its own HTTP path, beneath that of the interface (HTTP-11). */
    public abstract boolean isBeneath();

    /** Whether messages say who calls, so that they do not go to another origin than the client's (HTTP-42). */
    public boolean isBound() {
        return false;
    }

    /** Whether the form carries methods with a stream over HTTP (HTTP-30). */
    public boolean carriesStreams() {
        return false;
    }

    /** The message of a call. */
    public abstract <A> Body write(ServiceMethod<A, ?> method, A arguments);

    /** The result of a reply; throws the error that it describes. */
    public abstract <R> R read(ServiceMethod<?, R> method, Reply reply) throws Exception;

    /** An error of the service, with the service's address among the details. */
    public static CreoException fromPeer(CreoException e, ServiceMethod<?, ?> method, String peer) {
        Map<String, String> details = new LinkedHashMap<>(e.details());
        details.put("peer", peer);
        CreoException with = Failures.ofPeer(e.code(), e.reason(), details);
        return e.code() == ErrorCode.UNKNOWN_METHOD ? HttpFailures.explain(with, method) : with;
    }
}
