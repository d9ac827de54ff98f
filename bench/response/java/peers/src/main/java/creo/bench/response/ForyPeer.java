package creo.bench.response;

import java.util.ArrayList;
import java.util.List;
import org.apache.fory.Fory;
import org.apache.fory.config.Language;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.memory.MemoryUtils;

/** Apache Fory as a codec over {@link FramedPeer}: Java only, registered classes, generated serializers, no reference tracking. */
public final class ForyPeer extends FramedPeer {
    public ForyPeer() {
        super(ForyCodec::new);
    }

    /** Fory makes its fastest serializers for plain classes with public fields. */
    public static final class Numbers {
        public ArrayList<Plain.Block> blocks;
    }

    /** As above. */
    public static final class Strings {
        public ArrayList<String> items;
    }

    /** As above. */
    public static final class Bytes {
        public byte[] data;
    }

    private static final class ForyCodec implements Codec {
        private final Fory fory = Fory.builder()
            .withLanguage(Language.JAVA)
            .withRefTracking(false)
            .withCompatible(false)
            .withCodegen(true)
            .requireClassRegistration(true)
            .withNumberCompressed(false)
            .withStringCompressed(false)
            .withMaxGraphMemoryBytes(Long.MAX_VALUE)
            .build();
        private final MemoryBuffer memory = MemoryUtils.buffer(1 << 16);

        ForyCodec() {
            for (Class<?> type : List.of(Plain.Block.class, Numbers.class, Strings.class, Bytes.class)) {
                fory.register(type);
            }
        }

        @Override
        public Object prepare(Kind kind, int count) {
            switch (kind) {
                case NUMBERS -> {
                    Numbers numbers = new Numbers();
                    numbers.blocks = new ArrayList<>(Data.list(count, Plain::block));
                    return numbers;
                }
                case STRINGS -> {
                    Strings strings = new Strings();
                    strings.items = new ArrayList<>(Data.strings(count));
                    return strings;
                }
                default -> {
                    Bytes bytes = new Bytes();
                    bytes.data = Data.bytes(count);
                    return bytes;
                }
            }
        }

        @Override
        public void write(Kind kind, Object request, FrameOut out) {
            memory.writerIndex(0);
            fory.serialize(memory, request);
            int size = memory.writerIndex();
            memory.get(0, out.room(size), out.at(), size);
            out.moveTo(out.at() + size);
        }

        @Override
        public int read(Kind kind, byte[] bytes, int from, int length) {
            Object request = fory.deserialize(MemoryUtils.wrap(bytes, from, length));
            switch (kind) {
                case NUMBERS -> {
                    List<Plain.Block> blocks = ((Numbers) request).blocks;
                    return Received.numbers(blocks.size(), i -> blocks.get(i).d, i -> blocks.get(i).s);
                }
                case STRINGS -> {
                    List<String> items = ((Strings) request).items;
                    return Received.strings(items.size(), items::get);
                }
                default -> {
                    return Received.bytes(((Bytes) request).data);
                }
            }
        }
    }
}
