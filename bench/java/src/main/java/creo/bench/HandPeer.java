package creo.bench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A careful programmer's handwritten code for this one layout (counts as u32, big-endian): a floor for generated code, not a product. */
final class HandPeer implements Case {
    private static final VarHandle DOUBLE = MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final Workload workload;
    private final Object value;
    private final byte[] bytes;

    HandPeer(Workload workload, int count) {
        this.workload = workload;
        value = switch (workload) {
            case NUMBERS -> Workload.blocks(count);
            case STRINGS, TEXTS -> workload.strings(count);
            case BYTES -> Workload.bytes(count);
            case REALS -> Workload.reals(count);
        };
        bytes = serialize();
    }

    @Override
    @SuppressWarnings("unchecked")
    public byte[] serialize() {
        return switch (workload) {
            case NUMBERS -> blocks((List<Workload.Block>) value);
            case STRINGS, TEXTS -> strings((List<String>) value);
            case BYTES -> {
                byte[] data = (byte[]) value;
                byte[] out = new byte[4 + data.length];
                INT.set(out, 0, data.length);
                System.arraycopy(data, 0, out, 4, data.length);
                yield out;
            }
            case REALS -> {
                double[] values = (double[]) value;
                byte[] out = new byte[4 + 8 * values.length];
                INT.set(out, 0, values.length);
                ByteBuffer.wrap(out, 4, out.length - 4).asDoubleBuffer().put(values);
                yield out;
            }
        };
    }

    private static byte[] blocks(List<Workload.Block> blocks) {
        byte[] out = new byte[4 + 10 * blocks.size()];
        INT.set(out, 0, blocks.size());
        int at = 4;
        for (Workload.Block block : blocks) {
            DOUBLE.set(out, at, block.d());
            SHORT.set(out, at + 8, block.s());
            at += 10;
        }
        return out;
    }

    private static byte[] strings(List<String> strings) {
        byte[][] encoded = new byte[strings.size()][];
        int size = 4;
        for (int i = 0; i < encoded.length; i++) {
            encoded[i] = strings.get(i).getBytes(StandardCharsets.UTF_8);
            size += 4 + encoded[i].length;
        }
        byte[] out = new byte[size];
        INT.set(out, 0, encoded.length);
        int at = 4;
        for (byte[] string : encoded) {
            INT.set(out, at, string.length);
            System.arraycopy(string, 0, out, at + 4, string.length);
            at += 4 + string.length;
        }
        return out;
    }

    @Override
    public Object deserialize() {
        int count = (int) INT.get(bytes, 0);
        return switch (workload) {
            case NUMBERS -> {
                List<Workload.Block> blocks = new ArrayList<>(count);
                for (int i = 0, at = 4; i < count; i++, at += 10) {
                    blocks.add(new Workload.Block((double) DOUBLE.get(bytes, at), (short) SHORT.get(bytes, at + 8)));
                }
                yield blocks;
            }
            case STRINGS, TEXTS -> {
                List<String> strings = new ArrayList<>(count);
                int at = 4;
                for (int i = 0; i < count; i++) {
                    int size = (int) INT.get(bytes, at);
                    strings.add(new String(bytes, at + 4, size, StandardCharsets.UTF_8));
                    at += 4 + size;
                }
                yield strings;
            }
            case BYTES -> {
                byte[] data = new byte[count];
                System.arraycopy(bytes, 4, data, 0, count);
                yield data;
            }
            case REALS -> {
                double[] values = new double[count];
                ByteBuffer.wrap(bytes, 4, bytes.length - 4).asDoubleBuffer().get(values);
                yield values;
            }
        };
    }

    @Override
    public Object plain(Object decoded) {
        return decoded;
    }
}
