package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.Threads;
import creo.runtime.internal.net.Monitor;
import creo.runtime.internal.tcp.TcpFrames;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that runs out of threads, stack or memory, or that is closed while requests arrive, continues as far as possible. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class TroubleTest {
    /** An executor that has no thread for some of its tasks. */
    private static final class Scarce extends AbstractExecutorService {
        private final ExecutorService threads = Executors.newCachedThreadPool(Threads.daemons("scarce"));
        final AtomicInteger failures = new AtomicInteger();

        @Override
        public void execute(Runnable task) {
            if (failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            threads.execute(task);
        }

        @Override
        public void shutdown() {
            threads.shutdown();
        }

        @Override
        public List<Runnable> shutdownNow() {
            return threads.shutdownNow();
        }

        @Override
        public boolean isShutdown() {
            return threads.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return threads.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return threads.awaitTermination(timeout, unit);
        }
    }

    /** A slow method keeps the loop's thread; if no other is available, the loop continues after the method. */
    @Test
    void aLoopWithoutSecondThreadGoesOn() throws Exception {
        AtomicBoolean scarce = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        ThreadFactory readers = task -> {
            if (scarce.get()) {
                refused.incrementAndGet();
                throw new OutOfMemoryError("unable to create native thread");
            }
            return Threads.daemons("reader").newThread(task);
        };
        try (Server server = Server.builder().add(Calls.endpoint(text -> text)).start(Threads.executor("calls"), readers)) {
            List<Raw> all = new ArrayList<>();
            try {
                for (int i = 0; i < 8; i++) {
                    all.add(new Raw(server.port()).send(Raw.PREAMBLE + Raw.request(0, 1, 1, 0, Raw.text("hi"))));
                    all.get(i).preamble();
                    all.get(i).next();
                }
                scarce.set(true);
                for (Raw each : all) {
                    each.send(Raw.request(0, 2, 3, 0, "00000064"));
                }
                for (Raw each : all) {
                    assertEquals(2, each.next().id());
                }
                assertTrue(refused.get() > 0, "no further thread was asked for");
                scarce.set(false);
                for (Raw each : all) {
                    each.send(Raw.request(0, 3, 1, 0, Raw.text("hi")));
                    assertEquals(3, each.next().id());
                }
            } finally {
                for (Raw each : all) {
                    each.close();
                }
            }
        }
    }

    @Test
    void aCallWithoutThreadIsAnsweredAllTheSame() throws Exception {
        Scarce threads = new Scarce();
        Server.Builder builder = Server.builder().limits(Limits.DEFAULT.withMaxConcurrency(1)).add(Calls.endpoint(text -> text));
        try (Server server = builder.start(threads, Threads.daemons("reader")); Raw raw = new Raw(server.port())) {
            raw.send(Raw.PREAMBLE + Raw.request(0, 1, 1, 0, Raw.text("hi")));
            raw.preamble();
            assertEquals(1, raw.next().id());
            threads.failures.set(1);
            // The first of the two is not run by the reader, since another one waits to be read.
            raw.send(Raw.request(0, 2, 1, 0, Raw.text("hi")) + Raw.request(0, 3, 1, 0, Raw.text("hi")));
            Map<Integer, Raw.Frame> answers = raw.next(2);
            assertEquals(TcpFrames.RESPONSE, answers.get(2).kind());
            assertEquals(TcpFrames.RESPONSE, answers.get(3).kind());
        }
    }

    @Test
    void theMonitorSurvivesWhateverALookDoes() throws Exception {
        CountDownLatch failed = new CountDownLatch(2);
        Monitor.Watched broken = now -> {
            failed.countDown();
            throw new OutOfMemoryError("as asked");
        };
        Monitor.shared().add(broken);
        try {
            assertTrue(failed.await(60, TimeUnit.SECONDS));
        } finally {
            Monitor.shared().remove(broken);
        }
        CountDownLatch looked = new CountDownLatch(2);
        Monitor.Watched sound = now -> {
            looked.countDown();
            return now + 1_000_000;
        };
        Monitor.shared().add(sound);
        try {
            assertTrue(looked.await(60, TimeUnit.SECONDS));
        } finally {
            Monitor.shared().remove(sound);
        }
    }

    /** This context cannot create sockets. */
    private static final class BrokenTls extends SSLContextSpi {
        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trusted, SecureRandom random) throws KeyManagementException {}

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            throw new StackOverflowError("as asked");
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return null;
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return null;
        }
    }

    @Test
    void aFailureBeforeThePreambleClosesTheConnection() throws Exception {
        SSLContext tls = new SSLContext(new BrokenTls(), null, "broken") { };
        Limits limits = Limits.DEFAULT.withPreambleTimeout(Duration.ofSeconds(50)).withMaxConnections(1);
        try (Server server = Server.builder().limits(limits).tls(tls).add(Calls.endpoint(text -> text)).start()) {
            for (int i = 0; i < 3; i++) {
                try (Raw raw = new Raw(server.port())) {
                    raw.send("160301");
                    assertEquals(0, raw.rest().length);
                }
            }
        }
    }

    /** TCP-6: what cannot be written to its end leaves no chain open, and gives its place in the service back. */
    @Test
    void anAnswerThatCannotBeWrittenLeavesNothingBehind() throws Exception {
        Codec<String> text = Calls.SAY.result();
        Codec<String> broken = Codec.of((w, v) -> {
            w.writeString("x".repeat(300_000));
            throw new StackOverflowError("as asked");
        }, Reader::readString);
        ServiceMethod<String, String> method = ServiceMethod.of(Calls.INTERFACE, "broken", 50, text, broken);
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).method(method, v -> v).method(Calls.SLEEP, n -> {
            Thread.sleep(n);
            return n;
        }).build();
        Limits limits = Limits.DEFAULT.withMaxConcurrency(1);
        try (Server server = Server.builder().limits(limits).add(endpoint).start();
                Channel channel = TcpChannel.open("127.0.0.1", server.port(), ClientOptions.DEFAULT.withMaxConnections(0))) {
            for (int i = 0; i < 3; i++) {
                error(ErrorCode.INTERNAL, () -> channel.call(method, "x", CallOptions.NONE.withDeadline(Duration.ofSeconds(8))));
                // Long enough that another thread reads, and has to send.
                assertEquals(30, channel.call(Calls.SLEEP, 30, CallOptions.NONE.withDeadline(Duration.ofSeconds(8))));
            }
        }
    }

    /** The same for an answer that turns out to be too large in its last piece, after others have left. */
    @Test
    void anAnswerThatIsTooLargeAtItsEndLeavesNothingBehind() throws Exception {
        Codec<long[]> longs = Codec.of(Writer::writeLongs, Reader::readLongs);
        ServiceMethod<Integer, long[]> many = ServiceMethod.of(Calls.INTERFACE, "many", 52, Calls.SLEEP.arguments(), longs);
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).method(many, n -> new long[n]).method(Calls.SLEEP, n -> {
            Thread.sleep(n);
            return n;
        }).build();
        try (Server server = Server.builder().limits(Limits.DEFAULT.withMaxMessageSize(100_000)).add(endpoint).start()) {
            for (ClientOptions options : List.of(ClientOptions.DEFAULT, ClientOptions.DEFAULT.withMaxConnections(0))) {
                try (Channel channel = TcpChannel.open("127.0.0.1", server.port(), options)) {
                    CallOptions brief = CallOptions.NONE.withDeadline(Duration.ofSeconds(8));
                    for (int n : new int[] {12_400, 12_499, 12_500, 13_000, 15_000, 16_500, 20_000}) {
                        if (n < 12_500) {
                            assertEquals(n, channel.call(many, n, brief).length);
                        } else {
                            error(ErrorCode.TOO_LARGE, () -> channel.call(many, n, brief));
                        }
                        // Long enough that another thread reads, and has to send.
                        assertEquals(30, channel.call(Calls.SLEEP, 30, brief));
                    }
                }
            }
        }
    }

    /** TCP-15: a request that came before the goodbye is answered, also if its body was still being read then. */
    @Test
    void aRequestThatIsReadWhileTheServerDrainsIsAnswered() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        Codec<String> text = Calls.SAY.result();
        Codec<String> slow = Codec.of(Writer::writeString, r -> {
            String v = r.readString();
            reading.countDown();
            return v + r.readString();
        });
        ServiceMethod<String, String> method = ServiceMethod.of(Calls.INTERFACE, "slow", 51, slow, text);
        Server server = Server.builder().add(Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).method(method, v -> v).build()).start();
        try (Raw raw = new Raw(server.port())) {
            raw.send(Raw.PREAMBLE + Raw.request(TcpFrames.MORE, 1, 51, 0, Raw.text("h")));
            assertTrue(reading.await(60, TimeUnit.SECONDS));
            Thread closing = new Thread(server::close);
            closing.start();
            raw.preamble();
            assertEquals(TcpFrames.GOODBYE, raw.next().kind());
            raw.send(Raw.frame(TcpFrames.DATA, 0, 1, Raw.text("i")));
            assertArrayEquals(new byte[] {2, 'h', 'i'}, raw.next().body());
            assertEquals(0, raw.rest().length);
            closing.join();
        }
    }

    /** TCP-15: one that comes later is answered, too, as long as the connection is open, but not started. */
    @Test
    void aRequestAfterTheGoodbyeIsRefused() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicBoolean again = new AtomicBoolean();
        Server server = Calls.serve(text -> {
            again.set(text.equals("second"));
            running.countDown();
            go.await();
            return text;
        });
        try (Raw raw = new Raw(server.port())) {
            raw.send(Raw.PREAMBLE + Raw.request(0, 1, 1, 0, Raw.text("first")));
            assertTrue(running.await(60, TimeUnit.SECONDS));
            Thread closing = new Thread(server::close);
            closing.start();
            raw.preamble();
            assertEquals(TcpFrames.GOODBYE, raw.next().kind());
            raw.send(Raw.request(0, 2, 1, 0, Raw.text("second")));
            Raw.Frame refused = raw.next();
            assertEquals(2, refused.id());
            assertEquals(ErrorCode.UNAVAILABLE, refused.code());
            go.countDown();
            assertEquals(1, raw.next().id());
            assertEquals(0, raw.rest().length);
            closing.join();
            assertEquals(false, again.get());
        }
    }
}
