package creo.bench.workloads;

import bench.workloads.DocumentCodec;
import bench.workloads.OrdersCodec;
import bench.workloads.TelemetryCodec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values as a program holds them; also the classes of the peers that take any class, which are fastest with public fields. */
public final class Plain {
    private Plain() {}

    public static final class Item {
        public String sku;
        public int quantity;
        public double price;
        public String note;
    }

    public static final class Order {
        public long id;
        public String customer;
        public Instant placed;
        public List<Item> items;
        public Map<String, String> tags;
    }

    public static final class Orders {
        public List<Order> orders;
    }

    public static final class Reading {
        public Instant at;
        public double value;
        public int flags;
        public String unit;
    }

    public static final class Telemetry {
        public List<Reading> readings;
    }

    public static final class Node {
        public String kind;
        public String text;
        public Map<String, String> attributes;
        public List<Node> children;
    }

    public static final class Document {
        public String title;
        public Node root;
    }

    /** The values in Creo's bytes of a workload. */
    static Object of(String workload, byte[] bytes) {
        return switch (workload) {
            case "telemetry" -> telemetry(TelemetryCodec.fromBytes(bytes));
            case "document" -> document(DocumentCodec.fromBytes(bytes));
            default -> orders(OrdersCodec.fromBytes(bytes));
        };
    }

    private static Orders orders(bench.workloads.Orders from) {
        Orders made = new Orders();
        made.orders = new ArrayList<>();
        for (bench.workloads.Order o : from.orders()) {
            Order order = new Order();
            order.id = o.id();
            order.customer = o.customer();
            order.placed = o.placed();
            order.tags = new LinkedHashMap<>(o.tags());
            order.items = new ArrayList<>();
            for (bench.workloads.Item i : o.items()) {
                Item item = new Item();
                item.sku = i.sku();
                item.quantity = i.quantity();
                item.price = i.price();
                item.note = i.note();
                order.items.add(item);
            }
            made.orders.add(order);
        }
        return made;
    }

    private static Telemetry telemetry(bench.workloads.Telemetry from) {
        Telemetry made = new Telemetry();
        made.readings = new ArrayList<>();
        for (bench.workloads.Reading r : from.readings()) {
            Reading reading = new Reading();
            reading.at = r.at();
            reading.value = r.value();
            reading.flags = r.flags();
            reading.unit = r.unit();
            made.readings.add(reading);
        }
        return made;
    }

    private static Document document(bench.workloads.Document from) {
        Document made = new Document();
        made.title = from.title();
        made.root = node(from.root());
        return made;
    }

    private static Node node(bench.workloads.Node from) {
        Node made = new Node();
        made.kind = from.kind();
        made.text = from.text();
        made.attributes = new LinkedHashMap<>(from.attributes());
        made.children = new ArrayList<>();
        for (bench.workloads.Node child : from.children()) {
            made.children.add(node(child));
        }
        return made;
    }

    /** The same values in new objects; maps are taken as they are. */
    static Object copy(Object value) {
        if (value instanceof Orders from) {
            Orders made = new Orders();
            made.orders = new ArrayList<>(from.orders.size());
            for (Order o : from.orders) {
                made.orders.add(copy(o));
            }
            return made;
        }
        if (value instanceof Telemetry from) {
            Telemetry made = new Telemetry();
            made.readings = new ArrayList<>(from.readings.size());
            for (Reading r : from.readings) {
                Reading reading = new Reading();
                reading.at = r.at;
                reading.value = r.value;
                reading.flags = r.flags;
                reading.unit = r.unit;
                made.readings.add(reading);
            }
            return made;
        }
        Document from = (Document) value;
        Document made = new Document();
        made.title = from.title;
        made.root = copy(from.root);
        return made;
    }

    private static Order copy(Order o) {
        Order order = new Order();
        order.id = o.id;
        order.customer = o.customer;
        order.placed = o.placed;
        order.tags = o.tags;
        order.items = new ArrayList<>(o.items.size());
        for (Item i : o.items) {
            Item item = new Item();
            item.sku = i.sku;
            item.quantity = i.quantity;
            item.price = i.price;
            item.note = i.note;
            order.items.add(item);
        }
        return order;
    }

    private static Node copy(Node from) {
        Node made = new Node();
        made.kind = from.kind;
        made.text = from.text;
        made.attributes = from.attributes;
        made.children = new ArrayList<>(from.children.size());
        for (Node child : from.children) {
            made.children.add(copy(child));
        }
        return made;
    }

    /** Reads every field. */
    static long read(Object value) {
        Digest d = new Digest();
        if (value instanceof Orders orders) {
            for (Order o : orders.orders) {
                d.number(o.id).text(o.customer).instant(o.placed);
                for (Item i : o.items) {
                    d.text(i.sku).number(i.quantity).real(i.price).text(i.note);
                }
                d.map(o.tags);
            }
        } else if (value instanceof Telemetry telemetry) {
            for (Reading r : telemetry.readings) {
                d.instant(r.at).real(r.value).number(r.flags).text(r.unit);
            }
        } else {
            Document document = (Document) value;
            d.text(document.title);
            read(document.root, d);
        }
        return d.sum;
    }

    private static void read(Node n, Digest d) {
        d.text(n.kind).text(n.text).map(n.attributes);
        for (Node child : n.children) {
            read(child, d);
        }
    }
}
