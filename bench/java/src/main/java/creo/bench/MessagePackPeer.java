package creo.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;

/** MessagePack with its packer and unpacker driven by hand: an array of pairs, of strings or of doubles, or a binary. The packer is kept; an unpacker is made for each array of bytes. */
final class MessagePackPeer implements Case {
    private final Workload workload;
    private final Object value;
    private final MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
    private final byte[] bytes;

    MessagePackPeer(Workload workload, int count) throws IOException {
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
    public byte[] serialize() throws IOException {
        packer.clear();
        switch (workload) {
            case NUMBERS -> {
                List<Workload.Block> blocks = (List<Workload.Block>) value;
                packer.packArrayHeader(blocks.size());
                for (Workload.Block block : blocks) {
                    packer.packArrayHeader(2).packDouble(block.d()).packShort(block.s());
                }
            }
            case STRINGS, TEXTS -> {
                List<String> strings = (List<String>) value;
                packer.packArrayHeader(strings.size());
                for (String string : strings) {
                    packer.packString(string);
                }
            }
            case BYTES -> {
                byte[] data = (byte[]) value;
                packer.packBinaryHeader(data.length).writePayload(data);
            }
            case REALS -> {
                double[] values = (double[]) value;
                packer.packArrayHeader(values.length);
                for (double real : values) {
                    packer.packDouble(real);
                }
            }
        }
        return packer.toByteArray();
    }

    @Override
    public Object deserialize() throws IOException {
        try (MessageUnpacker in = MessagePack.newDefaultUnpacker(bytes)) {
            return switch (workload) {
                case NUMBERS -> {
                    int count = in.unpackArrayHeader();
                    List<Workload.Block> blocks = new ArrayList<>(count);
                    for (int i = 0; i < count; i++) {
                        if (in.unpackArrayHeader() != 2) {
                            throw new IOException("no pair");
                        }
                        blocks.add(new Workload.Block(in.unpackDouble(), in.unpackShort()));
                    }
                    yield blocks;
                }
                case STRINGS, TEXTS -> {
                    int count = in.unpackArrayHeader();
                    List<String> strings = new ArrayList<>(count);
                    for (int i = 0; i < count; i++) {
                        strings.add(in.unpackString());
                    }
                    yield strings;
                }
                case BYTES -> in.readPayload(in.unpackBinaryHeader());
                case REALS -> {
                    double[] values = new double[in.unpackArrayHeader()];
                    for (int i = 0; i < values.length; i++) {
                        values[i] = in.unpackDouble();
                    }
                    yield values;
                }
            };
        }
    }

    @Override
    public Object plain(Object decoded) {
        return decoded;
    }
}
