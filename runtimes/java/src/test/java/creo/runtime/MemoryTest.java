package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Lists;
import creo.runtime.codegen.Reader;
import creo.runtime.internal.buffer.Memory;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.http.Gzip;
import creo.runtime.internal.json.JsonReader;
import creo.runtime.internal.tcp.TcpFrames;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** The memory of a message is counted and limited (LIM-18). */
class MemoryTest {
    private static final int MILLIONS = 8_000_000;

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static Limits within(long memory) {
        return Limits.DEFAULT.withMaxMemory(memory);
    }

    private static void exceeded(CreoException e, long allowed) {
        assertEquals(ErrorCode.TOO_LARGE, e.code(), e.getMessage());
        assertEquals("maxMemory", e.details().get("limit"));
        assertEquals(Long.toString(allowed), e.details().get("allowed"));
    }

    /** It takes so much memory, and not a byte less. */
    private static CreoException takes(long memory, Function<Limits, ?> read) {
        read.apply(within(memory));
        CreoException e = assertThrows(CreoException.class, () -> read.apply(within(memory - 1)));
        exceeded(e, memory - 1);
        return e;
    }

    private static CreoException takes(long memory, String hex, Function<Reader, ?> read) {
        byte[] body = bytes(hex);
        return takes(memory, limits -> {
            Reader r = new Reader(body, 0, body.length, limits);
            try {
                Object value = read.apply(r);
                r.finish();
                return value == null ? "" : value;
            } catch (CreoException e) {
                throw r.resolve(e);
            }
        });
    }

    @Test
    void theLimitFollowsThatOfMessages() {
        assertEquals(536_870_912L, Limits.DEFAULT.maxMemory());
        assertEquals(4_000, Limits.DEFAULT.withMaxMessageSize(1_000).maxMemory());
        assertEquals(7, Limits.DEFAULT.withMaxMemory(7).withMaxMessageSize(1_000).maxMemory());
        assertThrows(IllegalArgumentException.class, () -> Limits.DEFAULT.withMaxMemory(0));
    }

    @Test
    void readersOfTheBinaryWireCharge() {
        CreoException body = takes(4, "03 616263", Reader::readString);
        assertEquals("$", body.place());
        assertEquals(0, body.offset());
        takes(5, "01 00000007", Reader::readInts);
        takes(3 + 2 * 40, "02 00 00", Reader::readStrings);
        CreoException items = takes(6 + 5 * 16, "05 0000000000", r -> {
            int n = r.readCount(1, 16);
            for (int i = 0; i < n; i++) {
                r.readByte();
            }
            return n;
        });
        assertEquals("$", items.place());
        assertEquals(0, items.offset());
        CreoException value = takes(3 + 20, "00 01 05", r -> r.readPresence(1_000) ? -1 : r.readPresence(20) ? (int) r.readByte() : 0);
        assertEquals(1, value.offset());
        int[] charges = {7, 9};
        assertEquals(0, takes(1 + 9, "01", r -> r.readMember(charges)).offset());
        takes(1 + 32, "02", r -> r.readMember(charges));
    }

    @Test
    void aBodyIsChargedAsItArrives() {
        // Three pieces of two bytes: the second is one too many for a limit of three.
        byte[] all = bytes("05 6162636465");
        BiFunction<Reader, Integer, Boolean> bring = (reader, end) -> {
            long offset = reader.offset();
            reader.window(all, (int) offset, end, offset);
            return true;
        };
        Reader.Source source = new Reader.Source() {
            private int end = 2;

            @Override
            public boolean fill(Reader reader, int need) {
                end = Math.min(all.length, Math.max(end + 2, (int) reader.offset() + need));
                return bring.apply(reader, end);
            }

            @Override
            public int read(byte[] target, int from, int most) {
                throw new AssertionError("not read so");
            }
        };
        Reader r = new Reader(source, within(6));
        r.begin();
        bring.apply(r, 2);
        assertEquals(2, r.memory().used());
        assertEquals("abcde", r.readString());
        assertEquals(6, r.memory().used());
        Reader small = new Reader(source, within(1));
        small.begin();
        exceeded(assertThrows(CreoException.class, () -> bring.apply(small, 2)), 1);
    }

    @Test
    void eachBodyHasItsOwnMemory() {
        Reader r = new Reader(bytes("01 00"), 0, 2, within(2 + 40));
        assertEquals(List.of(""), r.readStrings());
        r.reset(bytes("01 00"), 0, 2);
        assertEquals(List.of(""), r.readStrings());
    }

    @Test
    void readersOfTextWiresCharge() {
        XmlSample value = new XmlSample("i", "abc", 7, new double[] {1.5, 2}, "n", XmlSample.of("", 0));
        // Two numbers, the attribute, the note, the sample within.
        int own = 2 * 8 + 32 + 32 + 248;
        byte[] xml = Xml.write(XmlSample.CODEC, value);
        byte[] json = Json.write(XmlSample.CODEC, value);
        byte[] table = Tdxml.write(XmlSample.CODEC, value);
        byte[] rows = Tdxml.write(XmlSample.CODEC, value, TableOptions.AGGREGATED);
        takes(xml.length + own, limits -> Xml.read(XmlSample.CODEC, xml, limits));
        takes(json.length + own, limits -> Json.read(XmlSample.CODEC, json, limits));
        takes(table.length + own, limits -> Tdxml.read(XmlSample.CODEC, table, limits));
        takes(rows.length + own, limits -> Tdxml.read(XmlSample.CODEC, rows, limits));
        byte[] wide = ("\ufeff" + value.xml()).getBytes(StandardCharsets.UTF_16LE);
        takes(wide.length + own, limits -> Xml.read(XmlSample.CODEC, wide, limits));
        CreoException e = assertThrows(CreoException.class, () -> Json.read(XmlSample.CODEC, json, within(json.length + 40)));
        assertTrue(e.place().startsWith("$.values"), e.place());
        assertEquals("$", assertThrows(CreoException.class, () -> Xml.read(XmlSample.CODEC, xml, within(xml.length - 1))).place());
    }

    @Test
    void rowsInAnotherOrderAreChargedOnce() {
        String rows = "<Env xmlns=\"urn:creo:tdxml\"><CT>\n[0][2]1|2\n[0][2]0|1\n[0][1]|7\n[0][0]|abc\n</CT></Env>";
        byte[] table = rows.getBytes(StandardCharsets.UTF_8);
        takes(table.length + 2 * 8, limits -> Tdxml.read(XmlSample.CODEC, table, limits));
    }

    /** A budget that remembers. */
    private static final class Budget implements Memory.Budget {
        private long left;
        private final List<Long> reserved = new ArrayList<>();

        Budget(long left) {
            this.left = left;
        }

        @Override
        public boolean reserve(long bytes) {
            if (bytes > left) {
                return false;
            }
            left -= bytes;
            reserved.add(bytes);
            return true;
        }

        @Override
        public void release(long bytes) {
            left += bytes;
        }
    }

    @Test
    void aBudgetGrantsBlocks() {
        Budget budget = new Budget(1_000_000);
        Memory memory = new Memory(500_000, budget);
        assertEquals(0, memory.held());
        memory.charge(10);
        memory.charge(65_526);
        assertEquals(List.of(65_536L), budget.reserved);
        memory.charge(100_000);
        assertEquals(List.of(65_536L, 100_000L), budget.reserved);
        assertEquals(165_536, memory.held());
        assertEquals(165_536, memory.used());
        // No more than the message may have.
        memory.charge(334_464);
        exceeded(assertThrows(CreoException.class, () -> memory.charge(1)), 500_000);
        assertEquals(500_000, memory.held());
        budget.release(memory.held());
        assertEquals(1_000_000, budget.left);
        assertEquals(0, new Memory(5).held());
    }

    @Test
    void aBudgetThatIsSpentIsOverloaded() {
        Budget budget = new Budget(70_000);
        Memory memory = new Memory(500_000, budget);
        memory.charge(1);
        // Less than a block is left, but enough.
        memory.charge(66_000);
        assertEquals(66_001, memory.held());
        CreoException e = assertThrows(CreoException.class, () -> memory.charge(4_000));
        assertEquals(ErrorCode.OVERLOADED, e.code());
        assertEquals("memoryBudget", e.details().get("limit"));
        assertEquals(66_001, memory.held());
        Reader r = new Reader(new byte[0]);
        r.begin(new Memory(100, new Budget(10)));
        r.window(bytes("01 00"), 0, 2, 0);
        r.bodyEnd(2);
        CreoException in = assertThrows(CreoException.class, r::readStrings);
        assertEquals(ErrorCode.OVERLOADED, in.code());
        assertEquals("$", in.place());
    }

    @Test
    void whatIsExpectedIsGrantedOnce() {
        Budget budget = new Budget(1_000_000);
        Memory memory = new Memory(500_000, budget);
        memory.expect(300_000);
        assertEquals(300_000, memory.held());
        assertEquals(0, memory.used());
        memory.charge(200_000);
        memory.expect(100_000);
        assertEquals(300_000, memory.held());
        // Beyond the message's limit, charges are refused, but not expectations.
        memory.expect(10_000_000);
        assertEquals(500_000, memory.held());
        memory.charge(300_000);
        exceeded(assertThrows(CreoException.class, () -> memory.charge(1)), 500_000);
        Memory second = new Memory(600_000, budget);
        assertEquals(ErrorCode.OVERLOADED, assertThrows(CreoException.class, () -> second.expect(600_000)).code());
        new Memory(5).expect(1_000);
    }

    /** An array that grows with what arrives (LIM-3) may be several times as long as what has arrived: the budget has room for it before there is one. */
    @Test
    void arraysThatGrowStayWithinTheBudget() {
        Limits limits = Limits.DEFAULT.withTrustedAllocation(65_536);
        Map<Integer, Function<Reader, ?>> reads = new LinkedHashMap<>();
        reads.put(1, Reader::readBytes);
        reads.put(-1, Reader::readBooleans);
        reads.put(2, Reader::readShorts);
        reads.put(-2, Reader::readChars);
        reads.put(4, Reader::readInts);
        reads.put(-4, Reader::readFloats);
        reads.put(8, Reader::readLongs);
        reads.put(-8, Reader::readDoubles);
        reads.put(-100, Reader::readString);
        int budget = 2_000_000;
        reads.forEach((size, read) -> {
            byte[] piece = new byte[16_384];
            int n = size == -100 ? 8_000_000 : 8_000_000 / Math.abs(size);
            for (int i = 0, left = n; left > 0; i++, left >>>= 7) {
                piece[i] = (byte) (left < 0x80 ? left : left | 0x80);
            }
            Reader r = new Reader(zeros(), limits);
            r.begin(new Memory(limits.maxMemory(), new Budget(budget)));
            r.window(piece, 0, piece.length, 0);
            long before = allocated();
            CreoException e = assertThrows(CreoException.class, () -> read.apply(r));
            assertEquals(ErrorCode.OVERLOADED, e.code(), "items of " + size);
            assertTrue(allocated() - before < 2L * budget, "items of " + size + ": " + (allocated() - before) + " bytes were taken");
        });
    }

    /** Zeros without end. */
    private static Reader.Source zeros() {
        byte[] piece = new byte[16_384];
        return new Reader.Source() {
            @Override
            public boolean fill(Reader r, int need) {
                // The rest of the window contains zeros, too.
                r.window(piece, 0, piece.length, r.offset());
                return true;
            }

            @Override
            public int read(byte[] target, int from, int most) {
                return Math.min(most, 65_536);
            }
        };
    }

    @Test
    void whatIsRewoundStaysGranted() {
        Budget budget = new Budget(1_000_000);
        Memory memory = new Memory(200, budget);
        memory.charge(50);
        long used = memory.used();
        memory.charge(150);
        memory.rewind(used);
        memory.charge(150);
        exceeded(assertThrows(CreoException.class, () -> memory.charge(1)), 200);
        assertEquals(200, memory.held());
    }

    @Test
    void whatIsDecompressedIsCharged() {
        byte[] packed = Gzip.compress(new byte[10_000_000], 10_000_000);
        Budget budget = new Budget(20_000_000);
        Memory memory = new Memory(15_000_000, budget);
        PaddedBytes body = Gzip.decompress(packed, packed.length, Limits.DEFAULT, memory);
        assertEquals(10_000_000, memory.used());
        assertEquals(memory, body.charged(Limits.DEFAULT));
        long before = allocated();
        Memory small = new Memory(1_000_000, new Budget(20_000_000));
        exceeded(assertThrows(CreoException.class, () -> Gzip.decompress(packed, packed.length, Limits.DEFAULT, small)), 1_000_000);
        assertTrue(allocated() - before < 6_000_000, "memory follows what was charged");
        before = allocated();
        Memory scarce = new Memory(15_000_000, new Budget(3_000_000));
        assertEquals(ErrorCode.OVERLOADED, assertThrows(CreoException.class, () -> Gzip.decompress(packed, packed.length, Limits.DEFAULT, scarce)).code());
        assertTrue(allocated() - before < 5_000_000, "memory follows what the budget has room for");
        // A single body is charged once, whatever reads it.
        byte[] json = Json.write(XmlSample.CODEC, XmlSample.of("x".repeat(5_000), 1));
        byte[] smaller = Gzip.compress(json, json.length);
        JsonReader r = JsonReader.borrow(Limits.DEFAULT);
        try {
            r.openBody(Gzip.decompress(smaller, smaller.length, Limits.DEFAULT));
            assertEquals(json.length, r.memory.used());
        } finally {
            r.giveBack();
        }
        assertNull(r.memory);
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    /** A body of as many items, each of which has these bytes. */
    private static byte[] millions(String count, String item) {
        byte[] head = bytes(count);
        byte[] one = bytes(item);
        byte[] all = Arrays.copyOf(head, head.length + MILLIONS * one.length);
        for (int p = head.length; p < all.length; p += one.length) {
            System.arraycopy(one, 0, all, p, one.length);
        }
        return all;
    }

    private static Map<String, String> map(Reader r) {
        int n = r.readCount(2, 64 + 32 + 32);
        LinkedHashMap<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < n; i++) {
            map.put(r.readString(), r.readString());
        }
        return Lists.frozen(map);
    }

    private record Texts(String text) {}

    private record Numbers(Integer a, Integer b, String c) {}

    private static Numbers numbers(Reader r) {
        return new Numbers(r.readPresence(16) ? r.readInt() : null, r.readPresence(16) ? r.readInt() : null, r.readPresence(32) ? r.readString() : null);
    }

    private static <T> List<T> list(Reader r, int least, int each, Function<Reader, T> item) {
        int n = r.readCount(least, each);
        Object[] items = r.items(n);
        for (int i = 0; i < n; i++) {
            items[i] = item.apply(r);
        }
        return Lists.frozen(items, n);
    }

    /** Eight million small items are refused when their count was read, and nothing is taken for them. */
    @Test
    void millionsOfSmallItemsAreRefused() {
        String count = "80a4e803";
        assertEquals(MILLIONS, new Reader(bytes(count)).readCount());
        refuse(millions(count, "00"), r -> list(r, 1, 8 + 96, MemoryTest::map));
        refuse(millions(count, "00"), r -> list(r, 1, 8 + 40 + 8 + 32, each -> new Texts(each.readString())));
        refuse(millions(count, "000000"), r -> list(r, 3, 8 + 40 + 3 * 8, MemoryTest::numbers));
    }

    private static void refuse(byte[] body, Function<Reader, ?> read) {
        Reader r = new Reader(body, 0, body.length, Limits.DEFAULT);
        long before = allocated();
        CreoException e = assertThrows(CreoException.class, () -> read.apply(r));
        assertTrue(allocated() - before < 1_000_000, "nothing was taken");
        exceeded(e, 536_870_912L);
    }

    @Test
    void aCompressedBodyOverTcpIsChargedAsItIsInflated() throws Exception {
        try (Server server = Server.builder().bind("127.0.0.1", 0).limits(within(100_000)).add(Calls.endpoint(text -> "you said " + text)).start();
            Raw raw = new Raw(server.port())) {
            byte[] text = new byte[200_000];
            Arrays.fill(text, (byte) 'a');
            byte[] body = Arrays.copyOf(bytes("c09a0c"), 3 + text.length);
            System.arraycopy(text, 0, body, 3, text.length);
            Deflater deflater = new Deflater();
            deflater.setInput(body);
            deflater.finish();
            byte[] packed = new byte[10_000];
            int n = deflater.deflate(packed);
            deflater.end();
            raw.send(Raw.PREAMBLE + Raw.request(TcpFrames.COMPRESSED, 1, Calls.SAY.id(), 20_000, HexFormat.of().formatHex(packed, 0, n)));
            raw.preamble();
            Raw.Frame answer = raw.next();
            assertEquals(ErrorCode.TOO_LARGE, answer.code());
            assertTrue(new String(answer.body(), StandardCharsets.ISO_8859_1).contains("maxMemory"));
        }
    }
}
