package creo.runtime.internal.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Items;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.Streams;
import creo.runtime.codegen.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Items that no thread can send (CALL-40): the call ends, and does not wait for ever. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ItemOutputTest {
    private static final Items<Integer> INTS = new Items<>(Codec.of(Writer::writeInt, Reader::readInt), 4, 4);
    private static final List<Throwable> NONE = List.of(new RejectedExecutionException("closed"), new OutOfMemoryError("no thread"));

    /** Fails as an executor or the system does. */
    private static Executor refusing(Throwable why) {
        return task -> {
            if (why instanceof Error e) {
                throw e;
            }
            throw (RuntimeException) why;
        };
    }

    private static final class Peer implements ItemOutput.Peer {
        private final List<Throwable> told = new ArrayList<>();
        private final AtomicInteger sent = new AtomicInteger();
        private boolean full;

        @Override
        public void send(byte[] buffer, int from, int to, boolean last) {
            sent.incrementAndGet();
        }

        @Override
        public boolean isFull() {
            return full;
        }

        @Override
        public void noThread(Throwable why) {
            told.add(why);
        }
    }

    @Test
    void thePeerIsToldOnce() {
        for (Throwable why : NONE) {
            Peer peer = new Peer();
            ItemOutput<Integer> output = new ItemOutput<>(INTS, Limits.DEFAULT, true, refusing(why), peer);
            AtomicInteger taken = new AtomicInteger();
            assertFalse(output.send(Stream.iterate(1, n -> n + 1).peek(n -> taken.incrementAndGet())));
            assertEquals(List.of(why), peer.told);
            assertEquals(0, peer.sent.get());
            assertEquals(1, taken.get(), "no more is taken");
        }
    }

    /** The thread that takes items waits in the program meanwhile; another one brings credit, or says that there is room. */
    @Test
    void aPeerThatWasFullIsToldToo() {
        for (Throwable why : NONE) {
            for (boolean credit : new boolean[] {true, false}) {
                Peer peer = new Peer();
                peer.full = true;
                ItemOutput<Integer> output = new ItemOutput<>(INTS, Limits.DEFAULT, true, refusing(why), peer);
                assertFalse(output.send(Stream.of(1, 2, 3).peek(n -> {
                    peer.full = n < 3;
                    if (n == 3 && credit) {
                        assertTrue(output.credit(1));
                    } else if (n == 3) {
                        output.resume();
                    }
                })));
                assertEquals(List.of(why), peer.told);
                assertEquals(0, peer.sent.get());
            }
        }
    }

    private record Carrier(CompletableFuture<Throwable> ended) implements MethodStreams.Carrier {
        @Override
        public void send(byte[] buffer, int from, int to, boolean last) {
            throw new AssertionError("no thread sends items");
        }

        @Override
        public void credit(int bytes) {
            throw new AssertionError("no items are read");
        }

        @Override
        public void end(Throwable why) {
            ended.complete(why);
        }

        @Override
        public boolean hasBegun() {
            return true;
        }

        @Override
        public Answer answer() {
            return null;
        }
    }

    /** The first task of a call takes the items; the next one would send them. */
    @Test
    void aClientsCallEnds() {
        for (Throwable why : NONE) {
            CompletableFuture<Throwable> ended = new CompletableFuture<>();
            AtomicInteger tasks = new AtomicInteger();
            Executor threads = task -> {
                if (tasks.getAndIncrement() > 0) {
                    refusing(why).execute(task);
                }
                new Thread(task).start();
            };
            // The second item comes only afterwards, so nothing else ends the call.
            Stream<Integer> items = Stream.iterate(1, n -> {
                ended.join();
                return n + 1;
            });
            Streams<Stream<Integer>, Integer> streams = Streams.taking(INTS, s -> s, (a, s) -> s);
            var call = new StreamCall<>(streams, items, CallOptions.NONE, Limits.DEFAULT, threads, new Carrier(ended), null);
            call.sent();
            Throwable seen = ended.join();
            if (why instanceof Error) {
                assertSame(why, seen);
            } else {
                assertEquals(ErrorCode.UNAVAILABLE, ((CreoException) seen).code());
                assertSame(why, seen.getCause());
            }
            assertNull(call.future().getNow(null));
        }
    }
}
