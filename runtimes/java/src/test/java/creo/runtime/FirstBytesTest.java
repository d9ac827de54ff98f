package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Bytes;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.tcp.TcpFrames;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first bytes of a server: its preamble (TCP-19), an error of the connection (TCP-20), or nothing. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class FirstBytesTest {
    private static final String TOO_MANY = Raw.PREAMBLE + Raw.frame(TcpFrames.ERROR, 0, 0,
        "08" + Raw.text("too many") + "02" + Raw.text("limit") + Raw.text("maxConnectionsPerAddress") + Raw.text("allowed") + Raw.text("2500"));

    private static void send(OutputStream out, String hex) throws IOException {
        out.write(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private static void awaitEnd(InputStream in) throws IOException {
        while (in.read() >= 0) {
            // Until the client closes.
        }
    }

    private static void echo(InputStream in, OutputStream out) throws IOException {
        DataInputStream requests = new DataInputStream(in);
        requests.readNBytes(8);
        send(out, Raw.PREAMBLE);
        while (true) {
            byte[] frame = requests.readNBytes(requests.readInt());
            send(out, Raw.frame(TcpFrames.RESPONSE, 0, Bytes.getInt(frame, 2), HexFormat.of().formatHex(frame, 18, frame.length)));
        }
    }

    /** The call ends with the code whatever the way, and the next one, over a good connection, works. */
    private static <A> CreoException expect(ErrorCode code, ServiceMethod<A, ?> method, A arguments, Peer.Behaviour first) throws Exception {
        return expect(code, method, arguments, first, Limits.DEFAULT.withConnectTimeout(Duration.ofSeconds(60)));
    }

    private static <A> CreoException expect(ErrorCode code, ServiceMethod<A, ?> method, A arguments, Peer.Behaviour first, Limits limits) throws Exception {
        CreoException last = null;
        for (int connections : new int[] {1, 0}) {
            for (boolean async : new boolean[] {false, true}) {
                AtomicInteger count = new AtomicInteger();
                Peer.Behaviour behaviour = (in, out) -> {
                    if (count.getAndIncrement() == 0) {
                        first.serve(in, out);
                    } else {
                        echo(in, out);
                    }
                };
                ClientOptions options = ClientOptions.DEFAULT.withMaxConnections(connections).withLimits(limits);
                try (Peer peer = new Peer(behaviour); Channel channel = TcpChannel.open("127.0.0.1", peer.port(), options)) {
                    if (async) {
                        ExecutionException e = assertThrows(ExecutionException.class, () -> channel.callAsync(method, arguments, CallOptions.NONE).get());
                        last = (CreoException) e.getCause();
                        assertEquals(code, last.code(), last.getMessage());
                        assertEquals("hi", channel.callAsync(Calls.SAY, "hi", CallOptions.NONE).get());
                    } else {
                        last = error(code, () -> channel.call(method, arguments, CallOptions.NONE));
                        assertEquals("hi", channel.call(Calls.SAY, "hi", CallOptions.NONE));
                    }
                }
            }
        }
        return last;
    }

    @Test
    void aServerThatDoesNotGreet() throws Exception {
        for (String begun : List.of("", "4352454f", "4352454f010000")) {
            CreoException e = expect(ErrorCode.PROTOCOL_MISMATCH, Calls.SAY, "hi", (in, out) -> {
                send(out, begun);
                awaitEnd(in);
            }, Limits.DEFAULT.withConnectTimeout(Duration.ofMillis(2000)));
            assertTrue(e.getMessage().contains("127.0.0.1:") && e.getMessage().contains("within 2000 ms") && e.getMessage().contains("HTTP or TLS"), e.getMessage());
        }
    }

    @Test
    void aServerThatGreetsAndDoesNotAnswer() throws Exception {
        Limits limits = Limits.DEFAULT.withConnectTimeout(Duration.ofMillis(2000)).withDeadline(Duration.ofMillis(3000));
        for (int connections : new int[] {1, 0}) {
            try (Peer peer = new Peer((in, out) -> {
                send(out, Raw.PREAMBLE);
                awaitEnd(in);
            }); Channel channel = TcpChannel.open("127.0.0.1", peer.port(), ClientOptions.DEFAULT.withMaxConnections(connections).withLimits(limits))) {
                CreoException e = error(ErrorCode.DEADLINE_EXCEEDED, () -> channel.call(Calls.SAY, "hi", CallOptions.NONE));
                assertTrue(e.getMessage().contains("127.0.0.1:" + peer.port()), e.getMessage());
            }
        }
    }

    /** A oneway call is over before anything was read: the time for the preamble is that of the call which waits for an answer. */
    @Test
    void aCallAfterAOnewayOne() throws Exception {
        try (Peer peer = new Peer(FirstBytesTest::echo); Channel channel = TcpChannel.open("127.0.0.1", peer.port(),
            ClientOptions.DEFAULT.withLimits(Limits.DEFAULT.withConnectTimeout(Duration.ofMillis(2000))))) {
            channel.call(Calls.NOTE, "x", CallOptions.NONE);
            TimeUnit.MILLISECONDS.sleep(2500);
            assertEquals("hi", channel.call(Calls.SAY, "hi", CallOptions.NONE));
        }
    }

    /** TCP-10: whatever comes for a oneway call is for an unknown id, also while its request is being sent. */
    @Test
    void anAnswerToAOnewayCallThatIsStillSent() throws Exception {
        for (int connections : new int[] {1, 0}) {
            try (Peer peer = new Peer((in, out) -> {
                send(out, Raw.PREAMBLE + Raw.frame(TcpFrames.ERROR, 0, 1, "0c" + Raw.text("no") + "00"));
                in.transferTo(OutputStream.nullOutputStream());
            }); Channel channel = TcpChannel.open("127.0.0.1", peer.port(), ClientOptions.DEFAULT.withMaxConnections(connections))) {
                assertNull(channel.callAsync(Calls.NOTE, "x".repeat(8_000_000), CallOptions.NONE).get());
            }
        }
    }

    @Test
    void aServerThatTakesNoMoreConnections() throws Exception {
        Peer.Behaviour refuses = (in, out) -> send(out, TOO_MANY);
        CreoException e = expect(ErrorCode.OVERLOADED, Calls.SAY, "hi", refuses);
        assertTrue(e.fromPeer());
        assertEquals("2500", e.details().get("allowed"));
        // More than the connection holds before the server has closed it: writing fails, but the server's earlier bytes are read.
        e = expect(ErrorCode.OVERLOADED, Calls.ECHO, new byte[8_000_000], refuses);
        assertEquals("maxConnectionsPerAddress", e.details().get("limit"));
        e = expect(ErrorCode.OVERLOADED, Calls.SAY, "hi", (in, out) -> {
            send(out, TOO_MANY);
            awaitEnd(in);
        });
        assertTrue(e.getMessage().contains("too many"), e.getMessage());
    }

    @Test
    void aServerThatClosesWhileItIsWrittenTo() throws Exception {
        expect(ErrorCode.UNAVAILABLE, Calls.ECHO, new byte[8_000_000], (in, out) -> send(out, Raw.PREAMBLE));
        expect(ErrorCode.PROTOCOL_MISMATCH, Calls.ECHO, new byte[8_000_000], (in, out) -> out.write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes()));
    }

    @Test
    void aCodeThatIsNeverSent() throws Exception {
        try (Peer peer = new Peer((in, out) -> {
            send(out, Raw.PREAMBLE + Raw.frame(TcpFrames.ERROR, 0, 1, "0d" + Raw.text("me") + "00"));
            awaitEnd(in);
        }); Channel channel = TcpChannel.open("127.0.0.1", peer.port(), ClientOptions.DEFAULT)) {
            CreoException e = error(ErrorCode.INTERNAL, () -> channel.call(Calls.SAY, "hi", CallOptions.NONE));
            assertTrue(e.getMessage().contains("13"), e.getMessage());
        }
        try (Server server = Calls.serve(text -> {
            throw new CreoException(ErrorCode.UNTRUSTED_PEER, "the next one's certificate");
        }); Channel channel = Calls.connect(server)) {
            CreoException e = error(ErrorCode.INTERNAL, () -> channel.call(Calls.SAY, "hi", CallOptions.NONE));
            assertTrue(e.getMessage().contains("the service failed"), e.getMessage());
        }
    }
}
