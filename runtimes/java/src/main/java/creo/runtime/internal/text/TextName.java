package creo.runtime.internal.text;

import creo.runtime.codegen.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/** The name of an element, attribute or type, in a form to compare with bytes or copy. */
public final class TextName {
    /** The interned namespaces of descriptors: most comparisons then succeed by reference. */
    private static final ConcurrentHashMap<String, String> NAMESPACES = new ConcurrentHashMap<>();

    public static final String NONE = namespace("");
    public static final String XSI = namespace("http://www.w3.org/2001/XMLSchema-instance");
    public static final String XML = namespace("http://www.w3.org/XML/1998/namespace");
    public static final String XMLNS = namespace("http://www.w3.org/2000/xmlns/");

    public static final String TABLES = namespace("urn:creo:tdxml");
    public static final String ERROR = namespace("urn:creo:error");
    /** WS-Addressing 1.0. */
    public static final String ADDRESSING = namespace("http://www.w3.org/2005/08/addressing");
    /** WS-Security. */
    public static final String SECURITY = namespace("http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd");
    /** The additions of WS-Security 1.1. */
    public static final String SECURITY_11 = namespace("http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd");
    /** Timestamps and ids of WS-Security. */
    public static final String UTILITY = namespace("http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd");
    // Interned before the first document is read, by any class: they are compared by reference.
    static final String SOAP11 = namespace("http://schemas.xmlsoap.org/soap/envelope/");
    static final String SOAP12 = namespace("http://www.w3.org/2003/05/soap-envelope");

    public final String namespace;
    public final String local;
    public final byte[] bytes;
    /** The bytes as big-endian longs, the last one padded with zeros. */
    final long[] words;
    /** The significant bits of the last long. */
    final long mask;
    final int hash;
    /** The bytes and {@code >}, as longs. */
    public final long[] tag;

    public TextName(String namespace, String local) {
        this.namespace = namespace(namespace);
        this.local = local;
        this.bytes = local.getBytes(StandardCharsets.UTF_8);
        this.words = words(bytes, bytes.length);
        int rest = bytes.length & 7;
        this.mask = rest == 0 ? -1L : -1L << 64 - 8 * rest;
        this.hash = hash(bytes, 0, bytes.length);
        byte[] closed = Arrays.copyOf(bytes, bytes.length + 1);
        closed[bytes.length] = '>';
        this.tag = words(closed, closed.length);
    }

    public static long[] words(byte[] b, int n) {
        byte[] padded = Arrays.copyOf(b, n + 7 & ~7);
        long[] words = new long[padded.length / 8];
        for (int i = 0; i < words.length; i++) {
            words[i] = Bytes.getLong(padded, 8 * i);
        }
        return words;
    }

    public static int hash(byte[] b, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + b[i];
        }
        return hash ^ hash >>> 15;
    }

    /** The interned namespace of a descriptor. */
    static String namespace(String uri) {
        String known = NAMESPACES.putIfAbsent(uri, uri);
        return known == null ? uri : known;
    }

    /** The same namespaces, interned. */
    public static String[] namespaces(String... uris) {
        return Arrays.stream(uris).map(TextName::namespace).toArray(String[]::new);
    }

    /** The interned namespace if a descriptor uses it, else the given one; a descriptor that is first used later has another string. */
    public static String known(String uri) {
        return NAMESPACES.getOrDefault(uri, uri);
    }

    /** Whether the name is at an index; at least eight more bytes must follow. */
    public boolean isAt(byte[] b, int p) {
        long[] w = words;
        int last = w.length - 1;
        for (int i = 0; i < last; i++, p += 8) {
            if (Bytes.getLong(b, p) != w[i]) {
                return false;
            }
        }
        return ((Bytes.getLong(b, p) ^ w[last]) & mask) == 0;
    }

    public boolean is(String ns, byte[] b, int from, int to) {
        return to - from == bytes.length && isAt(b, from) && isOf(ns);
    }

    /** Whether it has a namespace; null is an unknown one. */
    public boolean isOf(String ns) {
        return ns == namespace || namespace.equals(ns);
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? local : "{" + namespace + "}" + local;
    }
}
