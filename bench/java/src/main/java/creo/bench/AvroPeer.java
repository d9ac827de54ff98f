package creo.bench;

import creo.bench.gen.avro.wire.Block;
import creo.bench.gen.avro.wire.Bytes;
import creo.bench.gen.avro.wire.Numbers;
import creo.bench.gen.avro.wire.Reals;
import creo.bench.gen.avro.wire.Strings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecordBase;

/** Apache Avro with the classes of its compiler; reader, writer, encoder, decoder and buffer are kept. */
final class AvroPeer implements Case {
    static {
        // Avro instantiates only classes that it is told to trust.
        System.setProperty("org.apache.avro.SERIALIZABLE_PACKAGES", "creo.bench.gen.avro.wire");
    }

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final SpecificRecordBase value;
    private final SpecificDatumWriter<SpecificRecordBase> writer;
    private final SpecificDatumReader<SpecificRecordBase> reader;
    private final byte[] bytes;
    private BinaryEncoder encoder;
    private BinaryDecoder decoder;

    AvroPeer(Workload workload, int count) throws IOException {
        value = switch (workload) {
            case NUMBERS -> {
                List<Block> blocks = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    blocks.add(new Block(Workload.d(i), (int) Workload.s(i)));
                }
                yield new Numbers(blocks);
            }
            case STRINGS, TEXTS -> new Strings(workload.strings(count));
            case BYTES -> new Bytes(ByteBuffer.wrap(Workload.bytes(count)));
            case REALS -> {
                List<Double> values = new ArrayList<>(count);
                for (double real : Workload.reals(count)) {
                    values.add(real);
                }
                yield new Reals(values);
            }
        };
        writer = new SpecificDatumWriter<>(value.getSchema());
        reader = new SpecificDatumReader<>(value.getSchema());
        bytes = serialize();
    }

    @Override
    public byte[] serialize() throws IOException {
        out.reset();
        encoder = EncoderFactory.get().binaryEncoder(out, encoder);
        writer.write(value, encoder);
        encoder.flush();
        return out.toByteArray();
    }

    @Override
    public Object deserialize() throws IOException {
        decoder = DecoderFactory.get().binaryDecoder(bytes, decoder);
        return reader.read(null, decoder);
    }

    @Override
    public Object plain(Object decoded) {
        if (decoded instanceof Numbers numbers) {
            return numbers.getBlocks().stream().map(b -> new Workload.Block(b.getD(), (short) b.getS())).toList();
        }
        if (decoded instanceof Strings strings) {
            return strings.getItems();
        }
        if (decoded instanceof Bytes data) {
            byte[] copy = new byte[data.getData().remaining()];
            data.getData().get(copy);
            return copy;
        }
        return ((Reals) decoded).getValues().stream().mapToDouble(Double::doubleValue).toArray();
    }
}
