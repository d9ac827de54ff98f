package creo.bench.workloads;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import creo.bench.workloads.proto.Document;
import creo.bench.workloads.proto.Instant;
import creo.bench.workloads.proto.Item;
import creo.bench.workloads.proto.Node;
import creo.bench.workloads.proto.Order;
import creo.bench.workloads.proto.Orders;
import creo.bench.workloads.proto.Reading;
import creo.bench.workloads.proto.Telemetry;

final class ProtobufPeer implements Peer {
    private final Object plain;
    private final Parser<? extends MessageLite> parser;

    ProtobufPeer(Object plain) {
        this.plain = plain;
        parser = plain instanceof Plain.Telemetry ? Telemetry.parser() : plain instanceof Plain.Document ? Document.parser() : Orders.parser();
    }

    @Override
    public Object build() {
        if (plain instanceof Plain.Orders from) {
            Orders.Builder orders = Orders.newBuilder();
            for (Plain.Order o : from.orders) {
                Order.Builder order = Order.newBuilder().setId(o.id).setCustomer(o.customer).setPlaced(instant(o.placed)).putAllTags(o.tags);
                for (Plain.Item i : o.items) {
                    Item.Builder item = Item.newBuilder().setSku(i.sku).setQuantity(i.quantity).setPrice(i.price);
                    if (i.note != null) {
                        item.setNote(i.note);
                    }
                    order.addItems(item.build());
                }
                orders.addOrders(order.build());
            }
            return orders.build();
        }
        if (plain instanceof Plain.Telemetry from) {
            Telemetry.Builder telemetry = Telemetry.newBuilder();
            for (Plain.Reading r : from.readings) {
                Reading.Builder reading = Reading.newBuilder().setAt(instant(r.at)).setValue(r.value).setFlags(r.flags);
                if (r.unit != null) {
                    reading.setUnit(r.unit);
                }
                telemetry.addReadings(reading.build());
            }
            return telemetry.build();
        }
        Plain.Document from = (Plain.Document) plain;
        return Document.newBuilder().setTitle(from.title).setRoot(node(from.root)).build();
    }

    private static Instant instant(java.time.Instant value) {
        return Instant.newBuilder().setSeconds(value.getEpochSecond()).setNanoseconds(value.getNano()).build();
    }

    private static Node node(Plain.Node from) {
        Node.Builder node = Node.newBuilder().setKind(from.kind).putAllAttributes(from.attributes);
        if (from.text != null) {
            node.setText(from.text);
        }
        for (Plain.Node child : from.children) {
            node.addChildren(node(child));
        }
        return node.build();
    }

    @Override
    public byte[] encode(Object message) {
        return ((MessageLite) message).toByteArray();
    }

    @Override
    public Object decode(byte[] bytes) throws Exception {
        return parser.parseFrom(bytes);
    }

    @Override
    public long read(Object message) {
        Digest d = new Digest();
        if (message instanceof Orders orders) {
            for (Order o : orders.getOrdersList()) {
                d.number(o.getId()).text(o.getCustomer()).instant(o.getPlaced().getSeconds(), o.getPlaced().getNanoseconds());
                for (Item i : o.getItemsList()) {
                    d.text(i.getSku()).number(i.getQuantity()).real(i.getPrice()).text(i.hasNote() ? i.getNote() : null);
                }
                d.map(o.getTagsMap());
            }
        } else if (message instanceof Telemetry telemetry) {
            for (Reading r : telemetry.getReadingsList()) {
                d.instant(r.getAt().getSeconds(), r.getAt().getNanoseconds()).real(r.getValue()).number(r.getFlags()).text(r.hasUnit() ? r.getUnit() : null);
            }
        } else {
            Document document = (Document) message;
            d.text(document.getTitle());
            read(document.getRoot(), d);
        }
        return d.sum;
    }

    private static void read(Node n, Digest d) {
        d.text(n.getKind()).text(n.hasText() ? n.getText() : null).map(n.getAttributesMap());
        for (Node child : n.getChildrenList()) {
            read(child, d);
        }
    }
}
