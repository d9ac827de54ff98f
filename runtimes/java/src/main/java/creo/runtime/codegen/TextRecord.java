package creo.runtime.codegen;

import creo.runtime.internal.text.TextName;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** What text wires know of a struct, an exception, the parameters or the result of a method. For generated code. */
@SuppressWarnings("exports") // Parameters of internal types are for the runtime only.
public final class TextRecord {
    private static final int LONGEST_LIST = 400;

    /** The declared name. */
    public final String name;
    /** The name as an XML Schema type. */
    public final TextName xml;
    public TextField[] fields = {};
    public boolean extensible;
    public boolean recursive;
    /** Whether its start tag stays open for attributes. */
    public boolean open;
    /** Whether some of its fields are in the header of a message. */
    public boolean hasHeaders;
    /** The indices of the fields for the text, for any element and for any attribute; -1 for none. */
    public int text = -1;
    public int any = -1;
    public int anyAttribute = -1;
    /** The indices of the fields that are elements, by their numbers. */
    public int[] elements = {};
    /** The indices of the fields that are attributes. */
    public int[] attributes = {};
    /** JSON's form of it; null until first used. */
    public Object json;
    /** The tables' form of it; null until first used. */
    public Object table;

    private volatile Supplier<TextCodec<?>[]> holds;

    private TextRecord(String name, String namespace, String local) {
        this.name = name;
        this.xml = new TextName(namespace, local);
    }

    /** A record with its declared name and its name as an XML Schema type. */
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

    /** Sets the supplier of the fields' structs and unions, in order. It is called on demand, since types may be recursive. */
    public TextRecord holds(Supplier<TextCodec<?>[]> codecs) {
        holds = codecs;
        return this;
    }

    /** Gives the fields their structs and unions. */
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

    /** Makes the record extensible. */
    public TextRecord extensible() {
        extensible = true;
        return this;
    }

    /** Its values may contain values of the same type. */
    public TextRecord recursive() {
        recursive = true;
        return this;
    }

    /** The elements of the record, for messages. */
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
