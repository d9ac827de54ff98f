package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.internal.http.Gzip;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server's answers to requests that no Creo client sends. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class SoapServerTest {
    private static final String XML = "Content-Type: text/xml; charset=utf-8\r\n";
    private static final String SAY = "<c:say xmlns:c=\"urn:calls\"><c:text>hello</c:text></c:say>";
    private static Server server;

    @BeforeAll
    static void start() {
        server = start(Limits.DEFAULT.withMaxMessageSize(200_000));
    }

    private static Server start(Limits limits) {
        return Server.builder().http("127.0.0.1", 0).limits(limits).add(Calls.endpoint(text -> text)).start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void isStillThere() throws IOException {
        assertTrue(post(XML, Http.envelope(SAY)).contains(">hello<"));
    }

    private static String post(String headers, String body) throws IOException {
        return Http.post(server.httpPort(), "/Calls", headers, body);
    }

    private static void refused(String status, String text, String answer) {
        assertTrue(answer.startsWith("HTTP/1.1 " + status), answer);
        assertTrue(answer.contains(text), answer);
    }

    @Test
    void statuses() throws IOException {
        int port = server.httpPort();
        refused("404", "/Calls", Http.post(port, "/Other", XML, SAY));
        refused("415", "application/json", Http.post(port, "/Calls/", XML, SAY));
        refused("415", "text/xml", post("Content-Type: application/json\r\n", "{}"));
        refused("415", "text/xml", post("", Http.envelope(SAY)));
        refused("415", "UTF-8", post("Content-Type: text/xml; charset=koi8-r\r\n", Http.envelope(SAY)));
        refused("415", "gzip", post(XML + "Content-Encoding: br\r\n", Http.envelope(SAY)));
        refused("405", "Allow: POST", Http.send(port, "PUT /Calls HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", new byte[0]));
        refused("405", "POST", Http.send(port, "GET /Calls HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", new byte[0]));
        refused("400", "", Http.send(port, "POST /Calls HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n" + XML + "\r\n", "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
        refused("500", "soap:Client", post(XML, "no XML"));
        refused("400", "soap:Sender", post("Content-Type: application/soap+xml\r\n", Http.envelope("<x/>").replace("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope")));
    }

    @Test
    void bodiesAreHeldToTheLimits() throws IOException {
        String large = Http.envelope(SAY.replace("hello", "x".repeat(300_000)));
        String answer = Http.send(server.httpPort(), "POST /Calls HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: " + large.length() + "\r\n" + XML + "\r\n", new byte[0]);
        refused("413", "maxMessageSize", answer);
        byte[] bomb = Gzip.compress(new byte[50_000_000], 50_000_000);
        assertTrue(bomb.length < 300_000);
        refused("500", "maxMessageSize", Http.post(server.httpPort(), "/Calls", XML + "Content-Encoding: gzip\r\n", Arrays.copyOf(bomb, Math.min(bomb.length, 199_000))));
        StringBuilder headers = new StringBuilder(XML);
        for (int i = 0; i < 190; i++) {
            headers.append("X-").append(i).append(": ").append("y".repeat(400)).append("\r\n");
        }
        refused("431", "65536 bytes", post(headers.toString(), Http.envelope(SAY)));
    }

    @Test
    void gzip() throws IOException {
        byte[] body = Http.envelope(SAY.replace("hello", "hello " + "x".repeat(3_000))).getBytes(StandardCharsets.UTF_8);
        byte[] gzip = Gzip.compress(body, body.length);
        String coded = XML + "Content-Encoding: gzip\r\n";
        assertTrue(Http.post(server.httpPort(), "/Calls", coded, gzip).contains("hello x"));
        for (byte[] wrong : new byte[][] {Arrays.copyOf(gzip, gzip.length - 1), Arrays.copyOf(gzip, gzip.length + 1), Arrays.copyOf(gzip, 10), {}, body, flipped(gzip, gzip.length - 5), flipped(gzip, 20)}) {
            refused("500", "gzip", Http.post(server.httpPort(), "/Calls", coded, wrong));
        }
        String answer = Http.post(server.httpPort(), "/Calls", XML + "Accept-Encoding: deflate, gzip;q=0.5\r\n", body);
        assertTrue(answer.contains("Content-Encoding: gzip") && !answer.contains("hello x"), answer);
        assertTrue(Http.post(server.httpPort(), "/Calls", XML + "Accept-Encoding: gzip;q=0\r\n", body).contains("hello x"));
    }

    private static byte[] flipped(byte[] b, int i) {
        byte[] other = b.clone();
        other[i] ^= 0x55;
        return other;
    }

    @Test
    void cutAndSlowRequests() throws Exception {
        String head = "POST /Calls HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n" + XML + "\r\n";
        assertFalse(Http.send(server.httpPort(), head, "<a>".getBytes(StandardCharsets.US_ASCII)).contains("200"));
        try (Server hasty = start(Limits.DEFAULT.withFrameTimeout(Duration.ofMillis(700))); Socket socket = new Socket("127.0.0.1", hasty.httpPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            assertEquals(-1, socket.getInputStream().read(), "a request that does not arrive is closed");
        } catch (java.net.SocketException e) {
            // Closed, too.
        }
    }

    @Test
    void envelopes() throws IOException {
        String e = Http.envelope(SAY);
        assertTrue(post(XML, "<?xml version=\"1.0\"?>" + e).contains(">hello<"));
        assertTrue(post(XML + "SOAPAction: \"urn:calls:say\"\r\n", e).contains(">hello<"));
        assertTrue(post(XML + "SOAPAction: urn:calls:say\r\n", e).contains(">hello<"));
        assertTrue(post(XML + "SOAPAction: \"\"\r\n", e).contains(">hello<"));
        refused("500", "urn:calls:echo", post(XML + "SOAPAction: \"urn:calls:echo\"\r\n", e));
        refused("500", "code=\"unknown-method\"", post(XML, Http.envelope("<say/>")));
        refused("500", "code=\"unknown-method\"", post(XML, Http.envelope("")));
        refused("500", "soap:VersionMismatch", post(XML, e.replace("http://schemas.xmlsoap.org/soap/envelope/", "urn:other")));
        refused("500", "second element", post(XML, Http.envelope(SAY + SAY)));
        refused("500", "after the body", post(XML, e.replace("</E:Body>", "</E:Body><x/>")));
        refused("500", "without body", post(XML, "<E:Envelope xmlns:E=\"http://schemas.xmlsoap.org/soap/envelope/\"/>"));
        refused("500", "document type", post(XML, "<!DOCTYPE a [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>" + e));
        refused("500", "encoding", post(XML, e.replace("<E:Body", "<E:Body E:encodingStyle=\"http://schemas.xmlsoap.org/soap/encoding/\"")));
        refused("500", "maxXmlDepth", post(XML, e.replace("<E:Body>", "<E:Header>" + "<a>".repeat(10_000))));
        String utf16 = Http.post(server.httpPort(), "/Calls", "Content-Type: text/xml; charset=utf-16\r\n", ("\ufeff" + e).getBytes(StandardCharsets.UTF_16BE));
        assertTrue(utf16.contains(">hello<"), utf16);
        refused("500", "Creo-Timeout", post(XML + "Creo-Timeout: soon\r\n", e));
        refused("500", "metadata", post(XML + "Creo-Meta-a: %zz\r\n", e));
    }

    @Test
    void headers() throws IOException {
        String before = "<E:Header><h:known xmlns:h=\"urn:h\" ";
        String behind = "><any/>text</h:known></E:Header><E:Body>";
        assertTrue(post(XML, Http.envelope(SAY).replace("<E:Body>", before + behind)).contains(">hello<"));
        assertTrue(post(XML, Http.envelope(SAY).replace("<E:Body>", before + "E:mustUnderstand=\"0\"" + behind)).contains(">hello<"));
        assertTrue(post(XML, Http.envelope(SAY).replace("<E:Body>", before + "E:mustUnderstand=\"1\" E:actor=\"urn:somebody\"" + behind)).contains(">hello<"));
        refused("500", "soap:MustUnderstand", post(XML, Http.envelope(SAY).replace("<E:Body>", before + "E:mustUnderstand=\"1\"" + behind)));
        refused("500", "soap:MustUnderstand", post(XML, Http.envelope(SAY).replace("<E:Body>", before + "E:mustUnderstand=\"true\" E:actor=\"http://schemas.xmlsoap.org/soap/actor/next\"" + behind)));
    }

    /** SOAP-25: what an endpoint names is skipped, and nothing else. */
    @Test
    void anEndpointTakesHeadersAsUnderstood() throws IOException {
        Endpoint endpoint = Calls.endpoint(text -> text).withUnderstood("{urn:h}known").withUnderstood("bare");
        String body = Http.envelope(SAY);
        try (Server other = Server.builder().http("127.0.0.1", 0).add(endpoint).start()) {
            for (String name : List.of("known xmlns=\"urn:h\"", "bare", "known", "bare xmlns=\"urn:h\"")) {
                String block = "<E:Header><" + name + " E:mustUnderstand=\"1\"/></E:Header><E:Body>";
                String answer = Http.post(other.httpPort(), "/Calls", XML, body.replace("<E:Body>", block));
                if (name.equals("bare") || name.startsWith("known ")) {
                    assertTrue(answer.contains(">hello<"), answer);
                } else {
                    refused("500", "soap:MustUnderstand", answer);
                }
            }
        }
        assertThrows(IllegalArgumentException.class, () -> endpoint.withUnderstood("{urn:h"));
    }

    private static final String INCLUDE = "<c:echo xmlns:c=\"urn:calls\"><c:bytes><i:Include xmlns:i=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:a%40b\"/></c:bytes></c:echo>";

    private static String part(String headers, String content) {
        return "--=_x y\r\n" + headers + "\r\n" + content + "\r\n";
    }

    private static final String ROOT = part("content-type: application/xop+xml;\r\n charset=UTF-8; type=\"text/xml\"\r\nContent-ID: <root>\r\n", Http.envelope(INCLUDE));
    private static final String DATA = part("Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <a@b>\r\n", "bytes\r\n--=_x\r\n\r\n");
    private static final String END = "--=_x y--";
    private static final String TYPE = "Content-Type: multipart/related; boundary=\"=_x y\"; type=\"application/xop+xml\"; start=\"<root>\"\r\n";

    @Test
    void packages() throws IOException {
        String fine = post(TYPE, ROOT + DATA + END);
        assertTrue(fine.startsWith("HTTP/1.1 200") && fine.contains("multipart/related"), fine);
        assertTrue(post(TYPE, "\r\nA preamble\r\n" + ROOT + DATA + END + "\r\nAn epilogue").startsWith("HTTP/1.1 200"));
        assertTrue(post(TYPE, DATA + ROOT + END).startsWith("HTTP/1.1 200"));
        assertTrue(post(TYPE.replace("; start=\"<root>\"", ""), ROOT + DATA + END).startsWith("HTTP/1.1 200"));
        assertTrue(post(TYPE, ROOT + DATA + part("Content-ID: <c>\r\nContent-Transfer-Encoding: x-other\r\n", "unused") + part("", "unnamed") + END).startsWith("HTTP/1.1 200"));
        String body = ROOT + DATA + END;
        StringBuilder chunks = new StringBuilder();
        for (int i = 0; i < body.length(); i += 100) {
            String chunk = body.substring(i, Math.min(body.length(), i + 100));
            chunks.append(Integer.toHexString(chunk.length())).append("\r\n").append(chunk).append("\r\n");
        }
        String chunked = Http.send(server.httpPort(), "POST /Calls HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n" + TYPE + "\r\n",
            (chunks + "0\r\n\r\n").getBytes(StandardCharsets.UTF_8));
        assertTrue(chunked.startsWith("HTTP/1.1 200"), chunked);
        for (String wrong : new String[] {ROOT + END, ROOT + DATA, ROOT + DATA + DATA + END, DATA + END, ROOT + DATA.replace("a@b", "other") + END, ROOT + DATA.replace("binary", "base64") + END,
            ROOT + DATA.replace("binary", "x-other") + END, ROOT.replace("cid:", "http:") + DATA + END, ROOT + part("no headers", "") + END, "", END,
            ROOT.replace("</c:bytes>", "text</c:bytes>") + DATA + END, ROOT.replace("Content-ID: <root>", "Content-ID: <x>") + DATA + END}) {
            refused("500", "code=\"malformed\"", post(TYPE, wrong));
        }
        refused("500", "code=\"malformed\"", post("Content-Type: multipart/related\r\n", ROOT + DATA + END));
        StringBuilder parts = new StringBuilder(ROOT);
        for (int i = 0; i < 1_001; i++) {
            parts.append(part("Content-ID: <" + i + ">\r\n", ""));
        }
        refused("500", "maxParts", post(TYPE, parts + END));
        refused("500", "code=\"too-large\"", post(TYPE, ROOT + part("X: " + "y".repeat(20_000) + "\r\n", "") + END));
    }

    /** The client of a package whose root is no XOP may not read one (SOAP-21). */
    @Test
    void attachments() throws IOException {
        String answer = post(TYPE.replace("application/xop+xml", "text/xml"), part("Content-Type: text/xml\r\nContent-ID: <root>\r\n", Http.envelope(SAY)) + DATA + END);
        assertTrue(answer.startsWith("HTTP/1.1 200") && answer.contains("Content-Type: text/xml") && !answer.contains("multipart/related"), answer);
    }

    @Test
    void anyBytes() throws IOException {
        Random random = new Random(5);
        byte[] body = Http.envelope(SAY).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 300; i++) {
            byte[] broken = body.clone();
            for (int k = random.nextInt(4); k >= 0; k--) {
                broken[random.nextInt(broken.length)] = (byte) random.nextInt();
            }
            String answer = Http.post(server.httpPort(), "/Calls", XML, broken);
            assertTrue(answer.startsWith("HTTP/1.1 200") || answer.startsWith("HTTP/1.1 500"), answer);
            assertFalse(answer.contains("code=\"internal\""), answer);
        }
    }
}
