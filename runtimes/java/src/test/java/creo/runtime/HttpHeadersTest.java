package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers that users give to requests (HTTP-24). */
class HttpHeadersTest {
    private static final String LARGE = "x".repeat(9_000);

    /** The heads of the requests that calls with these options make. */
    private static String head(ClientOptions client, CallOptions call) throws Exception {
        LinkedBlockingQueue<String> heads = new LinkedBlockingQueue<>();
        try (Peer peer = new Peer((in, out) -> {
            heads.add(Http.readRequest(in));
            out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n\"x\"".getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }); Channel channel = JsonChannel.open("http://127.0.0.1:" + peer.port() + "/x", client)) {
            assertEquals("x", channel.call(Calls.SAY, "x", call));
            return heads.take();
        }
    }

    private static int count(String head, String name) {
        return (head.toLowerCase(Locale.ROOT) + " ").split("\r\n" + name.toLowerCase(Locale.ROOT) + ": ", -1).length - 1;
    }

    @Test
    void aRequestHasThemUnderTheirNames() throws Exception {
        ClientOptions client = ClientOptions.DEFAULT.withHeader("X-Api-Key", "k1").withHeader("Cookie", "a=b; c=\"d\"").withHeader("X-Api-Key", "k2");
        String head = head(client, CallOptions.NONE.withHeader("x-API-key", "k3").withHeader("Expires", "a\tb").withMetadata("x-api-key", "m"));
        assertTrue(head.contains("\r\nx-API-key: k3\r\n"), head);
        assertTrue(head.contains("\r\nCookie: a=b; c=\"d\"\r\n") && head.contains("\r\nExpires: a\tb\r\n"), head);
        assertTrue(head.contains("\r\nCreo-Meta-x-api-key: m\r\n"), head);
        assertEquals(1, count(head, "X-Api-Key"));
        assertEquals(1, count(head(client, CallOptions.NONE), "X-Api-Key"));
    }

    @Test
    void anAgentTakesThePlaceOfTheRuntimes() throws Exception {
        assertEquals(1, count(head(ClientOptions.DEFAULT, CallOptions.NONE), "User-Agent"));
        String head = head(ClientOptions.DEFAULT.withHeader("user-agent", "lab/1"), CallOptions.NONE);
        assertEquals(1, count(head, "User-Agent"));
        assertTrue(head.contains("user-agent: lab/1"), head);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:", "\u00e9", "a\r\nb", "Host", "HOST", "content-length", "Content-Type", "Content-Language", "Transfer-Encoding", "Connection",
        "keep-alive", "te", "Trailer", "Upgrade", "Expect", "SOAPAction", "Accept-Encoding", "MIME-Version", "Proxy-Authorization", "Creo-Timeout", "creo-meta-a"})
    void otherNamesAreRefused(String name) {
        error(ErrorCode.INVALID_VALUE, () -> CallOptions.NONE.withHeader(name, "x"));
        error(ErrorCode.INVALID_VALUE, () -> ClientOptions.DEFAULT.withHeader(name, "x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " a", "a ", "a\t", "a\r\nHost: b", "a\nb", "a\0b", "a\u007f", "\u00e9"})
    void otherValuesAreRefused(String value) {
        error(ErrorCode.INVALID_VALUE, () -> CallOptions.NONE.withHeader("X-A", value));
        error(ErrorCode.INVALID_VALUE, () -> ClientOptions.DEFAULT.withHeader("X-A", value));
    }

    @Test
    void thereAreLimits() {
        error(ErrorCode.INVALID_VALUE, () -> CallOptions.NONE.withHeader("x".repeat(65), "x"));
        error(ErrorCode.TOO_LARGE, () -> head(ClientOptions.DEFAULT.withHeader("X-A", LARGE), CallOptions.NONE.withHeader("X-B", LARGE)));
        CallOptions many = CallOptions.NONE;
        for (int i = 0; i < 65; i++) {
            many = many.withHeader("X-" + i, "x");
        }
        CallOptions all = many;
        error(ErrorCode.TOO_LARGE, () -> head(ClientOptions.DEFAULT, all));
    }

    @Test
    void metadataOfTheSameHeaderAreRefused() throws Exception {
        CallOptions call = CallOptions.NONE.withMetadata("authorization", "Bearer x");
        error(ErrorCode.INVALID_VALUE, () -> head(ClientOptions.DEFAULT.withHeader("Authorization", "Basic eA=="), call));
        assertFalse(head(ClientOptions.DEFAULT.withHeader("Authorization", "Basic eA=="), CallOptions.NONE).contains("Bearer"));
    }
}
