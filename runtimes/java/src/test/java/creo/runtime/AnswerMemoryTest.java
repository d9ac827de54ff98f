package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Bytes;
import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.tcp.TcpFrames;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers for which memory is insufficient: they fail their call like any other error, and the client continues. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class AnswerMemoryTest {
    /** A byte of a count that does not end soon: 2^31 - 1 bytes of a result are to come. */
    private static final String ENDLESS = "ffffffff07";

    private static void send(OutputStream out, String hex) throws IOException {
        out.write(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    /** An answer of frames without end to the first request of the first connections; all others are answered well. */
    private static final class Endless implements Peer.Behaviour {
        private final AtomicInteger bad;

        Endless(int bad) {
            this.bad = new AtomicInteger(bad);
        }

        @Override
        public void serve(InputStream in, OutputStream out) throws IOException {
            DataInputStream requests = new DataInputStream(in);
            requests.readNBytes(8);
            send(out, Raw.PREAMBLE);
            while (true) {
                byte[] frame = requests.readNBytes(requests.readInt());
                int id = Bytes.getInt(frame, 2);
                if (bad.getAndDecrement() <= 0) {
                    send(out, Raw.frame(TcpFrames.RESPONSE, 0, id, HexFormat.of().formatHex(frame, 18, frame.length)));
                    continue;
                }
                send(out, Raw.frame(TcpFrames.RESPONSE, TcpFrames.MORE, id, ENDLESS));
                byte[] data = HexFormat.of().parseHex(Raw.frame(TcpFrames.DATA, TcpFrames.MORE, id, "00".repeat(65_536)));
                while (true) {
                    out.write(data);
                }
            }
        }
    }

    private static final ServiceMethod<String, String> DEVOURING = ServiceMethod.of(Calls.INTERFACE, "devouring", 5,
        Codec.of(Writer::writeString, Reader::readString), Codec.of(Writer::writeString, reader -> {
            reader.readByte();
            throw new OutOfMemoryError("Java heap space");
        }));

    /** A decoder without memory, in each way to call; the next call works, over another connection. */
    @Test
    void noMemoryIsAnErrorOfTheCall() throws Exception {
        for (int connections : new int[] {1, 0}) {
            try (Server server = Server.builder().add(Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).method(DEVOURING, text -> text).method(Calls.SAY, text -> text).build()).start();
                Channel channel = TcpChannel.open("127.0.0.1", server.port(), ClientOptions.DEFAULT.withMaxConnections(connections))) {
                CreoException e = error(ErrorCode.TOO_LARGE, () -> channel.call(DEVOURING, "hi", CallOptions.NONE));
                assertTrue(e.getMessage().contains("memory"), e.getMessage());
                assertEquals("hi", channel.call(Calls.SAY, "hi", CallOptions.NONE));
                ExecutionException async = assertThrows(ExecutionException.class, () -> channel.callAsync(DEVOURING, "hi", CallOptions.NONE).get());
                assertEquals(ErrorCode.TOO_LARGE, ((CreoException) async.getCause()).code());
                assertEquals("hi", channel.callAsync(Calls.SAY, "hi", CallOptions.NONE).get());
            }
        }
    }

    /** The same with a real heap, which is too small for the limit. */
    @Test
    void anEndlessAnswerInASmallHeap() throws Exception {
        String classes = Stream.of(AnswerMemoryTest.class, Channel.class)
            .map(c -> Path.of(java.net.URI.create(c.getProtectionDomain().getCodeSource().getLocation().toString())).toString())
            .collect(Collectors.joining(System.getProperty("path.separator")));
        Process child = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx48m", "-cp", classes,
            "creo.runtime.AnswerMemoryTest$Child")).redirectErrorStream(true).start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, child.waitFor(), said);
        assertEquals("too-large good ".repeat(4).strip(), said.strip());
    }

    /** Four calls with endless answers, each followed by one with a good answer: on separate and shared connections, blocking and not. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws Exception {
            StringBuilder said = new StringBuilder();
            CallOptions options = CallOptions.NONE.withDeadline(Duration.ofSeconds(60));
            for (int connections : new int[] {1, 0}) {
                for (boolean async : new boolean[] {false, true}) {
                    try (Peer peer = new Peer(new Endless(1));
                        Channel channel = TcpChannel.open("127.0.0.1", peer.port(), ClientOptions.DEFAULT.withMaxConnections(connections))) {
                        said.append(outcome(channel, async, options)).append(' ').append(outcome(channel, async, options)).append(' ');
                    }
                }
            }
            System.out.println(said);
            System.exit(0);
        }

        private static String outcome(Channel channel, boolean async, CallOptions options) throws Exception {
            try {
                byte[] result = async ? channel.callAsync(Calls.ECHO, new byte[] {1}, options).get() : channel.call(Calls.ECHO, new byte[] {1}, options);
                return result.length == 1 ? "good" : "wrong";
            } catch (CreoException e) {
                return e.code().word();
            } catch (ExecutionException e) {
                return e.getCause() instanceof CreoException c ? c.code().word() : e.getCause().toString();
            } catch (OutOfMemoryError e) {
                return "OutOfMemoryError";
            }
        }
    }
}
