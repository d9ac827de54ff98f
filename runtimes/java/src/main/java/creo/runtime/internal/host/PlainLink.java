package creo.runtime.internal.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A connection without TLS. */
final class PlainLink extends ServerLink {
    PlainLink(SocketChannel channel) throws IOException {
        super(channel);
    }

    @Override
    public int read(byte[] b, int from, int max) throws IOException {
        return channel().read(ByteBuffer.wrap(b, from, Math.min(max, MAX_CHUNK)));
    }

    @Override
    public boolean hasBuffered() {
        return false;
    }

    @Override
    public boolean takesInput() {
        return true;
    }

    @Override
    public boolean write(ByteBuffer from) throws IOException {
        int limit = from.limit();
        try {
            while (from.position() < limit) {
                int chunk = Math.min(limit - from.position(), MAX_CHUNK);
                from.limit(from.position() + chunk);
                if (channel().write(from) < chunk) {
                    break;
                }
            }
        } finally {
            from.limit(limit);
        }
        return !from.hasRemaining();
    }

    @Override
    public boolean hasPendingOutput() {
        return false;
    }

    @Override
    public Runnable task() {
        return null;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean endOutput() throws IOException {
        channel().shutdownOutput();
        return true;
    }

    @Override
    boolean isTls() {
        return false;
    }
}
