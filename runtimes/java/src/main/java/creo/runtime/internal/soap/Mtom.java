package creo.runtime.internal.soap;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.http.HttpMetadata;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.text.SoapVersion;
import creo.runtime.internal.text.TextOutput;
import creo.runtime.internal.xml.XmlValues;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Multiparts of an envelope and its referenced byte strings (SOAP-20 to SOAP-22). */
public final class Mtom implements XmlValues.Parts {
    private static final int LONGEST_HEADERS = 16_384;
    private static final int LONGEST_BOUNDARY = 200;

    private record Part(int from, int to) {}

    private final byte[] body;
    private final Map<String, Part> parts = new HashMap<>();
    private Part root;
    private MediaType rootType;

    private Mtom(byte[] body) {
        this.body = body;
    }

    /** Parses a multipart. */
    public static Mtom read(byte[] body, int n, MediaType type, Limits limits) {
        return read(body, n, type, "application/xop+xml", limits);
    }

    /** Parses a multipart whose root part has the given type. */
    public static Mtom read(byte[] body, int n, MediaType type, String rootType, Limits limits) {
        String boundary = type.parameter("boundary");
        if (boundary == null || boundary.isEmpty() || boundary.length() > LONGEST_BOUNDARY) {
            throw Failures.malformed("a package without a boundary");
        }
        if (type.parameter("type") != null && !type.parameter("type").equalsIgnoreCase(rootType)) {
            throw Failures.malformed("a package of the type \"" + CreoException.shown(type.parameter("type")) + "\" instead of " + rootType);
        }
        Mtom package_ = new Mtom(body);
        package_.split(("--" + boundary).getBytes(StandardCharsets.ISO_8859_1), n, type.parameter("start"), limits);
        return package_;
    }

    private void split(byte[] delimiter, int n, String start, Limits limits) {
        int at = find(delimiter, 0, n);
        int count = 0;
        while (true) {
            if (at < 0) {
                throw Failures.malformed("a package whose boundary does not end it");
            }
            int p = at + delimiter.length;
            if (p + 1 < n && body[p] == '-' && body[p + 1] == '-') {
                break;
            }
            while (p < n && (body[p] == ' ' || body[p] == '\t')) {
                p++;
            }
            if (p + 1 >= n || body[p] != '\r' || body[p + 1] != '\n') {
                throw Failures.malformed("a boundary of a package with something after it");
            }
            if (++count > limits.maxParts()) {
                throw CreoException.tooLarge("maxParts", limits.maxParts(), "a package of too many parts");
            }
            int next = find(delimiter, p, n);
            part(p + 2, next < 0 ? n : next, start);
            at = next;
        }
        if (root == null) {
            throw Failures.malformed("a package without its root part");
        }
    }

    /** The next delimiter at the beginning of a line. */
    private int find(byte[] delimiter, int from, int n) {
        for (int p = from; p + delimiter.length <= n; p++) {
            if (body[p] == '-' && (p == 0 || p >= 2 && body[p - 1] == '\n' && body[p - 2] == '\r')
                    && Arrays.equals(body, p, p + delimiter.length, delimiter, 0, delimiter.length)) {
                return p;
            }
        }
        return -1;
    }

    private void part(int from, int next, String start) {
        int p = from;
        String id = null;
        MediaType type = null;
        while (true) {
            int end = line(p, next);
            if (end - from > LONGEST_HEADERS) {
                throw CreoException.tooLarge("maxParts", LONGEST_HEADERS, "a part of a package with too many headers");
            }
            if (end == p) {
                p += 2;
                break;
            }
            StringBuilder folded = new StringBuilder(new String(body, p, end - p, StandardCharsets.ISO_8859_1));
            p = end + 2;
            while (p < next && (body[p] == ' ' || body[p] == '\t')) {
                end = line(p, next);
                folded.append(new String(body, p, end - p, StandardCharsets.ISO_8859_1));
                p = end + 2;
                if (p - from > LONGEST_HEADERS) {
                    throw CreoException.tooLarge("maxParts", LONGEST_HEADERS, "a part of a package with too many headers");
                }
            }
            String line = folded.toString();
            int colon = line.indexOf(':');
            String name = colon < 0 ? "" : line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
            String value = line.substring(colon + 1).strip();
            switch (name) {
                case "content-id" -> id = unbracketed(value);
                case "content-type" -> type = MediaType.parse(value);
                case "content-transfer-encoding" -> {
                    if (!List.of("binary", "8bit", "7bit").contains(value.toLowerCase(Locale.ROOT))) {
                        throw Failures.malformed("a part of a package in the encoding \"" + CreoException.shown(value) + "\"");
                    }
                }
                default -> { }
            }
        }
        Part part = new Part(p, Math.max(p, next - 2));
        boolean isRoot = start == null ? root == null && parts.isEmpty() : unbracketed(start).equals(id);
        if (isRoot && root == null) {
            root = part;
            rootType = type;
            return;
        }
        if (id == null || isRoot || parts.put(id, part) != null) {
            throw Failures.malformed(id == null ? "a part of a package without content id" : "a content id that is there twice: \"" + CreoException.shown(id) + "\"");
        }
    }

    /** The end of the line at {@code p}, before its CR LF. */
    private int line(int p, int next) {
        for (int q = p; q + 1 < next; q++) {
            if (body[q] == '\r' && body[q + 1] == '\n') {
                return q;
            }
        }
        throw Failures.malformed("a part of a package whose headers do not end");
    }

    private static String unbracketed(String id) {
        return id.startsWith("<") && id.endsWith(">") ? id.substring(1, id.length() - 1) : id;
    }

    public int rootFrom() {
        return root.from();
    }

    public int rootLength() {
        return root.to() - root.from();
    }

    /** The charset of the root part, or null. */
    public String rootCharset() {
        return rootType == null ? null : rootType.parameter("charset");
    }

    public MediaType rootType() {
        return rootType;
    }

    @Override
    public byte[] take(String href) {
        if (!href.startsWith("cid:")) {
            return null;
        }
        String id = HttpMetadata.decode(href.substring(4));
        Part part = id == null ? null : parts.remove(id);
        return part == null ? null : Arrays.copyOfRange(body, part.from(), part.to());
    }

    /** Fails if the envelope did not reference every part. */
    public void checkAllTaken() {
        for (String id : parts.keySet()) {
            throw Failures.malformed("the part \"" + CreoException.shown(id) + "\", which the envelope does not name");
        }
    }

    /** An encoded multipart. */
    public record Written(byte[] bytes, String contentType) {}

    public static Written write(TextOutput envelope, List<byte[]> parts, SoapVersion version, String action) {
        String actionOf12 = version == SoapVersion.V12 && action != null ? "; action=\"" + action + "\"" : "";
        String rootType = "application/xop+xml; charset=utf-8; type=\"" + version.mediaType + "\"" + actionOf12;
        return write(envelope, parts, rootType, "application/xop+xml", "; start-info=\"" + version.mediaType + "\"" + actionOf12);
    }

    /** A multipart without SOAP, with the type of its root part. */
    public static Written write(TextOutput root, List<byte[]> parts, String type) {
        return write(root, parts, type, type, "");
    }

    private static Written write(TextOutput envelope, List<byte[]> parts, String rootType, String type, String more) {
        byte[] random = new byte[16];
        ThreadLocalRandom.current().nextBytes(random);
        String boundary = "creo-" + HexFormat.of().formatHex(random);
        long size = envelope.pos + 1_024L;
        for (byte[] part : parts) {
            size += part.length + 256L;
        }
        envelope.checkSize(size);
        ByteArrayOutputStream out = new ByteArrayOutputStream((int) Math.min(size, Integer.MAX_VALUE - 64));
        header(out, boundary, "root@creo", rootType);
        out.write(envelope.buf, 0, envelope.pos);
        for (int i = 0; i < parts.size(); i++) {
            ascii(out, "\r\n");
            header(out, boundary, i + "@creo", "application/octet-stream");
            out.write(parts.get(i), 0, parts.get(i).length);
        }
        ascii(out, "\r\n--" + boundary + "--\r\n");
        return new Written(out.toByteArray(), "multipart/related; type=\"" + type + "\"; boundary=\"" + boundary + "\"; start=\"<root@creo>\"" + more);
    }

    private static void header(ByteArrayOutputStream out, String boundary, String id, String type) {
        ascii(out, "--" + boundary + "\r\nContent-Type: " + type + "\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <" + id + ">\r\n\r\n");
    }

    private static void ascii(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
