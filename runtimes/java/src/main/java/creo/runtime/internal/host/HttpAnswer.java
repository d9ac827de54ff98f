package creo.runtime.internal.host;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

/** Writes the bytes of responses. */
final class HttpAnswer {
    private static final byte[] VERSION = ascii("HTTP/1.1 ");
    private static final byte[] CONTENT_TYPE = ascii("\r\nContent-Type: ");
    private static final byte[] CONTENT_LENGTH = ascii("\r\nContent-Length: ");
    private static final byte[] CHUNKED = ascii("\r\nTransfer-Encoding: chunked");
    private static final byte[] LAST_CHUNK = ascii("0\r\n\r\n");
    private static final byte[] LINE = ascii("\r\n");
    private static final byte[] END = ascii("\r\n\r\n");
    static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");

    /** The current second and its text as a header. */
    private record Clock(long second, byte[] header) {}

    private static volatile Clock clock = new Clock(-1, null);

    private byte[] b;
    private int n;

    private HttpAnswer(int room) {
        b = new byte[room];
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] date() {
        long second = System.currentTimeMillis() / 1_000;
        Clock known = clock;
        if (known.second() != second) {
            String text = DateTimeFormatter.RFC_1123_DATE_TIME.format(Instant.ofEpochSecond(second).atOffset(ZoneOffset.UTC));
            known = new Clock(second, ascii("\r\nDate: " + text));
            clock = known;
        }
        return known.header();
    }

    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 202 -> "Accepted";
            case 204 -> "No Content";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 408 -> "Request Timeout";
            case 413 -> "Content Too Large";
            case 414 -> "URI Too Long";
            case 415 -> "Unsupported Media Type";
            case 417 -> "Expectation Failed";
            case 422 -> "Unprocessable Content";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 503 -> "Service Unavailable";
            case 504 -> "Gateway Timeout";
            case 505 -> "HTTP Version Not Supported";
            default -> "";
        };
    }

    /**
     * The head of a response, with room for a body.
     *
     * @param length of the body; the header is omitted where the status does not allow a body
     * @param room bytes to reserve after the head
     * @param others further headers, each after a line break
     */
    static HttpAnswer head(int status, String mediaType, int length, int room, String others) {
        HttpAnswer answer = begin(status, mediaType, others.length() + room);
        if (status != 204) {
            answer.add(CONTENT_LENGTH);
            answer.add(Integer.toString(length));
        }
        answer.add(date());
        answer.add(others);
        answer.add(END);
        return answer;
    }

    private static HttpAnswer begin(int status, String mediaType, int room) {
        HttpAnswer answer = new HttpAnswer(256 + (mediaType == null ? 0 : mediaType.length()) + room);
        answer.add(VERSION);
        answer.add(Integer.toString(status));
        answer.b[answer.n++] = ' ';
        answer.add(reason(status));
        if (mediaType != null) {
            answer.add(CONTENT_TYPE);
            answer.add(mediaType);
        }
        return answer;
    }

    /**
     * The head of a response with the status 200 and a body of unknown length.
     *
     * @param chunked whether the body comes in chunks; otherwise the connection ends it
     * @param others further headers, each after a line break
     */
    static HttpAnswer open(String mediaType, boolean chunked, String others) {
        HttpAnswer answer = begin(200, mediaType, others.length());
        if (chunked) {
            answer.add(CHUNKED);
        }
        answer.add(date());
        answer.add(others);
        answer.add(END);
        return answer;
    }

    /** A chunk of a body, and the end of the body if it is the last. */
    static HttpAnswer chunk(byte[] bytes, int from, int length, boolean last) {
        HttpAnswer answer = new HttpAnswer(length + 24);
        answer.add(Integer.toHexString(length));
        answer.add(LINE);
        answer.body(bytes, from, length);
        answer.add(LINE);
        if (last) {
            answer.add(LAST_CHUNK);
        }
        return answer;
    }

    /** Bytes of a body that is not chunked. */
    static HttpAnswer plain(byte[] bytes, int from, int length) {
        return new HttpAnswer(length).body(bytes, from, length);
    }

    private void add(byte[] bytes) {
        System.arraycopy(bytes, 0, b, n, bytes.length);
        n += bytes.length;
    }

    @SuppressWarnings("deprecation")
    private void add(String text) {
        // These texts are ASCII, and this is the JDK's fastest copy for them.
        text.getBytes(0, text.length(), b, n);
        n += text.length();
    }

    /** Appends the body, or a part of it. */
    HttpAnswer body(byte[] bytes, int from, int length) {
        if (b.length - n < length) {
            b = Arrays.copyOf(b, n + length);
        }
        System.arraycopy(bytes, from, b, n, length);
        n += length;
        return this;
    }

    byte[] bytes() {
        return b;
    }

    int length() {
        return n;
    }
}
