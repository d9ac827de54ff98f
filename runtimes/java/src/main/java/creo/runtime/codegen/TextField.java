package creo.runtime.codegen;

import creo.runtime.internal.text.TextName;
import java.util.ArrayList;
import java.util.List;

/**
 * What text wires know of a field, a parameter, a result, a union member, or an array item: its names and its position. Generated code makes
 * constants of it, which must not be changed afterwards.
 */
@SuppressWarnings("exports") // Parameters of internal types are for the runtime only.
public final class TextField {
    public static final int ELEMENT = 0;
    public static final int ATTRIBUTE = 1;
    public static final int TEXT = 2;
    public static final int INLINE = 3;
    public static final int ANY = 4;
    static final int ANY_ATTRIBUTE = 5;
    /** One of several values in one text. */
    public static final int LISTED = 6;
    /** A union member that is identified by its element. */
    public static final int DERIVED = 7;

    /** The declared name; null for an item, or the key or value of an entry. */
    public final String name;
    public final TextName xml;
    public final int place;
    public boolean header;
    public boolean nillable;
    public boolean optional;
    public boolean required = true;
    /** An absent field has a default. */
    boolean defaulted;
    public boolean token;
    public boolean qualifiedName;
    public boolean hex;
    public boolean raw;
    /** It is an enum, of which one constant is an empty text. */
    public boolean mayBeBlank;
    /** The items of an array, or null. */
    public TextField item;
    /** Whether the items have an element around them. */
    public boolean wrapped;
    /** Key and value of a map's entries, or null. */
    public TextRecord entry;
    public TextName entryName;
    /** The names of the elements that can begin it, if it is inline. */
    public final List<TextName> starts = new ArrayList<>();
    /** Of a member of a derived union: its type; null for the member without {@code xsi:type}. */
    public TextName type;
    /** The type of the field and, for an array, of its items in SOAP encoding; null if not written (SOAP-31). */
    public TextName schema;
    public TextName items;
    /** The kind of a single value. */
    public TextType kind = TextType.STRING;
    /** The struct or union of the field, if {@link #kind} is one; set by {@link TextRecord#resolve}. */
    public TextCodec<?> held;
    /** JSON's form of it; null until first used. */
    public Object json;
    /** The tables' form of it; null until first used. */
    public Object table;
    /** The position among the elements, or among the attributes, of its record. */
    public int number;
    /** Whether its value is one text: 1 yes, 2 no, 0 not known yet. */
    private byte scalar;
    /** Whether it is the key of a map entry. */
    public boolean key;
    /** Whether it is an array item, with no index step in its path but its occurrence. */
    public boolean isItem;
    /** Whether it is a union member. */
    public boolean member;
    /** The charge for its value, if it is optional or a union member, and for each item or entry (LIM-18). */
    public int own;
    public int each;

    private TextField(String name, String namespace, String local, int place) {
        this.name = name;
        this.xml = new TextName(namespace, local);
        this.place = place;
    }

    /** A field whose value is an element. */
    public static TextField element(String name, String namespace, String local) {
        return new TextField(name, namespace, local, ELEMENT);
    }

    /** An attribute (XML-31). */
    public static TextField attribute(String name, String namespace, String local) {
        return new TextField(name, namespace, local, ATTRIBUTE);
    }

    /** The text of the struct's element (XML-32). */
    public static TextField text(String name) {
        return new TextField(name, "", "", TEXT);
    }

    /** A value without its own element (XML-35). */
    public static TextField inline(String name) {
        return new TextField(name, "", "", INLINE);
    }

    /** An element that no other field declares (XML-36). */
    public static TextField any(String name) {
        return new TextField(name, "", "", ANY).raw();
    }

    /** The attributes that no other field declares (XML-36). */
    public static TextField anyAttribute(String name) {
        return new TextField(name, "", "", ANY_ATTRIBUTE).entries(element(null, "", "key"), element(null, "", "value"));
    }

    /** One of several values in one text (XML-33). */
    public static TextField listed() {
        return new TextField(null, "", "", LISTED);
    }

    /** A union member that is identified by {@code xsi:type} (XML-37). */
    public static TextField derived(String name, String namespace, String type) {
        TextField f = new TextField(name, "", "", DERIVED);
        f.type = new TextName(namespace, type);
        f.starts.add(f.type);
        return f.is(TextType.RECORD);
    }

    /** Makes it the member that is used without {@code xsi:type}. */
    public TextField base() {
        type = null;
        return this;
    }

    /** Makes a parameter an element of the header (SOAP-8). */
    public TextField header() {
        header = true;
        return this;
    }

    /** Null is written as {@code xsi:nil}. */
    public TextField nillable() {
        nillable = true;
        return this;
    }

    /** The field may be null. */
    public TextField optional() {
        optional = true;
        required = false;
        return this;
    }

    /** The field may be absent: it has a default, or holds the undeclared attributes. */
    public TextField mayBeMissing() {
        required = false;
        defaulted = place != ANY_ATTRIBUTE;
        return this;
    }

    /** Surrounding white space is ignored (XML-38). */
    public TextField token() {
        token = true;
        return this;
    }

    /** A name in Clark notation, written in XML with a prefix (XML-48). */
    public TextField qualifiedName() {
        qualifiedName = true;
        return token();
    }

    /** An enum, one of whose constants is an empty text (XML-16). */
    public TextField mayBeBlank() {
        mayBeBlank = true;
        return this;
    }

    /** Bytes in hexadecimal digits. */
    public TextField hex() {
        hex = true;
        return this;
    }

    /** A text that is a complete element (XML-36). */
    public TextField raw() {
        raw = true;
        return this;
    }

    /** An array: one element per item, in sequence. */
    public TextField repeated(TextField item) {
        this.item = item;
        item.isItem = true;
        required = false;
        return this;
    }

    /** An array with an element around its items, or with all items in one text. */
    public TextField wrapping(TextField item) {
        this.item = item;
        item.isItem = true;
        wrapped = true;
        return this;
    }

    /** A map. */
    public TextField entries(TextField key, TextField value) {
        key.key = true;
        entry = TextRecord.of("entry", xml.namespace, "entry").fields(key, value);
        entryName = new TextName(xml.namespace, "entry");
        return this;
    }

    /** Adds names that can begin an inline field. */
    public TextField starts(String namespace, String... locals) {
        for (String local : locals) {
            starts.add(new TextName(namespace, local));
        }
        return this;
    }

    /** Sets the kind of a single value, if it is not {@code String}. */
    public TextField is(TextType what) {
        kind = what;
        return this;
    }

    /** Sets its type in SOAP encoding (SOAP-31). */
    public TextField typed(String namespace, String local) {
        schema = new TextName(namespace, local);
        return this;
    }

    /** Sets the type of an array's items in SOAP encoding. */
    public TextField items(String namespace, String local) {
        items = new TextName(namespace, local);
        return this;
    }

    /** Sets the charge (LIM-18) for a value, if it is a present optional or a union member, and for each item or entry. */
    public TextField charges(int forValue, int forEach) {
        own = forValue;
        each = forEach;
        return this;
    }

    /** Gives each struct and union of the field, at any depth of arrays and maps, the next of the codecs; returns the number of codecs used. */
    int hold(TextCodec<?>[] codecs, int next) {
        if (kind == TextType.RECORD || kind == TextType.UNION) {
            held = codecs[next];
            return next + 1;
        }
        if (item != null) {
            return item.hold(codecs, next);
        }
        return entry == null ? next : entry.fields[1].hold(codecs, next);
    }

    /** Whether its value is one text. */
    public boolean isScalar() {
        byte known = scalar;
        if (known == 0) {
            known = (byte) (single() ? 1 : 2);
            scalar = known;
        }
        return known == 1;
    }

    private boolean single() {
        return entry == null && (item == null || isList()) && kind != TextType.RECORD && kind != TextType.UNION;
    }

    /** Whether it must be a member of its object (JSON-11). */
    public boolean mustBeMember() {
        return !optional && !defaulted;
    }

    /** Whether its text contains prefixes. */
    public boolean isPrefixed() {
        return qualifiedName || isList() && item.qualifiedName;
    }

    public boolean isList() {
        return item != null && item.place == LISTED;
    }

    /** Whether an element of this name can begin the field. */
    public boolean takes(String namespace, byte[] b, int from, int to) {
        if (place == ELEMENT) {
            return xml.is(namespace, b, from, to);
        }
        if (place == INLINE) {
            for (TextName start : starts) {
                if (start.is(namespace, b, from, to)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** What is allowed here, for messages. */
    public String shown() {
        if (place == INLINE) {
            StringBuilder text = new StringBuilder();
            for (TextName start : starts) {
                text.append(text.length() == 0 ? "" : ", ").append(start.local);
            }
            return text.toString();
        }
        return place == ANY ? "any element" : xml.local;
    }
}
