package creo.bench.response;

import java.io.Serializable;

/** What peers send that work on an application's own classes. */
final class Plain {
    private Plain() {}

    /** A block with public fields: what Java serialization, Fory and Jackson handle best. */
    public static final class Block implements Serializable {
        private static final long serialVersionUID = 1;

        public double d;
        public short s;
    }

    static Block block(int i) {
        Block block = new Block();
        block.d = Data.d(i);
        block.s = Data.s(i);
        return block;
    }

    static Block[] blocks(int count) {
        Block[] blocks = new Block[count];
        for (int i = 0; i < count; i++) {
            blocks[i] = block(i);
        }
        return blocks;
    }

    /** Arrays of plain objects, as Java serialization has them. */
    static Object arrays(Kind kind, int count) {
        return switch (kind) {
            case NUMBERS -> blocks(count);
            case STRINGS -> Data.strings(count).toArray(new String[0]);
            case BYTES -> Data.bytes(count);
        };
    }

    static int received(Kind kind, Object arrays) {
        switch (kind) {
            case NUMBERS -> {
                Block[] blocks = (Block[]) arrays;
                return Received.numbers(blocks.length, i -> blocks[i].d, i -> blocks[i].s);
            }
            case STRINGS -> {
                String[] items = (String[]) arrays;
                return Received.strings(items.length, i -> items[i]);
            }
            default -> {
                return Received.bytes((byte[]) arrays);
            }
        }
    }
}
