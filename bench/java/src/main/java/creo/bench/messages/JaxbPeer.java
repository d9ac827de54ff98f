package creo.bench.messages;

import com.fasterxml.aalto.stax.InputFactoryImpl;
import com.fasterxml.aalto.stax.OutputFactoryImpl;
import creo.bench.Case;
import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.Marshaller;
import jakarta.xml.bind.Unmarshaller;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;

/** JAXB's reference implementation over Aalto: context, marshaller and unmarshaller are kept, the envelope is written and read by hand. */
final class JaxbPeer implements Case {
    private final InputFactoryImpl in = new InputFactoryImpl();
    private final XMLOutputFactory out = new OutputFactoryImpl();
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(32_768);
    private final Marshaller marshaller;
    private final Unmarshaller unmarshaller;
    private final Object value;
    private final byte[] bytes;

    JaxbPeer(String message) throws Exception {
        JAXBContext context = JAXBContext.newInstance(Jaxb.wrapper(message));
        marshaller = context.createMarshaller();
        marshaller.setProperty(Marshaller.JAXB_FRAGMENT, true);
        unmarshaller = context.createUnmarshaller();
        in.configureForSpeed();
        out.setProperty(XMLOutputFactory.IS_REPAIRING_NAMESPACES, false);
        value = Jaxb.wrapped(message);
        bytes = serialize();
    }

    @Override
    public byte[] serialize() throws Exception {
        buffer.reset();
        XMLStreamWriter w = out.createXMLStreamWriter(buffer, "UTF-8");
        Envelope.begin(w);
        marshaller.marshal(value, w);
        Envelope.end(w);
        return buffer.toByteArray();
    }

    @Override
    public Object deserialize() throws Exception {
        XMLStreamReader r = in.createXMLStreamReader(new ByteArrayInputStream(bytes), "UTF-8");
        Envelope.begin(r);
        Object read = unmarshaller.unmarshal(r);
        Envelope.end(r);
        return read;
    }

    @Override
    public Object plain(Object decoded) {
        return Jaxb.message(decoded);
    }
}
