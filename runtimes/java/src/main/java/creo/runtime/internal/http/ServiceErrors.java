package creo.runtime.internal.http;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.LogText;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.Failures;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** A service's errors and their form on the binary wire (ERR-3). */
public final class ServiceErrors {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final int LONGEST_MESSAGE = 4_096;

    private ServiceErrors() {}

    public static void encode(Writer w, CreoException e) {
        w.writeByte((byte) e.code().number());
        writeText(w, e.reason());
        Map<String, String> details = details(e);
        w.writeCount(details.size());
        details.forEach((key, value) -> {
            writeText(w, key);
            writeText(w, value);
        });
    }

    /** Writes an unchecked text, truncated and without lone surrogates: an error can always be sent. */
    private static void writeText(Writer w, String text) {
        String cut = text.length() > LONGEST_MESSAGE ? text.substring(0, LONGEST_MESSAGE) : text;
        StringBuilder sound = new StringBuilder(cut.length());
        cut.codePoints().forEach(c -> sound.appendCodePoint(c >= 0xd800 && c <= 0xdfff ? 0xfffd : c));
        w.writeString(sound.toString());
    }

    /** An unchecked text, truncated and without characters that XML does not allow: an error can always be sent. */
    public static String sound(String text) {
        String cut = text.length() > LONGEST_MESSAGE ? text.substring(0, LONGEST_MESSAGE) : text;
        StringBuilder sound = new StringBuilder(cut.length());
        cut.codePoints().forEach(c -> {
            boolean allowed = c >= 0x20 && (c < 0xd800 || c > 0xdfff) && c != 0xfffe && c != 0xffff || c == '\t' || c == '\n' || c == '\r';
            sound.appendCodePoint(allowed ? c : 0xfffd);
        });
        return sound.toString();
    }

    /** The details of an error, including its path and offset. */
    public static Map<String, String> details(CreoException e) {
        Map<String, String> details = new LinkedHashMap<>(e.details());
        if (e.place() != null) {
            details.put("place", e.place());
        }
        if (e.offset() >= 0) {
            details.put("offset", Long.toString(e.offset()));
        }
        return details;
    }

    /** The public form of an undeclared failure (ERR-6): only a reference to the log. */
    public static CreoException internal(Object method, Throwable failure) {
        String reference = String.format("%08x", ThreadLocalRandom.current().nextInt());
        LOG.log(System.Logger.Level.ERROR, method + " failed (reference " + reference + ")", LogText.of(failure));
        return Failures.ofRuntime(ErrorCode.INTERNAL, "the service failed (reference " + reference + ")");
    }
}
