package creo.runtime.spi;

import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.call.CallObserver;
import creo.runtime.internal.call.MethodStreams;
import creo.runtime.internal.net.Deadlines;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A client's call of a method that gives a stream, over a message transport: {@link MessageClient#stream} makes it. One thread of the transport sends {@link
 * #request}, between {@link #begins} and {@link #sent}, and then {@link #take takes} messages as long as {@link #awaitRoom} says so. Any thread may {@link #fail}
 * it.
 */
public final class MessageStream<R> {
    /** The bytes of items that are held for the program, and that one more message may exceed. The transport has the rest of the window (LIM-38). */
    public static final int HELD = 262_144;

    private final MessageClient client;
    private final ServiceMethod<?, R> method;
    private final MessageRequest request;
    private final CallOptions options;
    private final MethodStreams.Call<R> call;
    private final long deadline;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long room = HELD;
    private boolean over;
    private Runnable onEnd = () -> {};
    private volatile boolean begun;
    private volatile Answer answer;

    // Of the thread that takes messages.
    private long run;
    private boolean running;
    /** The items of this run that have arrived. */
    private long items;

    <A> MessageStream(MessageClient client, ServiceMethod<A, R> method, A arguments, MessageRequest request, CallOptions options, long most, Executor threads) {
        this.client = client;
        this.method = method;
        this.request = request;
        this.options = options;
        long own = CallObserver.deadline(options, Deadlines.NONE);
        long other = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(most);
        this.deadline = most > 0 && other - own < 0 ? other : own;
        this.call = method.streams().call(arguments, options, client.limits().withStreamWindow(HELD), threads, new Carrier());
    }

    /** What the program does with the call. */
    private final class Carrier implements MethodStreams.Carrier {
        @Override
        public void send(byte[] buffer, int from, int to, boolean last) {
            fail(method.notCarried());
        }

        @Override
        public void credit(int bytes) {
            lock.lock();
            try {
                room += bytes;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void end(Throwable why) {
            fail(why);
        }

        @Override
        public boolean hasBegun() {
            return begun;
        }

        @Override
        public Answer answer() {
            return answer;
        }
    }

    /** What the caller gets. */
    public CompletableFuture<R> future() {
        return call.future();
    }

    /** The request, without a timeout. */
    public MessageRequest request() {
        return request;
    }

    /** The milliseconds that are left for the call, rounded up; not positive if its time is over, and {@link Long#MAX_VALUE} if it has no deadline (CALL-44). */
    public long millisecondsLeft() {
        long nanos = deadline - System.nanoTime();
        // Whatever remains of a deadline that nobody gave is longer than any other.
        return nanos > Deadlines.NONE.toNanos() / 2 ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
    }

    /** Runs a task once, when the call has ended, or at once if it has; on any thread, which it must not keep waiting. */
    public void onEnd(Runnable task) {
        lock.lock();
        try {
            if (!over) {
                onEnd = task;
                return;
            }
        } finally {
            lock.unlock();
        }
        task.run();
    }

    /** From now on a part of the request may have been sent. */
    public void begins() {
        begun = true;
        client.reached(options);
    }

    /** The request was sent: the program gets its stream. */
    public void sent() {
        call.sent();
    }

    /** Whether the call has ended: no message is wanted any more. */
    public boolean isOver() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a message is wanted; false if the call has ended, or its time is over. */
    public boolean awaitRoom() throws InterruptedException {
        lock.lock();
        try {
            while (!over && room <= 0) {
                if (changed.awaitNanos(deadline - System.nanoTime()) <= 0) {
                    return false;
                }
            }
            return !over;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a message that has arrived, by the rules of JMS-26. What is wrong with it, and every answer, ends the call.
     *
     * @param late makes the error of a call whose time is over
     */
    public void take(MessageAnswer message, Supplier<CreoException> late) {
        try {
            place(message, late);
            if (message.kind() == MessageAnswer.Kind.ITEMS) {
                add(message);
            } else {
                answer = client.answer(message);
                end(client.read(method, message), null);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void place(MessageAnswer message, Supplier<CreoException> late) {
        MessageAnswer.Part part = message.part();
        if (part == null && message.kind() != MessageAnswer.Kind.ERROR) {
            throw Failures.malformed("a message of a stream that does not say its run and its first item");
        }
        if (running && (part == null || part.run() != run)) {
            if (items > 0) {
                throw Failures.ofRuntime(ErrorCode.UNAVAILABLE, "the method began again after " + items + " items, since its host did not come to its end");
            }
            running = false;
        }
        if (part == null) {
            return;
        }
        run = part.run();
        running = true;
        if (message.kind() == MessageAnswer.Kind.ERROR) {
            // Its host may not know how many items the broker has taken.
            return;
        }
        if (part.items() > items && millisecondsLeft() <= 0) {
            // The broker has dropped what had expired.
            throw late.get();
        }
        if (part.items() != items) {
            throw Failures.malformed("a message that follows " + part.items() + " items, after " + items);
        }
    }

    private void add(MessageAnswer message) {
        client.checkItems(message);
        byte[] body = message.body().length == message.length() ? message.body() : Arrays.copyOf(message.body(), message.length());
        Reader r = new Reader(body, 0, body.length, client.limits());
        try {
            items += r.readCount();
        } catch (CreoException e) {
            throw Failures.root(r.resolve(e), "$items");
        }
        lock.lock();
        try {
            room -= body.length;
        } finally {
            lock.unlock();
        }
        call.add(body);
    }

    /** Ends the call with a failure, after the items that it has, unless it has ended. */
    public void fail(Throwable why) {
        end(null, why);
    }

    private void end(R result, Throwable why) {
        Runnable task;
        lock.lock();
        try {
            if (over) {
                return;
            }
            over = true;
            task = onEnd;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        call.ended(result, why);
        task.run();
    }
}
