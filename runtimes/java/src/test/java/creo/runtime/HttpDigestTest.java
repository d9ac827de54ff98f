package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.HttpSessionTest.Replies;
import creo.runtime.codegen.Items;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Digest authentication of clients (HTTP-48 to HTTP-51). The cases of {@code conformance/} show more of it. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class HttpDigestTest {
    private static final ClientOptions OPTIONS = ClientOptions.DEFAULT.withDigestAuthentication("me", "hunter2");

    private static String asked(String more) {
        return "HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"b\", Digest realm=\"lab\", algorithm=SHA-256, qop=\"auth\", " + more + "\r\nContent-Length: 2\r\n\r\nno";
    }

    private static String parameter(String line, String name) {
        Matcher found = Pattern.compile("[ ,]" + name + "=\"?([^\",]*)").matcher(line);
        assertTrue(found.find(), line);
        return found.group(1);
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Checks the digest of a request. */
    private static void check(String head, String nonce, int count) throws Exception {
        String line = head.lines().filter(one -> one.startsWith("Authorization: Digest ")).findFirst().orElseThrow(() -> new AssertionError(head));
        String nc = "0000000" + count;
        assertEquals(nonce, parameter(line, "nonce"));
        assertEquals(nc, parameter(line, "nc"));
        assertEquals(head.split(" ")[1], parameter(line, "uri"));
        String due = sha256(sha256("me:lab:hunter2") + ":" + nonce + ":" + nc + ":" + parameter(line, "cnonce") + ":auth:" + sha256("POST:" + parameter(line, "uri")));
        assertEquals(due, parameter(line, "response"));
    }

    @Test
    void theRequestIsSentAgainAndLaterOnesHaveCredentialsAtOnce() throws Exception {
        List<RawMessage> shown = Collections.synchronizedList(new ArrayList<>());
        for (boolean async : new boolean[] {false, true}) {
            shown.clear();
            try (Replies own = new Replies(asked("nonce=\"a\""), HttpSessionTest.GOOD, HttpSessionTest.GOOD, asked("nonce=\"b\", stale=true"), HttpSessionTest.GOOD);
                Channel channel = JsonChannel.open(own.url(), OPTIONS.withRawMessages(shown::add))) {
                for (int i = 0; i < 3; i++) {
                    assertEquals("x", async ? channel.callAsync(Calls.SAY, "x", CallOptions.NONE).get() : channel.call(Calls.SAY, "x", CallOptions.NONE));
                }
                assertFalse(HttpSessionTest.has(own.heads.get(0), "Authorization"), own.heads.get(0));
                check(own.heads.get(1), "a", 1);
                check(own.heads.get(2), "a", 2);
                check(own.heads.get(3), "a", 3);
                check(own.heads.get(4), "b", 1);
            }
            assertEquals(List.of(0, 401, 0, 200, 0, 200, 0, 401, 0, 200), shown.stream().map(RawMessage::status).toList());
            assertTrue(shown.stream().flatMap(m -> m.headers().stream()).filter(h -> h.name().equals("Authorization")).allMatch(h -> h.value().equals("***")));
        }
    }

    @Test
    void aRefusalIsTheAnswer() throws Exception {
        try (Replies own = new Replies(asked("nonce=\"a\""), asked("nonce=\"b\""), asked("nonce=\"c\""), HttpSessionTest.GOOD);
            Channel channel = JsonChannel.open(own.url(), OPTIONS)) {
            CreoException e = error(ErrorCode.UNAUTHENTICATED, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            assertTrue(e.getMessage().contains("Digest realm=") && !e.getMessage().contains("hunter2"), e.getMessage());
            assertEquals(2, own.heads.size());
            assertEquals("x", channel.call(Calls.SAY, "x", CallOptions.NONE));
            assertFalse(HttpSessionTest.has(own.heads.get(2), "Authorization"), own.heads.get(2));
            check(own.heads.get(3), "c", 1);
        }
    }

    /** CALL-4: the program has the answer that leads nowhere. */
    @Test
    void answersThatLeadNowhere() throws Exception {
        String redirect = "HTTP/1.1 307 x\r\nContent-Length: 0\r\n\r\n";
        try (Replies own = new Replies(redirect, asked("nonce=\"a\", qop=\"auth-int\""));
            Channel channel = JsonChannel.open(own.url(), OPTIONS.withRedirects(1))) {
            List<Integer> seen = new ArrayList<>();
            CallOptions options = CallOptions.NONE.withAnswer(answer -> seen.add(answer.status()));
            error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "x", options));
            error(ErrorCode.UNAUTHENTICATED, () -> channel.call(Calls.SAY, "x", options));
            assertEquals(List.of(307, 401), seen);
        }
    }

    /** The request that was answered was not executed, and the next one was not written. */
    @Test
    void nothingListensAnyMore() throws Exception {
        Replies own = new Replies(asked("nonce=\"a\"").replace("Content-Length", "Connection: close\r\nContent-Length"));
        try (Channel channel = JsonChannel.open(own.url(), OPTIONS.withRawMessages(message -> {
            if (message.status() == 401) {
                try {
                    own.close();
                    refuses(java.net.URI.create(own.url()).getPort());
                } catch (java.io.IOException e) {
                    throw new IllegalStateException(e);
                }
            }
        }))) {
            assertTrue(error(ErrorCode.UNAVAILABLE, () -> channel.call(Calls.SAY, "x", CallOptions.NONE)).notStarted());
        }
    }

    /** Waits until nothing listens: a thread that accepts holds the port a little longer than its listener. */
    private static void refuses(int port) throws java.io.IOException {
        while (true) {
            try {
                new java.net.Socket("127.0.0.1", port).close();
            } catch (java.net.ConnectException e) {
                return;
            }
        }
    }

    @Test
    void credentialsStayAtTheirOrigin() throws Exception {
        try (Replies own = new Replies(asked("nonce=\"a\"")); Replies other = new Replies(asked("nonce=\"b\""))) {
            own.replies.add("HTTP/1.1 307 x\r\nLocation: http://" + other.host() + "/y\r\nContent-Length: 0\r\n\r\n");
            try (Channel channel = JsonChannel.open(own.url(), OPTIONS.withRedirects(1))) {
                error(ErrorCode.UNAUTHENTICATED, () -> channel.call(Calls.SAY, "x", CallOptions.NONE));
            }
            check(own.heads.get(1), "a", 1);
            assertEquals(1, other.heads.size());
            assertFalse(HttpSessionTest.has(other.heads.get(0), "Authorization"), other.heads.get(0));
        }
    }

    @Test
    void theProgramDoesNotSetWhatTheOptionSets() throws Exception {
        try (Replies own = new Replies(); Channel channel = JsonChannel.open(own.url(), OPTIONS)) {
            for (CallOptions call : List.of(CallOptions.NONE.withHeader("authorization", "x"), CallOptions.NONE.withMetadata("authorization", "x"))) {
                error(ErrorCode.INVALID_VALUE, () -> channel.call(Calls.SAY, "x", call));
            }
            assertTrue(own.heads.isEmpty());
        }
        JsonChannel.open("http://example.com/", OPTIONS).close();
        JsonChannel.open("http://example.com/", ClientOptions.DEFAULT.withBearerToken("x").withDigestAuthentication("me", "")).close();
        assertThrows(IllegalArgumentException.class, () -> JsonChannel.open("http://example.com/", OPTIONS.withBearerToken("x")));
        for (String[] pair : new String[][] {{"a:b", "c"}, {"a", "b\r\nc"}, {"a".repeat(1_025), ""}}) {
            assertThrows(IllegalArgumentException.class, () -> ClientOptions.DEFAULT.withDigestAuthentication(pair[0], pair[1]));
        }
    }

    @Test
    void streams() throws Exception {
        String lines = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n{\"item\":0}\n{\"end\":true}\n";
        List<String> heads = Collections.synchronizedList(new ArrayList<>());
        Queue<String> replies = new ArrayDeque<>(List.of(asked("nonce=\"a\""), lines, asked("nonce=\"b\""), lines));
        try (Peer peer = new Peer((in, out) -> {
            heads.add(Http.readRequest(in));
            out.write(replies.remove().replace("Content-Length", "Connection: close\r\nContent-Length").getBytes(StandardCharsets.US_ASCII));
        }); Channel channel = JsonChannel.open("http://127.0.0.1:" + peer.port() + "/x", OPTIONS)) {
            assertEquals(List.of(0), HttpSessionTest.count(channel));
            check(heads.get(1), "a", 1);
            Stream<Integer> none = Stream.empty();
            CreoException e = error(ErrorCode.UNAUTHENTICATED, () -> Items.await(channel.stream(HttpStreamsTest.SUM, new StreamCalls.Args(0, none), CallOptions.NONE)));
            assertTrue(e.getMessage().contains("the next call has credentials"), e.getMessage());
            check(heads.get(2), "a", 2);
            assertEquals(List.of(0), HttpSessionTest.count(channel));
            check(heads.get(3), "b", 1);
        }
    }
}
