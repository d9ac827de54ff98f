package creo.runtime.internal.http;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import java.util.LinkedHashMap;
import java.util.Map;

/** The form of a client's calls: that of their wire, whatever carries them. */
public abstract class CallForm {
    /**
     * A message as it is sent.
     *
     * @param action that is told beside the message, or null
     * @param id of the message, which an answer may name, or null
     */
    public record Body(byte[] bytes, String mediaType, String action, String id) {
        /** A message without an id. */
        public Body(byte[] bytes, String mediaType, String action) {
            this(bytes, mediaType, action, null);
        }
    }

    /** What came as the answer to a call, whose body is not compressed any more. */
    public abstract static class Reply {
        /** That of HTTP. What is not HTTP says 200 of a result, 500 of anything else. */
        public final int status;
        public final MediaType type;
        public final PaddedBytes body;
        /** The id of the message that it answers, or null. */
        public final String id;

        public Reply(int status, MediaType type, PaddedBytes body, String id) {
            this.status = status;
            this.type = type;
            this.body = body;
            this.id = id;
        }

        /** The error that a reply is whose body says nothing (HTTP-3), with what it says in other words, or null. */
        public abstract CreoException unexplained(String said);

        public final boolean isFine() {
            return status / 100 == 2;
        }

        public final boolean isType(String name) {
            return type != null && type.isReadable() && type.type().equals(name);
        }
    }

    /** Whether each method has a place of its own over HTTP, beneath that of the interface (HTTP-11). */
    public abstract boolean isBeneath();

    /** The message of a call. */
    public abstract <A> Body write(ServiceMethod<A, ?> method, A arguments);

    /** The result that a reply holds; or what it says went wrong. */
    public abstract <R> R read(ServiceMethod<?, R> method, Reply reply) throws Exception;

    /** An error of the service, with its address among the details. */
    public static CreoException fromPeer(CreoException e, ServiceMethod<?, ?> method, String peer) {
        Map<String, String> details = new LinkedHashMap<>(e.details());
        details.put("peer", peer);
        CreoException with = Failures.ofPeer(e.code(), e.reason(), details);
        return e.code() == ErrorCode.UNKNOWN_METHOD ? HttpFailures.explain(with, method) : with;
    }
}
