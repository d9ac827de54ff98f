package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import creo.runtime.internal.http.HttpFault;
import creo.runtime.internal.http.HttpResponseParser;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Responses, legal and malformed (HTTP-19): each as a whole, byte by byte, and split at every position. */
class HttpResponseParserTest {
    /** The response to a request of a method, and the trace of {@link HttpFeeds.Responses}. */
    private record Case(String id, String method, String input, String trace) {}

    private static Case of(String id, String input, String trace) {
        return new Case(id, "POST", input, trace);
    }

    private static Case fields(String id, String fields, String rest, String trace) {
        return of(id, "HTTP/1.1 200 OK\r\n" + fields + "\r\n" + rest, trace);
    }

    private static Case line(String id, String line, String trace) {
        return of(id, line + "\r\nContent-Length: 1\r\n\r\na", trace);
    }

    private static Case chunks(String id, String chunks, String trace) {
        return fields(id, "Transfer-Encoding: chunked\r\n", chunks, trace);
    }

    private static final List<Case> CASES = List.of(
        line("s01 a response", "HTTP/1.1 200 OK", "200 OK {a}."),
        line("s02 a reason with spaces", "HTTP/1.1 404 Not  Found\t\u00ff", "404 Not  Found\t\u00ff {a}."),
        line("s03 an empty reason", "HTTP/1.1 200 ", "200  {a}."),
        line("s04 no reason", "HTTP/1.1 200", "200  {a}."),
        line("s05 an unknown status", "HTTP/1.1 999 x", "999 x {a}."),
        line("s06 HTTP/1.0", "HTTP/1.0 200 OK", "200 OK close {a}."),
        line("s07 a later minor version", "HTTP/1.2 200 OK", "200 OK {a}."),
        of("s08 keep-alive of HTTP/1.0", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n", "200 OK {}."),
        of("s09 nothing", "", ""),
        of("s10 the beginning of a line", "HTTP/1", "?"),
        of("s11 half a line", "HTTP/1.1 200 O", "?"),
        of("s12 half a head", "HTTP/1.1 200 OK\r\nA: ", "~"),
        line("n01 HTTP/2.0", "HTTP/2.0 200 OK", "!400"),
        line("n02 another protocol", "SSH-2.0-x", "!400"),
        of("n03 another protocol without a line", "220 mail", "!400"),
        of("n04 a TLS alert", "\u0015\u0003\u0003\u0000\u0002", "!400"),
        line("n05 no status", "HTTP/1.1", "!400"),
        line("n06 a status of two digits", "HTTP/1.1 20 OK", "!400"),
        line("n07 a status of four digits", "HTTP/1.1 2000 OK", "!400"),
        line("n08 a status below 100", "HTTP/1.1 099 OK", "!400"),
        line("n09 a signed status", "HTTP/1.1 +20 OK", "!400"),
        line("n10 two spaces", "HTTP/1.1  200 OK", "!400"),
        line("n11 a version of more digits", "HTTP/1.10 200 OK", "!400"),
        line("n12 a version without digits", "HTTP/1.x 200 OK", "!400"),
        line("n13 an empty line before it", "\r\nHTTP/1.1 200 OK", "!400"),
        of("n14 LF after the line", "HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n", "!400"),
        of("n15 CR in the reason", "HTTP/1.1 200 O\rK\r\nContent-Length: 0\r\n\r\n", "!400"),
        of("n16 NUL in the reason", "HTTP/1.1 200 O\u0000\r\nContent-Length: 0\r\n\r\n", "!400"),
        of("n17 a reason that is too long", "HTTP/1.1 200 " + "a".repeat(1_100), "!431"),
        of("i01 100", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "100 200 OK {}."),
        of("i02 others of 1xx", "HTTP/1.1 102 x\r\n\r\nHTTP/1.1 103 y\r\nLink: z\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "200 OK {}."),
        of("i03 many of them", "HTTP/1.1 102 x\r\n\r\n".repeat(100) + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "200 OK {}."),
        of("i04 a length of 1xx", "HTTP/1.1 103 x\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "200 OK {}."),
        of("i05 only 1xx", "HTTP/1.1 100 Continue\r\n\r\n", "100 ?"),
        of("i06 another protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "!400"),
        fields("f01 a length", "Content-Length: 3\r\n", "abc", "200 OK {abc}."),
        fields("f02 more than the length", "Content-Length: 3\r\n", "abcd", "200 OK {abc}.+"),
        fields("f03 less than the length", "Content-Length: 3\r\n", "ab", "200 OK {ab}~"),
        fields("f04 to the end", "", "abc", "200 OK close {abc}."),
        fields("f05 nothing to the end", "Connection: keep-alive\r\n", "", "200 OK close {}."),
        fields("f06 close", "Connection: close\r\nContent-Length: 0\r\n", "", "200 OK close {}."),
        fields("f07 equal lengths", "Content-Length: 3, 3\r\nContent-Length: 3\r\n", "abc", "200 OK {abc}."),
        fields("f08 a value that goes on", "A: b\r\n  c\r\n\td\r\n \r\nContent-Length:\r\n 3\r\n", "abc", "200 OK {abc}."),
        fields("f09 a list that goes on", "Connection: a,\r\n close\r\nContent-Length: 0\r\n", "", "200 OK close {}."),
        new Case("f10 HEAD", "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", "200 OK {}."),
        new Case("f11 HEAD of chunks", "HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "200 OK {}."),
        of("f12 204", "HTTP/1.1 204 No Content\r\n\r\n", "204 No Content {}."),
        of("f13 304", "HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n", "304 Not Modified {}."),
        new Case("f14 CONNECT", "CONNECT", "HTTP/1.1 200 OK\r\n\r\nabc", "200 OK {}.+"),
        new Case("f15 CONNECT that is refused", "CONNECT", "HTTP/1.1 407 x\r\nContent-Length: 1\r\n\r\na", "407 x {a}."),
        fields("f16 as many fields as there may be", "A: b\r\n".repeat(7) + "Content-Length: 0\r\n", "", "200 OK {}."),
        fields("g01 too many fields", "A: b\r\n".repeat(9), "", "!431"),
        fields("g02 a field that is too long", "A: " + "b".repeat(1_100), "", "!431"),
        fields("g03 a value that goes on too long", "A: b\r\n" + " c\r\n".repeat(300), "", "!431"),
        fields("g04 a space before the colon", "A : b\r\n", "", "!400"),
        fields("g05 white space before the first field", " A: b\r\n", "", "!400"),
        fields("g06 no colon", "A\r\n", "", "!400"),
        fields("g07 NUL", "A: \u0000\r\n", "", "!400"),
        fields("g08 LF", "A: b\n\r\n", "", "!400"),
        fields("g09 CR", "A: b\rc\r\n", "", "!400"),
        fields("g10 several lengths", "Content-Length: 3, 4\r\n", "abcd", "!400"),
        fields("g11 several lengths in two fields", "Content-Length: 3\r\nContent-Length: 4\r\n", "abcd", "!400"),
        fields("g12 a signed length", "Content-Length: +3\r\n", "abc", "!400"),
        fields("g13 an empty length", "Content-Length:\r\n", "abc", "!400"),
        fields("g14 a length that ends in a comma", "Content-Length: 3,\r\n", "abc", "!400"),
        fields("g15 a length and chunks", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n", "!400"),
        fields("g16 another coding", "Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n", "!501"),
        fields("g17 a length that goes on", "Content-Length: 1\r\n 2\r\n", "abcdefghijkl", "!400"),
        chunks("c01 chunks", "1;a=\"b\"\r\na\r\n02\r\nbc\r\n0\r\nA: b\r\n\r\n", "200 OK {abc}."),
        chunks("c02 something after them", "0\r\n\r\na", "200 OK {}.+"),
        chunks("c03 a chunk that is cut", "5\r\nab", "200 OK {ab}~"),
        chunks("c04 no last chunk", "1\r\na\r\n", "200 OK {a}~"),
        chunks("c05 no size", "\r\n", "200 OK {}!400"),
        chunks("c06 a size beyond 63 bits", "ffffffffffffffff\r\n", "200 OK {}!400"),
        chunks("c07 LF", "1\na\r\n", "200 OK {}!400"),
        chunks("c08 trailers that are too long", "0\r\nA: " + "b".repeat(1_100), "200 OK {}!431"),
        of("c09 HTTP/1.0", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", "200 OK close {a}."));

    /** The bytes of all cases. */
    static List<byte[]> inputs() {
        return CASES.stream().map(each -> HttpFeeds.bytes(each.input())).toList();
    }

    @TestFactory
    Stream<DynamicTest> responses() {
        return CASES.stream().map(each -> DynamicTest.dynamicTest(each.id(),
            () -> assertEquals(each.trace(), HttpFeeds.traceAll(each.id(), () -> new HttpFeeds.Responses(each.method()), HttpFeeds.bytes(each.input())))));
    }

    @Test
    void aFoldedValue() throws HttpFault {
        HttpResponseParser parser = new HttpResponseParser(HttpFeeds.MAX_HEADER_SIZE, HttpFeeds.MAX_FIELDS);
        parser.begin("GET");
        byte[] b = HttpFeeds.bytes("HTTP/1.1 200 OK\r\nA: b \r\n c\r\nContent-Length: 0\r\n\r\n");
        assertEquals(HttpResponseParser.Status.HEAD, parser.next(b, 0, b.length));
        assertEquals("b    c", parser.head().fields().first("a"));
    }

    /** Responses, some of whose bytes are changed, lost, doubled or moved; whatever it is, how it arrives must not matter. */
    @Test
    void mutations() {
        Random random = new Random(26);
        for (int i = 0; i < 20_000; i++) {
            Case seed = CASES.get(random.nextInt(CASES.size()));
            if (seed.input().length() < 400) {
                HttpFeeds.checkSplits(random, () -> new HttpFeeds.Responses(seed.method()), HttpFeeds.mutated(random, HttpFeeds.bytes(seed.input())));
            }
        }
    }
}
