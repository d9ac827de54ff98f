package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.Items;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.call.ItemInput;
import creo.runtime.internal.call.ItemOutput;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/**
 * The streams of one call on a host: runs its method with the stream of the caller's items, and sends the items of the method's stream. Everything runs on
 * the thread of the call, which waits for the peer; a transport adds what arrives, without waiting.
 */
final class CallStreams<A, R> implements ItemInput.Peer, ItemOutput.Peer {
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    /** Sends the frames of a call's streams. It may wait for the peer, but not for ever. */
    interface Link {
        /** Sends the bytes from {@code from} to {@code to}; those before them, {@link ItemOutput#ROOM}, may be overwritten. */
        void items(byte[] buffer, int from, int to) throws IOException;

        void credit(int bytes) throws IOException;
    }

    private final IncomingCall<A, R> call;
    private final Link link;
    private final ItemInput<?> in;
    private final ItemOutput<?> out;

    CallStreams(IncomingCall<A, R> call, Link link) {
        ServiceMethod<A, R> method = call.method();
        this.call = call;
        this.link = link;
        this.in = method.parameterItems() == null ? null : input(method.parameterItems());
        this.out = method.resultItems() == null ? null : output(method.resultItems());
    }

    private <T> ItemInput<T> input(Items<T> items) {
        return new ItemInput<>(items, call.service().limits(), this);
    }

    private <T> ItemOutput<T> output(Items<T> items) {
        return new ItemOutput<>(items, call.service().limits(), false, call.service()::run, this);
    }

    /** Runs the method, and sends the items of its result. */
    R run(Binding<A, R> binding, A arguments) throws Exception {
        A given = in == null ? arguments : call.method().withStream(arguments, in.stream());
        try {
            R result = binding.handler() != null ? binding.handler().call(given) : await(binding.asyncHandler().call(given));
            if (out == null) {
                return result;
            }
            try (Stream<?> items = Objects.requireNonNull((Stream<?>) result, "the method returned null instead of a stream")) {
                if (!send(out, items)) {
                    throw new CancellationException("the call has ended");
                }
            }
            return null;
        } finally {
            stop(Failures.ofRuntime(ErrorCode.CANCELLED, "the method has returned"));
        }
    }

    @SuppressWarnings("unchecked") // A method's stream has the items that it declares; others fail when they are written.
    private static <T> boolean send(ItemOutput<T> out, Stream<?> items) {
        return out.send((Stream<T>) items);
    }

    private static <R> R await(CompletionStage<R> stage) throws Exception {
        try {
            return Objects.requireNonNull(stage, "the method returned null instead of a stage").toCompletableFuture().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (Exception) e.getCause();
        }
    }

    /** Whether the method takes items of the caller. */
    boolean takes() {
        return in != null;
    }

    /**
     * Adds what follows the call id of an items frame. The host holds the memory of it already.
     *
     * @return false if the caller had no credit for it, or has ended its stream
     */
    boolean arrived(byte[] body, boolean last) {
        if (!in.add(body)) {
            return false;
        }
        if (last) {
            in.end(null);
        }
        return true;
    }

    /** The caller gives more credit; false if it must not give this much (TCP-33). */
    boolean more(long bytes) {
        return out == null ? bytes > 0 && bytes <= Integer.MAX_VALUE : out.credit(bytes);
    }

    /** The call has ended: the program's next use of a stream fails, and what it has not taken is dropped. */
    void stop(CreoException why) {
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
        } catch (IOException e) {
            lost(e);
        } catch (RuntimeException | Error e) {
            call.giveUp(call.unwritable(e));
        }
    }

    @Override
    public void credit(int bytes) {
        try {
            link.credit(bytes);
        } catch (IOException e) {
            lost(e);
        }
    }

    private void lost(IOException e) {
        LOG.log(System.Logger.Level.DEBUG, "the connection of {0} is lost: {1}", call.peer(), e.getMessage());
        if (out != null) {
            out.stop();
        }
    }

    @Override
    public void taken(int bytes) {
        call.service().host().memory().release(bytes);
    }

    @Override
    public void ended(Throwable failure) {
        // A method may leave the rest of its caller's items.
        if (failure instanceof CreoException why && why.code() != ErrorCode.CANCELLED) {
            call.giveUp(why);
        }
    }
}
