package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.Documents;
import creo.runtime.Endpoint;
import creo.runtime.codegen.ServiceInterface;
import creo.runtime.spi.MessageServer;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.example.notes.NotesEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The WSDL of a host (JMS-19). */
class WsdlTest {
    private static final List<String> SOAP = List.of("http://schemas.xmlsoap.org/wsdl/soap/", "http://schemas.xmlsoap.org/wsdl/soap12/");

    private static List<String> values(String wsdl, String element, String attribute) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        Document document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(wsdl)));
        List<String> values = new ArrayList<>();
        for (String namespace : SOAP) {
            NodeList found = document.getElementsByTagNameNS(namespace, element);
            for (int i = 0; i < found.getLength(); i++) {
                values.add(((Element) found.item(i)).getAttribute(attribute));
            }
        }
        return values;
    }

    private static void checkIsFor(String address, String wsdl) throws Exception {
        assertEquals(List.of(address, address), values(wsdl, "address", "location"));
        assertEquals(List.of("http://www.w3.org/2010/soapjms/", "http://www.w3.org/2010/soapjms/"), values(wsdl, "binding", "transport"));
    }

    @Test
    void ofEachInterface() throws Exception {
        try (Rig rig = new Rig()) {
            String address = Rig.ADDRESS + "?priority=7&replyToName=%22%3c";
            JmsHost host = rig.keep(rig.hosting().address(address).start());
            String wsdl = host.wsdl("Notes");
            checkIsFor(address, wsdl);
            assertTrue(wsdl.contains("<wsdl:service name=\"Notes\">"), wsdl);
            assertEquals(wsdl, host.wsdl("org.example.notes.Notes"));
            String other = host.wsdl("Counter");
            checkIsFor(address, other);
            assertTrue(other.contains("<wsdl:service name=\"Counter\">"), other);
            for (String name : List.of("", "notes", "org.example.Notes", "Notes\n")) {
                assertTrue(assertThrows(IllegalArgumentException.class, () -> host.wsdl(name)).getMessage().contains("is served here"));
            }
            host.close();
            checkIsFor(address, host.wsdl("Notes"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jms:queue:a", "JMS:queue:\"<&>'", "jms:queue:\ud83d\ude00\u00e4"})
    void ofEveryAddress(String address) throws Exception {
        try (MessageServer server = MessageServer.builder("here").add(NotesEndpoint.of(new Rig.Service())).start()) {
            checkIsFor(address, server.wsdl("Notes", address));
            assertEquals(List.of("http://schemas.xmlsoap.org/soap/http", "http://schemas.xmlsoap.org/soap/http"),
                values(server.wsdl("Notes", "http://localhost/" + address), "binding", "transport"));
        }
    }

    @Test
    void nothingElseChanges() {
        String documentation = "<d>transport=\"http://schemas.xmlsoap.org/soap/http\"/&gt;</d>";
        String wsdl = Documents.wsdl("jms:queue:a\u0001\ud800", "HERE", documentation + "<b transport=\"http://schemas.xmlsoap", ".org/soap/http\"/><a location=\"HERE\"/>");
        assertEquals(documentation + "<b transport=\"http://www.w3.org/2010/soapjms/\"/><a location=\"jms:queue:a??\"/>", wsdl);
        assertFalse(Documents.wsdl("http://jms:1/", "HERE", wsdl).contains("soap/http\"/>"));
    }

    @Test
    void anInterfaceWithoutOne() {
        Endpoint bare = Endpoint.builder(new ServiceInterface("p.Bare", 1)).build();
        try (MessageServer server = MessageServer.builder("here").add(bare).start()) {
            assertNull(server.wsdl("Bare", "jms:queue:a"));
        }
    }
}
