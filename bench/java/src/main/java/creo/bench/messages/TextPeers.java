package creo.bench.messages;

import com.ctc.wstx.stax.WstxInputFactory;
import com.ctc.wstx.stax.WstxOutputFactory;
import com.fasterxml.aalto.stax.InputFactoryImpl;
import com.fasterxml.aalto.stax.OutputFactoryImpl;
import creo.bench.Case;
import creo.runtime.RequestForm;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import org.codehaus.stax2.XMLInputFactory2;

/** The peers of text messages by name, in the order in which they are measured. */
public final class TextPeers {
    private interface Factory {
        Case create(String message) throws Exception;
    }

    private static final Map<String, Factory> FACTORIES = new LinkedHashMap<>();

    static {
        FACTORIES.put("creo", message -> new CreoPeer(RequestForm.SOAP, message));
        FACTORIES.put("creo-record", message -> new CreoPeer(RequestForm.SOAP_RECORD, message));
        FACTORIES.put("creo-aggregated", message -> new CreoPeer(RequestForm.SOAP_AGGREGATED, message));
        FACTORIES.put("creo-json", message -> new CreoPeer(RequestForm.JSON, message));
        FACTORIES.put("jaxb", JaxbPeer::new);
        FACTORIES.put("jackson", message -> new JacksonPeer(message, forSpeed(new InputFactoryImpl()), new OutputFactoryImpl()));
        FACTORIES.put("jackson-woodstox", message -> new JacksonPeer(message, forSpeed(new WstxInputFactory()), new WstxOutputFactory()));
        FACTORIES.put("woodstox-hand", message -> new StaxPeer(message, forSpeed(new WstxInputFactory()), new WstxOutputFactory()));
        FACTORIES.put("aalto-hand", message -> new StaxPeer(message, forSpeed(new InputFactoryImpl()), new OutputFactoryImpl()));
        FACTORIES.put("jackson-json", JacksonJsonPeer::new);
    }

    private TextPeers() {}

    public static Iterable<String> names() {
        return FACTORIES.keySet();
    }

    /** A case whose round trip has been checked. */
    public static Case create(String peer, String message) throws Exception {
        Case created = FACTORIES.get(peer).create(message);
        if (!Dump.of(Plain.message(message)).equals(Dump.of(created.plain(created.deserialize())))) {
            throw new AssertionError(peer + " does not give back the message " + message);
        }
        return created;
    }

    private static XMLInputFactory forSpeed(XMLInputFactory2 factory) {
        factory.configureForSpeed();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        return factory;
    }
}
