package creo.bench.response;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A plain socket with a codec written by hand for these three requests: a floor, not a product. */
public final class RawPeer extends FramedPeer {
    public RawPeer() {
        super(Hand::new);
    }

    private record Block(double d, short s) {}

    private static final class Hand implements Codec {
        private static final VarHandle DOUBLE = MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.BIG_ENDIAN);
        private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
        private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

        @Override
        public Object prepare(Kind kind, int count) {
            return switch (kind) {
                case NUMBERS -> Data.list(count, i -> new Block(Data.d(i), Data.s(i)));
                case STRINGS -> Data.strings(count);
                case BYTES -> Data.bytes(count);
            };
        }

        @Override
        @SuppressWarnings("unchecked")
        public void write(Kind kind, Object request, FrameOut out) {
            switch (kind) {
                case NUMBERS -> numbers((List<Block>) request, out);
                case STRINGS -> strings((List<String>) request, out);
                case BYTES -> {
                    byte[] data = (byte[]) request;
                    System.arraycopy(data, 0, out.room(data.length), out.at(), data.length);
                    out.moveTo(out.at() + data.length);
                }
            }
        }

        private static void numbers(List<Block> blocks, FrameOut out) {
            byte[] bytes = out.room(4 + 10 * blocks.size());
            int at = out.at();
            INT.set(bytes, at, blocks.size());
            at += 4;
            for (Block block : blocks) {
                DOUBLE.set(bytes, at, block.d);
                SHORT.set(bytes, at + 8, block.s);
                at += 10;
            }
            out.moveTo(at);
        }

        private static void strings(List<String> items, FrameOut out) {
            INT.set(out.room(4), out.at(), items.size());
            int at = out.at() + 4;
            for (String item : items) {
                byte[] utf8 = item.getBytes(StandardCharsets.UTF_8);
                out.moveTo(at);
                byte[] bytes = out.room(4 + utf8.length);
                INT.set(bytes, at, utf8.length);
                System.arraycopy(utf8, 0, bytes, at + 4, utf8.length);
                at += 4 + utf8.length;
            }
            out.moveTo(at);
        }

        @Override
        public int read(Kind kind, byte[] bytes, int from, int length) {
            switch (kind) {
                case NUMBERS -> {
                    Block[] blocks = new Block[(int) INT.get(bytes, from)];
                    for (int i = 0, at = from + 4; i < blocks.length; i++, at += 10) {
                        blocks[i] = new Block((double) DOUBLE.get(bytes, at), (short) SHORT.get(bytes, at + 8));
                    }
                    return Received.numbers(blocks.length, i -> blocks[i].d, i -> blocks[i].s);
                }
                case STRINGS -> {
                    String[] items = new String[(int) INT.get(bytes, from)];
                    for (int i = 0, at = from + 4; i < items.length; i++) {
                        int size = (int) INT.get(bytes, at);
                        items[i] = new String(bytes, at + 4, size, StandardCharsets.UTF_8);
                        at += 4 + size;
                    }
                    return Received.strings(items.length, i -> items[i]);
                }
                default -> {
                    byte[] data = new byte[length];
                    System.arraycopy(bytes, from, data, 0, length);
                    return Received.bytes(data);
                }
            }
        }
    }
}
