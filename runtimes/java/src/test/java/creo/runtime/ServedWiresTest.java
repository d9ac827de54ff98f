package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.Codec;
import creo.runtime.codegen.JsonWire;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceInterface;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.SoapWire;
import creo.runtime.codegen.TdxmlSoapWire;
import creo.runtime.codegen.TdxmlWire;
import creo.runtime.codegen.TextWire;
import creo.runtime.codegen.Writer;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A server speaks the text wires that its endpoints bring, and no other. */
class ServedWiresTest {
    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String XML = "Content-Type: text/xml\r\n";
    private static final String TABLE = "Content-Type: application/vnd.creo.tdxml\r\n";
    private static final String ENVELOPE = Http.envelope("<say xmlns=\"urn:calls\"><text>a</text></say>");
    private static final String ROW = "<Env xmlns=\"urn:creo:tdxml\" of=\"say\"><RT>\n[0]|a\n</RT></Env>";

    private static Server serve(TextWire... wires) {
        return Server.builder().add(Endpoint.builder(Calls.INTERFACE).wires(wires).method(Calls.SAY, text -> text).build()).start();
    }

    private static String post(Server server, String path, String type, String body) throws IOException {
        return Http.post(server.port(), path, type, body);
    }

    private static void is(int status, String text, String answer) {
        assertTrue(answer.startsWith("HTTP/1.1 " + status + " ") && answer.contains(text), answer);
    }

    private static CreoException overTcp(Server server) {
        try (Channel channel = TdxmlChannel.tcp("127.0.0.1", server.port(), ClientOptions.DEFAULT)) {
            return assertThrows(CreoException.class, () -> channel.call(Calls.SAY, "a", CallOptions.NONE));
        }
    }

    @Test
    void jsonAlone() throws Exception {
        try (Server server = serve(JsonWire.WIRE); Channel channel = Calls.connect(server)) {
            is(200, "\"a\"", post(server, "/Calls/say", JSON, "{\"text\":\"a\"}"));
            is(415, "a call is application/json, in UTF-8", post(server, "/Calls/say", TABLE, ROW));
            is(405, "each method has a path", post(server, "/Calls", XML, ENVELOPE));
            CreoException e = overTcp(server);
            assertEquals(ErrorCode.PROTOCOL_MISMATCH, e.code());
            assertTrue(e.getMessage().contains("where this server speaks 0, binary"), e.getMessage());
            assertEquals("a", channel.call(Calls.SAY, "a", CallOptions.NONE));
        }
    }

    @Test
    void soapAlone() throws IOException {
        try (Server server = serve(SoapWire.WIRE)) {
            is(200, ">a</", post(server, "/Calls", XML, ENVELOPE));
            is(404, "nothing is served at this path", post(server, "/Calls/say", JSON, "{\"text\":\"a\"}"));
            is(500, "unknown-method", post(server, "/Calls", XML, Http.envelope(ROW)));
        }
        try (Server server = serve(TdxmlSoapWire.WIRE)) {
            is(200, ">a</", post(server, "/Calls", XML, ENVELOPE));
            is(200, "[0]|a", post(server, "/Calls", XML, Http.envelope(ROW)));
        }
    }

    @Test
    void aChannelOfSoapWritesNoTables() {
        assertThrows(IllegalArgumentException.class, () -> SoapChannel.open("http://127.0.0.1:1/x", ClientOptions.DEFAULT.withTables(TableOptions.RECORD)));
    }

    @Test
    void tablesAlone() throws Exception {
        try (Server server = serve(TdxmlWire.WIRE); Channel channel = TdxmlChannel.tcp("127.0.0.1", server.port(), ClientOptions.DEFAULT)) {
            is(200, "[0]|a", post(server, "/Calls/say", TABLE, ROW));
            is(415, "a call is application/vnd.creo.tdxml, in UTF-8", post(server, "/Calls/say", JSON, "{\"text\":\"a\"}"));
            assertEquals("a", channel.call(Calls.SAY, "a", CallOptions.NONE));
        }
    }

    @Test
    void noneOverHttp() throws Exception {
        try (Server server = serve(); Channel channel = Calls.connect(server)) {
            is(404, "nothing is served at this path", post(server, "/Calls/say", JSON, "{\"text\":\"a\"}"));
            assertEquals("a", channel.call(Calls.SAY, "a", CallOptions.NONE));
        }
        Endpoint binary = Endpoint.builder(Calls.INTERFACE).method(Calls.SAY, text -> text).build();
        assertThrows(IllegalStateException.class, () -> Server.builder().http("127.0.0.1", 0).add(binary).start());
    }

    @Test
    void interfacesAtOnePathBringTheirWiresTogether() throws IOException {
        ServiceInterface other = new ServiceInterface("test.Other", 5);
        Codec<String> text = Codec.of(Writer::writeString, Reader::readString);
        Endpoint second = Endpoint.builder(other).wires(SoapWire.WIRE)
            .method(ServiceMethod.of(other, "lost", 77, text, text).text(() -> TextCalls.LOST), v -> v).build();
        Endpoint first = Endpoint.builder(Calls.INTERFACE).wires(JsonWire.WIRE).method(Calls.SAY, v -> v).build();
        try (Server server = Server.builder().add(first, "/here").add(second, "/here").start()) {
            is(200, "\"a\"", post(server, "/here/say", JSON, "{\"text\":\"a\"}"));
            is(200, ">a</", post(server, "/here", XML, Http.envelope("<lost xmlns=\"urn:calls\"><text>a</text></lost>")));
        }
    }
}
