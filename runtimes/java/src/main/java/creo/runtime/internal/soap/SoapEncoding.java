package creo.runtime.internal.soap;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextMessage;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Utf8;
import creo.runtime.internal.text.SoapVersion;
import creo.runtime.internal.text.TextName;
import creo.runtime.internal.xml.XmlReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts messages of SOAP encoding to literal form (SOAP-32). */
public final class SoapEncoding {
    static final String NAMESPACE = SoapVersion.V11.encoding;
    private static final List<String> OLD_XSI = List.of("http://www.w3.org/1999/XMLSchema-instance", "http://www.w3.org/2000/10/XMLSchema-instance");
    /** The memory charged for an element or attribute (LIM-18). */
    private static final int ELEMENT_SIZE = 160;
    private static final int ATTRIBUTE_SIZE = 64;
    private static final Pattern INDEX = Pattern.compile("\\[([0-9]{1,9})\\]");
    private static final Pattern DIMENSIONS = Pattern.compile("\\[[^\\]]*,");

    /** {@code prefix} is empty if it has none. */
    private record Attribute(String prefix, String namespace, String local, String value) {
        boolean isXsi() {
            return namespace.equals(TextName.XSI) || OLD_XSI.contains(namespace);
        }
    }

    /** A bound prefix, and the binding before it. */
    private record BoundPrefix(String prefix, String uri, BoundPrefix before) {}

    /** An element of the body with its content. */
    private static final class Element {
        final String namespace;
        final String local;
        /** The prefixes in scope inside and around it. */
        final BoundPrefix scope;
        final BoundPrefix around;
        final List<Attribute> attributes = new ArrayList<>();
        final List<Element> elements = new ArrayList<>();
        /** Whether its type is an array type. */
        boolean isArray;
        /** The namespace of its type if the type's name has no prefix; or empty. */
        String typeNamespace = "";
        /** The element that it refers to, once known. */
        Element target;
        /** Empty if it has child elements. */
        String text = "";

        Element(String namespace, String local, BoundPrefix scope, BoundPrefix around) {
            this.namespace = namespace;
            this.local = local;
            this.scope = scope;
            this.around = around;
        }

        String get(String uri, String name) {
            for (Attribute each : attributes) {
                if (each.local.equals(name) && each.namespace.equals(uri)) {
                    return each.value;
                }
            }
            return null;
        }
    }

    private final XmlReader r;
    private final Limits limits;
    private final StringBuilder out = new StringBuilder();
    /** Elements by id; null if several elements have the id. */
    private final Map<String, Element> ids = new HashMap<>();
    /** All bound prefixes, with the namespace around the body's content; empty if bound only within it. */
    private final Map<String, String> prefixes = new HashMap<>();
    /** Whether an element rebinds a prefix of the surroundings. */
    private boolean shadows;
    /** The prefixes in scope around the body's content. */
    private final BoundPrefix around;
    /** Elements being written. */
    private final Set<Element> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, String> exceptions = new HashMap<>();
    private int referring;
    private long room;
    private int missing;
    /** Unused prefixes: for an element with a namespace, for the instance namespace, and for a type. */
    private String own;
    private String xsi;
    private String type;

    private SoapEncoding(XmlReader r, List<? extends TextCodec<?>> thrown) {
        this.r = r;
        this.limits = r.limits;
        this.room = limits.maxMessageSize();
        this.missing = limits.maxEmptyItems();
        this.around = bindings(0, null);
        for (BoundPrefix each = around; each != null; each = each.before) {
            prefixes.putIfAbsent(each.prefix, each.uri);
        }
        for (TextCodec<?> each : thrown) {
            exceptions.put(each.root.xml.local, each.root.xml.namespace);
        }
    }

    /**
     * The literal form of a message. The memory for the conversion is charged; that of the result is charged when it is read.
     *
     * @param r a reader inside the start of the body, which it reads to its end
     * @param message the body's content, or null
     * @param isResponse whether the names of the message and its result are ignored
     * @param thrown the possible exceptions of a fault
     */
    public static byte[] literal(XmlReader r, TextMessage<?> message, boolean isResponse, List<? extends TextCodec<?>> thrown, String envelope) {
        SoapEncoding form = new SoapEncoding(r, thrown);
        int from = r.pos;
        List<Element> body = new ArrayList<>();
        while (r.child()) {
            body.add(form.element(form.around));
        }
        int to = r.pos;
        if (body.isEmpty()) {
            return null;
        }
        form.find(body);
        Element first = body.get(0);
        for (Element each : body) {
            if ("1".equals(strip(each.get(NAMESPACE, "root")))) {
                first = each;
                break;
            }
        }
        form.own = form.free("m");
        form.xsi = form.free("i");
        form.type = form.free("t");
        long used = r.memory.used();
        form.put(new String(r.b, r.first, from - r.first, StandardCharsets.UTF_8));
        if (first.namespace.equals(envelope) && first.local.equals("Fault")) {
            form.kept(first, 2);
        } else {
            form.message(first, message, isResponse);
        }
        form.put(new String(r.b, to, r.end - to, StandardCharsets.UTF_8));
        byte[] text = form.out.toString().getBytes(StandardCharsets.UTF_8);
        r.memory.rewind(used);
        return text;
    }

    private static String strip(String text) {
        return text == null ? null : text.strip();
    }

    /** A prefix that is not bound in the message. */
    private String free(String start) {
        String prefix = start;
        for (int i = 1; prefixes.containsKey(prefix); i++) {
            prefix = start + i;
        }
        return prefix;
    }

    // Reading

    /** The bindings at the reader's position; those from an index are the element's own. The literal form has no default namespace. */
    private BoundPrefix bindings(int before, BoundPrefix outer) {
        BoundPrefix scope = outer;
        for (int i = before; i < r.prefixes.count; i++) {
            if (r.prefixes.length[i] > 0) {
                scope = new BoundPrefix(text(r.prefixes.start[i], r.prefixes.start[i] + r.prefixes.length[i]), r.prefixes.uri[i], scope);
            }
        }
        return scope;
    }

    private Element element(BoundPrefix outer) {
        int before = r.prefixes.count;
        r.startTag();
        r.charge(ELEMENT_SIZE + (long) ATTRIBUTE_SIZE * (r.attributes + r.prefixes.count - before));
        Element e = new Element(r.tagNamespace == null ? "" : r.tagNamespace, text(r.tagLocal, r.tagEnd), bindings(before, outer), outer);
        for (BoundPrefix each = e.scope; each != outer; each = each.before) {
            String bound = prefixes.putIfAbsent(each.prefix, "");
            shadows |= bound != null && !bound.isEmpty() && !bound.equals(each.uri);
        }
        for (int k = 0; k < r.attributes; k++) {
            r.expand(k);
            String value = new String(r.slice, r.sliceFrom, r.sliceTo - r.sliceFrom, StandardCharsets.UTF_8);
            String prefix = text(r.attributeName[k], Math.max(r.attributeName[k], r.attributeLocal[k] - 1));
            Attribute attribute = new Attribute(prefix, r.attributeNamespace[k], text(r.attributeLocal[k], r.attributeEnd[k]), value);
            e.attributes.add(attribute);
            if (attribute.local.equals("type") && attribute.isXsi()) {
                type(e, value.strip());
            }
        }
        if (!r.empty) {
            if (holdsElements(r)) {
                while (r.child()) {
                    e.elements.add(element(e.scope));
                }
            } else {
                r.text();
                e.text = new String(r.slice, r.sliceFrom, r.sliceTo - r.sliceFrom, StandardCharsets.UTF_8);
            }
        }
        r.endTag();
        return e;
    }

    /** Stores the name of a type. */
    private void type(Element e, String name) {
        int colon = name.lastIndexOf(':');
        byte[] prefix = name.substring(0, Math.max(colon, 0)).getBytes(StandardCharsets.UTF_8);
        int bound = r.prefixes.find(r.b, prefix, 0, prefix.length);
        String namespace = bound < 0 ? "" : r.prefixes.uri[bound];
        e.isArray |= namespace.equals(NAMESPACE) && name.substring(colon + 1).equals("Array");
        if (colon < 0) {
            e.typeNamespace = namespace;
        }
    }

    private String text(int from, int to) {
        return new String(r.b, from, to - from, StandardCharsets.UTF_8);
    }

    /** Whether the next content, after white space and comments, is an element. */
    private static boolean holdsElements(XmlReader r) {
        int p = r.pos;
        while (true) {
            p = r.skipSpace(p);
            if (r.b[p] != '<' || r.b[p + 1] == '/' || r.isAt(p, "<![CDATA[")) {
                return false;
            }
            if (r.b[p + 1] != '!' && r.b[p + 1] != '?') {
                return true;
            }
            p = r.comment(p);
        }
    }

    private void find(List<Element> elements) {
        for (Element each : elements) {
            String id = each.get("", "id");
            if (id != null) {
                ids.put(id, ids.containsKey(id) ? null : each);
            }
            find(each.elements);
        }
    }

    // Writing

    private void put(String text) {
        long n = Utf8.length(text);
        r.charge(n);
        out.append(text);
        if (referring > 0) {
            room -= n;
            if (room < 0) {
                throw Failures.placed(CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "what elements refer to is longer than " + limits.maxMessageSize() + " bytes"));
            }
        }
    }

    private static CreoException wrong(String reason) {
        return Failures.placed(Failures.malformed(reason));
    }

    private void message(Element first, TextMessage<?> message, boolean isResponse) {
        TextName name = message == null ? null : message.bodyName();
        String uri = name != null && isResponse ? name.namespace : first.namespace;
        String local = name != null && isResponse ? name.local : first.local;
        String result = message != null && isResponse && message.element != null && message.record.fields.length > 0 ? message.record.fields[0].xml.local : null;
        String tag = tag(uri, local);
        // Its attributes, such as nil, have no meaning.
        first.attributes.clear();
        start(first, tag, declared(uri) + declaredAround(), false, true);
        for (Element each : first.elements) {
            value(each, result != null ? result : each.local);
            result = null;
        }
        put(escaped(first.text));
        put("</" + tag + ">");
    }

    /** A name with an unused prefix. */
    private String tag(String uri, String local) {
        return uri.isEmpty() ? local : own + ":" + local;
    }

    /** The declaration of that prefix. */
    private String declared(String uri) {
        return uri.isEmpty() ? "" : " xmlns:" + own + "=\"" + escaped(uri) + "\"";
    }

    /** The declarations of the outermost element for all. Elements of values have no namespace. */
    private String declaredAround() {
        return " xmlns:" + xsi + "=\"" + TextName.XSI + "\" xmlns=\"\"";
    }

    /** Writes an element under its own name with nested elements to a depth: the content of a fault, down to its detail elements. */
    private void kept(Element e, int levels) {
        Element target = levels == 0 ? target(e) : e;
        String uri = levels == 0 ? exceptions.getOrDefault(e.local, e.namespace) : e.namespace;
        String tag = tag(uri, e.local);
        referring += target == e ? 0 : 1;
        start(target, tag, declared(uri) + (levels == 2 ? declaredAround() : ""), target != e, levels == 0);
        for (Element each : target.elements) {
            if (levels > 0) {
                kept(each, levels - 1);
            } else {
                value(each, each.local);
            }
        }
        put(escaped(target.text));
        put("</" + tag + ">");
        referring -= target == e ? 0 : 1;
    }

    private void value(Element e, String tag) {
        Element target = target(e);
        if (!open.add(target)) {
            throw wrong("an element that refers to itself");
        }
        if (open.size() > limits.maxXmlDepth()) {
            throw Failures.placed(CreoException.tooLarge("maxXmlDepth", limits.maxXmlDepth(), "elements that nest too deep by what they refer to"));
        }
        referring += target == e ? 0 : 1;
        start(target, tag, "", target != e, true);
        if (isArray(target)) {
            array(target);
        } else {
            for (Element each : target.elements) {
                value(each, each.local);
            }
        }
        put(escaped(target.text));
        put("</" + tag + ">");
        referring -= target == e ? 0 : 1;
        open.remove(target);
    }

    /** The element itself, or the element that it refers to. */
    private Element target(Element e) {
        Set<Element> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Element found = e;
        while (found.target == null) {
            if (!seen.add(found)) {
                throw wrong("an element that refers to itself");
            }
            String href = strip(found.get("", "href"));
            if (href == null || !href.startsWith("#")) {
                break;
            }
            if (!found.elements.isEmpty() || !found.text.isBlank()) {
                throw wrong("an element that refers to another, and holds something");
            }
            found = ids.get(href.substring(1));
            if (found == null) {
                throw wrong("a reference to no element, or to several: " + CreoException.shown(href));
            }
        }
        Element target = found.target == null ? found : found.target;
        seen.forEach(each -> each.target = target);
        return target;
    }

    private void array(Element e) {
        long at = index(e.get(NAMESPACE, "offset"), 0);
        long written = 0;
        for (Element each : e.elements) {
            at = index(each.get(NAMESPACE, "position"), at);
            if (at < written) {
                throw wrong("positions of an array that go down");
            }
            if (at - written > missing) {
                throw Failures.placed(CreoException.tooLarge("maxEmptyItems", limits.maxEmptyItems(), "more items are missing than " + limits.maxEmptyItems()));
            }
            for (; written < at; written++, missing--) {
                put("<item " + xsi + ":nil=\"true\"/>");
            }
            value(each, "item");
            written = ++at;
        }
    }

    private static long index(String text, long usual) {
        if (text == null) {
            return usual;
        }
        Matcher found = INDEX.matcher(text.strip());
        if (!found.matches()) {
            throw wrong("no position in an array of one dimension: " + CreoException.shown(text));
        }
        return Long.parseLong(found.group(1));
    }

    private static boolean isArray(Element e) {
        String type = e.get(NAMESPACE, "arrayType");
        if (type != null) {
            if (DIMENSIONS.matcher(type).find()) {
                throw wrong("an array of several dimensions");
            }
            return true;
        }
        return e.isArray;
    }

    /**
     * Writes a start tag, if {@code plain} without attributes of the encoding. It declares the element's prefixes and, after a reference, outer ones.
     */
    private void start(Element e, String tag, String declarations, boolean refers, boolean plain) {
        StringBuilder text = new StringBuilder("<").append(tag).append(declarations);
        BoundPrefix end = !refers ? e.around : shadows ? null : around;
        Set<String> seen = refers ? new HashSet<>() : Set.of();
        for (BoundPrefix each = e.scope; each != end; each = each.before) {
            if (!each.prefix.equals("xml") && (!refers || seen.add(each.prefix))) {
                text.append(" xmlns:").append(each.prefix).append("=\"").append(escaped(each.uri)).append('"');
            }
        }
        for (Attribute each : e.attributes) {
            if (!plain || !isEncoding(each)) {
                attribute(each, e, text);
            }
        }
        put(text.append('>').toString());
    }

    /** Whether an attribute belongs to the encoding and has no meaning in literal form. */
    private static boolean isEncoding(Attribute a) {
        if (a.namespace.isEmpty()) {
            return a.local.equals("id") || a.local.equals("href") && a.value.strip().startsWith("#");
        }
        return a.namespace.equals(NAMESPACE) || SoapVersion.of(a.namespace) != null;
    }

    private void attribute(Attribute a, Element e, StringBuilder text) {
        String value = a.value;
        if (!a.isXsi()) {
            text.append(' ').append(a.prefix).append(a.prefix.isEmpty() ? "" : ":").append(a.local);
        } else {
            if (a.local.equals("type") && !e.typeNamespace.isEmpty()) {
                text.append(" xmlns:").append(type).append("=\"").append(escaped(e.typeNamespace)).append('"');
                value = type + ":" + value.strip();
            }
            text.append(' ').append(xsi).append(':').append(a.local.equals("null") ? "nil" : a.local);
        }
        text.append("=\"").append(escaped(value)).append('"');
    }

    private static String escaped(String text) {
        StringBuilder escaped = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            String entity = switch (c) {
                case '&' -> "&amp;";
                case '<' -> "&lt;";
                case '>' -> "&gt;";
                case '"' -> "&quot;";
                case '\r' -> "&#13;";
                case '\n' -> "&#10;";
                case '\t' -> "&#9;";
                default -> null;
            };
            if (entity != null && escaped == null) {
                escaped = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (escaped != null) {
                if (entity == null) {
                    escaped.append(c);
                } else {
                    escaped.append(entity);
                }
            }
        }
        return escaped == null ? text : escaped.toString();
    }
}
