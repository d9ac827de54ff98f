package creo.runtime.internal.http;

import creo.runtime.Answer.Header;
import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.RawMessage;
import creo.runtime.RawMessages;
import creo.runtime.codegen.LogText;
import creo.runtime.internal.buffer.PaddedBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Shows one message to a hook (CALL-61).
 *
 * @param method its name, or empty
 * @param secrets the names of its secrets
 */
public record RawHook(RawMessages to, String method, List<String> secrets, String peer, Limits limits) {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final List<String> HIDDEN = List.of("authorization", "x-auth", "cookie", "token", "secret", "password", "api-key", "apikey");
    private static final int MAX = 16_777_216;

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

    /** Shows a message unless its content coding cannot be undone; never throws. The body still has that coding. */
    public void show(boolean sent, int status, List<Header> headers, byte[] bytes, int length) {
        try {
            PaddedBytes body = plain(first(headers, "content-encoding"), bytes, length);
            if (body != null) {
                to.message(message(sent, status, headers, body.bytes(), body.length()));
            }
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.ERROR, "the hook for raw messages failed at a call of " + method, LogText.of(e));
        }
    }

    private static String first(List<Header> headers, String name) {
        return headers.stream().filter(header -> header.name().equalsIgnoreCase(name)).map(Header::value).findFirst().orElse(null);
    }

    private static Header shown(Header header) {
        String name = header.name().toLowerCase(Locale.ROOT);
        String bare = name.startsWith("creo-meta-") ? name.substring("creo-meta-".length()) : name;
        return HIDDEN.stream().anyMatch(bare::contains) ? new Header(header.name(), "***") : header;
    }

    /** Null if the coding cannot be undone. */
    private PaddedBytes plain(String coding, byte[] bytes, int length) {
        if (coding == null || length == 0 || coding.equalsIgnoreCase("identity")) {
            return new PaddedBytes(bytes, length);
        }
        try {
            return coding.equalsIgnoreCase("gzip") ? Gzip.decompress(bytes, length, limits) : null;
        } catch (CreoException e) {
            return null;
        }
    }

    private RawMessage message(boolean sent, int status, List<Header> headers, byte[] bytes, int length) {
        byte[] shown;
        String reason = null;
        try {
            shown = RawBody.shown(bytes, length, first(headers, "content-type"), secrets);
        } catch (RawBody.NotFollowed e) {
            boolean hide = RawBody.mayHaveSecrets(bytes, length, secrets);
            shown = hide ? new byte[0] : Arrays.copyOf(bytes, length);
            reason = hide ? e.getMessage() : null;
        }
        byte[] body = shown.length > max() ? Arrays.copyOf(shown, max()) : shown;
        return new RawMessage(sent, status > 0, method, peer, status, headers.stream().map(RawHook::shown).toList(), body, shown.length - body.length, length, reason);
    }

    private int max() {
        return Math.max(0, Math.min(to.maxBody(), MAX));
    }
}
