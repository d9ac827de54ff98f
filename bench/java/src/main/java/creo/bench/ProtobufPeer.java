package creo.bench;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import creo.bench.gen.proto.Block;
import creo.bench.gen.proto.Bytes;
import creo.bench.gen.proto.Numbers;
import creo.bench.gen.proto.Reals;
import creo.bench.gen.proto.Strings;
import java.util.ArrayList;
import java.util.List;

/**
 * protobuf in two ways. From plain objects: each call builds messages from plain records and back, as in an application with its own types. Prebuilt:
 * messages exist before and stay messages; this flatters serializing, since a message caches its size after the first writing.
 */
final class ProtobufPeer implements Case {
    private final Workload workload;
    private final boolean prebuilt;
    private final Object value;
    private final Message message;
    private final Parser<? extends Message> parser;
    private final byte[] bytes;

    ProtobufPeer(Workload workload, int count, boolean prebuilt) throws Exception {
        this.workload = workload;
        this.prebuilt = prebuilt;
        value = switch (workload) {
            case NUMBERS -> Workload.blocks(count);
            case STRINGS, TEXTS -> workload.strings(count);
            case BYTES -> Workload.bytes(count);
            case REALS -> Workload.reals(count);
        };
        parser = switch (workload) {
            case NUMBERS -> Numbers.parser();
            case STRINGS, TEXTS -> Strings.parser();
            case BYTES -> Bytes.parser();
            case REALS -> Reals.parser();
        };
        message = build();
        bytes = serialize();
    }

    @Override
    public byte[] serialize() {
        return (prebuilt ? message : build()).toByteArray();
    }

    @Override
    public Object deserialize() throws Exception {
        Message decoded = parser.parseFrom(bytes);
        return prebuilt ? decoded : take(decoded);
    }

    @Override
    public Object plain(Object decoded) {
        return prebuilt ? take((Message) decoded) : decoded;
    }

    @SuppressWarnings("unchecked")
    private Message build() {
        return switch (workload) {
            case NUMBERS -> {
                Numbers.Builder numbers = Numbers.newBuilder();
                for (Workload.Block block : (List<Workload.Block>) value) {
                    numbers.addBlocks(Block.newBuilder().setD(block.d()).setS(block.s()));
                }
                yield numbers.build();
            }
            case STRINGS, TEXTS -> Strings.newBuilder().addAllItems((List<String>) value).build();
            case BYTES -> Bytes.newBuilder().setData(UnsafeByteOperations.unsafeWrap((byte[]) value)).build();
            case REALS -> {
                Reals.Builder reals = Reals.newBuilder();
                for (double real : (double[]) value) {
                    reals.addValues(real);
                }
                yield reals.build();
            }
        };
    }

    private Object take(Message decoded) {
        return switch (workload) {
            case NUMBERS -> {
                List<Workload.Block> blocks = new ArrayList<>(((Numbers) decoded).getBlocksCount());
                for (Block block : ((Numbers) decoded).getBlocksList()) {
                    blocks.add(new Workload.Block(block.getD(), (short) block.getS()));
                }
                yield blocks;
            }
            case STRINGS, TEXTS -> new ArrayList<>(((Strings) decoded).getItemsList());
            case BYTES -> {
                ByteString data = ((Bytes) decoded).getData();
                yield data.toByteArray();
            }
            case REALS -> {
                Reals reals = (Reals) decoded;
                double[] values = new double[reals.getValuesCount()];
                for (int i = 0; i < values.length; i++) {
                    values[i] = reals.getValues(i);
                }
                yield values;
            }
        };
    }
}
