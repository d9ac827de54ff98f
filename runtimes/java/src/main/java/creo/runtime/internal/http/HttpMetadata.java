package creo.runtime.internal.http;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.Bytes;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Utf8;
import creo.runtime.internal.call.Metadata;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Metadata and deadlines as HTTP headers (HTTP-7, HTTP-8) or message properties. */
public final class HttpMetadata {
    static final String TIMEOUT = "Creo-Timeout";
    private static final String PREFIX = "creo-meta-";
    private static final int MAX_HEADERS = 64;
    /** Metadata keys that are HTTP headers of the same name (HTTP-8). */
    private static final Set<String> HEADERS = Set.of("authorization", "traceparent", "tracestate");
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    private HttpMetadata() {}

    /** Whether metadata with this key is an HTTP header of the same name. */
    private static boolean isHeader(String key) {
        return HEADERS.contains(key);
    }

    /** The bytes of a pair in a frame; fails if a text is not well formed. */
    public static long sizeOf(String key, String value) {
        long length = Utf8.length(value);
        return 1 + key.length() + Bytes.countSize((int) length) + length;
    }

    /** Passes on the line of each header of a request with this metadata. */
    static void writeHeaders(Map<String, String> headers, Map<String, String> metadata, Limits limits, Consumer<String> lines) {
        checkHeaders(headers.size(), 0, limits, "a request");
        long size = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            String name = header.getKey();
            size += sizeOfHeader(name, header.getValue());
            checkHeaders(0, size, limits, "a request");
            if (isHeader(name.toLowerCase(Locale.ROOT)) && metadata.containsKey(name.toLowerCase(Locale.ROOT))) {
                throw CreoException.invalid("the header " + name + ", which the metadata of the call hold too");
            }
            lines.accept(name + ": " + header.getValue() + "\r\n");
        }
    }

    /** What a header counts for its limit. */
    public static long sizeOfHeader(String name, String value) {
        return name.length() + value.length() + 4;
    }

    /** Fails if so many headers, of so many bytes, are more than a user may give to one message. */
    public static void checkHeaders(int count, long size, Limits limits, String message) {
        if (count > MAX_HEADERS) {
            throw CreoException.tooLarge("maxMetadataSize", limits.maxMetadataSize(), count + " headers of " + message + ", more than " + MAX_HEADERS);
        }
        if (size > limits.maxMetadataSize()) {
            throw CreoException.tooLarge("maxMetadataSize", limits.maxMetadataSize(), "too many bytes in the headers of " + message);
        }
    }

    /** Passes on each pair as a header. */
    static void write(Map<String, String> metadata, Limits limits, BiConsumer<String, String> headers) {
        Size size = new Size(limits);
        for (Map.Entry<String, String> pair : metadata.entrySet()) {
            String key = pair.getKey();
            String value = pair.getValue();
            size.add(key, value);
            if (isHeader(key)) {
                if (!value.chars().allMatch(c -> c >= 0x20 && c < 0x7f) || !value.equals(value.strip())) {
                    throw CreoException.invalid("metadata of the key \"" + key + "\": as a header of HTTP it is printable ASCII");
                }
                headers.accept(key, value);
            } else {
                headers.accept(headerOfAnswer(key), encode(value));
            }
        }
    }

    /** The name of the header that a pair of an answer is (HTTP-25). */
    public static String headerOfAnswer(String key) {
        return "Creo-Meta-" + key;
    }

    /** Hands each pair of an answer as a header. */
    public static void writeAnswer(Map<String, String> metadata, BiConsumer<String, String> headers) {
        metadata.forEach((key, value) -> headers.accept(headerOfAnswer(key), encode(value)));
    }

    /** The same pairs with their values encoded for {@link #decodeAll}. */
    public static Map<String, String> encodeAll(Map<String, String> metadata, Limits limits) {
        Map<String, String> encoded = new LinkedHashMap<>();
        Size size = new Size(limits);
        metadata.forEach((key, value) -> {
            size.add(key, value);
            encoded.put(key, encode(value));
        });
        return encoded;
    }

    /** The pairs of a request, with {@code %XX} in the values decoded. */
    public static Map<String, String> decodeAll(Map<String, String> encoded, Limits limits) {
        Map<String, String> metadata = new LinkedHashMap<>();
        Size size = new Size(limits);
        encoded.forEach((key, value) -> {
            String decoded = Metadata.isKey(key) && value != null ? decode(value) : null;
            if (decoded == null) {
                throw Failures.malformed("metadata whose key is not 1 to 64 characters of [a-z0-9.-], or whose value is no UTF-8");
            }
            size.add(key, decoded);
            metadata.put(key, decoded);
        });
        return metadata;
    }

    /** The total size, which is limited. */
    private static final class Size {
        private final Limits limits;
        private long bytes = 1;
        private int pairs;

        Size(Limits limits) {
            this.limits = limits;
        }

        void add(String key, String value) {
            bytes += sizeOf(key, value);
            Metadata.checkSize(++pairs, bytes, limits);
        }
    }

    private static String encode(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        StringBuilder out = new StringBuilder(bytes.length);
        for (byte b : bytes) {
            if (b < 0x21 || b > 0x7e || b == '%') {
                out.append('%').append((char) HEX[b >> 4 & 15]).append((char) HEX[b & 15]);
            } else {
                out.append((char) b);
            }
        }
        return out.toString();
    }

    /** Decodes {@code %XX} as UTF-8 bytes; null if the text has other bytes or invalid escapes. */
    public static String decode(String value) {
        byte[] bytes = new byte[value.length()];
        int n = 0;
        for (int i = 0; i < value.length(); i++) {
            int c = value.charAt(i);
            if (c == '%') {
                int high = i + 2 < value.length() ? Character.digit(value.charAt(i + 1), 16) : -1;
                int low = high >= 0 ? Character.digit(value.charAt(i + 2), 16) : -1;
                if (low < 0) {
                    return null;
                }
                c = high << 4 | low;
                i += 2;
            } else if (c < 0x20 || c > 0x7e) {
                return null;
            }
            bytes[n++] = (byte) c;
        }
        try {
            return Utf8.decode(bytes, 0, n);
        } catch (CreoException e) {
            return null;
        }
    }

    /** The pairs from a request's headers. */
    public static Map<String, String> read(HttpFields fields, Limits limits) {
        return read(fields, limits, true);
    }

    /** The pairs of an answer's headers (HTTP-25). */
    public static Map<String, String> readAnswer(HttpFields fields, Limits limits) {
        return read(fields, limits, false);
    }

    /** @param own whether headers of their own names are pairs as well (HTTP-8) */
    private static Map<String, String> read(HttpFields fields, Limits limits, boolean own) {
        Map<String, String> metadata = null;
        Size size = null;
        for (int i = 0; i < fields.size(); i++) {
            boolean prefixed = fields.nameStartsWith(i, PREFIX);
            if (!prefixed && !own) {
                continue;
            }
            String name = fields.name(i);
            boolean plain = !prefixed && isHeader(name);
            if (!plain && !prefixed) {
                continue;
            }
            if (metadata == null) {
                metadata = new LinkedHashMap<>();
                size = new Size(limits);
            }
            String key = plain ? name : name.substring(PREFIX.length());
            if (!Metadata.isKey(key)) {
                throw Failures.malformed("metadata with a key that is not 1 to 64 characters of [a-z0-9.-]");
            }
            String value = plain ? fields.value(i) : decode(fields.value(i));
            if (value == null || metadata.put(key, value) != null) {
                throw Failures.malformed("metadata of the key \"" + key + "\" that is there twice, or no UTF-8");
            }
            size.add(key, value);
        }
        return metadata == null ? Map.of() : metadata;
    }

    /** The request's timeout in milliseconds, or -1. */
    public static int timeout(List<String> header) {
        if (header == null || header.isEmpty()) {
            return -1;
        }
        String text = header.get(0);
        if (header.size() > 1 || text.isEmpty() || text.length() > 9 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw Failures.malformed(TIMEOUT + " that is not 1 to 9 digits");
        }
        return Integer.parseInt(text);
    }
}
