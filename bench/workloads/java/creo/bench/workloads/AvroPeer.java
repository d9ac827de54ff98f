package creo.bench.workloads;

import creo.bench.workloads.avro.Document;
import creo.bench.workloads.avro.Item;
import creo.bench.workloads.avro.Node;
import creo.bench.workloads.avro.Order;
import creo.bench.workloads.avro.Orders;
import creo.bench.workloads.avro.Reading;
import creo.bench.workloads.avro.Telemetry;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecordBase;

/** Apache Avro with the classes of its compiler; reader, writer, encoder, decoder and buffer are kept. */
final class AvroPeer implements Peer {
    static {
        // Avro makes objects of no other classes than those it is told to trust.
        System.setProperty("org.apache.avro.SERIALIZABLE_PACKAGES", "creo.bench.workloads.avro");
    }

    private final Object plain;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final SpecificDatumWriter<SpecificRecordBase> writer;
    private final SpecificDatumReader<SpecificRecordBase> reader;
    private BinaryEncoder encoder;
    private BinaryDecoder decoder;

    AvroPeer(Object plain) {
        this.plain = plain;
        SpecificRecordBase like = build();
        Schema schema = like.getSchema();
        SpecificData model = SpecificData.getForClass(like.getClass());
        writer = new SpecificDatumWriter<>(schema, model);
        reader = new SpecificDatumReader<>(schema, schema, model);
    }

    @Override
    public SpecificRecordBase build() {
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
    public byte[] encode(Object message) throws Exception {
        out.reset();
        encoder = EncoderFactory.get().binaryEncoder(out, encoder);
        writer.write((SpecificRecordBase) message, encoder);
        encoder.flush();
        return out.toByteArray();
    }

    @Override
    public Object decode(byte[] bytes) throws Exception {
        decoder = DecoderFactory.get().binaryDecoder(bytes, decoder);
        return reader.read(null, decoder);
    }

    @Override
    public long read(Object message) {
        Digest d = new Digest();
        if (message instanceof Orders orders) {
            for (Order o : orders.getOrders()) {
                d.number(o.getId()).text(o.getCustomer()).instant(o.getPlaced());
                for (Item i : o.getItems()) {
                    d.text(i.getSku()).number(i.getQuantity()).real(i.getPrice()).text(i.getNote());
                }
                d.map(o.getTags());
            }
        } else if (message instanceof Telemetry telemetry) {
            for (Reading r : telemetry.getReadings()) {
                d.instant(r.getAt()).real(r.getValue()).number(r.getFlags()).text(r.getUnit());
            }
        } else {
            Document document = (Document) message;
            d.text(document.getTitle());
            read(document.getRoot(), d);
        }
        return d.sum;
    }

    private static void read(Node n, Digest d) {
        d.text(n.getKind()).text(n.getText()).map(n.getAttributes());
        for (Node child : n.getChildren()) {
            read(child, d);
        }
    }
}
