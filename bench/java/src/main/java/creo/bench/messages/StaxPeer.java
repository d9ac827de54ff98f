package creo.bench.messages;

import creo.bench.Case;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.codehaus.stax2.XMLStreamWriter2;
import org.codehaus.stax2.typed.Base64Variants;

/** A pull parser and a stream writer, driven by hand, as a careful team writes it for messages that it knows: names are looked at, order is not relied on. */
final class StaxPeer implements Case {
    private static final String NS = Plain.NAMESPACE;

    private final XMLInputFactory in;
    private final XMLOutputFactory out;
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(32_768);
    private final Object value;
    private final String element;
    private final byte[] bytes;

    StaxPeer(String message, XMLInputFactory in, XMLOutputFactory out) throws Exception {
        this.in = in;
        this.out = out;
        out.setProperty(XMLOutputFactory.IS_REPAIRING_NAMESPACES, false);
        value = Plain.message(message);
        element = "echo" + value.getClass().getSimpleName();
        bytes = serialize();
    }

    @Override
    public byte[] serialize() throws Exception {
        buffer.reset();
        XMLStreamWriter2 w = (XMLStreamWriter2) out.createXMLStreamWriter(buffer, "UTF-8");
        Envelope.begin(w);
        w.writeStartElement("n1", element, NS);
        w.writeStartElement("n1", "message", NS);
        if (value instanceof Plain.Short m) {
            text(w, "identification", m.identification);
            text(w, "text", m.text);
        } else if (value instanceof Plain.Simple m) {
            text(w, "identification", m.identification);
            write(w, "customer", m.customer);
        } else if (value instanceof Plain.Medium m) {
            text(w, "identification", m.identification);
            for (Plain.Customer c : m.customers) {
                write(w, "customers", c);
            }
        } else if (value instanceof Plain.Complex m) {
            text(w, "identification", m.identification);
            write(w, "customer", m.customer);
            for (Plain.Product p : m.products) {
                write(w, p);
            }
        } else if (value instanceof Plain.SimpleJpeg m) {
            text(w, "identification", m.identification);
            write(w, "customer", m.customer);
            w.writeStartElement("n1", "picture", NS);
            w.writeBinary(Base64Variants.MIME_NO_LINEFEEDS, m.picture, 0, m.picture.length);
            w.writeEndElement();
        }
        w.writeEndElement();
        w.writeEndElement();
        Envelope.end(w);
        return buffer.toByteArray();
    }

    private static void text(XMLStreamWriter2 w, String name, String text) throws XMLStreamException {
        w.writeStartElement("n1", name, NS);
        w.writeCharacters(text);
        w.writeEndElement();
    }

    private static void bool(XMLStreamWriter2 w, String name, boolean value) throws XMLStreamException {
        w.writeStartElement("n1", name, NS);
        w.writeBoolean(value);
        w.writeEndElement();
    }

    private static void write(XMLStreamWriter2 w, String name, Plain.Customer c) throws XMLStreamException {
        w.writeStartElement("n1", name, NS);
        text(w, "number", c.number);
        text(w, "title", c.title);
        text(w, "firstName", c.firstName);
        text(w, "lastName", c.lastName);
        text(w, "street", c.street);
        text(w, "city", c.city);
        text(w, "postcode", c.postcode);
        text(w, "country", c.country);
        text(w, "telephone", c.telephone);
        text(w, "email", c.email);
        bool(w, "active", c.active);
        bool(w, "newsletter", c.newsletter);
        text(w, "opened", c.opened.toString());
        text(w, "lastOrder", c.lastOrder.toString());
        w.writeEndElement();
    }

    private static void write(XMLStreamWriter2 w, Plain.Product p) throws XMLStreamException {
        w.writeStartElement("n1", "products", NS);
        text(w, "code", p.code);
        text(w, "name", p.name);
        text(w, "description", p.description);
        w.writeStartElement("n1", "quantity", NS);
        w.writeInt(p.quantity);
        w.writeEndElement();
        w.writeStartElement("n1", "price", NS);
        w.writeDouble(p.price);
        w.writeEndElement();
        w.writeStartElement("n1", "total", NS);
        w.writeDecimal(p.total);
        w.writeEndElement();
        bool(w, "inStock", p.inStock);
        text(w, "delivery", p.delivery.toString());
        w.writeEndElement();
    }

    @Override
    public Object deserialize() throws Exception {
        XMLStreamReader2 r = (XMLStreamReader2) in.createXMLStreamReader(new ByteArrayInputStream(bytes), "UTF-8");
        Envelope.begin(r);
        r.require(XMLStreamConstants.START_ELEMENT, NS, element);
        r.nextTag();
        r.require(XMLStreamConstants.START_ELEMENT, NS, "message");
        Object read = switch (element) {
            case "echoShort" -> readShort(r);
            case "echoSimple" -> readSimple(r);
            case "echoMedium" -> readMedium(r);
            case "echoComplex" -> readComplex(r);
            default -> readSimpleJpeg(r);
        };
        Envelope.end(r);
        return read;
    }

    /** Comes to the next element within, and checks its namespace. */
    private static boolean more(XMLStreamReader2 r) throws XMLStreamException {
        if (r.nextTag() == XMLStreamConstants.END_ELEMENT) {
            return false;
        }
        if (!NS.equals(r.getNamespaceURI())) {
            throw unknown(r);
        }
        return true;
    }

    private static XMLStreamException unknown(XMLStreamReader2 r) {
        return new XMLStreamException("unknown element " + r.getName());
    }

    private static Plain.Short readShort(XMLStreamReader2 r) throws XMLStreamException {
        Plain.Short m = new Plain.Short();
        while (more(r)) {
            switch (r.getLocalName()) {
                case "identification" -> m.identification = r.getElementText();
                case "text" -> m.text = r.getElementText();
                default -> throw unknown(r);
            }
        }
        return m;
    }

    private static Plain.Simple readSimple(XMLStreamReader2 r) throws XMLStreamException {
        Plain.Simple m = new Plain.Simple();
        while (more(r)) {
            switch (r.getLocalName()) {
                case "identification" -> m.identification = r.getElementText();
                case "customer" -> m.customer = readCustomer(r);
                default -> throw unknown(r);
            }
        }
        return m;
    }

    private static Plain.Medium readMedium(XMLStreamReader2 r) throws XMLStreamException {
        Plain.Medium m = new Plain.Medium();
        while (more(r)) {
            switch (r.getLocalName()) {
                case "identification" -> m.identification = r.getElementText();
                case "customers" -> m.customers.add(readCustomer(r));
                default -> throw unknown(r);
            }
        }
        return m;
    }

    private static Plain.Complex readComplex(XMLStreamReader2 r) throws XMLStreamException {
        Plain.Complex m = new Plain.Complex();
        while (more(r)) {
            switch (r.getLocalName()) {
                case "identification" -> m.identification = r.getElementText();
                case "customer" -> m.customer = readCustomer(r);
                case "products" -> m.products.add(readProduct(r));
                default -> throw unknown(r);
            }
        }
        return m;
    }

    private static Plain.SimpleJpeg readSimpleJpeg(XMLStreamReader2 r) throws XMLStreamException {
        Plain.SimpleJpeg m = new Plain.SimpleJpeg();
        while (more(r)) {
            switch (r.getLocalName()) {
                case "identification" -> m.identification = r.getElementText();
                case "customer" -> m.customer = readCustomer(r);
                case "picture" -> m.picture = r.getElementAsBinary();
                default -> throw unknown(r);
            }
        }
        return m;
    }

    private static Plain.Customer readCustomer(XMLStreamReader2 r) throws XMLStreamException {
        Plain.Customer c = new Plain.Customer();
        while (more(r)) {
            switch (r.getLocalName()) {
                case "number" -> c.number = r.getElementText();
                case "title" -> c.title = r.getElementText();
                case "firstName" -> c.firstName = r.getElementText();
                case "lastName" -> c.lastName = r.getElementText();
                case "street" -> c.street = r.getElementText();
                case "city" -> c.city = r.getElementText();
                case "postcode" -> c.postcode = r.getElementText();
                case "country" -> c.country = r.getElementText();
                case "telephone" -> c.telephone = r.getElementText();
                case "email" -> c.email = r.getElementText();
                case "active" -> c.active = r.getElementAsBoolean();
                case "newsletter" -> c.newsletter = r.getElementAsBoolean();
                case "opened" -> c.opened = Instant.parse(r.getElementText());
                case "lastOrder" -> c.lastOrder = Instant.parse(r.getElementText());
                default -> throw unknown(r);
            }
        }
        return c;
    }

    private static Plain.Product readProduct(XMLStreamReader2 r) throws XMLStreamException {
        Plain.Product p = new Plain.Product();
        while (more(r)) {
            switch (r.getLocalName()) {
                case "code" -> p.code = r.getElementText();
                case "name" -> p.name = r.getElementText();
                case "description" -> p.description = r.getElementText();
                case "quantity" -> p.quantity = r.getElementAsInt();
                case "price" -> p.price = r.getElementAsDouble();
                case "total" -> p.total = r.getElementAsDecimal();
                case "inStock" -> p.inStock = r.getElementAsBoolean();
                case "delivery" -> p.delivery = Instant.parse(r.getElementText());
                default -> throw unknown(r);
            }
        }
        return p;
    }

    @Override
    public Object plain(Object decoded) {
        return decoded;
    }
}
