package creo.bench.response;

import creo.bench.gen.avro.Block;
import creo.bench.gen.avro.Bytes;
import creo.bench.gen.avro.Numbers;
import creo.bench.gen.avro.Strings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;

/** Apache Avro as a codec over {@link FramedPeer}: generated classes; reader, writer, encoder and decoder are kept. */
public final class AvroPeer extends FramedPeer {
    public AvroPeer() {
        super(AvroCodec::new);
    }

    private static final class AvroCodec implements Codec {
        private final SpecificDatumWriter<Numbers> numbersOut = new SpecificDatumWriter<>(Numbers.class);
        private final SpecificDatumWriter<Strings> stringsOut = new SpecificDatumWriter<>(Strings.class);
        private final SpecificDatumWriter<Bytes> bytesOut = new SpecificDatumWriter<>(Bytes.class);
        private final SpecificDatumReader<Numbers> numbersIn = new SpecificDatumReader<>(Numbers.class);
        private final SpecificDatumReader<Strings> stringsIn = new SpecificDatumReader<>(Strings.class);
        private final SpecificDatumReader<Bytes> bytesIn = new SpecificDatumReader<>(Bytes.class);
        private BinaryEncoder encoder;
        private BinaryDecoder decoder;

        @Override
        public Object prepare(Kind kind, int count) {
            return switch (kind) {
                case NUMBERS -> new Numbers(Data.list(count, i -> new Block(Data.d(i), (int) Data.s(i))));
                case STRINGS -> new Strings(Data.strings(count));
                case BYTES -> new Bytes(ByteBuffer.wrap(Data.bytes(count)));
            };
        }

        @Override
        public void write(Kind kind, Object request, FrameOut out) throws IOException {
            encoder = EncoderFactory.get().binaryEncoder(out, encoder);
            switch (kind) {
                case NUMBERS -> numbersOut.write((Numbers) request, encoder);
                case STRINGS -> stringsOut.write((Strings) request, encoder);
                case BYTES -> bytesOut.write((Bytes) request, encoder);
            }
            encoder.flush();
        }

        @Override
        public int read(Kind kind, byte[] bytes, int from, int length) throws IOException {
            decoder = DecoderFactory.get().binaryDecoder(bytes, from, length, decoder);
            switch (kind) {
                case NUMBERS -> {
                    List<Block> blocks = numbersIn.read(null, decoder).getBlocks();
                    return Received.numbers(blocks.size(), i -> blocks.get(i).getD(), i -> blocks.get(i).getS());
                }
                case STRINGS -> {
                    List<String> items = stringsIn.read(null, decoder).getItems();
                    return Received.strings(items.size(), items::get);
                }
                default -> {
                    ByteBuffer data = bytesIn.read(null, decoder).getData();
                    return Received.bytes(data.remaining(), i -> data.get(data.position() + i));
                }
            }
        }
    }
}
