package creo.runtime.internal.http;

import creo.runtime.Answer.Header;
import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.call.RawHook;
import java.util.ArrayList;
import java.util.List;

/** Shows messages over HTTP to a hook (CALL-61). */
public record HttpRaw(RawHook hook, Limits limits) {
    /** The fields of a head. */
    public static List<Header> fields(HttpFields fields) {
        List<Header> all = new ArrayList<>(fields.size());
        for (int i = 0; i < fields.size(); i++) {
            all.add(new Header(fields.name(i), fields.value(i)));
        }
        return all;
    }

    /** The fields of lines, each with its CR LF. */
    static List<Header> fields(String lines) {
        return lines.lines().map(line -> {
            int colon = line.indexOf(':');
            return new Header(line.substring(0, colon), line.substring(colon + 1).strip());
        }).toList();
    }

    /**
     * Shows a message unless its content coding cannot be undone; never throws. The body still has that coding.
     *
     * @param status of an answer; 0 of a request
     */
    public void show(boolean sent, int status, List<Header> headers, byte[] bytes, int length) {
        hook.show(sent, status > 0, status, headers, () -> {
            PaddedBytes body = plain(first(headers, "content-encoding"), bytes, length, limits);
            return body == null ? null : RawBody.of(body.bytes(), body.length(), first(headers, "content-type"), hook.secrets());
        });
    }

    private static String first(List<Header> headers, String name) {
        return headers.stream().filter(header -> header.name().equalsIgnoreCase(name)).map(Header::value).findFirst().orElse(null);
    }

    /** A body without its coding; null if that cannot be undone. */
    public static PaddedBytes plain(String coding, byte[] bytes, int length, Limits limits) {
        if (coding == null || length == 0 || coding.equalsIgnoreCase("identity")) {
            return new PaddedBytes(bytes, length);
        }
        try {
            return coding.equalsIgnoreCase("gzip") ? Gzip.decompress(bytes, length, limits) : null;
        } catch (CreoException e) {
            return null;
        }
    }
}
