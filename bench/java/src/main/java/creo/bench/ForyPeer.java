package creo.bench;

import java.util.ArrayList;
import java.util.List;
import org.apache.fory.Fory;
import org.apache.fory.config.Language;

/** Apache Fory in its fastest documented setting: Java only, registered classes, generated serializers, no reference tracking. */
final class ForyPeer implements Case {
    /** Fory makes its fastest serializers for plain classes with public fields. */
    public static final class Block {
        public double d;
        public short s;
    }

    public static final class Numbers {
        public ArrayList<Block> blocks;
    }

    public static final class Strings {
        public ArrayList<String> items;
    }

    public static final class Bytes {
        public byte[] data;
    }

    public static final class Reals {
        public double[] values;
    }

    private final Fory fory;
    private final Object value;
    private final byte[] bytes;

    ForyPeer(Workload workload, int count) {
        fory = Fory.builder()
            .withLanguage(Language.JAVA)
            .withRefTracking(false)
            .withCompatible(false)
            .withCodegen(true)
            .requireClassRegistration(true)
            .withNumberCompressed(false)
            .withStringCompressed(false)
            .withMaxGraphMemoryBytes(Long.MAX_VALUE)
            .build();
        for (Class<?> type : List.of(Block.class, Numbers.class, Strings.class, Bytes.class, Reals.class)) {
            fory.register(type);
        }
        value = switch (workload) {
            case NUMBERS -> {
                Numbers numbers = new Numbers();
                numbers.blocks = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    Block block = new Block();
                    block.d = Workload.d(i);
                    block.s = Workload.s(i);
                    numbers.blocks.add(block);
                }
                yield numbers;
            }
            case STRINGS, TEXTS -> {
                Strings strings = new Strings();
                strings.items = new ArrayList<>(workload.strings(count));
                yield strings;
            }
            case BYTES -> {
                Bytes data = new Bytes();
                data.data = Workload.bytes(count);
                yield data;
            }
            case REALS -> {
                Reals reals = new Reals();
                reals.values = Workload.reals(count);
                yield reals;
            }
        };
        bytes = serialize();
    }

    @Override
    public byte[] serialize() {
        return fory.serialize(value);
    }

    @Override
    public Object deserialize() {
        return fory.deserialize(bytes);
    }

    @Override
    public Object plain(Object decoded) {
        if (decoded instanceof Numbers numbers) {
            return numbers.blocks.stream().map(b -> new Workload.Block(b.d, b.s)).toList();
        }
        if (decoded instanceof Strings strings) {
            return strings.items;
        }
        return decoded instanceof Bytes data ? data.data : ((Reals) decoded).values;
    }
}
