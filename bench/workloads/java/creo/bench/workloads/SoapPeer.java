package creo.bench.workloads;

import bench.workloads.Responses;
import com.fasterxml.aalto.stax.InputFactoryImpl;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLInputFactory2;
import org.codehaus.stax2.XMLStreamReader2;
import org.codehaus.stax2.io.Stax2ByteArraySource;

/** Readers of the SOAP response of orders. */
abstract class SoapPeer implements Peer {
    @Override
    public Object build() {
        return null;
    }

    @Override
    public byte[] encode(Object message) {
        throw new UnsupportedOperationException("a client only reads a response");
    }

    static final class Creo extends SoapPeer {
        private final CreoPeer reader = (CreoPeer) CreoPeer.binary(new Plain.Orders());

        @Override
        public Object decode(byte[] bytes) {
            return Responses.readSoap(bytes);
        }

        @Override
        public long read(Object message) {
            return reader.read(message);
        }
    }

    /** Aalto, the fastest parser of a stream, with a mapping by hand that takes every element for what its name says. */
    static final class Aalto extends SoapPeer {
        private final XMLInputFactory2 factory = new InputFactoryImpl();

        Aalto() {
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        }

        @Override
        public Object decode(byte[] bytes) throws XMLStreamException {
            XMLStreamReader2 r = (XMLStreamReader2) factory.createXMLStreamReader(new Stax2ByteArraySource(bytes, 0, bytes.length));
            Plain.Orders orders = new Plain.Orders();
            orders.orders = new ArrayList<>();
            while (r.hasNext()) {
                if (r.next() == XMLStreamConstants.START_ELEMENT && r.getLocalName().equals("orders")) {
                    orders.orders.add(order(r));
                }
            }
            r.close();
            return orders;
        }

        private static Plain.Order order(XMLStreamReader2 r) throws XMLStreamException {
            Plain.Order order = new Plain.Order();
            order.items = new ArrayList<>();
            order.tags = new HashMap<>();
            while (r.nextTag() == XMLStreamConstants.START_ELEMENT) {
                switch (r.getLocalName()) {
                    case "id" -> order.id = r.getElementAsLong();
                    case "customer" -> order.customer = r.getElementText();
                    case "placed" -> order.placed = OffsetDateTime.parse(r.getElementText()).toInstant();
                    case "items" -> order.items.add(item(r));
                    case "tags" -> {
                        while (r.nextTag() == XMLStreamConstants.START_ELEMENT) {
                            r.nextTag();
                            String key = r.getElementText();
                            r.nextTag();
                            order.tags.put(key, r.getElementText());
                            r.nextTag();
                        }
                    }
                    default -> r.skipElement();
                }
            }
            return order;
        }

        private static Plain.Item item(XMLStreamReader2 r) throws XMLStreamException {
            Plain.Item item = new Plain.Item();
            while (r.nextTag() == XMLStreamConstants.START_ELEMENT) {
                switch (r.getLocalName()) {
                    case "sku" -> item.sku = r.getElementText();
                    case "quantity" -> item.quantity = r.getElementAsInt();
                    case "price" -> item.price = r.getElementAsDouble();
                    case "note" -> item.note = r.getElementText();
                    default -> r.skipElement();
                }
            }
            return item;
        }

        @Override
        public long read(Object message) {
            return Plain.read(message);
        }
    }
}
