package creo.runtime;

import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.bind.Marshaller;
import jakarta.xml.bind.Unmarshaller;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * JAXB as it is used with care: context, marshaller and unmarshaller are kept, the marshaller writes to a stream, which is its fastest way, and the unmarshaller reads from the parser
 * that the class path holds, otherwise from that of the JDK. The classes are those that JAXB's compiler makes of the exported WSDL; a document is the element that stands in SOAP's body.
 */
final class Jaxb implements Driver.Stack {
    private static final Map<String, Jaxb> MADE = new ConcurrentHashMap<>();
    private static final XMLInputFactory PARSERS = parsers();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(65_536);
    private final Marshaller marshaller;
    private final Unmarshaller unmarshaller;

    private Jaxb(String classes) {
        try {
            JAXBContext context = JAXBContext.newInstance(classes);
            marshaller = context.createMarshaller();
            unmarshaller = context.createUnmarshaller();
        } catch (JAXBException e) {
            throw new IllegalStateException("JAXB refuses the classes of " + classes, e);
        }
    }

    /** The one for the classes of a package. */
    static Jaxb of(String classes) {
        return MADE.computeIfAbsent(classes, Jaxb::new);
    }

    @Override
    public String version() {
        // As in "4.0.9 - e155f35".
        String implementation = String.valueOf(marshaller.getClass().getPackage().getImplementationVersion()).split(" ")[0];
        return "JAXB " + implementation + " over " + PARSERS.getClass().getName();
    }

    @Override
    public Object value(byte[] soap) {
        try {
            XMLStreamReader r = PARSERS.createXMLStreamReader(new ByteArrayInputStream(soap));
            while (r.next() != XMLStreamReader.START_ELEMENT || !r.getLocalName().equals("Body")) {
                // Skips what precedes the body.
            }
            r.nextTag();
            return unmarshaller.unmarshal(r);
        } catch (XMLStreamException | JAXBException e) {
            throw new IllegalStateException("JAXB does not read what stands in SOAP's body", e);
        }
    }

    @Override
    public byte[] write(Object value) {
        try {
            out.reset();
            marshaller.marshal(value, out);
            return out.toByteArray();
        } catch (JAXBException e) {
            throw new IllegalStateException("JAXB does not write " + value, e);
        }
    }

    @Override
    public Object read(byte[] document) {
        try {
            XMLStreamReader r = PARSERS.createXMLStreamReader(new ByteArrayInputStream(document));
            Object value = unmarshaller.unmarshal(r);
            r.close();
            return value;
        } catch (XMLStreamException | JAXBException e) {
            throw new IllegalStateException("JAXB does not read its own document", e);
        }
    }

    private static XMLInputFactory parsers() {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        return factory;
    }
}
