package creo.runtime.internal.call;

import creo.runtime.Answer.Header;
import creo.runtime.RawMessage;
import creo.runtime.RawMessages;
import creo.runtime.codegen.LogText;
import creo.runtime.codegen.ServiceMethod;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Shows messages of a method's calls to a hook (CALL-61).
 *
 * @param method its name, or empty
 * @param secrets the names of its secrets
 */
public record RawHook(RawMessages to, String method, List<String> secrets, String peer) {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final List<String> HIDDEN = List.of("authorization", "x-auth", "cookie", "token", "secret", "password", "api-key", "apikey");
    private static final int MAX = 16_777_216;

    /**
     * A body without its secrets.
     *
     * @param bytes its first bytes: all of them, or at least as many as are shown
     * @param shown how many bytes it has without its secrets
     * @param length how many it has with them
     * @param hidden why it is not shown, or null
     */
    public record Body(byte[] bytes, long shown, long length, String hidden) {
        /**
         * A body in which nothing has a name: it is shown as it is, unless the method has secrets (CALL-66).
         *
         * @param table whether it is a table; otherwise it is of the binary wire
         */
        public static Body nameless(byte[] bytes, long length, List<String> secrets, boolean table) {
            return length == 0 || secrets.isEmpty() ? new Body(bytes, length, length, null)
                : new Body(new byte[0], 0, length, table ? "its secrets have no names of their own" : "it is of the binary wire");
        }
    }

    /** Null without a hook. */
    public static RawHook of(RawMessages to, ServiceMethod<?, ?> method, String peer) {
        return to == null ? null : new RawHook(to, method.toString(), method.secrets(), peer);
    }

    /**
     * Shows a message; never throws.
     *
     * @param status of an answer over HTTP; otherwise 0
     * @param source gives the body; null if it is no message
     */
    public void show(boolean sent, boolean answer, int status, List<Header> fields, Supplier<Body> source) {
        try {
            Body body = source.get();
            if (body != null) {
                byte[] first = body.bytes().length > max() ? Arrays.copyOf(body.bytes(), max()) : body.bytes();
                to.message(new RawMessage(sent, answer, method, peer, status, fields.stream().map(RawHook::shown).toList(), first, body.shown() - first.length,
                    body.length(), body.hidden()));
            }
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.ERROR, "the hook for raw messages failed at a call of " + method, LogText.of(e));
        }
    }

    private static Header shown(Header header) {
        String name = header.name().toLowerCase(Locale.ROOT);
        // In the name of a property over JMS, a hyphen is "_2d" (JMS-4).
        String bare = (name.startsWith("creo-meta-") ? name.substring("creo-meta-".length()) : name).replace("_2d", "-");
        return HIDDEN.stream().anyMatch(bare::contains) ? new Header(header.name(), "***") : header;
    }

    /** The max bytes of a body that are shown. */
    public int max() {
        return Math.max(0, Math.min(to.maxBody(), MAX));
    }
}
