package creo.servlet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.FaultCode;
import creo.runtime.JsonChannel;
import creo.runtime.ServiceSecurity;
import creo.runtime.SoapChannel;
import creo.runtime.TdxmlChannel;
import creo.runtime.TdxmlSoapChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.example.notes.Full;
import org.example.notes.NotesClient;
import org.example.notes.NotesEndpoint;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls on each wire, in each container. */
class CallsTest {
    private static void call(Channel channel) throws Exception {
        try (channel) {
            NotesClient client = new NotesClient(channel);
            assertEquals("hello nobody null blue", client.say("hello"));
            assertEquals(3, assertThrows(Full.class, () -> client.say("full")).max());
            byte[] bytes = new byte[300_000];
            new Random(1).nextBytes(bytes);
            assertArrayEquals(bytes, client.echo(bytes));
            client.note("by " + channel.getClass().getSimpleName());
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyTextWire(Container.Kind kind) throws Exception {
        try (Rig rig = new Rig(kind)) {
            rig.service.go.countDown();
            ClientOptions options = ClientOptions.DEFAULT.withMetadata("color", "blue");
            String url = rig.url("/creo/Notes");
            call(JsonChannel.open(url, options));
            call(SoapChannel.open(url, options.withSoap11()));
            call(SoapChannel.open(url, options.withSoap12().withMtom()));
            call(TdxmlChannel.open(url, options.withCompression()));
            call(TdxmlSoapChannel.open(url, options));
        }
    }

    /** The security of an endpoint sees requests before anything of them is read (SOAP-80). */
    @ParameterizedTest
    @EnumSource
    void theSecurityOfAnEndpoint(Container.Kind kind) throws Exception {
        ServiceSecurity closed = (request, length, charset) -> {
            throw new ServiceSecurity.Refused(new FaultCode("urn:x", "Closed"), new CreoException(ErrorCode.UNAUTHENTICATED, length + " bytes in " + charset));
        };
        CreoServlet servlet = CreoServlet.builder().add(NotesEndpoint.of(new Rig.Service()).withSecurity(closed)).build();
        try (Container container = kind.start(servlet, "/creo/*", (request, response, chain) -> chain.doFilter(request, response))) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + container.port() + "/app/creo/Notes"))
                .header("Content-Type", "text/xml; charset=utf-8").POST(HttpRequest.BodyPublishers.ofString("<x/>")).build();
            HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            assertEquals(500, answer.statusCode());
            assertTrue(answer.body().contains("xmlns:f=\"urn:x\">f:Closed<") && answer.body().contains("4 bytes in utf-8"), answer.body());
        }
    }

    @ParameterizedTest
    @EnumSource
    void descriptionsNameTheAddressWithinTheApplication(Container.Kind kind) throws Exception {
        try (Rig rig = new Rig(kind)) {
            HttpResponse<String> wsdl = rig.send(rig.request("/creo/Notes?wsdl"));
            assertEquals(200, wsdl.statusCode());
            assertTrue(wsdl.body().contains("location=\"" + rig.url("/creo/Notes") + "\""), wsdl.body());
            assertTrue(rig.send(rig.request("/creo/Notes?openapi")).body().contains(rig.url("/creo/Notes")));
            HttpResponse<String> head = rig.send(rig.request("/creo/Notes?wsdl").method("HEAD", HttpRequest.BodyPublishers.noBody()));
            assertEquals(200, head.statusCode());
            assertEquals("", head.body());
            assertEquals("text/xml; charset=utf-8", head.headers().firstValue("content-type").orElse("").toLowerCase().replace(";c", "; c"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMappingToEverythingLeavesThePathsToTheInterfaces(Container.Kind kind) throws Exception {
        try (Rig rig = new Rig(kind, CreoServlet.builder(), "/")) {
            HttpResponse<String> wsdl = rig.send(rig.request("/Notes?wsdl"));
            assertTrue(wsdl.body().contains("location=\"" + rig.url("/Notes") + "\""), wsdl.body());
            assertEquals(200, rig.send(rig.request("/health")).statusCode());
        }
    }

    @ParameterizedTest
    @EnumSource
    void thePrincipalAndTheThreadAreThoseOfTheContainer(Container.Kind kind) throws Exception {
        try (Rig rig = new Rig(kind)) {
            HttpResponse<String> answer = rig.send(rig.json("say", "{\"text\":\"hello\"}").header("X-User", "ann").header("Creo-Meta-color", "a%20b"));
            assertEquals("\"hello ann ann a b\"", answer.body());
            assertEquals(200, answer.statusCode());
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNoCallIsSaid(Container.Kind kind) throws Exception {
        try (Rig rig = new Rig(kind)) {
            HttpResponse<String> missing = rig.send(rig.request("/creo/Other"));
            assertEquals(404, missing.statusCode());
            assertTrue(missing.body().contains("/Notes"), missing.body());
            assertEquals(404, rig.send(rig.json("sing", "{}")).statusCode());
            HttpResponse<String> put = rig.send(rig.request("/creo/Notes").PUT(HttpRequest.BodyPublishers.ofString("x")));
            assertEquals(405, put.statusCode());
            assertEquals("POST", put.headers().firstValue("allow").orElse(null));
            assertEquals(415, rig.send(rig.request("/creo/Notes").header("Content-Type", "text/plain").POST(HttpRequest.BodyPublishers.ofString("x"))).statusCode());
            assertEquals(400, rig.send(rig.json("say", "{\"text\":1}")).statusCode());
            assertEquals(400, rig.send(rig.json("say", "{\"text\":\"x\"}").header("Creo-Timeout", "soon")).statusCode());
            HttpResponse<String> full = rig.send(rig.json("say", "{\"text\":\"full\"}"));
            assertEquals(422, full.statusCode());
            assertEquals("application/problem+json", full.headers().firstValue("content-type").orElse(null));
            HttpResponse<String> foreign = rig.send(rig.request("/creo/Notes/say").header("Origin", "http://evil.example").POST(HttpRequest.BodyPublishers.noBody()));
            assertEquals(403, foreign.statusCode());
        }
    }

    @ParameterizedTest
    @EnumSource
    void gzipBothWays(Container.Kind kind) throws Exception {
        try (Rig rig = new Rig(kind)) {
            String text = "long ".repeat(1_000);
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
                gzip.write(("{\"text\":\"" + text + "\"}").getBytes(StandardCharsets.UTF_8));
            }
            HttpRequest request = rig.request("/creo/Notes/say").header("Content-Type", "application/json").header("Content-Encoding", "gzip").header("Accept-Encoding", "gzip")
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(packed.toByteArray()))).build();
            HttpResponse<byte[]> answer = rig.client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            assertEquals(200, answer.statusCode());
            assertEquals("gzip", answer.headers().firstValue("content-encoding").orElse(null));
            try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
                assertEquals("\"" + text + " nobody null null\"", new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
            assertEquals(415, rig.send(rig.json("say", "{\"text\":\"x\"}").header("Content-Encoding", "br")).statusCode());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aOnewayMethodIsAcknowledgedBeforeItEnds(Container.Kind kind) throws Exception {
        try (Rig rig = new Rig(kind)) {
            HttpResponse<String> answer = rig.send(rig.json("note", "{\"text\":\"later\"}").header("X-User", "ann"));
            assertEquals(202, answer.statusCode());
            assertEquals(Map.of(), rig.service.seen);
            rig.service.go.countDown();
            assertTrue(rig.service.began.tryAcquire(30, TimeUnit.SECONDS));
            assertEquals("later ann", rig.service.seen.get("note"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void pagesOfOtherOriginsMayBeLetIn(Container.Kind kind) throws Exception {
        try (Rig rig = new Rig(kind, CreoServlet.builder().cors("https://page.example"), "/creo/*")) {
            HttpResponse<String> preflight = rig.send(rig.request("/creo/Notes/say").header("Origin", "https://page.example").header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "content-type").method("OPTIONS", HttpRequest.BodyPublishers.noBody()));
            assertEquals(204, preflight.statusCode());
            assertEquals("https://page.example", preflight.headers().firstValue("access-control-allow-origin").orElse(null));
            assertEquals("content-type", preflight.headers().firstValue("access-control-allow-headers").orElse(null));
        }
    }
}
