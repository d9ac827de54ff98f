package bench.streams.programs;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * A bare socket: what there is to reach. A block is one write of bytes that are ready, and is read into a buffer whose doubles are added up where they
 * are; there are no frames, no credit and no arrays. A request is {@code r} or {@code w}, a long and an int: how many blocks of which length the service
 * writes or reads. Having read, it answers with the sum.
 */
public final class BarePeer implements Peer {
    private static final int REQUEST = 13;

    @Override
    public int serve() throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread accepting = new Thread(() -> accept(listener), "accept");
        accepting.setDaemon(true);
        accepting.start();
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    @Override
    public Client connect(int port) throws IOException {
        return new Caller(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
    }

    private static void accept(ServerSocketChannel listener) {
        try {
            while (true) {
                SocketChannel channel = listener.accept();
                Thread answering = new Thread(() -> answer(channel), "answer");
                answering.setDaemon(true);
                answering.start();
            }
        } catch (IOException problem) {
            throw new IllegalStateException(problem);
        }
    }

    private static void answer(SocketChannel channel) {
        try (channel) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            ByteBuffer request = ByteBuffer.allocateDirect(REQUEST);
            while (filled(channel, request)) {
                byte what = request.get();
                long count = request.getLong();
                int length = request.getInt();
                if (what == 'r') {
                    writeBlocks(channel, count, length);
                } else {
                    write(channel, request.clear().putLong(readBlocks(channel, count, length)).flip());
                }
            }
        } catch (IOException problem) {
            throw new IllegalStateException(problem);
        }
    }

    private static void writeBlocks(SocketChannel channel, long count, int length) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(Math.multiplyExact(length, Double.BYTES));
        block.asDoubleBuffer().put(Data.block(length));
        for (long i = 0; i < count; i++) {
            write(channel, block.clear());
        }
    }

    private static long readBlocks(SocketChannel channel, long count, int length) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(Math.multiplyExact(length, Double.BYTES));
        LongBuffer bits = block.asLongBuffer();
        Data.Blocks found = new Data.Blocks();
        for (long i = 0; i < count; i++) {
            if (!filled(channel, block)) {
                throw new EOFException();
            }
            long sum = 0;
            for (int at = 0; at < length; at++) {
                sum += bits.get(at);
            }
            found.add(sum);
        }
        return found.sum();
    }

    private static void write(SocketChannel channel, ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            channel.write(from);
        }
    }

    /** False at the end of the connection. */
    private static boolean filled(SocketChannel channel, ByteBuffer into) throws IOException {
        into.clear();
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                return false;
            }
        }
        into.flip();
        return true;
    }

    private record Caller(SocketChannel channel) implements Client {
        @Override
        public long readBlocks(long count, int length) throws IOException {
            ask('r', count, length);
            return BarePeer.readBlocks(channel, count, length);
        }

        @Override
        public long writeBlocks(long count, int length) throws IOException {
            ask('w', count, length);
            BarePeer.writeBlocks(channel, count, length);
            ByteBuffer sum = ByteBuffer.allocate(Long.BYTES);
            if (!filled(channel, sum)) {
                throw new EOFException();
            }
            return sum.getLong();
        }

        @Override
        public long readReadings(long count) {
            throw new UnsupportedOperationException("the bare socket has blocks alone");
        }

        @Override
        public long writeReadings(long count) {
            throw new UnsupportedOperationException("the bare socket has blocks alone");
        }

        private void ask(char what, long count, int length) throws IOException {
            write(channel, ByteBuffer.allocate(REQUEST).put((byte) what).putLong(count).putInt(length).flip());
        }
    }
}
