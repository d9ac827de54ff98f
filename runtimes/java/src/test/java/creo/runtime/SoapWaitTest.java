package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a call over HTTP waits for, its deadline, a close and an interrupt end it, and leave its thread clean. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class SoapWaitTest {
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 1000\r\n\r\n";
    private static final CallOptions SOON = CallOptions.NONE.withDeadline(Duration.ofMillis(100));

    /** Accepts one request, sends prepared bytes, and keeps the connection. */
    private final class Silent implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final CountDownLatch sent = new CountDownLatch(1);
        private final CompletableFuture<Integer> end = new CompletableFuture<>();

        Silent(String answer) throws IOException {
            Thread thread = new Thread(() -> {
                try (Socket socket = listener.accept()) {
                    Http.readRequest(socket.getInputStream());
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                    socket.getOutputStream().flush();
                    sent.countDown();
                    end.complete(socket.getInputStream().read());
                } catch (IOException e) {
                    // A connection that is reset has ended as well.
                    end.complete(-1);
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        Channel connect(String host) {
            return SoapChannel.open("http://" + host + ":" + listener.getLocalPort() + "/x", ClientOptions.DEFAULT);
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }

    private Silent withoutAnswer;
    private Silent withHead;

    @BeforeEach
    void start() throws IOException {
        withoutAnswer = new Silent("");
        withHead = new Silent(HEAD + "<a>");
    }

    @AfterEach
    void stop() throws IOException {
        withoutAnswer.close();
        withHead.close();
    }

    @Test
    void aDeadlineEndsTheWaitForAHeadAndForABody() throws Exception {
        for (Silent peer : new Silent[] {withoutAnswer, withHead}) {
            try (Channel channel = peer.connect("127.0.0.1")) {
                error(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.SAY, "a", SOON));
                assertFalse(Thread.interrupted());
                // A connection that no call waits for is not kept.
                assertEquals(-1, peer.end.get());
            }
        }
    }

    @Test
    void aDeadlineEndsAnAsynchronousCall() throws Exception {
        for (Silent peer : new Silent[] {withoutAnswer, withHead}) {
            try (Channel channel = peer.connect("localhost")) {
                ExecutionException e = assertThrows(ExecutionException.class, channel.callAsync(Calls.SAY, "a", SOON)::get);
                assertEquals(ErrorCode.DEADLINE_EXCEEDED, ((CreoException) e.getCause()).code());
            }
        }
    }

    @Test
    void toCloseAChannelEndsACallThatWaits() throws Exception {
        for (Silent peer : new Silent[] {withoutAnswer, withHead}) {
            Channel channel = peer.connect("127.0.0.1");
            Thread closer = new Thread(() -> {
                try {
                    peer.sent.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                channel.close();
            });
            closer.start();
            error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "a", CallOptions.NONE));
            closer.join();
            assertFalse(Thread.interrupted());
        }
    }

    @Test
    void anInterruptEndsACallAndIsKept() throws Exception {
        for (Silent peer : new Silent[] {withoutAnswer, withHead}) {
            try (Channel channel = peer.connect("127.0.0.1")) {
                AtomicReference<Object> seen = new AtomicReference<>();
                Thread caller = new Thread(() -> {
                    CreoException e = error(ErrorCode.CANCELLED, () -> channel.call(Calls.SAY, "a", CallOptions.NONE));
                    seen.set(Thread.currentThread().isInterrupted() ? e.code() : "the interrupt was lost");
                });
                caller.start();
                peer.sent.await();
                caller.interrupt();
                caller.join();
                assertEquals(ErrorCode.CANCELLED, seen.get());
            }
        }
    }

    @Test
    void toCancelEndsTheExchange() throws Exception {
        try (Channel channel = withHead.connect("127.0.0.1")) {
            CompletableFuture<String> call = channel.callAsync(Calls.SAY, "a", CallOptions.NONE);
            withHead.sent.await();
            assertTrue(call.cancel(true));
            assertEquals(-1, withHead.end.get());
        }
    }

    @Test
    void namesThatNobodyHas() throws Exception {
        try (Channel channel = SoapChannel.open("http://no-such-host.invalid/x", ClientOptions.DEFAULT)) {
            error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "a", CallOptions.NONE));
            ExecutionException e = assertThrows(ExecutionException.class, channel.callAsync(Calls.SAY, "a", CallOptions.NONE)::get);
            assertEquals(ErrorCode.UNAVAILABLE, ((CreoException) e.getCause()).code());
        }
    }
}
