package creo.runtime.codegen;

import creo.runtime.internal.text.TextName;
import java.util.ArrayList;
import java.util.List;

/**
 * What text wires know of a field, a parameter, a result, a member of a union, or an item of an array: its names, and where it stands. For
 * generated code, which makes constants of them; not to be changed any more once it is one.
 */
@SuppressWarnings("exports") // What names a type of the runtime within is for the runtime.
public final class TextField {
    public static final int ELEMENT = 0;
    public static final int ATTRIBUTE = 1;
    public static final int TEXT = 2;
    public static final int INLINE = 3;
    public static final int ANY = 4;
    static final int ANY_ATTRIBUTE = 5;
    /** One of several values in one text. */
    public static final int LISTED = 6;
    /** A member of a union whose element says which it is. */
    public static final int DERIVED = 7;

    /** As declared; null for an item, a key or a value of an entry. */
    public final String name;
    public final TextName xml;
    public final int place;
    public boolean header;
    public boolean nillable;
    public boolean optional;
    public boolean required = true;
    /** A default takes the place of one that is missing. */
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
    /** The names of the elements that begin it, if it is inline. */
    public final List<TextName> starts = new ArrayList<>();
    /** Of a member of a derived union: its type; null for the one that stands without {@code xsi:type}. */
    public TextName type;
    /** What SOAP encoding says of its type, and of an array of the type of its items; null where it says nothing (SOAP-31). */
    public TextName schema;
    public TextName items;
    /** What a single value of it is. */
    public TextType kind = TextType.STRING;
    /** The struct or union that it holds, if its {@link #kind} is one; known once {@link TextRecord#resolve} was asked. */
    public TextCodec<?> held;
    /** What JSON has made of it; null until then. */
    public Object json;
    /** What tables have made of it; null until then. */
    public Object table;
    /** Its number among the elements, or among the attributes, of what holds it. */
    public int number;
    /** Whether its value is one text: 1 yes, 2 no, 0 as long as it is not known. */
    private byte scalar;
    /** It is the key of a map's entry. */
    public boolean key;
    /** It is an item of an array, and has no step of an index but its occurrence. */
    public boolean isItem;
    /** It is a member of a union. */
    public boolean member;
    /** What its value is charged, if it is an optional or a member of a union, and each of its items or entries (LIM-18). */
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

    /** A value without an element of its own (XML-35). */
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

    /** A value among others in one text (XML-33). */
    public static TextField listed() {
        return new TextField(null, "", "", LISTED);
    }

    /** A member of a union that is told by {@code xsi:type} (XML-37). */
    public static TextField derived(String name, String namespace, String type) {
        TextField f = new TextField(name, "", "", DERIVED);
        f.type = new TextName(namespace, type);
        f.starts.add(f.type);
        return f.is(TextType.RECORD);
    }

    /** The member that stands where there is no {@code xsi:type}. */
    public TextField base() {
        type = null;
        return this;
    }

    /** A parameter that is an element of the header (SOAP-8). */
    public TextField header() {
        header = true;
        return this;
    }

    /** Nothing is said by {@code xsi:nil}. */
    public TextField nillable() {
        nillable = true;
        return this;
    }

    /** It may be nothing. */
    public TextField optional() {
        optional = true;
        required = false;
        return this;
    }

    /** It need not be there: a default takes its place, or it is the attributes that nobody declares. */
    public TextField mayBeMissing() {
        required = false;
        defaulted = place != ANY_ATTRIBUTE;
        return this;
    }

    /** Read without white space around it (XML-38). */
    public TextField token() {
        token = true;
        return this;
    }

    /** A name in Clark's notation, which XML says with a prefix (XML-48). */
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

    /** A text that is a whole element (XML-36). */
    public TextField raw() {
        raw = true;
        return this;
    }

    /** An array: an element for each item, one behind the other. */
    public TextField repeated(TextField item) {
        this.item = item;
        item.isItem = true;
        required = false;
        return this;
    }

    /** An array with an element of its own around its items, or all in one text. */
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

    /** The first names of a field that is inline. */
    public TextField starts(String namespace, String... locals) {
        for (String local : locals) {
            starts.add(new TextName(namespace, local));
        }
        return this;
    }

    /** What a single value of it is, if it is no {@code String}. */
    public TextField is(TextType what) {
        kind = what;
        return this;
    }

    /** Its type in messages of SOAP encoding (SOAP-31). */
    public TextField typed(String namespace, String local) {
        schema = new TextName(namespace, local);
        return this;
    }

    /** The type of the items of an array in messages of SOAP encoding. */
    public TextField items(String namespace, String local) {
        items = new TextName(namespace, local);
        return this;
    }

    /** What is charged (LIM-18) for its value, if it is an optional that has one or a member of a union, and for each item or entry. */
    public TextField charges(int forValue, int forEach) {
        own = forValue;
        each = forEach;
        return this;
    }

    /** Hands each struct and union that the field holds, however deep in arrays and maps, the next of the codecs; returns how many were handed out. */
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

    /** Whether prefixes stand in its text. */
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

    /** What can stand here, for messages. */
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
