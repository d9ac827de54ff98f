package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.LogText;
import creo.runtime.codegen.Reader;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.Gzip;
import creo.runtime.internal.http.HttpMetadata;
import creo.runtime.internal.http.TextRequest;
import creo.runtime.spi.MessageAnswer;
import creo.runtime.spi.MessageRequest;
import creo.runtime.spi.MessageServer;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/** A call that came as a message; a thread waits for its answer. */
public final class MessageCall<A, R> extends FormedCall<A, R> {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    /** How often the receiver of a stream is looked for, in milliseconds, and how often if it must take items first. */
    private static final long LOOK = 500;
    private static final long FULL_LOOK = 10;

    private final MessageRequest request;
    /** Null without a stream. */
    private final MessageServer.Receiver receiver;
    private final AtomicBoolean answered = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);
    private MessageAnswer answer;
    private String unserved;
    private ItemMessages items;

    /** @param receiver of the items; null if the method has none */
    public MessageCall(Host.Entry<A, R> entry, MessageRequest request, TextRequest<A, R> read, Map<String, String> metadata, long deadline, boolean limited,
            MessageServer.Receiver receiver) {
        super(entry, read, metadata, new Caller(request.peer(), null, null, null), deadline, limited);
        this.request = request;
        this.receiver = receiver;
    }

    /** Sends the items of the call's stream, and keeps its answer behind them. */
    private final class ItemMessages implements ServedStreams.Link {
        private final long run = ThreadLocalRandom.current().nextLong();
        private final ReentrantLock sending = new ReentrantLock();
        /** Has a permit when the waiting thread has something to do. */
        private final Semaphore wake = new Semaphore(0);
        private long count;

        @Override
        public void items(byte[] buffer, int from, int to) {
            sending.lock();
            try {
                if (answered.get()) {
                    return;
                }
                byte[] body = Arrays.copyOfRange(buffer, from, to);
                receiver.send(new MessageAnswer(MessageAnswer.Kind.ITEMS, MessageForm.BINARY, body, body.length, false, Map.of(), part()));
                count += new Reader(body, 0, body.length, service().limits()).readCount();
            } catch (MessageServer.Gone e) {
                leave();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "items of {0} to {1} were lost: {2}", method(), LogText.of(peer()), LogText.of(e.getMessage()));
                if (giveUp()) {
                    abandon("items were lost: " + e.getMessage());
                }
            } finally {
                sending.unlock();
            }
            if (receiver.isFull()) {
                wake.release();
            }
            streams().more(to - from);
        }

        private MessageAnswer.Part part() {
            return new MessageAnswer.Part(run, count);
        }

        /** The place of the answer, which is sent after all items. */
        private MessageAnswer.Part last() {
            sending.lock();
            try {
                return part();
            } finally {
                sending.unlock();
            }
        }

        @Override
        public void credit(int bytes) {
            throw new IllegalStateException("messages carry no items of a caller");
        }

        @Override
        public boolean isFull() {
            return receiver.isFull();
        }
    }

    @Override
    ServedStreams.Link link() {
        items = new ItemMessages();
        return items;
    }

    /**
     * Waits for the end of a call with a stream, and looks meanwhile whether the caller does.
     *
     * @return null if the caller is gone
     */
    public MessageAnswer awaitStream() throws MessageServer.Unserved, InterruptedException {
        while (true) {
            items.wake.tryAcquire(receiver.isFull() ? FULL_LOOK : LOOK, TimeUnit.MILLISECONDS);
            if (done.getCount() == 0) {
                // Nothing is sent any more when the caller goes on.
                items.last();
                return await();
            }
            try {
                if (!receiver.isAwaited()) {
                    leave();
                }
                streams().resume();
            } catch (IOException e) {
                if (giveUp()) {
                    abandon("the receiver could not be looked for: " + e.getMessage());
                }
            }
        }
    }

    /** Ends the call because its caller has gone. */
    private void leave() {
        if (giveUp() && answered.compareAndSet(false, true)) {
            done();
        }
    }

    /** There is an answer, or none will come. */
    private void done() {
        done.countDown();
        if (items != null) {
            items.wake.release();
        }
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
    public void abandon(String why) {
        if (answered.compareAndSet(false, true)) {
            unserved = why;
            done();
        }
    }

    @Override
    boolean begin() {
        if (!answered.compareAndSet(false, true)) {
            return false;
        }
        if (method().isOneway()) {
            done();
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
            MessageAnswer made = answer(kind, mediaType, bytes, length, request.isCompressed(), HttpMetadata.encodeAll(pairs().metadata(), service().limits()));
            answer = items == null ? made : new MessageAnswer(kind, mediaType, made.body(), made.length(), made.compressed(), made.metadata(), items.last());
            done();
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
            done();
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
                done();
            }
        }
    }
}
