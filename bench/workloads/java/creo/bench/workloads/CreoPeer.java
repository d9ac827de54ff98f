package creo.bench.workloads;

import bench.workloads.Document;
import bench.workloads.DocumentCodec;
import bench.workloads.DocumentText;
import bench.workloads.Item;
import bench.workloads.Node;
import bench.workloads.Order;
import bench.workloads.Orders;
import bench.workloads.OrdersCodec;
import bench.workloads.OrdersText;
import bench.workloads.Reading;
import bench.workloads.Telemetry;
import bench.workloads.TelemetryCodec;
import bench.workloads.TelemetryText;
import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Creo's generated records and codecs. */
abstract class CreoPeer implements Peer {
    private final Object plain;

    CreoPeer(Object plain) {
        this.plain = plain;
    }

    static Peer binary(Object plain) {
        if (plain instanceof Plain.Telemetry) {
            return with(plain, (Telemetry v) -> TelemetryCodec.toBytes(v), TelemetryCodec::fromBytes);
        }
        if (plain instanceof Plain.Document) {
            return with(plain, (Document v) -> DocumentCodec.toBytes(v), DocumentCodec::fromBytes);
        }
        return with(plain, (Orders v) -> OrdersCodec.toBytes(v), OrdersCodec::fromBytes);
    }

    /** With one writer that is kept, as a connection keeps its own. */
    static Peer kept(Object plain) {
        if (plain instanceof Plain.Telemetry) {
            return with(plain, kept(TelemetryCodec.CODEC), TelemetryCodec::fromBytes);
        }
        if (plain instanceof Plain.Document) {
            return with(plain, kept(DocumentCodec.CODEC), DocumentCodec::fromBytes);
        }
        return with(plain, kept(OrdersCodec.CODEC), OrdersCodec::fromBytes);
    }

    static Peer json(Object plain) {
        if (plain instanceof Plain.Telemetry) {
            return with(plain, (Telemetry v) -> TelemetryText.toJson(v), TelemetryText::fromJson);
        }
        if (plain instanceof Plain.Document) {
            return with(plain, (Document v) -> DocumentText.toJson(v), DocumentText::fromJson);
        }
        return with(plain, (Orders v) -> OrdersText.toJson(v), OrdersText::fromJson);
    }

    private static <T> Function<T, byte[]> kept(Codec<T> codec) {
        Writer writer = new Writer();
        return value -> {
            writer.reset();
            codec.encode(writer, value);
            return writer.toBytes();
        };
    }

    @SuppressWarnings("unchecked")
    private static <T> Peer with(Object plain, Function<T, byte[]> encode, Function<byte[], T> decode) {
        return new CreoPeer(plain) {
            @Override
            public byte[] encode(Object message) {
                return encode.apply((T) message);
            }

            @Override
            public Object decode(byte[] bytes) {
                return decode.apply(bytes);
            }
        };
    }

    @Override
    public Object build() {
        if (plain instanceof Plain.Orders from) {
            List<Order> orders = new ArrayList<>(from.orders.size());
            for (Plain.Order o : from.orders) {
                List<Item> items = new ArrayList<>(o.items.size());
                for (Plain.Item i : o.items) {
                    items.add(new Item(i.sku, i.quantity, i.price, i.note));
                }
                orders.add(new Order(o.id, o.customer, o.placed, items, o.tags));
            }
            return new Orders(orders);
        }
        if (plain instanceof Plain.Telemetry from) {
            List<Reading> readings = new ArrayList<>(from.readings.size());
            for (Plain.Reading r : from.readings) {
                readings.add(new Reading(r.at, r.value, r.flags, r.unit));
            }
            return new Telemetry(readings);
        }
        Plain.Document from = (Plain.Document) plain;
        return new Document(from.title, node(from.root));
    }

    private static Node node(Plain.Node from) {
        List<Node> children = new ArrayList<>(from.children.size());
        for (Plain.Node child : from.children) {
            children.add(node(child));
        }
        return new Node(from.kind, from.text, from.attributes, children);
    }

    @Override
    public long read(Object message) {
        Digest d = new Digest();
        if (message instanceof Orders orders) {
            for (Order o : orders.orders()) {
                d.number(o.id()).text(o.customer()).instant(o.placed());
                for (Item i : o.items()) {
                    d.text(i.sku()).number(i.quantity()).real(i.price()).text(i.note());
                }
                d.map(o.tags());
            }
        } else if (message instanceof Telemetry telemetry) {
            for (Reading r : telemetry.readings()) {
                d.instant(r.at()).real(r.value()).number(r.flags()).text(r.unit());
            }
        } else {
            Document document = (Document) message;
            d.text(document.title());
            read(document.root(), d);
        }
        return d.sum;
    }

    private static void read(Node n, Digest d) {
        d.text(n.kind()).text(n.text()).map(n.attributes());
        for (Node child : n.children()) {
            read(child, d);
        }
    }
}
