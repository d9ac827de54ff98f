package creo.runtime;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** A channel whose socket gives and takes one byte at a time, and every other time nothing. */
final class TrickleChannel extends SocketChannel {
    private final SocketChannel channel;
    private boolean taken;

    TrickleChannel(SocketChannel channel) {
        super(channel.provider());
        this.channel = channel;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        int n = channel.read(one);
        into.put(one.flip());
        return n;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        taken = !taken && from.hasRemaining();
        if (!taken) {
            return 0;
        }
        int n = channel.write(from.slice(from.position(), 1));
        from.position(from.position() + n);
        return n;
    }

    @Override
    public long read(ByteBuffer[] into, int from, int count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] buffers, int from, int count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        channel.shutdownOutput();
        return this;
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        channel.shutdownInput();
        return this;
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        return channel.getRemoteAddress();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return channel.getLocalAddress();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        channel.configureBlocking(block);
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        channel.close();
    }

    @Override
    public SocketChannel bind(SocketAddress local) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public Socket socket() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public boolean isConnectionPending() {
        return false;
    }

    @Override
    public boolean connect(SocketAddress remote) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean finishConnect() {
        throw new UnsupportedOperationException();
    }
}
