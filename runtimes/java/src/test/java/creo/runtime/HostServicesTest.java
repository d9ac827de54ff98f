package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TdxmlWire;
import creo.runtime.internal.host.HostServices;
import creo.runtime.internal.tcp.TcpFrames;
import creo.runtime.spi.HostedHttp;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** The built-in services of a host ({@code spec/services.md}). */
class HostServicesTest {
    private static final Map<String, String> SERVING = Map.of(Calls.INTERFACE.name(), "serving");

    private static Map<String, String> ask(Channel channel, ServiceMethod<Object, Map<String, String>> method) throws Exception {
        return channel.call(method, HostServices.noArguments(), CallOptions.NONE);
    }

    private static Map<String, String> error(ErrorCode code, Channel channel, ServiceMethod<Object, Map<String, String>> method) {
        CreoException e = assertThrows(CreoException.class, () -> ask(channel, method));
        assertEquals(code, e.code());
        return e.details();
    }

    @Test
    void everyHostTellsItsHealth() throws Exception {
        try (Server server = Server.builder().add(Calls.endpoint(text -> text)).start(); Channel channel = Calls.connect(server)) {
            assertEquals(SERVING, ask(channel, HostServices.CHECK));
            String answer = Http.send(server.port(), "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", new byte[0]);
            assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.endsWith("{\"status\":\"serving\"}"), answer);
            assertTrue(Http.post(server.port(), "/healthz", "", "").startsWith("HTTP/1.1 404 "));
        }
    }

    @Test
    void reflectionIsOffUnlessItIsSwitchedOn() throws Exception {
        try (Server server = Server.builder().add(Calls.endpoint(text -> text)).start(); Channel channel = Calls.connect(server)) {
            // The built-in services are not listed among the host's interfaces.
            Map<String, String> offers = error(ErrorCode.UNKNOWN_METHOD, channel, HostServices.INTERFACES);
            assertTrue(offers.containsKey(Calls.INTERFACE.name()) && !offers.containsKey("creo.health.Health"), offers.toString());
            error(ErrorCode.UNKNOWN_METHOD, channel, HostServices.METHODS);
        }
    }

    @Test
    void reflectionTellsInterfacesAndMethods() throws Exception {
        try (Server server = Server.builder().reflection().add(Calls.endpoint(text -> text)).start(); Channel channel = Calls.connect(server)) {
            assertEquals(Map.of(Calls.INTERFACE.name(), Calls.INTERFACE.fingerprintText()), ask(channel, HostServices.INTERFACES));
            Map<String, String> methods = ask(channel, HostServices.METHODS);
            assertEquals(String.format("%016x", Calls.SAY.id()), methods.get(Calls.INTERFACE.name() + ".say"));
            assertFalse(methods.keySet().stream().anyMatch(name -> name.startsWith("creo.")));
        }
    }

    @Test
    void reflectionGivesDescriptions() throws Exception {
        String text = "{\n\"a.creo\": \"interface A {}\"\n}\n";
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).description(() -> text).method(Calls.SAY, said -> said).build();
        try (Server server = Server.builder().reflection().add(endpoint).start(); Channel channel = Calls.connect(server)) {
            assertEquals(text, channel.call(HostServices.DESCRIPTION, Calls.INTERFACE.name(), CallOptions.NONE));
            for (String unknown : List.of("", "creo.health.Health", "none")) {
                assertEquals("", channel.call(HostServices.DESCRIPTION, unknown, CallOptions.NONE));
            }
        }
        try (Server server = Server.builder().reflection().add(Calls.endpoint(said -> said)).start(); Channel channel = Calls.connect(server)) {
            assertEquals("", channel.call(HostServices.DESCRIPTION, Calls.INTERFACE.name(), CallOptions.NONE));
        }
    }

    @Test
    void theHostsOwnServicesAreOnTheBinaryWireAlone() throws Exception {
        Endpoint endpoint = Endpoint.builder(Calls.INTERFACE).wires(TdxmlWire.WIRE).method(Calls.SAY, text -> text).build();
        try (Server server = Server.builder().add(endpoint).start(); Raw raw = new Raw(server.port())) {
            // The wire of tables.
            raw.send("4352454f 01 01 0100").send(Raw.request(0, 1, HostServices.CHECK.id(), 0, "")).preamble();
            assertEquals(ErrorCode.UNKNOWN_METHOD, raw.next().code());
        }
    }

    @Test
    void aHostThatDrainsStillTellsItsHealth() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Server server = Server.builder().add(Calls.endpoint(text -> {
            running.countDown();
            release.await();
            return text;
        })).start();
        try (Raw raw = new Raw(server.port())) {
            raw.send(Raw.PREAMBLE).send(Raw.request(0, 1, Calls.SAY.id(), 0, Raw.text("x"))).preamble();
            assertTrue(running.await(60, TimeUnit.SECONDS));
            Thread closer = new Thread(server::close);
            closer.start();
            assertEquals(TcpFrames.GOODBYE, raw.next().kind());
            raw.send(Raw.request(0, 2, HostServices.CHECK.id(), 0, "")).send(Raw.request(0, 3, Calls.SAY.id(), 0, Raw.text("late")));
            Map<Integer, Raw.Frame> answers = raw.next(2);
            assertEquals("01" + Raw.text(Calls.INTERFACE.name()) + Raw.text("draining"), HexFormat.of().formatHex(answers.get(2).body()));
            assertEquals(ErrorCode.UNAVAILABLE, answers.get(3).code());
            release.countDown();
            assertEquals(1, raw.next().id());
            closer.join();
        }
    }

    @Test
    void aHostOfAContainerAnswersWhileItDrains() throws Exception {
        HostedHttp host = HostedHttp.builder().add(Calls.endpoint(text -> text)).start();
        Get before = new Get();
        host.serve(before);
        assertEquals(200, before.answer.status());
        host.close();
        Get after = new Get();
        host.serve(after);
        assertEquals(503, after.answer.status());
        assertArrayEquals("{\"status\":\"draining\"}".getBytes(StandardCharsets.UTF_8), after.answer.bytes());
    }

    /** GET of the health. */
    private static final class Get implements HostedHttp.Exchange {
        private HostedHttp.Answer answer;

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String path() {
            return "/healthz";
        }

        @Override
        public String query() {
            return null;
        }

        @Override
        public String origin() {
            return "http://localhost";
        }

        @Override
        public String prefix() {
            return "";
        }

        @Override
        public void fields(BiConsumer<String, String> to) {
            to.accept("Host", "localhost");
        }

        @Override
        public long length() {
            return 0;
        }

        @Override
        public InputStream body() {
            return new ByteArrayInputStream(new byte[0]);
        }

        @Override
        public String peer() {
            return "127.0.0.1:1";
        }

        @Override
        public Principal principal() {
            return null;
        }

        @Override
        public X509Certificate[] certificates() {
            return null;
        }

        @Override
        public void answer(HostedHttp.Answer given) {
            answer = given;
        }
    }
}
