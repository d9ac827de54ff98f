package creo.bench.response;

import bench.response.Block;
import bench.response.Response;
import bench.response.ResponseClient;
import bench.response.ResponseEndpoint;
import creo.runtime.Server;
import java.util.List;

/** Creo's binary wire over TCP, at its defaults. */
public final class CreoPeer implements Peer {
    private ResponseClient shared;

    /** The service. */
    private static final class Service implements Response {
        @Override
        public int putNumbers(List<Block> blocks) {
            return Received.numbers(blocks.size(), i -> blocks.get(i).d(), i -> blocks.get(i).s());
        }

        @Override
        public int putStrings(List<String> items) {
            return Received.strings(items.size(), items::get);
        }

        @Override
        public int putBytes(byte[] data) {
            return Received.bytes(data);
        }
    }

    @Override
    public String serve() {
        Server server = Server.builder().bind("127.0.0.1", 0).add(ResponseEndpoint.of(new Service())).start();
        return Integer.toString(server.port());
    }

    @Override
    public Client connect(String address) {
        if (shared == null) {
            shared = new ResponseClient("127.0.0.1", Integer.parseInt(address));
        }
        return new Sender(shared);
    }

    private record Sender(ResponseClient client) implements Client {
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
        public int call(Kind kind, Object request) {
            return switch (kind) {
                case NUMBERS -> client.putNumbers((List<Block>) request);
                case STRINGS -> client.putStrings((List<String>) request);
                case BYTES -> client.putBytes((byte[]) request);
            };
        }
    }
}
