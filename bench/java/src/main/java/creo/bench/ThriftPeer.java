package creo.bench;

import creo.bench.gen.thrift.Block;
import creo.bench.gen.thrift.Bytes;
import creo.bench.gen.thrift.Numbers;
import creo.bench.gen.thrift.Reals;
import creo.bench.gen.thrift.Strings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.thrift.TBase;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.transport.AutoExpandingBufferWriteTransport;
import org.apache.thrift.transport.TMemoryInputTransport;

/** Apache Thrift on its in-memory transports, which are kept between calls. */
final class ThriftPeer implements Case {
    private final TBase<?, ?> value;
    private final Supplier<TBase<?, ?>> empty;
    private final TProtocolFactory protocols;
    private final AutoExpandingBufferWriteTransport out;
    private final TProtocol writer;
    private final TMemoryInputTransport in;
    private final TProtocol reader;
    private final byte[] bytes;

    ThriftPeer(Workload workload, int count, TProtocolFactory protocols) throws Exception {
        this.protocols = protocols;
        TConfiguration configuration = new TConfiguration();
        switch (workload) {
            case NUMBERS -> {
                List<Block> blocks = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    blocks.add(new Block(Workload.d(i), Workload.s(i)));
                }
                value = new Numbers(blocks);
                empty = Numbers::new;
            }
            case STRINGS, TEXTS -> {
                value = new Strings(workload.strings(count));
                empty = Strings::new;
            }
            case BYTES -> {
                value = new Bytes(ByteBuffer.wrap(Workload.bytes(count)));
                empty = Bytes::new;
            }
            case REALS -> {
                List<Double> values = new ArrayList<>(count);
                for (double real : Workload.reals(count)) {
                    values.add(real);
                }
                value = new Reals(values);
                empty = Reals::new;
            }
            default -> throw new AssertionError(workload);
        }
        out = new AutoExpandingBufferWriteTransport(configuration, 1024, 0);
        writer = protocols.getProtocol(out);
        in = new TMemoryInputTransport(configuration);
        reader = protocols.getProtocol(in);
        bytes = serialize();
    }

    @Override
    public byte[] serialize() throws Exception {
        out.reset();
        value.write(writer);
        return Arrays.copyOf(out.getBuf().array(), out.getLength());
    }

    @Override
    public Object deserialize() throws Exception {
        in.reset(bytes);
        reader.reset();
        TBase<?, ?> decoded = empty.get();
        decoded.read(reader);
        return decoded;
    }

    @Override
    public Object plain(Object decoded) {
        if (decoded instanceof Numbers numbers) {
            return numbers.getBlocks().stream().map(b -> new Workload.Block(b.getD(), b.getS())).toList();
        }
        if (decoded instanceof Strings strings) {
            return strings.getItems();
        }
        if (decoded instanceof Bytes data) {
            return data.getData();
        }
        return ((Reals) decoded).getValues().stream().mapToDouble(Double::doubleValue).toArray();
    }
}
