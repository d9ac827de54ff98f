package creo.bench.messages;

import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;

/** The envelope of SOAP 1.1, for the peers that know of values only. */
final class Envelope {
    static final String NAMESPACE = "http://schemas.xmlsoap.org/soap/envelope/";

    private Envelope() {}

    static void begin(XMLStreamWriter w) throws XMLStreamException {
        w.setPrefix("soap", NAMESPACE);
        w.setPrefix("n1", Plain.NAMESPACE);
        w.writeStartElement("soap", "Envelope", NAMESPACE);
        w.writeNamespace("soap", NAMESPACE);
        w.writeNamespace("n1", Plain.NAMESPACE);
        w.writeStartElement("soap", "Body", NAMESPACE);
    }

    static void end(XMLStreamWriter w) throws XMLStreamException {
        w.writeEndElement();
        w.writeEndElement();
        w.writeEndDocument();
        w.close();
    }

    /** Comes to the element of the body. */
    static void begin(XMLStreamReader r) throws XMLStreamException {
        r.nextTag();
        r.require(XMLStreamConstants.START_ELEMENT, NAMESPACE, "Envelope");
        r.nextTag();
        r.require(XMLStreamConstants.START_ELEMENT, NAMESPACE, "Body");
        r.nextTag();
    }

    /** Reads to the end: anything after the body would be an error. */
    static void end(XMLStreamReader r) throws XMLStreamException {
        while (r.hasNext()) {
            if (r.next() == XMLStreamConstants.START_ELEMENT) {
                throw new XMLStreamException("an element behind the message");
            }
        }
        r.close();
    }
}
