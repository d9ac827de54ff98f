package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import creo.runtime.CallContext;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.ItemSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.example.notes.Feed;
import org.example.notes.Full;

/** The service with streams. It says what happens to each of its methods. */
final class Source implements Feed {
    final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    /** The items that were taken of all streams. */
    final AtomicLong given = new AtomicLong();

    String next() throws InterruptedException {
        String next = events.poll(Rig.PATIENCE, TimeUnit.SECONDS);
        assertNotNull(next, "nothing happened to the method");
        return next;
    }

    void expect(String event) throws InterruptedException {
        assertEquals(event, next());
    }

    @Override
    public Stream<Long> give(String then, long count) throws Full {
        CallContext context = CallContext.current();
        context.answerMetadata("asked", then);
        events.add(context.isRedelivered() ? "again" : "begun");
        // What ends with its host begins without items, or with them, and comes to its end the next time.
        String end = context.isRedelivered() ? "end" : then.equals("late") || then.equals("cut") ? "silence" : then;
        long most = then.equals("late") && !context.isRedelivered() ? 0 : count;
        AtomicLong next = new AtomicLong();
        return ItemSource.<Long>stream(action -> {
            if (next.get() < most) {
                given.incrementAndGet();
                action.accept(next.getAndIncrement());
                return true;
            }
            return after(end);
        }).onClose(() -> events.add("closed"));
    }

    private boolean after(String end) throws Full {
        switch (end) {
            case "full" -> throw new Full(7);
            case "denied" -> throw new CreoException(ErrorCode.PERMISSION_DENIED, "not you");
            case "broken" -> throw new IllegalStateException("a secret");
            case "silence" -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    events.add("interrupted");
                    Thread.currentThread().interrupt();
                }
            }
            default -> {
                // It was the last one.
            }
        }
        return false;
    }

    @Override
    public Stream<byte[]> blocks(int count, int size) {
        return IntStream.range(0, count).mapToObj(i -> {
            byte[] block = new byte[size];
            block[size - 1] = (byte) i;
            return block;
        });
    }

    @Override
    public long sum(Stream<Long> numbers) {
        throw new AssertionError("a method that is not carried");
    }

    @Override
    public Stream<Long> both(Stream<Long> numbers) {
        throw new AssertionError("a method that is not carried");
    }
}
