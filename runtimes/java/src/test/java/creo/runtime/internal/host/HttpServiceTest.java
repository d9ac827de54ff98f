package creo.runtime.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import creo.runtime.Endpoint;
import creo.runtime.Limits;
import creo.runtime.codegen.Codec;
import creo.runtime.codegen.JsonWire;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceInterface;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextMessage;
import creo.runtime.codegen.TextMethod;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextType;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.Threads;
import creo.runtime.internal.http.HttpRequestHead;
import creo.runtime.internal.http.HttpRequestParser;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The paths of services (HTTP-1, HTTP-11). */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HttpServiceTest {
    private static final String NS = "urn:test";
    private static final ServiceInterface INTERFACE = new ServiceInterface("test.Numbers", 5);
    private static final Codec<Integer> INT = Codec.of(Writer::writeInt, Reader::readInt);

    private static TextMessage<Integer> message(String name) {
        TextField field = TextField.element("n", NS, "n").is(TextType.INTEGER);
        return TextMessage.of(TextField.element(null, NS, name), TextRecord.of(name, NS, name).fields(field), null, (w, v) -> w.writeInt(field, v), r -> r.readInt(), false, NS);
    }

    private static final ServiceMethod<Integer, Integer> TWICE = ServiceMethod.of(INTERFACE, "twice", 1, INT, INT)
        .text(() -> TextMethod.of("urn:test:twice", message("twice"), message("twiceResponse")));

    private static HttpService service(String... paths) {
        Endpoint endpoint = Endpoint.builder(INTERFACE).wires(JsonWire.WIRE).method(TWICE, n -> 2 * n).build();
        Host host = new Host(List.of(endpoint), Limits.DEFAULT, Threads.executor("test"), new Host.Watchers(null, List.of()));
        Map<String, List<Endpoint>> places = new java.util.TreeMap<>();
        for (String path : paths) {
            places.put(path, List.of(endpoint));
        }
        return new HttpService(host, places, Set.of(), true);
    }

    private static HttpService.Target route(HttpService service, String path) throws Exception {
        byte[] request = ("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        HttpRequestParser parser = new HttpRequestParser(100_000, 10);
        assertEquals(HttpRequestParser.Status.HEAD, parser.next(request, 0, request.length));
        HttpRequestHead head = parser.head();
        return service.route(head, () -> "http://x");
    }

    private static String method(HttpService service, String path) throws Exception {
        return route(service, path) instanceof HttpService.ByPath found ? found.name() : null;
    }

    @Test
    void theLongestPathHasTheMethod() throws Exception {
        HttpService some = service("/a", "/a/b", "/a-");
        assertEquals("twice", method(some, "/a/twice"));
        assertEquals("twice", method(some, "/a/b/twice"));
        assertEquals("c/twice", method(some, "/a/c/twice"));
        assertEquals("", method(some, "/a/"));
        for (String other : List.of("/twice", "/ab/twice", "/", "//a/twice")) {
            assertEquals(404, ((HttpService.Fixed) route(some, other)).status(), other);
        }
        HttpService root = service("/", "/a");
        assertEquals("twice", method(root, "/twice"));
        assertEquals("twice", method(root, "//twice"));
        assertEquals("twice", method(root, "/a/twice"));
    }

    /** LIM-40: the thread of other connections is not busy with it. */
    @Test
    void aPathOfSlashesIsNoWork() throws Exception {
        HttpService some = service("/a", "/a/b");
        for (int i = 0; i < 1_000; i++) {
            assertEquals(404, ((HttpService.Fixed) route(some, "/".repeat(65_000))).status());
        }
    }
}
