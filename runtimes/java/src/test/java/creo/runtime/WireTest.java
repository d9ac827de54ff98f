package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Bytes;
import creo.runtime.codegen.Layout;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.Values;
import creo.runtime.codegen.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values as bytes, by {@code spec/wires/binary.md}. */
class WireTest {
    private static byte[] write(Consumer<Writer> body) {
        Writer w = new Writer();
        body.accept(w);
        return w.toBytes();
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static CreoException malformed(String hex, Function<Reader, ?> read) {
        Reader r = new Reader(bytes(hex));
        CreoException e = assertThrows(CreoException.class, () -> {
            read.apply(r);
            r.finish();
        });
        assertEquals(ErrorCode.MALFORMED, e.code(), e.getMessage());
        return r.resolve(e);
    }

    @Test
    void countsAreInTheirShortestForm() {
        int[] counts = {0, 1, 127, 128, 300, 16_383, 16_384, 2_097_151, 2_097_152, 268_435_455, 268_435_456, Integer.MAX_VALUE};
        for (int count : counts) {
            byte[] bytes = write(w -> w.writeCount(count));
            assertEquals(Bytes.countSize(count), bytes.length);
            assertEquals(count, new Reader(bytes).readCount());
        }
        assertArrayEquals(bytes("ac 02"), write(w -> w.writeCount(300)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"8000", "ff00", "80808080 00", "ffffffff 08", "ffffffff 7f", "80808080 80", "80", "ffffff"})
    void otherCountsAreMalformed(String hex) {
        assertEquals(0, malformed(hex, Reader::readCount).offset());
    }

    @Test
    void scalarsAreBigEndian() {
        byte[] bytes = write(w -> {
            w.writeBoolean(true);
            w.writeByte((byte) -2);
            w.writeShort((short) 0x0102);
            w.writeChar('\ud800');
            w.writeInt(0x01020304);
            w.writeLong(0x0102030405060708L);
            w.writeFloat(1);
            w.writeDouble(-2.5);
        });
        assertArrayEquals(bytes("01 fe 0102 d800 01020304 0102030405060708 3f800000 c004000000000000"), bytes);
        Reader r = new Reader(bytes);
        assertTrue(r.readBoolean());
        assertEquals((byte) -2, r.readByte());
        assertEquals((short) 0x0102, r.readShort());
        assertEquals('\ud800', r.readChar());
        assertEquals(0x01020304, r.readInt());
        assertEquals(0x0102030405060708L, r.readLong());
        assertEquals(1f, r.readFloat());
        assertEquals(-2.5, r.readDouble());
        r.finish();
    }

    @Test
    void theBitsOfNumbersTravelUnchanged() {
        byte[] quiet = bytes("7ff8000000000123");
        assertArrayEquals(quiet, write(w -> w.writeDouble(new Reader(quiet).readDouble())));
        byte[] array = bytes("01 fff0000000000abc");
        assertArrayEquals(array, write(w -> w.writeDoubles(new Reader(array).readDoubles())));
    }

    @Test
    void stringsOfAllKindsComeBack() {
        List<String> all = new ArrayList<>(List.of("", "a", "CO2", "ten letters", "\u0000", "\u00e9", "\u4e2d\u6587", "\ud83d\ude00", "a\ud83d\ude00b"));
        for (int n : new int[] {7, 8, 9, 126, 127, 128, 129, 2_047, 2_048, 2_049, 4_090, 4_096, 5_000, 70_000}) {
            all.add("x".repeat(n));
            all.add("x".repeat(n - 1) + "\u00e9");
            all.add("\u4e2d".repeat(n));
        }
        for (String s : all) {
            byte[] expected = s.getBytes(StandardCharsets.UTF_8);
            byte[] bytes = write(w -> w.writeString(s));
            assertArrayEquals(expected, Arrays.copyOfRange(bytes, Bytes.countSize(expected.length), bytes.length));
            assertEquals(s, new Reader(bytes).readString());
        }
        assertArrayEquals(write(w -> {
            w.writeCount(all.size());
            all.forEach(w::writeString);
        }), write(w -> w.writeStrings(all)));
        assertEquals(all, new Reader(write(w -> w.writeStrings(all))).readStrings());
        assertEquals(all, new Reader(write(w -> w.writeStrings(new LinkedList<>(all)))).readStrings());
    }

    /** The low byte of each of these characters is an ASCII letter: a copy of low bytes would not notice. */
    @Test
    void aCharacterIsNeverCutToItsLowByte() {
        for (String s : List.of("\u0141", "\u0141\u0142\u0143\u0144\u0145\u0146\u0147\u0148\u0149", "abcdefgh\u0261", "\u0161".repeat(200), "\uff21".repeat(3_000))) {
            assertEquals(s, new Reader(write(w -> w.writeString(s))).readString());
            assertEquals(List.of(s, "a", s), new Reader(write(w -> w.writeStrings(List.of(s, "a", s)))).readStrings());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff", "80", "c0 80", "c1 bf", "c3", "e0 80 80", "e0 9f bf", "ed a0 80", "ed bf bf", "e2 82", "f0 80 80 80", "f0 8f bf bf", "f4 90 80 80",
        "f5 80 80 80", "f8 88 80 80 80", "61 62 63 64 65 66 67 68 69 c3 28", "c3 a9 80"})
    void whatIsNotUtf8IsMalformed(String hex) {
        byte[] text = bytes(hex);
        String counted = String.format("%02x", text.length) + hex;
        malformed(counted, Reader::readString);
        assertEquals("$[1]", malformed("02 00" + counted, Reader::readStrings).place());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud800", "\udc00", "a\ud800b", "\ud800\ud800", "\udc00\ud800"})
    void aLoneSurrogateCannotBeWritten(String s) {
        for (String text : List.of(s, "x".repeat(300) + s, "x".repeat(5_000) + s)) {
            assertEquals(ErrorCode.INVALID_VALUE, assertThrows(CreoException.class, () -> write(w -> w.writeString(text))).code());
            CreoException e = assertThrows(CreoException.class, () -> write(w -> w.writeStrings(List.of("a", "b", text))));
            assertEquals("$[2]", e.place());
        }
    }

    @Test
    void nullCannotBeWritten() {
        for (Consumer<Writer> body : List.<Consumer<Writer>>of(w -> w.writeString(null), w -> w.writeBytes(null), w -> w.writeDoubles(null),
                w -> w.writeDecimal(null), w -> w.writeInstant(null), w -> w.writeStrings(null), w -> w.writeBooleans(null))) {
            assertEquals(ErrorCode.INVALID_VALUE, assertThrows(CreoException.class, () -> write(body)).code());
        }
        assertEquals("$[1]", assertThrows(CreoException.class, () -> write(w -> w.writeStrings(Arrays.asList("a", null)))).place());
    }

    @Test
    void booleansAreNothingElse() {
        assertEquals(0, malformed("02", Reader::readBoolean).offset());
        assertEquals(0, malformed("ff", r -> r.readPresence(0)).offset());
        CreoException e = malformed("03 01 00 07", Reader::readBooleans);
        assertEquals("$[2]", e.place());
        assertEquals(3, e.offset());
    }

    @Test
    void decimalsAreCanonical() {
        for (String text : List.of("0", "0.00", "-1.50", "12.5", "100", "0.001", "-0.1", "9".repeat(1_000), "0." + "0".repeat(998) + "1")) {
            assertEquals(new BigDecimal(text), new Reader(write(w -> w.writeDecimal(new BigDecimal(text)))).readDecimal());
        }
        assertArrayEquals(bytes("05 2d312e3530"), write(w -> w.writeDecimal(new BigDecimal("-1.50"))));
        assertEquals("1000", new Reader(write(w -> w.writeDecimal(new BigDecimal("1e3")))).readString());
        for (String text : List.of("", "-", "+1", "01", "1.", ".5", "1e3", "-0", "-0.00", " 1", "1 ", "0x1", "1.2.3", "\u0661", "9".repeat(1_001))) {
            byte[] bytes = write(w -> w.writeString(text));
            assertEquals(ErrorCode.MALFORMED, assertThrows(CreoException.class, () -> new Reader(bytes).readDecimal()).code(), text);
        }
        for (String text : List.of("1e1000", "1e-1000", "1e2147483647", "-1e-2147483647")) {
            assertEquals(ErrorCode.INVALID_VALUE, assertThrows(CreoException.class, () -> write(w -> w.writeDecimal(new BigDecimal(text)))).code(), text);
        }
    }

    @Test
    void instantsHaveTheirRange() {
        for (String text : List.of("0001-01-01T00:00:00Z", "1969-12-31T23:59:59.5Z", "9999-12-31T23:59:59.999999999Z")) {
            assertEquals(Instant.parse(text), new Reader(write(w -> w.writeInstant(Instant.parse(text)))).readInstant());
        }
        assertArrayEquals(bytes("ffffffffffffffff 1dcd6500"), write(w -> w.writeInstant(Instant.parse("1969-12-31T23:59:59.5Z"))));
        for (Instant outside : List.of(Instant.parse("+10000-01-01T00:00:00Z"), Instant.parse("0000-12-31T23:59:59Z"), Instant.MIN, Instant.MAX)) {
            assertEquals(ErrorCode.INVALID_VALUE, assertThrows(CreoException.class, () -> write(w -> w.writeInstant(outside))).code());
        }
        malformed("0000000000000000 3b9aca00", Reader::readInstant);
        malformed("7fffffffffffffff 00000000", Reader::readInstant);
        malformed("0000000000000000 ffffffff", Reader::readInstant);
    }

    @Test
    void aClaimIsCheckedBeforeMemoryIsTaken() {
        malformed("ffffffff 07", Reader::readDoubles);
        malformed("ffffffff 07", Reader::readBytes);
        malformed("ffffffff 07", Reader::readStrings);
        malformed("05 01 01", Reader::readBooleans);
        malformed("03 0000000000000000 0000000000000000", Reader::readLongs);
    }

    @Test
    void itemsWithoutBytesHaveABudget() {
        Limits limits = Limits.DEFAULT.withMaxEmptyItems(10);
        Reader r = new Reader(bytes("0a 01"), 0, 2, limits);
        assertEquals(10, r.readCount(0, 0));
        CreoException e = assertThrows(CreoException.class, () -> r.readCount(0, 0));
        assertEquals(ErrorCode.TOO_LARGE, e.code());
        assertEquals("maxEmptyItems", e.details().get("limit"));
        assertEquals("10", e.details().get("allowed"));
    }

    @Test
    void regionsLieWithinOneAnother() {
        byte[] bytes = write(w -> {
            int outer = w.openRegion();
            w.writeInt(1);
            int inner = w.openRegion();
            w.writeShort((short) 2);
            w.closeRegion(inner);
            w.closeRegion(outer);
            w.writeByte((byte) 3);
        });
        assertArrayEquals(bytes("0000000a 00000001 00000002 0002 03"), bytes);
        Reader r = new Reader(bytes);
        long outer = r.openRegion();
        assertTrue(r.inRegion());
        r.readInt();
        long inner = r.openRegion();
        assertTrue(r.inRegion());
        r.closeRegion(inner);
        assertFalse(r.inRegion());
        assertThrows(CreoException.class, r::readByte);
        r.closeRegion(outer);
        assertEquals(3, r.readByte());
        r.finish();
        malformed("00000005 00000000", Reader::openRegion);
        malformed("00000004 ffffffff", x -> {
            x.openRegion();
            return x.openRegion();
        });
    }

    @Test
    void depthHasALimit() {
        Reader r = new Reader(new byte[0], 0, 0, Limits.DEFAULT.withMaxDepth(3));
        for (int i = 0; i < 3; i++) {
            r.enter();
        }
        assertEquals("maxDepth", assertThrows(CreoException.class, r::enter).details().get("limit"));
        Writer w = new Writer(16, Limits.DEFAULT.withMaxDepth(1));
        w.enter();
        w.leave();
        w.enter();
        assertEquals(ErrorCode.TOO_LARGE, assertThrows(CreoException.class, w::enter).code());
    }

    @Test
    void aBodyHasALimit() {
        Limits limits = Limits.DEFAULT.withMaxMessageSize(100);
        assertEquals(ErrorCode.TOO_LARGE, assertThrows(CreoException.class, () -> new Reader(new byte[101], 0, 101, limits)).code());
        Writer w = new Writer(16, limits);
        w.writeBytes(new byte[99]);
        assertEquals(100, w.toBytes().length);
        w.writeByte((byte) 0);
        assertEquals(ErrorCode.TOO_LARGE, assertThrows(CreoException.class, w::toBytes).code());
        w.reset();
        w.writeBytes(new byte[98]);
        w.writeCount(7);
        assertEquals(100, w.toBytes().length);
        w.reset();
        assertEquals(ErrorCode.TOO_LARGE, assertThrows(CreoException.class, () -> w.writeDoubles(new double[2_000])).code());
    }

    @Test
    void theFieldAtWhichBytesRunOutIsNamed() {
        Layout inner = Layout.of("x", 8, "y", 8);
        Layout layout = Layout.of("a", 4, "point", inner, "b", 2);
        Reader r = new Reader(new byte[15]);
        CreoException e = assertThrows(CreoException.class, () -> r.require(22, layout));
        assertEquals("$.point.y", e.place());
        assertEquals(12, e.offset());
        assertEquals("malformed: the bytes end within a value (at $.point.y, byte 12)", e.getMessage());
    }

    /** Brings a body in pieces of random sizes, as a connection would. */
    private static final class Pieces implements Reader.Source {
        private final byte[] body;
        private final Random random;
        private final boolean known;
        private int at;

        Pieces(byte[] body, Random random, boolean known) {
            this.body = body;
            this.random = random;
            this.known = known;
        }

        @Override
        public boolean fill(Reader reader, int need) {
            int rest = reader.remaining();
            if (body.length - at + rest < need) {
                return false;
            }
            int more = Math.min(body.length - at, Math.max(need - rest, random.nextInt(200)));
            byte[] window = Arrays.copyOfRange(body, at - rest, at + more);
            at += more;
            reader.window(window, 0, window.length, reader.offset());
            if (known) {
                reader.bodyEnd(body.length);
            }
            return true;
        }

        @Override
        public int read(byte[] target, int from, int most) {
            int n = Math.min(Math.min(most, body.length - at), 1 + random.nextInt(500));
            System.arraycopy(body, at, target, from, n);
            at += n;
            return n == 0 ? -1 : n;
        }
    }

    @Test
    void aBodyThatComesInPiecesIsTheSame() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            double[] doubles = random.doubles(random.nextInt(2_000)).toArray();
            short[] shorts = new short[random.nextInt(300)];
            byte[] data = new byte[random.nextInt(20_000)];
            random.nextBytes(data);
            List<String> texts = new ArrayList<>();
            for (int i = random.nextInt(100); i > 0; i--) {
                texts.add((random.nextInt(9) == 0 ? "\u00e9" : "e").repeat(random.nextInt(random.nextInt(30) == 0 ? 9_000 : 30)));
            }
            byte[] body = write(w -> {
                w.writeDoubles(doubles);
                w.writeStrings(texts);
                int region = w.openRegion();
                w.writeShorts(shorts);
                w.writeBytes(data);
                w.writeInt(7);
                w.closeRegion(region);
                texts.forEach(w::writeString);
                w.writeLong(seedOf(doubles));
            });
            Reader r = new Reader(new Pieces(body, random, seed % 2 == 0), Limits.DEFAULT.withTrustedAllocation(1 + random.nextInt(1_000)));
            r.begin();
            assertArrayEquals(doubles, r.readDoubles());
            assertEquals(texts, r.readStrings());
            long outer = r.openRegion();
            assertArrayEquals(shorts, r.readShorts());
            assertArrayEquals(data, r.readBytes());
            assertTrue(r.inRegion());
            r.closeRegion(outer);
            for (String text : texts) {
                assertEquals(text, r.readString());
            }
            assertEquals(seedOf(doubles), r.readLong());
            assertEquals(body.length, r.offset());
            r.finish();
        }
    }

    private static long seedOf(double[] doubles) {
        return doubles.length;
    }

    /** LIM-3: whatever is claimed, memory follows what has arrived. */
    @Test
    void aClaimThatNeverArrivesTakesLittleMemory() {
        byte[] claim = bytes("ffffffff 07 01 02 03");
        Function<Reader, Object>[] reads = reads();
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        for (Function<Reader, Object> read : reads) {
            Reader r = new Reader(new Pieces(claim, new Random(1), false), Limits.DEFAULT);
            r.begin();
            long before = threads.getCurrentThreadAllocatedBytes();
            assertThrows(CreoException.class, () -> read.apply(r));
            long taken = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(taken < 2_500_000, taken + " bytes were taken");
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // An array of functions of one type.
    private static Function<Reader, Object>[] reads() {
        return new Function[] {(Function<Reader, Object>) Reader::readDoubles, (Function<Reader, Object>) Reader::readBytes,
            (Function<Reader, Object>) Reader::readStrings, (Function<Reader, Object>) Reader::readString, (Function<Reader, Object>) Reader::readChars};
    }

    @Test
    void valuesCompareByTheirItems() {
        assertTrue(Values.equal(List.of(new double[] {1}), List.of(new double[] {1})));
        assertFalse(Values.equal(List.of(new double[] {1}), List.of(new double[] {2})));
        assertTrue(Values.equal(java.util.Map.of("a", new byte[] {1}), java.util.Map.of("a", new byte[] {1})));
        assertEquals(Values.hash(List.of(new int[] {1, 2})), Values.hash(List.of(new int[] {1, 2})));
        assertEquals("[1.0, 2.5]", Values.text(new double[] {1, 2.5}));
        assertEquals("2 bytes: 01ff", Values.text(new byte[] {1, -1}));
        assertEquals("{a=[1, 2]}", Values.text(java.util.Map.of("a", new int[] {1, 2})));
    }

    @Test
    void newerGeneratedCodeIsToldToFindANewerRuntime() {
        assertEquals(1, Version.require(1, "0.1.0"));
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> Version.require(2, "9.9.9"));
        assertTrue(e.getMessage().contains("9.9.9") && e.getMessage().contains(Version.RUNTIME), e.getMessage());
    }
}
