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
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The literal form of a message of SOAP encoding (SOAP-32). */
public final class SoapEncoding {
    static final String NAMESPACE = SoapVersion.V11.encoding;
    private static final List<String> OLD_XSI = List.of("http://www.w3.org/1999/XMLSchema-instance", "http://www.w3.org/2000/10/XMLSchema-instance");
    /** What an element and an attribute take in memory (LIM-18). */
    private static final int ELEMENT_SIZE = 160;
    private static final int ATTRIBUTE_SIZE = 64;
    private static final Pattern INDEX = Pattern.compile("\\[([0-9]{1,9})\\]");
    private static final Pattern DIMENSIONS = Pattern.compile("\\[[^\\]]*,");

    private record Attribute(String namespace, String local, String value) {}

    /** An element of the body, with all that it holds. */
    private static final class Element {
        final String namespace;
        final String local;
        final List<Attribute> attributes = new ArrayList<>();
        /** The prefixes in scope. */
        final Map<String, String> scope;
        final List<Element> elements = new ArrayList<>();
        /** What it refers to, once that is known. */
        Element target;
        /** Empty where it holds elements. */
        String text = "";

        Element(String namespace, String local, Map<String, String> scope) {
            this.namespace = namespace;
            this.local = local;
            this.scope = scope;
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

    private final Limits limits;
    private final StringBuilder out = new StringBuilder();
    /** By its id; null if several elements have it. */
    private final Map<String, Element> ids = new HashMap<>();
    /** Elements that are being written. */
    private final Set<Element> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, String> exceptions = new HashMap<>();
    private int referring;
    private long room;
    private int missing;

    private SoapEncoding(Limits limits) {
        this.limits = limits;
        this.room = limits.maxMessageSize();
        this.missing = limits.maxEmptyItems();
    }

    /**
     * The literal form of a message.
     *
     * @param r a reader within the start of the body, which it reads to its end
     * @param message that the body holds, or null
     * @param isResponse whether names of the message and of its result mean nothing
     * @param thrown the exceptions that a fault may be
     */
    public static byte[] literal(XmlReader r, TextMessage<?> message, boolean isResponse, List<? extends TextCodec<?>> thrown, String envelope) {
        SoapEncoding form = new SoapEncoding(r.limits);
        for (TextCodec<?> each : thrown) {
            form.exceptions.put(each.root.xml.local, each.root.xml.namespace);
        }
        int from = r.pos;
        Map<String, String> around = form.bindings(r, 0, Map.of());
        List<Element> body = new ArrayList<>();
        while (r.child()) {
            body.add(form.element(r, around));
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
        form.out.append(new String(r.b, r.first, from - r.first, StandardCharsets.UTF_8));
        if (first.namespace.equals(envelope) && first.local.equals("Fault")) {
            form.kept(first, around, 2);
        } else {
            form.message(first, around, message, isResponse);
        }
        form.out.append(new String(r.b, to, r.end - to, StandardCharsets.UTF_8));
        return form.out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String strip(String text) {
        return text == null ? null : text.strip();
    }

    private Map<String, String> bindings(XmlReader r, int before, Map<String, String> around) {
        if (r.prefixes.count == before) {
            return around;
        }
        Map<String, String> all = new LinkedHashMap<>(around);
        for (int i = before; i < r.prefixes.count; i++) {
            all.put(new String(r.b, r.prefixes.start[i], r.prefixes.length[i], StandardCharsets.UTF_8), r.prefixes.uri[i]);
        }
        return all;
    }

    // Reading

    private Element element(XmlReader r, Map<String, String> around) {
        int before = r.prefixes.count;
        r.startTag();
        r.charge(ELEMENT_SIZE + (long) ATTRIBUTE_SIZE * r.attributes);
        Element e = new Element(r.tagNamespace == null ? "" : r.tagNamespace, text(r, r.tagLocal, r.tagEnd), bindings(r, before, around));
        for (int k = 0; k < r.attributes; k++) {
            r.expand(k);
            String value = new String(r.slice, r.sliceFrom, r.sliceTo - r.sliceFrom, StandardCharsets.UTF_8);
            e.attributes.add(new Attribute(r.attributeNamespace[k], text(r, r.attributeLocal[k], r.attributeEnd[k]), value));
        }
        if (!r.empty) {
            if (holdsElements(r)) {
                while (r.child()) {
                    e.elements.add(element(r, e.scope));
                }
            } else {
                r.text();
                e.text = new String(r.slice, r.sliceFrom, r.sliceTo - r.sliceFrom, StandardCharsets.UTF_8);
            }
        }
        r.endTag();
        return e;
    }

    private static String text(XmlReader r, int from, int to) {
        return new String(r.b, from, to - from, StandardCharsets.UTF_8);
    }

    /** Whether an element is the next thing but white space and comments. */
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
        out.append(text);
        if (referring > 0) {
            room -= Utf8.length(text);
            if (room < 0) {
                throw Failures.placed(CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "what elements refer to is longer than " + limits.maxMessageSize() + " bytes"));
            }
        }
    }

    private static CreoException wrong(String reason) {
        return Failures.placed(Failures.malformed(reason));
    }

    private void message(Element first, Map<String, String> around, TextMessage<?> message, boolean isResponse) {
        TextName name = message == null ? null : message.bodyName();
        String uri = name != null && isResponse ? name.namespace : first.namespace;
        String local = name != null && isResponse ? name.local : first.local;
        String result = message != null && isResponse && message.element != null && message.record.fields.length > 0 ? message.record.fields[0].xml.local : null;
        String tag = tag(uri, local, first.scope);
        // What its attributes say, such as that it is nil, means nothing.
        first.attributes.clear();
        start(first, tag, uri, around, true);
        for (Element each : first.elements) {
            value(each, result != null ? result : each.local, first.scope);
            result = null;
        }
        put(escaped(first.text));
        put("</" + tag + ">");
    }

    /** A name with a prefix that means nothing else. */
    private static String tag(String uri, String local, Map<String, String> scope) {
        if (uri.isEmpty()) {
            return local;
        }
        String prefix = "m";
        while (scope.containsKey(prefix)) {
            prefix += "m";
        }
        return prefix + ":" + local;
    }

    /** An element under its own name, and so many levels of those within it: what a fault holds, down to the elements of its detail. */
    private void kept(Element e, Map<String, String> around, int levels) {
        Element target = levels == 0 ? target(e) : e;
        String uri = levels == 0 ? exceptions.getOrDefault(e.local, e.namespace) : e.namespace;
        String tag = tag(uri, e.local, target.scope);
        referring += target == e ? 0 : 1;
        start(target, tag, uri, around, levels == 0);
        for (Element each : target.elements) {
            if (levels > 0) {
                kept(each, target.scope, levels - 1);
            } else {
                value(each, each.local, target.scope);
            }
        }
        put(escaped(target.text));
        put("</" + tag + ">");
        referring -= target == e ? 0 : 1;
    }

    private void value(Element e, String tag, Map<String, String> around) {
        Element target = target(e);
        if (!open.add(target)) {
            throw wrong("an element that refers to itself");
        }
        if (open.size() > limits.maxXmlDepth()) {
            throw Failures.placed(CreoException.tooLarge("maxXmlDepth", limits.maxXmlDepth(), "elements that nest too deep by what they refer to"));
        }
        referring += target == e ? 0 : 1;
        start(target, tag, "", around, true);
        if (isArray(target)) {
            array(target);
        } else {
            for (Element each : target.elements) {
                value(each, each.local, target.scope);
            }
        }
        put(escaped(target.text));
        put("</" + tag + ">");
        referring -= target == e ? 0 : 1;
        open.remove(target);
    }

    /** The element itself, or the one that it refers to. */
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
                put("<item xmlns:m=\"" + TextName.XSI + "\" m:nil=\"true\"/>");
            }
            value(each, "item", e.scope);
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
        for (Attribute each : e.attributes) {
            if (each.local.equals("type") && (each.namespace.equals(TextName.XSI) || OLD_XSI.contains(each.namespace))) {
                String name = each.value.strip();
                int colon = name.lastIndexOf(':');
                return name.substring(colon + 1).equals("Array") && NAMESPACE.equals(e.scope.get(colon < 0 ? "" : name.substring(0, colon)));
            }
        }
        return false;
    }

    /** A start tag; {@code plain}: without the attributes of the encoding. */
    private void start(Element e, String tag, String uri, Map<String, String> around, boolean plain) {
        StringBuilder text = new StringBuilder("<").append(tag);
        int colon = tag.indexOf(':');
        if (colon >= 0) {
            text.append(" xmlns:").append(tag, 0, colon).append("=\"").append(escaped(uri)).append('"');
        } else if (!around.getOrDefault("", "").isEmpty()) {
            text.append(" xmlns=\"\"");
        }
        Map<String, String> scope = e.scope == around ? Map.of() : e.scope;
        scope.forEach((prefix, bound) -> {
            // Elements of values have no namespace, so no default one is declared.
            if (!prefix.isEmpty() && !bound.equals(around.get(prefix))) {
                text.append(" xmlns:").append(prefix).append("=\"").append(escaped(bound)).append('"');
            }
        });
        for (Attribute each : e.attributes) {
            if (!plain || !isEncoding(each)) {
                attribute(each, e.scope, text);
            }
        }
        put(text.append('>').toString());
    }

    /** Whether an attribute is one of the encoding, which means nothing in literal form. */
    private static boolean isEncoding(Attribute a) {
        if (a.namespace.isEmpty()) {
            return a.local.equals("id") || a.local.equals("href") && a.value.strip().startsWith("#");
        }
        return a.namespace.equals(NAMESPACE) || SoapVersion.of(a.namespace) != null;
    }

    private static void attribute(Attribute a, Map<String, String> scope, StringBuilder text) {
        boolean old = OLD_XSI.contains(a.namespace);
        String uri = old ? TextName.XSI : a.namespace;
        String local = old && a.local.equals("null") ? "nil" : a.local;
        String value = a.value;
        String around = scope.getOrDefault("", "");
        if (uri.equals(TextName.XSI) && local.equals("type") && value.indexOf(':') < 0 && !around.isEmpty()) {
            // The default namespace is not declared in literal form.
            text.append(" xmlns:_=\"").append(escaped(around)).append('"');
            value = "_:" + value.strip();
        }
        if (uri.isEmpty()) {
            text.append(' ').append(local);
        } else if (uri.equals(TextName.XML)) {
            text.append(" xml:").append(local);
        } else {
            String prefix = "";
            for (Map.Entry<String, String> each : scope.entrySet()) {
                if (each.getValue().equals(uri) && !each.getKey().isEmpty()) {
                    prefix = each.getKey();
                    break;
                }
            }
            if (prefix.isEmpty()) {
                prefix = "_" + local;
                text.append(" xmlns:").append(prefix).append("=\"").append(escaped(uri)).append('"');
            }
            text.append(' ').append(prefix).append(':').append(local);
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
