package creo.bench.response;

import creo.bench.gen.thrift.Block;
import creo.bench.gen.thrift.Response;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TJSONProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransportException;
import org.apache.thrift.transport.layered.TFastFramedTransport;

/** Apache Thrift in frames, with its server that has a thread for each connection. */
abstract class ThriftPeer implements Peer {
    /** Larger than the defaults of 16 and 100 MB, for the largest requests. */
    private static final int LARGEST = Integer.MAX_VALUE - 1024;

    /** Its default protocol. */
    public static final class Binary extends ThriftPeer {
        public Binary() {
            super(new TBinaryProtocol.Factory());
        }
    }

    /** With numbers of variable length. */
    public static final class Compact extends ThriftPeer {
        public Compact() {
            super(new TCompactProtocol.Factory());
        }
    }

    /** Text. */
    public static final class Json extends ThriftPeer {
        public Json() {
            super(new TJSONProtocol.Factory());
        }
    }

    static {
        TConfiguration.DEFAULT.setMaxMessageSize(LARGEST);
        TConfiguration.DEFAULT.setMaxFrameSize(LARGEST);
    }

    private final TProtocolFactory protocols;

    private ThriftPeer(TProtocolFactory protocols) {
        this.protocols = protocols;
    }

    private static final class Service implements Response.Iface {
        @Override
        public int putNumbers(List<Block> blocks) {
            return Received.numbers(blocks.size(), i -> blocks.get(i).getD(), i -> blocks.get(i).getS());
        }

        @Override
        public int putStrings(List<String> items) {
            return Received.strings(items.size(), items::get);
        }

        @Override
        public int putBytes(ByteBuffer data) {
            return Received.bytes(data.remaining(), i -> data.get(data.position() + i));
        }
    }

    @Override
    public String serve() throws TException {
        TServerSocket socket = new TServerSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)) {
            @Override
            public TSocket accept() throws TTransportException {
                TSocket accepted = super.accept();
                accepted.getConfiguration().setMaxMessageSize(LARGEST);
                accepted.getConfiguration().setMaxFrameSize(LARGEST);
                return accepted;
            }
        };
        TThreadPoolServer server = new TThreadPoolServer(
            new TThreadPoolServer.Args(socket)
                .processor(new Response.Processor<>(new Service()))
                .transportFactory(new TFastFramedTransport.Factory(1 << 16, LARGEST))
                .protocolFactory(protocols));
        Thread thread = new Thread(server::serve);
        thread.setDaemon(true);
        thread.start();
        return Integer.toString(socket.getServerSocket().getLocalPort());
    }

    @Override
    public Client connect(String address) throws TException {
        TSocket transport = new TSocket(TConfiguration.DEFAULT, "127.0.0.1", Integer.parseInt(address));
        transport.open();
        return new Sender(new Response.Client(protocols.getProtocol(new TFastFramedTransport(transport, 1 << 16, LARGEST))));
    }

    private record Sender(Response.Client client) implements Client {
        @Override
        public Object prepare(Kind kind, int count) {
            return switch (kind) {
                case NUMBERS -> Data.list(count, i -> new Block(Data.d(i), Data.s(i)));
                case STRINGS -> Data.strings(count);
                case BYTES -> Data.bytes(count);
            };
        }

        @Override
        @SuppressWarnings("unchecked")
        public int call(Kind kind, Object request) throws TException {
            return switch (kind) {
                case NUMBERS -> client.putNumbers((List<Block>) request);
                case STRINGS -> client.putStrings((List<String>) request);
                case BYTES -> client.putBytes(ByteBuffer.wrap((byte[]) request));
            };
        }
    }
}
