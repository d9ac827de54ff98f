package creo.runtime.internal.xml;

import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextMessage;
import creo.runtime.internal.text.TextName;
import java.util.Arrays;

/** The namespaces that a message or value may need (XML-2): the prefixes in tags, and their declarations. */
public final class XmlDeclarations {
    public static final XmlDeclarations NONE = new XmlDeclarations(false);

    /** In the order of their prefixes, {@code n1} and so on. */
    final String[] namespaces;
    /** Whether the prefix {@code xsi} is declared as well. */
    final boolean xsi;
    final Prefix[] prefixes;
    /** The declarations as written; null until first used. */
    volatile byte[] text;

    private XmlDeclarations(boolean xsi, String... namespaces) {
        this.xsi = xsi;
        this.namespaces = namespaces;
        this.prefixes = new Prefix[namespaces.length];
        Arrays.setAll(prefixes, i -> new Prefix("n" + (i + 1)));
    }

    /** The declarations of a type. */
    public static XmlDeclarations of(TextCodec<?> codec) {
        Object known = codec.xml;
        if (known == null) {
            known = new XmlDeclarations(codec.xsi, codec.namespaces);
            codec.xml = known;
        }
        return (XmlDeclarations) known;
    }

    /** The declarations of a message. */
    public static XmlDeclarations of(TextMessage<?> message) {
        Object known = message.xml;
        if (known == null) {
            known = new XmlDeclarations(message.xsi, message.namespaces);
            message.xml = known;
        }
        return (XmlDeclarations) known;
    }

    /** The prefix of a namespace, or null if it has none here. */
    Prefix prefix(String namespace) {
        if (namespace == TextName.NONE) {
            return Prefix.NONE;
        }
        if (namespace == TextName.XML) {
            return Prefix.XML;
        }
        for (int i = 0; i < namespaces.length; i++) {
            if (namespaces[i].equals(namespace)) {
                return prefixes[i];
            }
        }
        return null;
    }

    /** A prefix, with the beginnings of its tags as big-endian longs. */
    static final class Prefix {
        static final Prefix NONE = new Prefix(null);
        static final Prefix XML = new Prefix("xml");

        /** The prefix itself, or null for none. */
        final String text;
        final long open;
        final long close;
        /** The length with the colon. */
        final int length;

        private Prefix(String text) {
            this.text = text;
            this.length = text == null ? 0 : text.length() + 1;
            if (length > 6) {
                throw new IllegalStateException("more namespaces than prefixes");
            }
            this.open = begin("<");
            this.close = begin("</");
        }

        private long begin(String tag) {
            String all = text == null ? tag : tag + text + ":";
            long word = 0;
            for (int i = 0; i < all.length(); i++) {
                word |= (long) all.charAt(i) << 56 - 8 * i;
            }
            return word;
        }
    }
}
