package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Bytes;
import creo.runtime.internal.tcp.TcpFrames;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients whose peer is dead, slow, or something else. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class PeersTest {
    private static void expect(ErrorCode code, String part, Peer.Behaviour behaviour) throws Exception {
        for (ClientOptions options : List.of(ClientOptions.DEFAULT, ClientOptions.DEFAULT.withMaxConnections(0))) {
            try (Peer peer = new Peer(behaviour); Channel channel = TcpChannel.open("127.0.0.1", peer.port(), options)) {
                CallOptions brief = CallOptions.NONE.withDeadline(Duration.ofMillis(700));
                CreoException e = error(code, () -> channel.call(Calls.SAY, "hi", brief));
                assertTrue(e.getMessage().contains(part), e.getMessage());
                ExecutionException async = assertThrows(ExecutionException.class, () -> channel.callAsync(Calls.SAY, "hi", brief).get());
                assertEquals(code, ((CreoException) async.getCause()).code());
            }
        }
    }

    private static void send(OutputStream out, String hex) throws IOException {
        out.write(HexFormat.of().parseHex(hex.replace(" ", "")));
        out.flush();
    }

    /** Answers each request by a frame of the same id. */
    private static Peer.Behaviour answers(int kind, String body) {
        return (in, out) -> {
            DataInputStream requests = new DataInputStream(in);
            requests.readNBytes(8);
            send(out, Raw.PREAMBLE);
            while (true) {
                byte[] frame = requests.readNBytes(requests.readInt());
                if (frame[0] == TcpFrames.REQUEST) {
                    send(out, Raw.frame(kind, 0, Bytes.getInt(frame, 2), body));
                }
            }
        };
    }

    private static void wait(InputStream in) throws IOException {
        while (in.read() >= 0) {
            // Until the client closes.
        }
    }

    @Test
    void aPeerThatSaysNothing() throws Exception {
        expect(ErrorCode.DEADLINE_EXCEEDED, "127.0.0.1:", (in, out) -> wait(in));
    }

    /** A deadline also applies to sending: on a separate connection, and on a shared one, for the blocked call and for a later one. */
    @Test
    void aPeerThatDoesNotRead() throws Exception {
        for (ClientOptions options : List.of(ClientOptions.DEFAULT, ClientOptions.DEFAULT.withMaxConnections(0))) {
            CountDownLatch arrived = new CountDownLatch(1);
            try (Peer peer = new Peer(Peer.deaf(arrived)); Channel channel = TcpChannel.open("127.0.0.1", peer.port(), options)) {
                CallOptions brief = CallOptions.NONE.withDeadline(Duration.ofMillis(700));
                CompletableFuture<CreoException> first = new CompletableFuture<>();
                new Thread(() -> first.complete(error(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.ECHO, new byte[50_000_000], brief)))).start();
                assertTrue(arrived.await(60, TimeUnit.SECONDS));
                error(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.SAY, "x", CallOptions.NONE.withDeadline(Duration.ofMillis(200))));
                first.get(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void aPeerThatTrickles() throws Exception {
        expect(ErrorCode.DEADLINE_EXCEEDED, "127.0.0.1:", (in, out) -> {
            send(out, Raw.PREAMBLE + "00001000 02 00 00000001");
            while (true) {
                out.write(1);
                Thread.sleep(20);
            }
        });
    }

    @Test
    void aPeerThatCloses() throws Exception {
        expect(ErrorCode.UNAVAILABLE, "before its preamble", (in, out) -> in.read());
        expect(ErrorCode.UNAVAILABLE, "within a frame", (in, out) -> {
            in.read();
            send(out, Raw.PREAMBLE + "00001000 02 00 00000001");
        });
    }

    @Test
    void aPeerThatSpeaksSomethingElse() throws Exception {
        expect(ErrorCode.PROTOCOL_MISMATCH, "HTTP", (in, out) -> {
            in.read();
            out.write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            wait(in);
        });
        expect(ErrorCode.PROTOCOL_MISMATCH, "TLS", (in, out) -> {
            send(out, "15030300020246");
            wait(in);
        });
        expect(ErrorCode.PROTOCOL_MISMATCH, "version 2", (in, out) -> {
            send(out, "4352454f02000000");
            wait(in);
        });
    }

    @Test
    void aPeerWhoseFramesAreWrong() throws Exception {
        for (String frame : List.of("00000006 01 00 00000001", "00000006 05 00 00000001", "00000006 63 00 00000001", "00000000 02 00 00000001")) {
            expect(ErrorCode.MALFORMED, "frame", (in, out) -> {
                in.read();
                send(out, Raw.PREAMBLE + frame);
                wait(in);
            });
        }
    }

    @Test
    void aPeerThatAnswersWrongly() throws Exception {
        expect(ErrorCode.MALFORMED, "$result", answers(TcpFrames.RESPONSE, "05 61"));
        expect(ErrorCode.MALFORMED, "$exception", answers(TcpFrames.EXCEPTION, "01"));
        expect(ErrorCode.INTERNAL, "error 200", answers(TcpFrames.ERROR, "c8 02 6f6b 00"));
    }

    @Test
    void textOfAPeerIsShownWithCare() throws Exception {
        expect(ErrorCode.INTERNAL, "a\\u001bb\\u202ec", answers(TcpFrames.ERROR, "0c" + Raw.text("a\u001bb\u202ec") + "00"));
    }

    @Test
    void nobodyListens() throws Exception {
        try (DeadPort dead = new DeadPort(); Channel channel = TcpChannel.open("127.0.0.1", dead.number(), ClientOptions.DEFAULT)) {
            CreoException e = error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            assertTrue(e.getMessage().contains(dead.address()) && e.getMessage().contains("refused"), e.getMessage());
        }
        try (Channel channel = TcpChannel.open("no-such-host.invalid", 1, ClientOptions.DEFAULT)) {
            CreoException e = error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "x", CallOptions.NONE.withDeadline(Duration.ofSeconds(30))));
            assertTrue(e.getMessage().contains("no-such-host.invalid:1") && e.getMessage().contains("no address"), e.getMessage());
        }
    }

    @Test
    void aServerThatComesBackIsFoundAgain() throws Exception {
        Server first = Calls.serve(text -> "first");
        int port = first.port();
        try (Channel channel = TcpChannel.open("127.0.0.1", port, ClientOptions.DEFAULT)) {
            assertEquals("first", channel.call(Calls.SAY, "x", CallOptions.NONE));
            assertEquals("first", channel.callAsync(Calls.SAY, "x", CallOptions.NONE).get());
            first.close();
            try (Server second = Server.builder().bind("127.0.0.1", port).add(Calls.endpoint(text -> "second")).start()) {
                assertEquals(port, second.port());
                // A connection that the server closed is noticed when it is used, once.
                String answer = null;
                for (int i = 0; i < 2 && answer == null; i++) {
                    try {
                        answer = channel.call(Calls.SAY, "x", CallOptions.NONE);
                    } catch (CreoException e) {
                        assertEquals(ErrorCode.UNAVAILABLE, e.code());
                    }
                }
                assertEquals("second", answer);
                assertEquals("second", channel.callAsync(Calls.SAY, "x", CallOptions.NONE).get());
            }
        }
    }
}
