package creo.wss;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.sun.net.httpserver.HttpServer;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.ClientSecurity;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.FaultCode;
import creo.runtime.Server;
import creo.runtime.ServiceSecurity;
import creo.runtime.SoapChannel;
import creo.runtime.TableOptions;
import creo.runtime.TdxmlSoapChannel;
import creo.runtime.Wire;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.spi.MessageAnswer;
import creo.runtime.spi.MessageClient;
import creo.runtime.spi.MessageServer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.example.notes.Full;
import org.example.notes.Notes;
import org.example.notes.NotesClient;
import org.example.notes.NotesEndpoint;
import org.example.notes.Reading;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Calls with security, between our client and our service and with WSS4J at either end. */
class CallsTest {
    private static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
    private static final List<Reading> READINGS = List.of(new Reading("a & <b>", 1.5, "Grüße"), new Reading("c", -0.25, null), new Reading("", 1e300, "\uD83D\uDE00|\t"));

    private static WsSecurity.Builder alice() {
        return WsSecurity.builder().sign(Certificates.key("alice"), Certificates.of("alice")).trustIssuers(Certificates.of("ca")).know(Certificates.of("bob"))
            .decrypt(Certificates.key("alice"), Certificates.of("alice"));
    }

    private static WsSecurity.Builder bob() {
        return WsSecurity.builder().sign(Certificates.key("bob"), Certificates.of("bob")).trustIssuers(Certificates.of("ca")).know(Certificates.of("alice"))
            .decrypt(Certificates.key("bob"), Certificates.of("bob"));
    }

    private static Server serve(Notes service, ServiceSecurity security) throws Exception {
        return Server.builder().http("127.0.0.1", 0).add(NotesEndpoint.of(service).withSecurity(security)).start();
    }

    private static String url(Server server) {
        return "http://127.0.0.1:" + server.httpPort() + "/Notes";
    }

    private static void call(NotesService service, NotesClient client, String caller) throws Exception {
        assertEquals("hello " + caller, client.say("hello"));
        assertEquals(READINGS, client.echo(READINGS));
        client.clear();
        assertEquals(3, assertThrows(Full.class, () -> client.say("full")).max());
        CreoException e = assertThrows(CreoException.class, () -> client.say("fail"));
        assertEquals(ErrorCode.INTERNAL, e.code());
        assertTrue(e.fromPeer());
        client.note("noted");
        assertEquals("noted", service.notes.poll(30, TimeUnit.SECONDS));
    }

    /** A way to open a channel. */
    private interface Opener {
        Channel open(String url, ClientOptions options);
    }

    private record Way(String name, Opener opener) {
        static List<Way> all() {
            return List.of(
                new Way("SOAP 1.1", SoapChannel::open),
                new Way("SOAP 1.2", (url, options) -> SoapChannel.open(url, options.withSoap12())),
                new Way("addresses", (url, options) -> SoapChannel.open(url, options.withAddressing())),
                new Way("attachments", (url, options) -> SoapChannel.open(url, options.withMtom())),
                new Way("table of records", (url, options) -> TdxmlSoapChannel.open(url, options.withTables(TableOptions.RECORD))),
                new Way("table of cells", (url, options) -> TdxmlSoapChannel.open(url, options.withTables(TableOptions.AGGREGATED))));
        }
    }

    private static DynamicTest row(String name, Way way, ClientSecurity client, ServiceSecurity server, String caller) {
        return dynamicTest(name + ", " + way.name(), () -> {
            NotesService service = new NotesService();
            try (Server host = serve(service, server); Channel channel = way.opener().open(url(host), ClientOptions.DEFAULT.withSecurity(client))) {
                call(service, new NotesClient(channel), caller);
            }
        });
    }

    @TestFactory
    List<DynamicTest> calls() {
        List<DynamicTest> rows = new ArrayList<>();
        String[] signed = {"signed Body", "signed Timestamp"};
        for (Way way : Way.all()) {
            rows.add(row("signed", way, alice().signHeader(ADDRESSING, "*").build(), bob().requireSignedHeader(ADDRESSING, "*").build(), "CN=alice,O=Example"));
            rows.add(row("signed and encrypted", way, alice().encryptTo(Certificates.of("bob")).requireEncrypted().build(), bob().encryptToSigner().requireEncrypted().build(),
                "CN=alice,O=Example"));
            Peer.Form form = new Peer.Form();
            form.recipient = "bob";
            rows.add(row("WSS4J calls", way, new PeerSecurity(form, signed), bob().requireEncrypted().encryptToSigner().build(), "CN=alice,O=Example"));
            Peer.Form answers = new Peer.Form();
            answers.signer = "bob";
            answers.recipient = "alice";
            rows.add(row("WSS4J is called", way, alice().encryptTo(Certificates.of("bob")).requireEncrypted().build(), new PeerSecurity(answers, signed), "WSS4J"));
        }
        return rows;
    }

    /** The signature covers the token, and the user is who calls. */
    @Test
    void aTokenOfAUserInASignedMessage() throws Exception {
        NotesService service = new NotesService();
        WsSecurity client = alice().encryptTo(Certificates.of("bob")).build();
        ClientOptions options = ClientOptions.DEFAULT.withSecurity(client).withTimestamp();
        try (Server host = Server.builder().http("127.0.0.1", 0)
                .add(NotesEndpoint.of(service).withSecurity(bob().build()).withPasswords(user -> user.equals("anna") ? "secret" : null)).start()) {
            try (Channel channel = SoapChannel.open(url(host), options.withUsernameToken("anna", "secret"))) {
                assertEquals("hello anna", new NotesClient(channel).say("hello"));
            }
            try (Channel channel = SoapChannel.open(url(host), options.withUsernameTokenDigest("anna", "wrong"))) {
                CreoException e = assertThrows(CreoException.class, () -> new NotesClient(channel).say("hello"));
                assertEquals(ErrorCode.UNAUTHENTICATED, e.code());
            }
        }
    }

    @Test
    void callersWithoutSecurityAreRefused() throws Exception {
        NotesService service = new NotesService();
        try (Server host = serve(service, bob().build())) {
            try (Channel channel = SoapChannel.open(url(host), ClientOptions.DEFAULT)) {
                CreoException e = assertThrows(CreoException.class, () -> new NotesClient(channel).say("hello"));
                assertEquals(ErrorCode.UNAUTHENTICATED, e.code());
                assertTrue(e.reason().startsWith("no-security: "), e.reason());
            }
            try (Channel channel = SoapChannel.open(url(host), ClientOptions.DEFAULT.withMtom().withSecurity(WsSecurity.builder().build()))) {
                assertEquals(ErrorCode.UNAUTHENTICATED, assertThrows(CreoException.class, () -> new NotesClient(channel).say("hello")).code());
            }
            WsSecurity stranger = WsSecurity.builder().sign(Certificates.key("mallory"), Certificates.of("mallory")).trustIssuers(Certificates.of("ca")).build();
            try (Channel channel = SoapChannel.open(url(host), ClientOptions.DEFAULT.withSecurity(stranger))) {
                CreoException e = assertThrows(CreoException.class, () -> new NotesClient(channel).say("hello"));
                assertEquals(ErrorCode.PROTOCOL_MISMATCH, e.code());
                assertTrue(e.reason().contains("a fault without security: ") && e.reason().contains("untrusted: "), e.reason());
            }
        }
        assertNull(service.notes.poll());
    }

    @Test
    void answersWithoutSecurityAreRefused() throws Exception {
        try (Server host = Server.builder().http("127.0.0.1", 0).add(NotesEndpoint.of(new NotesService())).start()) {
            WsSecurity reads = WsSecurity.builder().trustIssuers(Certificates.of("ca")).build();
            try (Channel channel = SoapChannel.open(url(host), ClientOptions.DEFAULT.withSecurity(reads))) {
                CreoException e = assertThrows(CreoException.class, () -> new NotesClient(channel).say("hello"));
                assertEquals(ErrorCode.PROTOCOL_MISMATCH, e.code());
                assertTrue(e.reason().startsWith("no-security: "), e.reason());
                CreoException fault = assertThrows(CreoException.class, () -> new NotesClient(channel).say("full"));
                assertTrue(fault.reason().contains("Full"), fault.reason());
            }
        }
    }

    /** Without security, an empty answer would be the result of a method without one. */
    @Test
    void anEmptyAnswerIsRefused() throws Exception {
        HttpServer peer = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        peer.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        peer.start();
        String url = "http://127.0.0.1:" + peer.getAddress().getPort() + "/Notes";
        try (Channel plain = SoapChannel.open(url, ClientOptions.DEFAULT); Channel signed = SoapChannel.open(url, ClientOptions.DEFAULT.withSecurity(alice().build()))) {
            new NotesClient(plain).clear();
            CreoException e = assertThrows(CreoException.class, () -> new NotesClient(signed).clear());
            assertTrue(e.reason().startsWith("no-security: "), e.reason());
            new NotesClient(signed).note("acknowledged");
        } finally {
            peer.stop(0);
        }
    }

    /** Messages of a broker are secured as those of HTTP. */
    @Test
    void wholeMessages() throws Exception {
        NotesService service = new NotesService();
        FaultCode code = new FaultCode("urn:test", "wrong");
        try (MessageServer host = MessageServer.builder("a test").faults(code, code).add(NotesEndpoint.of(service).withSecurity(bob().encryptToSigner().build())).start()) {
            for (ClientOptions options : List.of(ClientOptions.DEFAULT, ClientOptions.DEFAULT.withTables(TableOptions.AGGREGATED))) {
                WsSecurity security = alice().encryptTo(Certificates.of("bob")).requireEncrypted().build();
                MessageClient client = new MessageClient(Wire.SOAP, options.withSecurity(security), "a test", Set.of());
                call(service, new NotesClient(new Channel() {
                    @Override
                    public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) throws Exception {
                        MessageAnswer answer = host.serve(client.request(method, arguments, callOptions));
                        return answer == null ? null : client.read(method, answer);
                    }

                    @Override
                    public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
                        return CompletableFuture.failedFuture(new UnsupportedOperationException());
                    }

                    @Override
                    public void close() {
                        // Nothing is open.
                    }
                }), "CN=alice,O=Example");
            }
        }
    }
}
