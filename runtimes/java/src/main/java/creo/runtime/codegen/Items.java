package creo.runtime.codegen;

import creo.runtime.Channel;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.internal.buffer.Failures;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * How the items of a stream are written and read. An items frame holds the value {@code T[]} of the binary wire (TCP-30): a count, then the items.
 *
 * @param codec how one item is written and read
 * @param minSize the min size of an item in bytes, and
 * @param charge what each item is charged: the arguments of {@link Reader#readCount(int, int)} for the count
 */
public record Items<T>(Codec<T> codec, int minSize, int charge) {
    public Items {
        Objects.requireNonNull(codec, "codec");
    }

    /**
     * Waits for what {@link Channel#stream} gives. If the thread is interrupted, the call ends as {@code cancelled}.
     *
     * @throws Exception what the call fails with
     */
    public static <R> R await(CompletableFuture<R> call) throws Exception {
        try {
            return call.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof CreoException c && Failures.byRuntime(c) ? Failures.again(c) : (Exception) e.getCause();
        } catch (InterruptedException e) {
            call.cancel(true);
            Thread.currentThread().interrupt();
            throw CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted", e);
        }
    }
}
