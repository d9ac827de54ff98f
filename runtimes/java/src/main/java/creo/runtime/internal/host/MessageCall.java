package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.LogText;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.Gzip;
import creo.runtime.internal.http.HttpMetadata;
import creo.runtime.internal.http.TextRequest;
import creo.runtime.spi.MessageAnswer;
import creo.runtime.spi.MessageRequest;
import creo.runtime.spi.MessageServer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A call that came as a message; a thread waits for its answer. */
public final class MessageCall<A, R> extends FormedCall<A, R> {
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    private final MessageRequest request;
    private final AtomicBoolean answered = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);
    private MessageAnswer answer;
    private String unserved;

    public MessageCall(Host.Entry<A, R> entry, MessageRequest request, TextRequest<A, R> read, Map<String, String> metadata, long deadline, boolean limited) {
        super(entry, read, metadata, new Caller(request.peer(), null, null, null), deadline, limited);
        this.request = request;
    }

    @Override
    String transport() {
        return "messages";
    }

    @Override
    public String callId() {
        return request.id();
    }

    @Override
    public boolean isRedelivered() {
        return request.isRedelivered();
    }

    /**
     * An answer of its own bytes.
     *
     * @param metadata with {@code %XX} for bytes of its values
     */
    public static MessageAnswer answer(MessageAnswer.Kind kind, String mediaType, byte[] bytes, int length, boolean compressed, Map<String, String> metadata) {
        boolean smaller = compressed && length >= Gzip.LEAST;
        byte[] own = smaller ? Gzip.compress(bytes, length) : Arrays.copyOf(bytes, length);
        return new MessageAnswer(kind, mediaType, own, own.length, smaller, metadata);
    }

    /** Waits for the end of the call. */
    public MessageAnswer await() throws MessageServer.Unserved, InterruptedException {
        done.await();
        if (unserved != null) {
            throw new MessageServer.Unserved(unserved);
        }
        return answer;
    }

    /** Stops waiting, without an answer. */
    public void abandon() {
        if (answered.compareAndSet(false, true)) {
            unserved = "the server was closed before the call had ended";
            done.countDown();
        }
    }

    @Override
    boolean begin() {
        if (!answered.compareAndSet(false, true)) {
            return false;
        }
        if (method().isOneway()) {
            done.countDown();
            return false;
        }
        return true;
    }

    @Override
    AnswerForm.Sink sink(AnswerForm.Kind kind) {
        return sink(kind == AnswerForm.Kind.RESPONSE ? MessageAnswer.Kind.RESPONSE : MessageAnswer.Kind.EXCEPTION);
    }

    private AnswerForm.Sink sink(MessageAnswer.Kind kind) {
        return (status, mediaType, bytes, length) -> {
            answer = answer(kind, mediaType, bytes, length, request.isCompressed(), HttpMetadata.encodeAll(pairs().metadata(), service().limits()));
            done.countDown();
        };
    }

    @Override
    void sendError(CreoException e) {
        try {
            form().error(e, form().status(e.code()), sink(MessageAnswer.Kind.ERROR));
        } catch (RuntimeException | Error failure) {
            // Usually out of memory. Unless the end of the call is signalled, its thread would wait forever.
            LOG.log(System.Logger.Level.ERROR, "an answer of " + method() + " to " + LogText.of(peer()) + " was lost", LogText.of(failure));
            unserved = "there was no answer: " + failure;
            done.countDown();
        }
    }

    @Override
    public void answerError(CreoException e) {
        if (answered.compareAndSet(false, true)) {
            if (!method().isOneway()) {
                sendError(e);
            } else {
                // A oneway method that has run is served; one that was not started is not.
                unserved = e.code() == ErrorCode.OVERLOADED ? e.getMessage() : null;
                done.countDown();
            }
        }
    }
}
