package creo.bench.messaging;

import bench.messaging.Calls;
import bench.messaging.Item;
import bench.messaging.Messaging;
import bench.messaging.MessagingClient;
import bench.messaging.MessagingEndpoint;
import creo.jms.JmsBroker;
import creo.jms.JmsChannel;
import creo.jms.JmsHost;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.ResponseForm;
import creo.runtime.Server;
import creo.runtime.SoapChannel;
import creo.runtime.TcpChannel;
import creo.runtime.TdxmlChannel;
import creo.runtime.Wire;
import java.util.List;

/** Creo at its defaults. */
final class CreoPeer implements Peer {
    /** The service. */
    private record Service(Times times) implements Messaging {
        @Override
        public List<Item> items(int count) {
            return Peer.generated(count, CreoPeer::item, times);
        }

        @Override
        public byte[] serialized(int count) {
            return Peer.serialized(count, times);
        }
    }

    private static Item item(int number) {
        return new Item(number, Fields.stamp(number), Fields.amount(number), Fields.code(number), Fields.name(number), Fields.note(number));
    }

    @Override
    public String serve(Way way, Times times) {
        if (way.isJms()) {
            JmsHost.builder().broker(JmsBroker.at("127.0.0.1", way.broker())).address(way.queue()).add(MessagingEndpoint.of(new Service(times))).start();
            return way.queue();
        }
        Server.Builder builder = Server.builder().add(MessagingEndpoint.of(new Service(times)));
        if (way.isCompressed()) {
            builder.compression();
        }
        if (way.transport().equals("tcp")) {
            return Integer.toString(builder.bind("127.0.0.1", 0).start().port());
        }
        return "http://127.0.0.1:" + builder.http("127.0.0.1", 0).start().httpPort() + "/Messaging";
    }

    @Override
    public Client connect(Way way, String address) {
        return new Caller(new MessagingClient(channel(way, address)));
    }

    private static Channel channel(Way way, String address) {
        ClientOptions options = way.isCompressed() ? ClientOptions.DEFAULT.withCompression() : ClientOptions.DEFAULT;
        if (way.isJms()) {
            Wire wire = switch (way.form()) {
                case "tables" -> Wire.TDXML;
                case "binary" -> Wire.BINARY;
                default -> Wire.SOAP;
            };
            return JmsChannel.of(JmsBroker.at("127.0.0.1", way.broker()), way.address(), wire, options);
        }
        if (way.transport().equals("tcp")) {
            return TcpChannel.open("127.0.0.1", Integer.parseInt(address), options);
        }
        return way.form().equals("tables") ? TdxmlChannel.open(address, options) : SoapChannel.open(address, options);
    }

    /** The client. */
    private record Caller(MessagingClient client) implements Client {
        @Override
        public List<?> items(int count) {
            return client.items(count);
        }

        @Override
        public byte[] serialized(int count) {
            return client.serialized(count);
        }

        @Override
        public void check(List<?> items) {
            for (int i = 0; i < items.size(); i++) {
                Item item = (Item) items.get(i);
                Fields.check(i, item.number(), item.stamp(), item.amount(), item.code(), item.name(), item.note());
            }
        }
    }

    @Override
    public Peer.Codec codec(Way way) {
        ResponseForm form = switch (way.form()) {
            case "normal" -> ResponseForm.SOAP;
            case "tables" -> ResponseForm.TDXML;
            case "binary" -> ResponseForm.BINARY;
            default -> null;
        };
        return way.isJms() || form == null ? null : new Alone(form);
    }

    /** Answers of {@code items}. */
    private record Alone(ResponseForm form) implements Peer.Codec {
        @Override
        public Object make(int count) {
            return Peer.make(count, CreoPeer::item);
        }

        @Override
        @SuppressWarnings("unchecked")
        public byte[] write(Object items) {
            return Calls.write(form, (List<Item>) items);
        }

        @Override
        public Object read(byte[] bytes) {
            return Calls.read(form, bytes);
        }
    }
}
