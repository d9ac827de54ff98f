package creo.runtime.internal.call;

import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.Limits;
import creo.runtime.codegen.ServiceMethod;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/** The streams of a method, as channels and transports know them. What implements this is a part that only descriptions with streams need. */
public interface MethodStreams<A, R> {
    /** Whether the last parameter is a stream. */
    boolean takes();

    /** Whether the result is a stream. */
    boolean gives();

    /** Closes the stream among the arguments, if there is one, of a call that does not begin. */
    void close(A arguments);

    /** A client's call that a carrier is about to send. */
    Call<R> call(A arguments, CallOptions options, Limits limits, Executor threads, Carrier carrier);

    /** Makes the attempts of a client's call. */
    CompletableFuture<R> attempt(Attempts attempts, ServiceMethod<A, R> method, A arguments);

    /** The memory that a frame of items takes while it waits for the program, in bytes. */
    static long cost(int length) {
        return length + 64L;
    }

    /** The attempts of a client's call, one after the other, on other channels. */
    interface Attempts {
        /**
         * Makes attempts until there is a result or no other attempt.
         *
         * @param goesOn whether the call goes on after its result, a stream
         */
        <T> CompletableFuture<T> make(boolean goesOn, BiFunction<Channel, CallOptions, CompletableFuture<T>> attempt);

        /** There is no other attempt: an item of the program's stream is taken. */
        void beLast();

        /** Whether another attempt follows a stream of results that has failed. */
        boolean again();

        /** Tells those around the call that the program learns its end. */
        void tell(Throwable failure);
    }

    /** The items of the only stream of a method as lines of text (HTTP-30). */
    interface Lines {}

    /** Carries a client's call. */
    interface Carrier {
        /**
         * Sends what follows the call id of an items frame: the bytes from {@code from} to {@code to} of the array, which is reused afterwards. The 18 bytes before
         * them may be overwritten. Called by one thread at a time, without a lock. It must not throw.
         *
         * @param last whether the stream ends with it
         */
        void send(byte[] buffer, int from, int to, boolean last);

        /** Gives the server more credit. Must not throw. */
        void credit(int bytes);

        /** Ends the call with a failure of this side, which {@link Call#ended} is told, unless it has ended. */
        void end(Throwable why);

        /** Whether a part of the request may have been sent. */
        boolean hasBegun();

        /** What came with the answer; null if none came, or nobody asked. */
        Answer answer();
    }

    /** A client's call, to which its carrier reports. None of this waits. */
    interface Call<R> {
        /** What the caller gets. Cancelling it ends the call. */
        CompletableFuture<R> future();

        /** The request was sent: from now on the program's stream is taken, and the caller has the stream of results. */
        void sent();

        /**
         * Adds what follows the call id of an items frame, of a call that gives a stream; the array is taken over.
         *
         * @return false if the server had no credit for it (TCP-33)
         */
        boolean add(byte[] body);

        /** The server gives more credit; false if it must not give this much, or the call takes no stream. */
        boolean more(long bytes);

        /** Items can no longer be sent. */
        void stop();

        /** The call has ended, with a result or with a failure; the items that arrived remain. Called once, by any thread. */
        void ended(R result, Throwable e);
    }
}
