package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.tcp.TcpFrames;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Arrays sent from the caller's memory: in as few frames as possible, and in order whatever surrounds them. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class LargeArraysTest {
    private static final int[] SIZES = {0, 1, 4_000, 16_383, 16_384, 70_000, 1_048_576, 1_048_577, 2_500_000};

    /** Arrays with a number before each, and one after the last if their number is odd. */
    private static final Codec<List<byte[]>> MIXED = Codec.of((w, arrays) -> {
        w.writeCount(arrays.size());
        for (byte[] array : arrays) {
            w.writeInt(array.length);
            w.writeBytes(array);
        }
        if (arrays.size() % 2 == 1) {
            w.writeLong(arrays.size());
        }
    }, r -> {
        List<byte[]> arrays = new ArrayList<>();
        int count = r.readCount(1, 0);
        for (int i = 0; i < count; i++) {
            int length = r.readInt();
            arrays.add(r.readBytes());
            assertEquals(length, arrays.get(i).length);
        }
        if (count % 2 == 1) {
            assertEquals(count, r.readLong());
        }
        return arrays;
    });
    private static final ServiceMethod<List<byte[]>, List<byte[]>> BACK = ServiceMethod.of(Calls.INTERFACE, "back", 70, MIXED, MIXED);

    /** Each small write wakes the peer: the array of an answer or request is in its only frame. */
    @Test
    void oneArrayIsOneFrame() throws Exception {
        try (Server server = Calls.serve(text -> text); Raw raw = new Raw(server.port())) {
            String body = "a0 8d 06" + "5a".repeat(100_000);
            raw.send(Raw.PREAMBLE + Raw.request(0, 1, 2, 0, body));
            raw.preamble();
            Raw.Frame answer = raw.next();
            assertEquals(TcpFrames.RESPONSE, answer.kind());
            assertEquals(0, answer.flags());
            assertArrayEquals(HexFormat.of().parseHex(body.replace(" ", "")), answer.body());
        }
    }

    @Test
    void arraysKeepTheirOrder() throws Exception {
        Random random = new Random(7);
        try (Server server = Server.builder().add(Endpoint.builder(Calls.INTERFACE).wires(Calls.WIRES).method(BACK, arrays -> arrays).build()).start();
                Channel channel = Calls.connect(server)) {
            for (int turn = 0; turn < 60; turn++) {
                List<byte[]> arrays = new ArrayList<>();
                for (int i = random.nextInt(6); i >= 0; i--) {
                    byte[] array = new byte[SIZES[random.nextInt(SIZES.length)]];
                    random.nextBytes(array);
                    arrays.add(array);
                }
                check(arrays, channel.call(BACK, arrays, CallOptions.NONE));
                check(arrays, channel.callAsync(BACK, arrays, CallOptions.NONE).get());
            }
        }
    }

    /** What failed before anything was sent leaves the connection as it was; what failed later is cancelled. */
    @Test
    void aFailureBehindAnArrayEndsItsCallAlone() throws Exception {
        Codec<byte[]> broken = Codec.of((w, v) -> {
            w.writeBytes(v);
            throw new IllegalStateException("no more");
        }, Reader::readBytes);
        ServiceMethod<byte[], byte[]> method = ServiceMethod.of(Calls.INTERFACE, "echo", 2, broken, Codec.of(Writer::writeBytes, Reader::readBytes));
        try (Server server = Calls.serve(text -> text); Channel channel = Calls.connect(server)) {
            for (int size : SIZES) {
                String message = "";
                try {
                    channel.call(method, new byte[size], CallOptions.NONE);
                } catch (IllegalStateException e) {
                    message = e.getMessage();
                }
                assertEquals("no more", message);
                assertArrayEquals(new byte[size], channel.call(Calls.ECHO, new byte[size], CallOptions.NONE));
            }
        }
    }

    private static void check(List<byte[]> expected, List<byte[]> actual) {
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++) {
            assertArrayEquals(expected.get(i), actual.get(i));
        }
    }
}
