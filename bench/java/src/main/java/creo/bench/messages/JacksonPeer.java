package creo.bench.messages;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.dataformat.xml.JacksonXmlAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.xml.XmlFactory;
import com.fasterxml.jackson.dataformat.xml.XmlMapper;
import com.fasterxml.jackson.dataformat.xml.deser.FromXmlParser;
import com.fasterxml.jackson.dataformat.xml.ser.ToXmlGenerator;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import creo.bench.Case;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;
import org.codehaus.stax2.util.StreamWriter2Delegate;
import org.codehaus.stax2.XMLStreamWriter2;

/** Jackson's XML module: mapper, reader and writer are kept, the envelope is written and read by hand. */
final class JacksonPeer implements Case {
    /** All elements have the namespace of the messages. */
    private static final class Namespaces extends JacksonXmlAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        private Namespaces() {
            super(false);
        }

        @Override
        public String findNamespace(MapperConfig<?> config, Annotated annotated) {
            return Plain.NAMESPACE;
        }

        @Override
        public PropertyName findRootName(AnnotatedClass annotated) {
            return PropertyName.construct("message", Plain.NAMESPACE);
        }
    }

    /** Jackson makes the namespace of the root the default one, which would lose the prefix. */
    private static final class Prefixed extends StreamWriter2Delegate {
        private Prefixed(XMLStreamWriter2 writer) {
            super(writer);
            mDelegate2 = writer;
            mDelegate = writer;
        }

        @Override
        public void setDefaultNamespace(String uri) throws XMLStreamException {
            // The prefix stays.
        }
    }

    private final XMLInputFactory in;
    private final XMLOutputFactory out;
    private final ObjectWriter writer;
    private final ObjectReader reader;
    private final String element;
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(32_768);
    private final Object value;
    private final byte[] bytes;

    JacksonPeer(String message, XMLInputFactory in, XMLOutputFactory out) throws Exception {
        this.in = in;
        this.out = out;
        out.setProperty(XMLOutputFactory.IS_REPAIRING_NAMESPACES, false);
        XmlMapper mapper = XmlMapper.builder(new XmlFactory(in, out))
            .addModule(new JavaTimeModule())
            .annotationIntrospector(new Namespaces())
            .defaultUseWrapper(false)
            .defaultBase64Variant(Base64Variants.MIME_NO_LINEFEEDS)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .build();
        value = Plain.message(message);
        writer = mapper.writerFor(value.getClass());
        reader = mapper.readerFor(value.getClass());
        element = "echo" + value.getClass().getSimpleName();
        bytes = serialize();
    }

    @Override
    public byte[] serialize() throws Exception {
        buffer.reset();
        XMLStreamWriter w = out.createXMLStreamWriter(buffer, "UTF-8");
        Envelope.begin(w);
        w.writeStartElement("n1", element, Plain.NAMESPACE);
        ToXmlGenerator generator = ((XmlFactory) writer.getFactory()).createGenerator(new Prefixed((XMLStreamWriter2) w));
        writer.writeValue(generator, value);
        w.writeEndElement();
        Envelope.end(w);
        return buffer.toByteArray();
    }

    @Override
    public Object deserialize() throws Exception {
        XMLStreamReader r = in.createXMLStreamReader(new ByteArrayInputStream(bytes), "UTF-8");
        Envelope.begin(r);
        r.nextTag();
        FromXmlParser parser = ((XmlFactory) reader.getFactory()).createParser(r);
        Object read = reader.readValue(parser);
        Envelope.end(r);
        return read;
    }

    @Override
    public Object plain(Object decoded) {
        return decoded;
    }
}
