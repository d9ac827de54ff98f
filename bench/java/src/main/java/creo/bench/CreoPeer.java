package creo.bench;

import bench.wire.Block;
import bench.wire.Bytes;
import bench.wire.BytesCodec;
import bench.wire.Numbers;
import bench.wire.NumbersCodec;
import bench.wire.Reals;
import bench.wire.RealsCodec;
import bench.wire.Strings;
import bench.wire.StringsCodec;
import creo.runtime.codegen.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Creo's generated records and codecs, with one writer that is kept. */
final class CreoPeer implements Case {
    private final Writer writer = new Writer();
    private final Runnable write;
    private final Callable<Object> read;
    private byte[] bytes;

    CreoPeer(Workload workload, int count) throws Exception {
        switch (workload) {
            case NUMBERS -> {
                List<Block> blocks = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    blocks.add(new Block(Workload.d(i), Workload.s(i)));
                }
                Numbers value = new Numbers(blocks);
                write = () -> NumbersCodec.encode(writer, value);
                read = () -> NumbersCodec.fromBytes(bytes);
            }
            case STRINGS, TEXTS -> {
                Strings value = new Strings(workload.strings(count));
                write = () -> StringsCodec.encode(writer, value);
                read = () -> StringsCodec.fromBytes(bytes);
            }
            case BYTES -> {
                Bytes value = new Bytes(Workload.bytes(count));
                write = () -> BytesCodec.encode(writer, value);
                read = () -> BytesCodec.fromBytes(bytes);
            }
            case REALS -> {
                Reals value = new Reals(Workload.reals(count));
                write = () -> RealsCodec.encode(writer, value);
                read = () -> RealsCodec.fromBytes(bytes);
            }
            default -> throw new AssertionError(workload);
        }
        bytes = serialize();
    }

    @Override
    public byte[] serialize() {
        writer.reset();
        write.run();
        return writer.toBytes();
    }

    @Override
    public Object deserialize() throws Exception {
        return read.call();
    }

    @Override
    public Object plain(Object decoded) {
        if (decoded instanceof Numbers numbers) {
            return numbers.blocks().stream().map(b -> new Workload.Block(b.d(), b.s())).toList();
        }
        if (decoded instanceof Strings strings) {
            return strings.items();
        }
        return decoded instanceof Bytes data ? data.data() : ((Reals) decoded).values();
    }
}
