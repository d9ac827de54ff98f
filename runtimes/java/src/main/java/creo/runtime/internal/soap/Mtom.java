package creo.runtime.internal.soap;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.http.HttpMetadata;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.text.SoapVersion;
import creo.runtime.internal.text.TextOutput;
import creo.runtime.internal.xml.XmlReader;
import creo.runtime.internal.xml.XmlValues;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Multiparts of an envelope and its referenced byte strings (SOAP-20 to SOAP-22). */
public final class Mtom implements XmlValues.Parts {
    private static final String XOP = "application/xop+xml";
    private static final String ID = "content-id";
    private static final String TYPE = "content-type";
    private static final String ENCODING = "content-transfer-encoding";
    private static final Set<String> HEADERS = Set.of(ID, TYPE, ENCODING);
    private static final int LONGEST_HEADERS = 16_384;
    private static final int LONGEST_BOUNDARY = 70;

    /** Where a part's content is, and its transfer encoding. */
    private record Part(int from, int to, String encoding) {}

    /** The line that begins a part or ends the package: where it begins, and what is behind it; -1 behind the last. */
    private record Delimiter(int at, int behind) {}

    private final byte[] body;
    private final int length;
    private final Map<String, Part> parts = new HashMap<>();
    private final Set<String> ids = new HashSet<>();
    private Part root;
    private MediaType rootType;

    private final boolean isXop;

    private Mtom(byte[] body, int n, boolean isXop) {
        this.body = body;
        this.length = n;
        this.isXop = isXop;
    }

    /** Parses a multipart. */
    public static Mtom read(byte[] body, int n, MediaType type, Limits limits) {
        String boundary = type.parameter("boundary");
        if (boundary == null || boundary.isEmpty() || boundary.length() > LONGEST_BOUNDARY) {
            throw Failures.malformed("a package without a boundary of 1 to " + LONGEST_BOUNDARY + " characters");
        }
        Mtom package_ = new Mtom(body, n, XOP.equalsIgnoreCase(type.parameter("type")));
        package_.split(("--" + boundary).getBytes(StandardCharsets.ISO_8859_1), type.parameter("start"), limits);
        return package_;
    }

    private void split(byte[] boundary, String start, Limits limits) {
        Delimiter line = find(boundary, 0);
        for (int count = 0; line.behind >= 0; count++) {
            if (count == limits.maxParts()) {
                throw CreoException.tooLarge("maxParts", limits.maxParts(), "a package of too many parts");
            }
            Delimiter next = find(boundary, line.behind);
            part(line.behind, next.at, start == null ? null : unbracketed(start));
            line = next;
        }
        if (root == null) {
            throw Failures.malformed("a package without its root part");
        }
    }

    /** The next line that holds the boundary and nothing else. */
    private Delimiter find(byte[] boundary, int from) {
        for (int p = from; p + boundary.length <= length; p++) {
            if (body[p] == '-' && (p == 0 || p >= 2 && body[p - 1] == '\n' && body[p - 2] == '\r')
                    && Arrays.equals(body, p, p + boundary.length, boundary, 0, boundary.length)) {
                int q = p + boundary.length;
                if (q + 1 < length && body[q] == '-' && body[q + 1] == '-') {
                    return new Delimiter(p, -1);
                }
                while (q < length && (body[q] == ' ' || body[q] == '\t')) {
                    q++;
                }
                if (q + 1 < length && body[q] == '\r' && body[q + 1] == '\n') {
                    return new Delimiter(p, q + 2);
                }
            }
        }
        throw Failures.malformed("a package whose boundary does not end it");
    }

    private void part(int from, int next, String start) {
        Map<String, String> headers = new HashMap<>();
        int p = from;
        for (int end = headerEnd(p, from, next); end > p; end = headerEnd(p, from, next)) {
            StringBuilder line = new StringBuilder(new String(body, p, end - p, StandardCharsets.ISO_8859_1));
            p = end + 2;
            while (p < next && (body[p] == ' ' || body[p] == '\t')) {
                end = headerEnd(p, from, next);
                line.append(new String(body, p, end - p, StandardCharsets.ISO_8859_1));
                p = end + 2;
            }
            header(line.toString(), headers);
        }
        p += 2;
        String id = headers.containsKey(ID) ? unbracketed(headers.get(ID)) : null;
        if (id != null && !ids.add(id)) {
            throw Failures.malformed("a content id that is there twice: \"" + CreoException.shown(id) + "\"");
        }
        Part part = new Part(p, Math.max(p, next - 2), headers.getOrDefault(ENCODING, ""));
        if (root == null && (start == null || start.equals(id))) {
            root = part;
            rootType = MediaType.parse(headers.get(TYPE));
        } else if (id != null) {
            parts.put(id, part);
        }
    }

    private static void header(String line, Map<String, String> headers) {
        int colon = line.indexOf(':');
        String name = colon < 0 ? "" : line.substring(0, colon).toLowerCase(Locale.ROOT);
        if (name.isEmpty() || name.chars().anyMatch(c -> c <= ' ')) {
            throw Failures.malformed("a line that is no header of a part of a package: \"" + CreoException.shown(line) + "\"");
        }
        if (HEADERS.contains(name) && headers.put(name, line.substring(colon + 1).strip()) != null) {
            throw Failures.malformed("a part of a package that has the header " + name + " twice");
        }
    }

    /** The end of the header line at {@code p}, before its CR LF. */
    private int headerEnd(int p, int from, int next) {
        int end = p;
        while (end + 1 < next && (body[end] != '\r' || body[end + 1] != '\n')) {
            end++;
        }
        if (end - from > LONGEST_HEADERS + 2) {
            throw CreoException.tooLarge("maxParts", LONGEST_HEADERS, "a part of a package with too many headers");
        }
        if (end + 1 >= next) {
            throw Failures.malformed("a part of a package whose headers do not end");
        }
        return end;
    }

    private static String unbracketed(String id) {
        return id.startsWith("<") && id.endsWith(">") ? id.substring(1, id.length() - 1) : id;
    }

    /** Whether its media type says that its root may name parts. */
    public boolean isXop() {
        return isXop;
    }

    /** Opens the root part, of the body that this package is. */
    public void openRoot(XmlReader r, PaddedBytes of, Limits limits) {
        r.memory = of.charged(limits);
        String charset = rootType == null ? null : rootType.parameter("charset");
        if (TransferEncoding.isPlain(root.encoding)) {
            r.open(body, root.from, root.to - root.from, charset);
        } else {
            byte[] bytes = bytes(root);
            r.open(bytes, 0, bytes.length, charset);
        }
    }

    /** What the root part says of itself, or null. */
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
        return part == null ? null : bytes(part);
    }

    private byte[] bytes(Part part) {
        return TransferEncoding.decode(part.encoding, body, part.from, part.to);
    }

    /** An encoded multipart. */
    public record Written(byte[] bytes, String contentType) {}

    public static Written write(TextOutput envelope, List<byte[]> parts, SoapVersion version, String action) {
        String actionOf12 = version == SoapVersion.V12 && action != null ? "; action=\"" + action + "\"" : "";
        String rootType = XOP + "; charset=utf-8; type=\"" + version.mediaType + "\"" + actionOf12;
        return write(envelope, parts, rootType, XOP, "; start-info=\"" + version.mediaType + "\"" + actionOf12);
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
