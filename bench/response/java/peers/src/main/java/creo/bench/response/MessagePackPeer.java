package creo.bench.response;

import java.io.IOException;
import java.util.List;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/** MessagePack as a codec over {@link FramedPeer}, with its packer and unpacker driven by hand: an array of pairs, an array of strings, a binary. */
public final class MessagePackPeer extends FramedPeer {
    public MessagePackPeer() {
        super(MessagePackCodec::new);
    }

    private static final class MessagePackCodec implements Codec {
        /** Writes to the one frame of this connection. */
        private MessagePacker packer;

        @Override
        public Object prepare(Kind kind, int count) {
            return kind == Kind.NUMBERS ? Data.list(count, Plain::block) : kind == Kind.STRINGS ? Data.strings(count) : Data.bytes(count);
        }

        @Override
        @SuppressWarnings("unchecked")
        public void write(Kind kind, Object request, FrameOut out) throws IOException {
            if (packer == null) {
                packer = MessagePack.newDefaultPacker(out);
            }
            switch (kind) {
                case NUMBERS -> {
                    List<Plain.Block> blocks = (List<Plain.Block>) request;
                    packer.packArrayHeader(blocks.size());
                    for (Plain.Block block : blocks) {
                        packer.packArrayHeader(2).packDouble(block.d).packShort(block.s);
                    }
                }
                case STRINGS -> {
                    List<String> items = (List<String>) request;
                    packer.packArrayHeader(items.size());
                    for (String item : items) {
                        packer.packString(item);
                    }
                }
                case BYTES -> {
                    byte[] data = (byte[]) request;
                    packer.packBinaryHeader(data.length).addPayload(data);
                }
            }
            packer.flush();
        }

        @Override
        public int read(Kind kind, byte[] bytes, int from, int length) throws IOException {
            try (MessageUnpacker in = MessagePack.newDefaultUnpacker(bytes, from, length)) {
                switch (kind) {
                    case NUMBERS -> {
                        Plain.Block[] blocks = new Plain.Block[in.unpackArrayHeader()];
                        for (int i = 0; i < blocks.length; i++) {
                            Plain.Block block = new Plain.Block();
                            if (in.unpackArrayHeader() != 2) {
                                throw new IOException("no pair");
                            }
                            block.d = in.unpackDouble();
                            block.s = in.unpackShort();
                            blocks[i] = block;
                        }
                        return Plain.received(kind, blocks);
                    }
                    case STRINGS -> {
                        String[] items = new String[in.unpackArrayHeader()];
                        for (int i = 0; i < items.length; i++) {
                            items[i] = in.unpackString();
                        }
                        return Plain.received(kind, items);
                    }
                    default -> {
                        return Received.bytes(in.readPayload(in.unpackBinaryHeader()));
                    }
                }
            }
        }
    }
}
