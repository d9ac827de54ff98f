package creo.runtime.internal.call;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.Failures;
import java.util.LinkedHashMap;
import java.util.Map;

/** The rules of metadata (TCP-17), on both sides. */
public final class Metadata {
    public static final int MAX_PAIRS = 64;
    private static final int LONGEST_KEY = 64;

    private Metadata() {}

    /** Fails unless users may send the pair. */
    public static void checkPair(String key, String value) {
        if (value == null || !isKey(key)) {
            throw CreoException.invalid("metadata of the key " + (key == null ? "null" : '"' + CreoException.shown(key) + '"')
                + ": a key has 1 to 64 characters of [a-z0-9.-], and a value");
        }
        if (key.startsWith("creo-")) {
            throw CreoException.invalid("metadata of the key \"" + key + "\": keys that begin with \"creo-\" are reserved");
        }
    }

    public static boolean isKey(String key) {
        if (key == null || key.isEmpty() || key.length() > LONGEST_KEY) {
            return false;
        }
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-')) {
                return false;
            }
        }
        return true;
    }

    /** Fails if so many pairs, of so many bytes in a frame, are more than one message may have (LIM-6). */
    public static void checkSize(int pairs, long size, Limits limits) {
        if (pairs > MAX_PAIRS) {
            throw CreoException.tooLarge("maxMetadataSize", limits.maxMetadataSize(), pairs + " pairs of metadata, more than " + MAX_PAIRS);
        }
        if (size > limits.maxMetadataSize()) {
            throw CreoException.tooLarge("maxMetadataSize", limits.maxMetadataSize(), size + " bytes of metadata");
        }
    }

    public static void write(Writer w, Map<String, String> metadata, Limits limits) {
        checkSize(metadata.size(), 0, limits);
        long before = w.size();
        w.writeCount(metadata.size());
        metadata.forEach((key, value) -> {
            w.writeString(key);
            w.writeString(value);
        });
        checkSize(metadata.size(), w.size() - before, limits);
    }

    public static Map<String, String> read(Reader r, Limits limits) {
        long before = r.offset();
        int n = r.readCount(2, 0);
        checkSize(n, 0, limits);
        Map<String, String> metadata = new LinkedHashMap<>();
        for (int i = 0; i < n; i++) {
            String key = text(r, before, limits);
            String value = text(r, before, limits);
            if (!isKey(key)) {
                throw Failures.malformed("metadata with a key that is not 1 to 64 characters of [a-z0-9.-]");
            }
            if (metadata.put(key, value) != null) {
                throw Failures.malformed("metadata with the key \"" + key + "\" twice");
            }
        }
        return metadata;
    }

    private static String text(Reader r, long before, Limits limits) {
        int n = r.readCount();
        if (r.offset() - before + n > limits.maxMetadataSize()) {
            throw CreoException.tooLarge("maxMetadataSize", limits.maxMetadataSize(), "too much metadata");
        }
        return r.readString(n);
    }

    /** Merges two sets of pairs; the second one wins. */
    public static Map<String, String> join(Map<String, String> first, Map<String, String> second) {
        if (second.isEmpty()) {
            return first;
        }
        if (first.isEmpty()) {
            return second;
        }
        Map<String, String> all = new LinkedHashMap<>(first);
        all.putAll(second);
        return all;
    }
}
