package creo.bench;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Java's own serialization, which RMI uses: plain serializable classes. A stream is made for each message, since a message must be readable alone; its buffer is kept. */
final class SerializationPeer implements Case {
    static final class Block implements Serializable {
        private static final long serialVersionUID = 1;
        final double d;
        final short s;

        Block(double d, short s) {
            this.d = d;
            this.s = s;
        }
    }

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Object value;
    private final byte[] bytes;

    SerializationPeer(Workload workload, int count) throws IOException {
        value = switch (workload) {
            case NUMBERS -> {
                List<Block> blocks = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    blocks.add(new Block(Workload.d(i), Workload.s(i)));
                }
                yield blocks;
            }
            case STRINGS, TEXTS -> new ArrayList<>(workload.strings(count));
            case BYTES -> Workload.bytes(count);
            case REALS -> Workload.reals(count);
        };
        bytes = serialize();
    }

    @Override
    public byte[] serialize() throws IOException {
        out.reset();
        ObjectOutputStream objects = new ObjectOutputStream(out);
        objects.writeObject(value);
        objects.flush();
        return out.toByteArray();
    }

    @Override
    public Object deserialize() throws IOException, ClassNotFoundException {
        return new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
    }

    @Override
    public Object plain(Object decoded) {
        if (decoded instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof Block) {
            return list.stream().map(each -> (Block) each).map(b -> new Workload.Block(b.d, b.s)).toList();
        }
        return decoded;
    }
}
