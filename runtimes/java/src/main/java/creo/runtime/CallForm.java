package creo.runtime;

import java.util.LinkedHashMap;
import java.util.Map;

/** The form of a client's calls: that of their wire, whatever carries them. */
abstract class CallForm {
    /**
     * A message as it is sent.
     *
     * @param action that is told beside the message, or null
     */
    record Body(byte[] bytes, String mediaType, String action) {}

    /** What came as the answer to a call, whose body is not compressed any more. */
    abstract static class Reply {
        /** That of HTTP. What is not HTTP says 200 of a result, 500 of anything else. */
        final int status;
        final MediaType type;
        final PaddedBytes body;

        Reply(int status, MediaType type, PaddedBytes body) {
            this.status = status;
            this.type = type;
            this.body = body;
        }

        /** The error that a reply is whose body says nothing (HTTP-3), with what it says in other words, or null. */
        abstract CreoException unexplained(String said);

        final boolean isFine() {
            return status / 100 == 2;
        }

        final boolean isType(String name) {
            return type != null && type.isReadable() && type.type().equals(name);
        }
    }

    /** Whether each method has a place of its own over HTTP, beneath that of the interface (HTTP-11). */
    abstract boolean isBeneath();

    /** The message of a call. */
    abstract <A> Body write(ServiceMethod<A, ?> method, A arguments);

    /** The result that a reply holds; or what it says went wrong. */
    abstract <R> R read(ServiceMethod<?, R> method, Reply reply) throws Exception;

    /** An error of the service, with its address among the details. */
    static CreoException fromPeer(CreoException e, ServiceMethod<?, ?> method, String peer) {
        Map<String, String> details = new LinkedHashMap<>(e.details());
        details.put("peer", peer);
        CreoException with = CreoException.ofPeer(e.code(), e.reason(), details);
        return e.code() == ErrorCode.UNKNOWN_METHOD ? HttpFailures.explain(with, method) : with;
    }
}
