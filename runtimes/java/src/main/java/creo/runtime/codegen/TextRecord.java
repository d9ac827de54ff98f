package creo.runtime.codegen;

import creo.runtime.internal.text.TextName;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** What text wires know of a struct, an exception, the parameters or the result of a method. For generated code. */
@SuppressWarnings("exports") // What names a type of the runtime within is for the runtime.
public final class TextRecord {
    private static final int LONGEST_LIST = 400;

    /** As declared. */
    public final String name;
    /** As type of XML Schema. */
    public final TextName xml;
    public TextField[] fields = {};
    public boolean extensible;
    public boolean recursive;
    /** Whether its start tag stays open for attributes. */
    public boolean open;
    /** Whether some of its fields stand in the header of a message. */
    public boolean hasHeaders;
    /** Index of the field that is the text, of the one that takes any element, of the one that takes any attribute; or -1. */
    public int text = -1;
    public int any = -1;
    public int anyAttribute = -1;
    /** The indices of the fields that are elements, by their numbers. */
    public int[] elements = {};
    /** Of those that are attributes. */
    public int[] attributes = {};
    /** What JSON has made of it; null until then. */
    public Object json;
    /** What tables have made of it; null until then. */
    public Object table;

    private volatile Supplier<TextCodec<?>[]> holds;

    private TextRecord(String name, String namespace, String local) {
        this.name = name;
        this.xml = new TextName(namespace, local);
    }

    /** A record, its name as declared and its name as type of XML Schema. */
    public static TextRecord of(String name, String namespace, String local) {
        return new TextRecord(name, namespace, local);
    }

    /** The fields, in declared order. */
    public TextRecord fields(TextField... all) {
        fields = all;
        for (int i = 0; i < all.length; i++) {
            hasHeaders |= all[i].header;
            switch (all[i].place) {
                case TextField.ATTRIBUTE -> open = true;
                case TextField.ANY_ATTRIBUTE -> {
                    open = true;
                    anyAttribute = i;
                }
                case TextField.TEXT -> {
                    open |= all[i].optional;
                    text = i;
                }
                case TextField.ANY -> any = i;
                default -> { }
            }
        }
        number();
        return this;
    }

    private void number() {
        attributes = IntStream.range(0, fields.length).filter(i -> fields[i].place == TextField.ATTRIBUTE).toArray();
        elements = IntStream.range(0, fields.length).filter(i -> fields[i].place != TextField.ATTRIBUTE && fields[i].place != TextField.TEXT).toArray();
        for (int n = 0; n < attributes.length; n++) {
            fields[attributes[n]].number = n;
        }
        for (int n = 0; n < elements.length; n++) {
            fields[elements[n]].number = n;
        }
    }

    /** The structs and unions that the fields hold, in their order; asked for when they are needed, since types may hold one another. */
    public TextRecord holds(Supplier<TextCodec<?>[]> codecs) {
        holds = codecs;
        return this;
    }

    /** Sees to it that fields know the structs and unions that they hold. */
    public void resolve() {
        Supplier<TextCodec<?>[]> known = holds;
        if (known != null) {
            resolve(fields, known.get());
            holds = null;
        }
    }

    static void resolve(TextField[] fields, TextCodec<?>[] codecs) {
        int next = 0;
        for (TextField f : fields) {
            next = f.hold(codecs, next);
        }
    }

    /** It may grow. */
    public TextRecord extensible() {
        extensible = true;
        return this;
    }

    /** It may hold values of its own type. */
    public TextRecord recursive() {
        recursive = true;
        return this;
    }

    /** The elements that it knows, for messages. */
    public String expected() {
        StringBuilder text = new StringBuilder();
        for (TextField f : fields) {
            if (f.place == TextField.ELEMENT || f.place == TextField.INLINE || f.place == TextField.ANY) {
                text.append(text.length() == 0 ? "" : ", ").append(f.shown());
                if (text.length() > LONGEST_LIST) {
                    return text.append(", ...").toString();
                }
            }
        }
        return text.length() == 0 ? "nothing" : text.toString();
    }

    public String expectedAttributes() {
        StringBuilder text = new StringBuilder();
        Arrays.stream(fields).filter(f -> f.place == TextField.ATTRIBUTE).forEach(f -> text.append(text.length() == 0 ? "" : ", ").append(f.xml.local));
        return text.length() == 0 ? "none" : text.toString();
    }
}
