package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.internal.http.HttpFault;
import creo.runtime.internal.http.HttpFields;
import creo.runtime.internal.http.HttpRequestHead;
import creo.runtime.internal.http.HttpRequestParser;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Requests, legal and malformed (HTTP-12 to HTTP-18): each as a whole, byte by byte, and split at every position. */
class HttpRequestParserTest {
    private static final String HOST = "Host: x\r\n";
    private static final String CHUNKED = "POST /a HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n";

    /** A request as bytes, and the trace of {@link HttpFeeds.Requests}. */
    private record Case(String id, String input, String trace) {}

    private static Case of(String id, String input, String trace) {
        return new Case(id, input, trace);
    }

    /** A request line, followed only by Host. */
    private static Case line(String id, String line, String trace) {
        return of(id, line + "\r\n" + HOST + "\r\n", trace);
    }

    /** Fields of a POST, and what comes after them. */
    private static Case fields(String id, String fields, String rest, String trace) {
        return of(id, "POST /a HTTP/1.1\r\n" + HOST + fields + "\r\n" + rest, trace);
    }

    /** A Host of a GET. */
    private static Case host(String id, String host, String trace) {
        return of(id, "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n", trace);
    }

    /** What comes after the head of a chunked POST. */
    private static Case chunks(String id, String chunks, String trace) {
        return of(id, CHUNKED + chunks, trace);
    }

    private static final List<Case> REQUEST_LINES = List.of(
        line("l01 GET", "GET / HTTP/1.1", "GET / {}."),
        line("l02 HEAD", "HEAD /a HTTP/1.1", "HEAD /a {}."),
        line("l03 a query", "GET /Echo?wsdl HTTP/1.1", "GET /Echo?wsdl {}."),
        line("l04 an empty query", "GET /Echo? HTTP/1.1", "GET /Echo? {}."),
        line("l05 a query with more of its characters", "GET /?a=b&c=d/e?f HTTP/1.1", "GET /?a=b&c=d/e?f {}."),
        line("l06 a path with escapes", "GET /%45cho/%61%c3%A4 HTTP/1.1", "GET /Echo/a\u00e4 {}."),
        line("l07 all characters of a path", "GET /-._~!$&'()*+,;=:@/ HTTP/1.1", "GET /-._~!$&'()*+,;=:@/ {}."),
        line("l08 OPTIONS *", "OPTIONS * HTTP/1.1", "OPTIONS * {}."),
        line("l09 OPTIONS of a path", "OPTIONS /a HTTP/1.1", "OPTIONS /a {}."),
        line("l10 absolute-form", "GET http://example.org/a?b HTTP/1.1", "GET /a?b {}."),
        line("l11 absolute-form without a path", "GET HTTPS://example.org:443 HTTP/1.1", "GET / {}."),
        line("l12 absolute-form with a query alone", "GET http://example.org?a HTTP/1.1", "GET /?a {}."),
        line("l13 absolute-form of an IPv6 address", "GET http://[::1]:80/a HTTP/1.1", "GET /a {}."),
        line("l14 OPTIONS of a whole server", "OPTIONS http://example.org HTTP/1.1", "OPTIONS * {}."),
        line("l15 CONNECT", "CONNECT example.org:443 HTTP/1.1", "CONNECT  {}."),
        line("l16 an unknown method", "Get!#$%&'*+-.^_`|~09 / HTTP/1.1", "Get!#$%&'*+-.^_`|~09 / {}."),
        line("l17 a later minor version", "GET / HTTP/1.9", "GET / {}."),
        line("l20 HTTP/1.0", "GET / HTTP/1.0", "GET / close {}."),
        of("l21 HTTP/1.0 without a Host", "GET / HTTP/1.0\r\n\r\n", "GET / close {}."),
        of("l22 empty lines before it", "\r\n\r\nGET / HTTP/1.1\r\n" + HOST + "\r\n", "GET / {}."),
        of("l23 nothing but empty lines", "\r\n\r\n\r\n", ""),
        of("l24 half an empty line", "\r\n\r", "~"),
        of("l25 half a request line", "GET / HT", "~"),
        of("l26 too many empty lines", "\r\n".repeat(9) + "GET / HTTP/1.1\r\n" + HOST + "\r\n", "!400"),
        line("n01 no version", "GET /", "!400"),
        line("n02 no target", "GET  HTTP/1.1", "!400"),
        line("n03 only a method", "GET", "!400"),
        line("n04 no method", " / HTTP/1.1", "!400"),
        line("n05 two spaces before the target", "GET  / HTTP/1.1", "!400"),
        line("n06 two spaces after the target", "GET /  HTTP/1.1", "!400"),
        line("n07 a tab for a space", "GET\t/ HTTP/1.1", "!400"),
        line("n08 a space at the end", "GET / HTTP/1.1 ", "!400"),
        line("n09 a space in the target", "GET /a b HTTP/1.1", "!400"),
        line("n10 a method that is no token", "G(T / HTTP/1.1", "!400"),
        line("n11 a method with a byte of 0x80", "G\u0080T / HTTP/1.1", "!400"),
        line("n12 HTTP/9.9", "GET / HTTP/9.9", "!505"),
        line("n13 HTTP/2.0", "GET / HTTP/2.0", "!505"),
        line("n14 the preface of HTTP/2", "PRI * HTTP/2.0", "!505"),
        line("n15 HTTP/0.9", "GET / HTTP/0.9", "!505"),
        line("n16 a version in small letters", "GET / http/1.1", "!400"),
        line("n17 a version of more digits", "GET / HTTP/1.10", "!400"),
        line("n18 a version of fewer digits", "GET / HTTP/1.", "!400"),
        line("n19 a version of no digits", "GET / HTTP/a.b", "!400"),
        line("n20 a version with a comma", "GET / HTTP/1,1", "!400"),
        line("n21 a fragment", "GET /a#b HTTP/1.1", "!400"),
        line("n22 half an escape", "GET /%4 HTTP/1.1", "!400"),
        line("n23 a percent sign", "GET /% HTTP/1.1", "!400"),
        line("n24 an escape that is not hexadecimal", "GET /%4x HTTP/1.1", "!400"),
        line("n25 a broken escape in the query", "GET /?%zz HTTP/1.1", "!400"),
        line("n26 a byte of 0x80 in the target", "GET /\u0080 HTTP/1.1", "!400"),
        line("n27 a quote in the target", "GET /\" HTTP/1.1", "!400"),
        line("n28 a backslash in the target", "GET \\a HTTP/1.1", "!400"),
        line("n29 a target without a slash", "GET a HTTP/1.1", "!400"),
        line("n30 * of another method than OPTIONS", "GET * HTTP/1.1", "!400"),
        line("n31 authority-form of another method than CONNECT", "GET example.org:80 HTTP/1.1", "!400"),
        line("n32 a path of CONNECT", "CONNECT /a HTTP/1.1", "!400"),
        line("n33 CONNECT without a port", "CONNECT example.org HTTP/1.1", "!400"),
        line("n34 CONNECT with an empty port", "CONNECT example.org: HTTP/1.1", "!400"),
        line("n35 another scheme", "GET ftp://example.org/ HTTP/1.1", "!400"),
        line("n36 absolute-form without a host", "GET http:///a HTTP/1.1", "!400"),
        line("n37 absolute-form with a port alone", "GET http://:80/ HTTP/1.1", "!400"),
        line("n38 absolute-form with a user", "GET http://u@example.org/ HTTP/1.1", "!400"),
        line("n39 absolute-form with a port beyond 65535", "GET http://x:65536/ HTTP/1.1", "!400"),
        of("n40 a control character at once", "GET /\u0001", "!400"),
        of("n41 NUL", "GET /\u0000 HTTP/1.1\r\n" + HOST + "\r\n", "!400"),
        of("n42 DEL", "GET /\u007f HTTP/1.1\r\n" + HOST + "\r\n", "!400"),
        of("n43 LF after the request line", "GET / HTTP/1.1\n" + HOST + "\r\n", "!400"),
        of("n44 CR within the request line", "GET /\r HTTP/1.1\r\n" + HOST + "\r\n", "!400"),
        of("n45 CR twice after the request line", "GET / HTTP/1.1\r\r\n" + HOST + "\r\n", "!400"),
        of("n46 LF before the request line", "\nGET / HTTP/1.1\r\n" + HOST + "\r\n", "!400"),
        of("n47 CR before the request line", "\rGET / HTTP/1.1\r\n" + HOST + "\r\n", "!400"),
        of("n48 a TLS record", "\u0016\u0003\u0001\u0002", "!400"),
        of("n49 a target that is too long", "GET /" + "a".repeat(1_100), "!414"),
        of("n50 a method that is too long", "A".repeat(1_024), "!414"));

    private static final List<Case> FIELDS = List.of(
        fields("f01 none", "", "", "POST /a {}."),
        fields("f02 spaces and tabs around a value", "A: \t b c \t\r\n", "", "POST /a {}."),
        fields("f03 no space before a value", "A:b\r\n", "", "POST /a {}."),
        fields("f04 an empty value", "A:\r\nB: \t\r\n", "", "POST /a {}."),
        fields("f05 bytes from 0x80 on in a value", "A: \u0080\u00ff\r\n", "", "POST /a {}."),
        fields("f06 a tab in a value", "A: b\tc\r\n", "", "POST /a {}."),
        fields("f07 colons in a value", "A: :b:\r\n", "", "POST /a {}."),
        fields("f08 all characters of a name", "aZ09!#$%&'*+-.^_`|~: b\r\n", "", "POST /a {}."),
        fields("f09 the same field several times", "A: b\r\na: c\r\n", "", "POST /a {}."),
        fields("f10 as many fields as there may be", "A: b\r\n".repeat(7), "", "POST /a {}."),
        fields("f11 Content-Length 0", "Content-Length: 0\r\n", "", "POST /a {}."),
        fields("f12 a body", "content-LENGTH: 3 \r\n", "a\r\n", "POST /a {a\r\n}."),
        fields("f13 zeros before a length", "Content-Length: 003\r\n", "abc", "POST /a {abc}."),
        fields("f14 a body of which some is not there", "Content-Length: 3\r\n", "ab", "POST /a {ab}~"),
        fields("f15 Connection: close", "Connection: close\r\n", "", "POST /a close {}."),
        fields("f16 close in a list", "Connection: a, , CLOSE ,b\r\n", "", "POST /a close {}."),
        fields("f17 close in a second field", "Connection: keep-alive\r\nConnection: close\r\n", "", "POST /a close {}."),
        fields("f18 another option", "Connection: closed\r\n", "", "POST /a {}."),
        of("f19 keep-alive of HTTP/1.0", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET / {}."),
        of("f20 keep-alive and close of HTTP/1.0", "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", "GET / close {}."),
        fields("f21 Expect", "Expect: 100-Continue\r\nContent-Length: 1\r\n", "a", "POST /a continue {a}."),
        fields("f22 Expect without a body", "Expect: 100-continue\r\n", "", "POST /a {}."),
        of("f23 Expect of HTTP/1.0", "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na", "POST / close {a}."),
        fields("f24 an empty Expect", "Expect:\r\n", "", "POST /a {}."),
        fields("f25 a GET after it", "Content-Length: 1\r\n", "aGET /b HTTP/1.1\r\n" + HOST + "\r\n", "POST /a {a}.GET /b {}."),
        fields("f26 an empty line after a body", "Content-Length: 1\r\n", "a\r\nGET /b HTTP/1.1\r\n" + HOST + "\r\n", "POST /a {a}.GET /b {}."),
        fields("f27 a longest length", "Content-Length: 9223372036854775807\r\n", "ab", "POST /a {ab}~"),
        fields("g01 a space before the colon", "A : b\r\n", "", "!400"),
        fields("g02 a tab before the colon", "A\t: b\r\n", "", "!400"),
        fields("g03 no name", ": b\r\n", "", "!400"),
        fields("g04 no colon", "A\r\n", "", "!400"),
        fields("g05 a name with a space", "A B: c\r\n", "", "!400"),
        fields("g06 a name with a bracket", "A(: c\r\n", "", "!400"),
        fields("g07 a name with a byte of 0x80", "A\u0080: c\r\n", "", "!400"),
        fields("g08 a value that goes on in the next line", "A: b\r\n c\r\n", "", "!400"),
        fields("g09 the same with a tab", "A: b\r\n\tc\r\n", "", "!400"),
        fields("g10 a line of spaces", "A: b\r\n  \r\n", "", "!400"),
        of("g11 a space before the first field", "GET / HTTP/1.1\r\n Host: x\r\n\r\n", "!400"),
        of("g12 a tab before the first field", "GET / HTTP/1.1\r\n\tA: b\r\nHost: x\r\n\r\n", "!400"),
        fields("g13 NUL in a value", "A: b\u0000c\r\n", "", "!400"),
        fields("g14 a control character in a value", "A: b\u0001c\r\n", "", "!400"),
        fields("g15 DEL in a value", "A: b\u007fc\r\n", "", "!400"),
        fields("g16 a vertical tab after a value", "A: b\u000b\r\n", "", "!400"),
        fields("g17 NUL in a name", "A\u0000: b\r\n", "", "!400"),
        fields("g18 CR in a value", "A: b\rc\r\n", "", "!400"),
        fields("g19 LF after a value", "A: b\nC: d\r\n", "", "!400"),
        fields("g20 CR twice after a value", "A: b\r\r\n", "", "!400"),
        of("g21 LF at the end of the head", "GET / HTTP/1.1\r\nHost: x\r\n\n", "!400"),
        of("g22 LF CR at the end of the head", "GET / HTTP/1.1\r\nHost: x\r\n\n\r", "!400"),
        of("g23 CR at the end of the head", "GET / HTTP/1.1\r\nHost: x\r\n\ra", "!400"),
        fields("g24 too many fields", "A: b\r\n".repeat(8), "", "!431"),
        fields("g25 a field that is too long", "A: " + "b".repeat(1_024), "", "!431"),
        fields("g26 fields that together are too long", ("A: " + "b".repeat(300) + "\r\n").repeat(4), "", "!431"),
        fields("g30 a signed length", "Content-Length: +9\r\n", "", "!400"),
        fields("g31 a negative length", "Content-Length: -1\r\n", "", "!400"),
        fields("g32 a hexadecimal length", "Content-Length: 0x9\r\n", "", "!400"),
        fields("g33 a list of lengths", "Content-Length: 9, 9\r\n", "", "!400"),
        fields("g34 an empty length", "Content-Length:\r\n", "", "!400"),
        fields("g35 a fraction", "Content-Length: 1.0\r\n", "", "!400"),
        fields("g36 an exponent", "Content-Length: 1e1\r\n", "", "!400"),
        fields("g37 a length with a space", "Content-Length: 1 0\r\n", "", "!400"),
        fields("g38 a length with an underscore", "Content-Length: 1_0\r\n", "", "!400"),
        fields("g39 a length beyond 63 bits", "Content-Length: 9223372036854775808\r\n", "", "!400"),
        fields("g40 a length beyond 64 bits", "Content-Length: 18446744073709551617\r\n", "", "!400"),
        fields("g41 a length that ends in a comma", "Content-Length: 9,\r\n", "", "!400"),
        fields("g42 digits beyond ASCII", "Content-Length: \u00b2\r\n", "", "!400"),
        fields("g43 several equal lengths", "Content-Length: 1\r\nContent-Length: 1\r\n", "a", "!400"),
        fields("g44 several lengths", "Content-Length: 1\r\nContent-Length: 2\r\n", "aa", "!400"),
        fields("g45 a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n", "!400"),
        fields("g46 chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n", "!400"),
        fields("g47 a length and an unknown coding", "Content-Length: 5\r\nTransfer-Encoding: gzip\r\n", "0\r\n\r\n", "!400"),
        fields("g50 gzip and chunked", "Transfer-Encoding: gzip, chunked\r\n", "", "!501"),
        fields("g51 gzip", "Transfer-Encoding: gzip\r\n", "", "!501"),
        fields("g52 identity", "Transfer-Encoding: identity\r\n", "", "!501"),
        fields("g53 xchunked", "Transfer-Encoding: xchunked\r\n", "", "!501"),
        fields("g54 chunked twice", "Transfer-Encoding: chunked, chunked\r\n", "", "!400"),
        fields("g55 chunked in two fields", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "", "!400"),
        fields("g56 chunked, then another coding in a second field", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "", "!501"),
        fields("g57 an empty coding", "Transfer-Encoding:\r\n", "", "!400"),
        fields("g58 a list with an empty coding", "Transfer-Encoding: ,chunked\r\n", "", "!400"),
        fields("g59 a coding with a parameter", "Transfer-Encoding: chunked;a=b\r\n", "", "!400"),
        fields("g60 a quoted coding", "Transfer-Encoding: \"chunked\"\r\n", "", "!400"),
        of("g61 chunks of HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "!400"),
        fields("g62 an unknown expectation", "Expect: 200-ok\r\n", "", "!417"),
        fields("g63 one more expectation", "Expect: 100-continue, a\r\n", "", "!417"));

    private static final List<Case> HOSTS = List.of(
        host("h01 a name", "example.org", "GET / {}."),
        host("h02 a name and a port", "example.org:8080", "GET / {}."),
        host("h03 an address", "127.0.0.1:80", "GET / {}."),
        host("h04 an IPv6 address", "[2001:db8::1]:80", "GET / {}."),
        host("h05 an empty port", "x:", "GET / {}."),
        host("h06 nothing, of a URI without authority", "", "GET / {}."),
        host("h07 an escape", "%41", "GET / {}."),
        host("h08 an underscore", "a_b", "GET / {}."),
        of("h10 none", "GET / HTTP/1.1\r\nA: b\r\n\r\n", "!400"),
        of("h11 no field at all", "GET / HTTP/1.1\r\n\r\n", "!400"),
        of("h12 two", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "!400"),
        of("h13 two equal ones", "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", "!400"),
        of("h14 two of HTTP/1.0", "GET / HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n", "!400"),
        of("h15 none beside absolute-form", "GET http://x/ HTTP/1.1\r\n\r\n", "!400"),
        host("h20 a space", "a b", "!400"),
        host("h21 a slash", "a/b", "!400"),
        host("h22 a user", "u@a", "!400"),
        host("h23 a list", "a, b", "!400"),
        host("h24 a port that is no number", "a:b", "!400"),
        host("h25 a port beyond 65535", "a:65536", "!400"),
        host("h26 two ports", "a:1:2", "!400"),
        host("h27 a bracket that is not closed", "[::1", "!400"),
        host("h28 empty brackets", "[]", "!400"),
        host("h29 something after brackets", "[::1]a", "!400"),
        host("h30 a letter in brackets", "[::g]", "!400"),
        host("h31 a byte of 0x80", "\u0080", "!400"),
        host("h32 a broken escape", "%4", "!400"),
        host("h33 an angle", "<a>", "!400"),
        host("h34 a question mark", "a?b", "!400"));

    private static final List<Case> CHUNKS = List.of(
        chunks("c01 no chunk", "0\r\n\r\n", "POST /a {}."),
        chunks("c02 a chunk", "3\r\nabc\r\n0\r\n\r\n", "POST /a {abc}."),
        chunks("c03 chunks", "1\r\na\r\n2\r\n\r\n\r\n0\r\n\r\n", "POST /a {a\r\n}."),
        chunks("c04 hexadecimal digits", "a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", "POST /a {01234567890123456789}."),
        chunks("c05 zeros before a size", "0000000000000000000000000001\r\na\r\n000\r\n\r\n", "POST /a {a}."),
        chunks("c06 an extension", "1;a\r\nb\r\n0;c\r\n\r\n", "POST /a {b}."),
        chunks("c07 extensions with values", "1;a=b;c=d\r\ne\r\n0\r\n\r\n", "POST /a {e}."),
        chunks("c08 a quoted value", "1;a=\"b;\\\"\\\\\t\u00ff 0\"\r\ne\r\n0\r\n\r\n", "POST /a {e}."),
        chunks("c09 spaces around an extension", "1 \t; a = b ;c=\"d\" ; e\r\nf\r\n0\r\n\r\n", "POST /a {f}."),
        chunks("c10 trailers", "0\r\nA: b\r\nC:\r\n\r\n", "POST /a {}."),
        chunks("c11 trailers that mean nothing there", "0\r\nContent-Length: 5\r\nTransfer-Encoding: a\r\nHost: y\r\n\r\n", "POST /a {}."),
        chunks("c12 a request after it", "1\r\na\r\n0\r\nA: b\r\n\r\nGET /b HTTP/1.1\r\n" + HOST + "\r\n", "POST /a {a}.GET /b {}."),
        chunks("c13 a chunk of which some is not there", "5\r\nabc", "POST /a {abc}~"),
        chunks("c14 no last chunk", "1\r\na\r\n", "POST /a {a}~"),
        chunks("c15 no end of trailers", "0\r\nA: b\r\n", "POST /a {}~"),
        chunks("c16 the longest chunk", "7fffffffffffffff\r\nab", "POST /a {ab}~"),
        chunks("c17 as many bytes of extensions as there may be", "1;" + "a".repeat(4_095) + "\r\nb\r\n0\r\n\r\n", "POST /a {b}."),
        chunks("c18 as many trailers as there may be", "0\r\n" + "A: b\r\n".repeat(8) + "\r\n", "POST /a {}."),
        of("c19 CHUNKED", "POST /a HTTP/1.1\r\n" + HOST + "transfer-encoding: \tCHUNKED \r\n\r\n0\r\n\r\n", "POST /a {}."),
        chunks("d01 no size", "\r\n\r\n", "POST /a {}!400"),
        chunks("d02 an extension without a size", ";a\r\n", "POST /a {}!400"),
        chunks("d03 a size beyond 63 bits", "8000000000000000\r\n", "POST /a {}!400"),
        chunks("d04 a size beyond 64 bits", "10000000000000009\r\nabcdefghi\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d05 a signed size", "+1\r\na\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d06 a negative size", "-1\r\na\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d07 0x", "0x1\r\na\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d08 no digit", "g\r\n", "POST /a {}!400"),
        chunks("d09 an underscore", "1_0\r\n", "POST /a {}!400"),
        chunks("d10 a space before the size", " 1\r\na\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d11 a space after the size", "1 \r\na\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d12 LF after a size", "1\na\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d13 CR after a size", "1\ra\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d14 CR twice after a size", "1\r\r\na\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d15 no line end after a chunk", "1\r\nab\r\n0\r\n\r\n", "POST /a {a}!400"),
        chunks("d16 LF after a chunk", "1\r\na\n0\r\n\r\n", "POST /a {a}!400"),
        chunks("d17 CR after a chunk", "1\r\na\r0\r\n\r\n", "POST /a {a}!400"),
        chunks("d18 LF in an extension", "1;a\n\r\nb\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d19 CR in an extension", "1;a\rb\r\nb\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d20 CR LF in a quoted value", "1;a=\"\r\n\"\r\nb\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d21 NUL in an extension", "1;a\u0000\r\nb\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d22 NUL in a quoted value", "1;a=\"\u0000\"\r\nb\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d23 a control character after a backslash", "1;a=\"\\\u0001\"\r\nb\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d24 an extension without a name", "1;\r\nb\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d25 an extension whose value is empty", "1;a=\r\nb\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d26 something after a quoted value", "1;a=\"b\"c\r\nb\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d27 two values", "1;a=b=c\r\nb\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d28 a space within a name", "1;a b\r\nb\r\n0\r\n\r\n", "POST /a {}!400"),
        chunks("d29 extensions that are too long", "1;" + "a".repeat(4_096) + "\r\nb\r\n", "POST /a {}!400"),
        chunks("d30 extensions that together are too long", ("1;" + "a".repeat(2_046) + "\r\nb\r\n").repeat(3), "POST /a {bb}!400"),
        chunks("d31 too many zeros", "0".repeat(5_000) + "\r\n\r\n", "POST /a {}!400"),
        chunks("d32 a trailer with a space before the colon", "0\r\nA : b\r\n\r\n", "POST /a {}!400"),
        chunks("d33 a trailer without a colon", "0\r\nA\r\n\r\n", "POST /a {}!400"),
        chunks("d34 a trailer that goes on in the next line", "0\r\nA: b\r\n c\r\n\r\n", "POST /a {}!400"),
        chunks("d35 a space before the first trailer", "0\r\n A: b\r\n\r\n", "POST /a {}!400"),
        chunks("d36 a trailer with NUL", "0\r\nA: \u0000\r\n\r\n", "POST /a {}!400"),
        chunks("d37 LF after a trailer", "0\r\nA: b\n\r\n", "POST /a {}!400"),
        chunks("d38 LF after trailers", "0\r\nA: b\r\n\n", "POST /a {}!400"),
        chunks("d39 trailers that are too long", "0\r\nA: " + "b".repeat(1_024), "POST /a {}!400"),
        chunks("d40 too many trailers", "0\r\n" + "A: b\r\n".repeat(9) + "\r\n", "POST /a {}!400"),
        chunks("d41 a request in place of a chunk", "GET /b HTTP/1.1\r\n" + HOST + "\r\n", "POST /a {}!400"));

    private static Stream<Case> cases() {
        return Stream.of(REQUEST_LINES, FIELDS, HOSTS, CHUNKS).flatMap(List::stream);
    }

    /** The bytes of all cases. */
    static List<byte[]> inputs() {
        return cases().map(each -> HttpFeeds.bytes(each.input())).toList();
    }

    @TestFactory
    Stream<DynamicTest> requests() {
        return cases().map(each -> DynamicTest.dynamicTest(each.id(),
            () -> assertEquals(each.trace(), HttpFeeds.traceAll(each.id(), HttpFeeds.Requests::new, HttpFeeds.bytes(each.input())))));
    }

    private static HttpRequestHead head(String input) throws HttpFault {
        HttpRequestParser parser = new HttpRequestParser(HttpFeeds.MAX_HEADER_SIZE, HttpFeeds.MAX_FIELDS);
        byte[] b = HttpFeeds.bytes(input);
        assertTrue(parser.isIdle());
        assertEquals(HttpRequestParser.Status.MORE, parser.next(b, 0, 3));
        assertFalse(parser.isIdle());
        assertEquals(0, parser.position());
        assertEquals(HttpRequestParser.Status.HEAD, parser.next(b, 0, b.length));
        assertEquals(b.length, parser.position());
        assertFalse(parser.isIdle());
        Arrays.fill(b, (byte) 0);
        HttpRequestHead head = parser.head();
        if (head.contentLength() <= 0 && !head.chunked()) {
            assertEquals(HttpRequestParser.Status.END, parser.next(b, b.length, b.length));
            assertTrue(parser.isIdle());
        }
        return head;
    }

    @Test
    void fieldsOfAHead() throws HttpFault {
        String lines = "hOST: x:1\r\nA: \t1 2\t\r\nB:\r\na: 3\r\nConnection: Close, Foo\r\nC: \u00e4\r\n";
        HttpRequestHead head = head("GET /%41?b HTTP/1.1\r\n" + lines + "\r\n");
        HttpFields fields = head.fields();
        assertEquals("GET", head.method());
        assertEquals("/%41?b", head.target());
        assertEquals("/A", head.path());
        assertEquals("b", head.query());
        assertEquals("x:1", head.authority());
        assertEquals(1, head.minorVersion());
        assertEquals(-1, head.contentLength());
        assertFalse(head.chunked() || head.keepAlive() || head.expectsContinue());
        assertEquals(6, fields.size());
        assertEquals(lines.length(), fields.bytes());
        assertEquals(List.of("host", "a", "b", "a", "connection", "c"), IntStream.range(0, 6).mapToObj(fields::name).toList());
        assertEquals("1 2", fields.value(1));
        assertEquals("", fields.value(2));
        assertEquals("\u00e4", fields.value(5));
        assertEquals("1 2", fields.first("a"));
        assertNull(fields.first("hosts"));
        assertEquals(List.of("1 2", "3"), fields.all("a"));
        assertEquals(List.of(), fields.all("d"));
        assertTrue(fields.has("b") && !fields.has("hos"));
        assertTrue(fields.isNamed(0, "host") && !fields.isNamed(0, "hosts"));
        assertTrue(fields.nameStartsWith(4, "conn") && !fields.nameStartsWith(1, "ab"));
        assertTrue(fields.hasToken("connection", "FOO") && fields.hasToken("connection", "close") && !fields.hasToken("connection", "fo"));
    }

    @Test
    void authorityOfATarget() throws HttpFault {
        assertEquals("y:2", head("GET http://y:2/ HTTP/1.1\r\nHost: x\r\n\r\n").authority());
        assertEquals("y:2", head("CONNECT y:2 HTTP/1.1\r\nHost: x\r\n\r\n").authority());
        assertNull(head("GET / HTTP/1.0\r\n\r\n").authority());
        assertEquals(0, head("GET / HTTP/1.0\r\n\r\n").minorVersion());
        assertEquals(7, head("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n").contentLength());
    }

    @Test
    void aTargetIsReadForItsOwnMethod() {
        String twice = "OPTIONS * HTTP/1.1\r\n" + HOST + "\r\nGET * HTTP/1.1\r\n" + HOST + "\r\n";
        assertEquals("OPTIONS * {}.!400", HttpFeeds.trace(new HttpFeeds.Requests(), HttpFeeds.bytes(twice), twice.length()));
    }

    @Test
    void announcedBytes() throws HttpFault {
        HttpRequestParser parser = new HttpRequestParser(HttpFeeds.MAX_HEADER_SIZE, HttpFeeds.MAX_FIELDS);
        byte[] b = HttpFeeds.bytes(CHUNKED + "1\r\na\r\n100000014\r\nbc");
        assertEquals(HttpRequestParser.Status.HEAD, parser.next(b, 0, b.length));
        assertEquals(0, parser.bodyLeft());
        assertEquals(HttpRequestParser.Status.BODY, parser.next(b, parser.position(), b.length));
        assertEquals(0, parser.bodyLeft());
        assertEquals(HttpRequestParser.Status.BODY, parser.next(b, parser.position(), b.length));
        assertEquals(0x100000014L - 2, parser.bodyLeft());
        byte[] length = HttpFeeds.bytes("POST / HTTP/1.1\r\n" + HOST + "Content-Length: 9\r\n\r\na");
        parser = new HttpRequestParser(HttpFeeds.MAX_HEADER_SIZE, HttpFeeds.MAX_FIELDS);
        assertEquals(HttpRequestParser.Status.HEAD, parser.next(length, 0, length.length));
        assertEquals(9, parser.bodyLeft());
        assertEquals(HttpRequestParser.Status.BODY, parser.next(length, parser.position(), length.length));
        assertEquals(8, parser.bodyLeft());
    }

    /** Requests, some of whose bytes are changed, lost, doubled or moved; whatever it is, how it arrives must not matter. */
    @Test
    void mutations() {
        Random random = new Random(26);
        List<Case> seeds = cases().filter(each -> each.input().length() < 400).toList();
        for (int i = 0; i < 30_000; i++) {
            byte[] input = HttpFeeds.mutated(random, HttpFeeds.bytes(seeds.get(random.nextInt(seeds.size())).input() + seeds.get(random.nextInt(seeds.size())).input()));
            HttpFeeds.checkSplits(random, HttpFeeds.Requests::new, input);
        }
    }
}
