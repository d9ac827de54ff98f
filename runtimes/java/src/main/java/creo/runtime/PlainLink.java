package creo.runtime;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A connection without TLS. */
final class PlainLink extends ServerLink {
    PlainLink(SocketChannel channel) throws IOException {
        super(channel);
    }

    @Override
    int read(byte[] b, int from, int max) throws IOException {
        return channel().read(ByteBuffer.wrap(b, from, Math.min(max, MAX_CHUNK)));
    }

    @Override
    boolean hasBuffered() {
        return false;
    }

    @Override
    boolean takesInput() {
        return true;
    }

    @Override
    boolean write(ByteBuffer from) throws IOException {
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
    boolean hasPendingOutput() {
        return false;
    }

    @Override
    Runnable task() {
        return null;
    }

    @Override
    boolean isOpen() {
        return true;
    }

    @Override
    boolean endOutput() throws IOException {
        channel().shutdownOutput();
        return true;
    }

    @Override
    boolean isTls() {
        return false;
    }
}
