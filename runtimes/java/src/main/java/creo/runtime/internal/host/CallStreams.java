package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.Items;
import creo.runtime.codegen.LineItems;
import creo.runtime.codegen.LogText;
import creo.runtime.codegen.Streams;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Memory;
import creo.runtime.internal.call.ItemInput;
import creo.runtime.internal.call.ItemOutput;
import creo.runtime.internal.call.LineInput;
import creo.runtime.internal.call.MethodStreams;
import creo.runtime.internal.http.ServiceErrors;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;

/**
 * The streams of one call on a host: runs its method with the stream of the caller's items, and sends the items of the method's stream. Everything runs on
 * the thread of the call, which waits for the peer; a transport adds what arrives, without waiting.
 */
public final class CallStreams<A, R> implements ServedStreams<A, R>, ItemInput.Peer, ItemOutput.Peer, LineInput.Target {
    public static final Maker MAKER = new Maker() {
        @Override
        public <A, R> ServedStreams<A, R> of(IncomingCall<A, R> call, Link link) {
            return new CallStreams<>(call, link);
        }

        @Override
        public StreamFrames frames(ServerTcpInput in, ServerConnection connection, Map<Integer, TcpServerCall<?, ?>> calls) {
            return new ItemFrames(in, connection, calls);
        }
    };

    private static final System.Logger LOG = System.getLogger("creo.runtime");

    private final IncomingCall<A, R> call;
    private final Streams<A, R> streams;
    private final Link link;
    private final ItemInput<?> in;
    private final ItemOutput<?> out;
    /** Null if the items do not come in lines. */
    private final LineInput lines;
    private volatile CreoException unwritable;

    private CallStreams(IncomingCall<A, R> call, Link link) {
        this.streams = (Streams<A, R>) call.method().streams();
        this.call = call;
        this.link = link;
        Items<?> taken = link.isText() ? lines(call) : streams.parameterItems();
        Items<?> given = link.isText() ? lines(call) : streams.resultItems();
        this.in = streams.takes() ? input(taken) : null;
        this.out = streams.gives() ? output(given) : null;
        this.lines = in != null && link.isText() ? new LineInput(call.service().limits(), this) : null;
        if (out != null && link.isText()) {
            // TCP holds the items back, not credit.
            out.credit(Integer.MAX_VALUE - ItemInput.CREDIT);
        }
    }

    private static Items<?> lines(IncomingCall<?, ?> call) {
        return ((LineItems) call.method().lines()).items(call.service().limits());
    }

    private <T> ItemInput<T> input(Items<T> items) {
        return new ItemInput<>(items, call.service().limits(), this);
    }

    private <T> ItemOutput<T> output(Items<T> items) {
        return new ItemOutput<>(items, call.service().limits(), false, call.service().host().readers(), this);
    }

    @Override
    public R run(Binding<A, R> binding, A arguments) throws Exception {
        A given = in == null ? arguments : streams.withStream(arguments, in.stream());
        try {
            R result = binding.handler() != null ? binding.handler().call(given) : await(binding.asyncHandler().call(given));
            if (out == null) {
                return result;
            }
            Stream<?> items = Objects.requireNonNull((Stream<?>) result, "the method returned null instead of a stream");
            try {
                if (!send(out, items)) {
                    throw new CancellationException("the call has ended");
                }
            } catch (Throwable e) {
                if (e == out.unwritable()) {
                    unwritable = call.unwritable(e);
                    throw unwritable;
                }
                throw e;
            } finally {
                close(items);
            }
            return null;
        } finally {
            stop(Failures.ofRuntime(ErrorCode.CANCELLED, "the method has returned"));
            if (in != null) {
                in.release();
            }
        }
    }

    @SuppressWarnings("unchecked") // A method's stream has the items that it declares; others fail when they are written.
    private static <T> boolean send(ItemOutput<T> out, Stream<?> items) {
        return out.send((Stream<T>) items);
    }

    private R await(CompletionStage<R> stage) throws Exception {
        CompletableFuture<R> future = Objects.requireNonNull(stage, "the method returned null instead of a stage").toCompletableFuture();
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw Failures.asItIs(e.getCause());
        } catch (InterruptedException e) {
            future.whenComplete((late, failure) -> {
                if (late instanceof Stream<?> items) {
                    close(items);
                }
            });
            future.cancel(true);
            throw e;
        }
    }

    private void close(Stream<?> items) {
        try {
            items.close();
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.ERROR, "the stream that " + call.method() + " gave failed when it was closed", LogText.of(e));
        }
    }

    @Override
    public CreoException unwritable() {
        return unwritable;
    }

    @Override
    public boolean takes() {
        return in != null;
    }

    @Override
    public boolean arrived(byte[] body, boolean last) {
        return in.add(body, last);
    }

    @Override
    public boolean receive(byte[] b, int from, int to) {
        if (call.isOver()) {
            return true;
        }
        try {
            lines.add(b, from, to);
        } catch (CreoException e) {
            broken(e);
            return true;
        }
        return takeMore();
    }

    @Override
    public boolean takeMore() {
        try {
            if (call.isOver()) {
                return true;
            }
            LineInput.Status status = lines.next();
            if (status == LineInput.Status.END) {
                lines.checkRest();
            }
            return status != LineInput.Status.FULL;
        } catch (CreoException e) {
            broken(e);
            return true;
        }
    }

    @Override
    public boolean received() {
        LineInput.Status status;
        try {
            status = lines.next();
            if (status == LineInput.Status.END) {
                return true;
            }
            throw LineInput.placed(Failures.malformed(status == LineInput.Status.ERROR ? "an error in a request" : "a body that ends without a last line"));
        } catch (CreoException e) {
            broken(e);
            return false;
        } finally {
            lines.release();
        }
    }

    @Override
    public void release() {
        if (lines != null) {
            lines.release();
        }
    }

    private void broken(CreoException e) {
        lines.release();
        refuse(e);
    }

    @Override
    public void add(byte[] frame, boolean last) {
        hold(MethodStreams.cost(frame.length));
        if (!in.add(frame, last)) {
            taken(MethodStreams.cost(frame.length));
        }
    }

    @Override
    public void refuse(CreoException why) {
        call.giveUp(why);
    }

    @Override
    public boolean more(long bytes) {
        return out == null ? bytes > 0 && bytes <= Integer.MAX_VALUE : out.credit(bytes);
    }

    @Override
    public void resume() {
        if (out != null) {
            out.resume();
        }
    }

    @Override
    public void stop(CreoException why) {
        if (in != null) {
            in.stop(why);
        }
        if (out != null) {
            out.stop();
        }
    }

    @Override
    public void send(byte[] buffer, int from, int to, boolean last) {
        try {
            link.items(buffer, from, to);
            if (link.isText()) {
                out.credit(to - from);
            }
        } catch (IOException e) {
            lost(e);
        } catch (RuntimeException | Error e) {
            call.giveUp(call.unwritable(e));
        }
    }

    @Override
    public void credit(int bytes) {
        if (lines != null) {
            lines.credit(bytes);
        }
        try {
            link.credit(bytes);
        } catch (IOException e) {
            lost(e);
        }
    }

    @Override
    public void noThread(Throwable why) {
        refuse(why instanceof RejectedExecutionException ? Failures.ofRuntime(ErrorCode.UNAVAILABLE, "the host is closed") : ServiceErrors.internal(call.method(), why));
    }

    private void lost(IOException e) {
        LOG.log(System.Logger.Level.DEBUG, "the connection of {0} is lost: {1}", call.peer(), e.getMessage());
        if (out != null) {
            out.stop();
        }
    }

    @Override
    public boolean isFull() {
        return link.isFull();
    }

    @Override
    public void hold(long bytes) {
        HostMemory memory = call.service().host().memory();
        if (bytes < 0) {
            memory.release(-bytes);
        } else if (!memory.reserve(bytes)) {
            throw call.service().host().exhausted();
        }
    }

    @Override
    public Memory memory(long max) {
        return Memory.ofCall(max, call.service().host().memory());
    }

    @Override
    public boolean countsAll() {
        return link.isText();
    }

    @Override
    public void taken(long cost) {
        call.service().host().memory().release(cost);
    }

    @Override
    public void ended(Throwable failure) {
        // A method may leave the rest of its caller's items.
        if (failure != null && !(failure instanceof CreoException e && e.code() == ErrorCode.CANCELLED)) {
            call.giveUp(failure instanceof CreoException e ? e : ServiceErrors.internal(call.method(), failure));
        }
    }
}
