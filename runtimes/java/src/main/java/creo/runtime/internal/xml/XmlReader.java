package creo.runtime.internal.xml;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.Bytes;
import creo.runtime.codegen.Lists;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextUnion;
import creo.runtime.internal.text.Pool;
import creo.runtime.internal.text.TextName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads XML values: finds the field of each element. A correctly predicted element takes one comparison of its bytes; only if that fails is its name
 * looked up.
 */
public class XmlReader extends XmlItems {
    private static final Pool<XmlReader> POOL = new Pool<>(XmlReader::new);

    /** For each attribute of the tag, its field's index, or one of these. */
    private int[] attributeField = new int[16];
    private static final int SKIPPED = -1;
    private static final int OTHER = -2;
    private int nextAttribute;
    /** The next record is that of a message. */
    public boolean message;
    /** The next field was absent: its record has no elements. */
    private boolean lacking;

    public XmlReader() {}

    public static XmlReader borrow(Limits limits) {
        XmlReader r = POOL.take();
        r.reset(limits);
        return r;
    }

    public void giveBack() {
        release();
        POOL.release(this);
    }

    public final void reset(Limits with) {
        limits = with;
        memory = null;
        forget();
        field = null;
        parts = null;
        tables = false;
        lenient = false;
    }

    /** Releases the open values. */
    public final void forget() {
        depth = 0;
        top = null;
        level = 0;
        pending = false;
        lacking = false;
        message = false;
    }

    /** Begins the element of a standalone value. */
    public final void beginRoot(TextField root) {
        child();
        startTag();
        if (!root.xml.is(tagNamespace, b, tagLocal, tagEnd)) {
            throw malformed(nameStart[0], "the element " + shownTag() + ", where " + root.xml + " must be");
        }
        field = root;
        source = ELEMENT;
    }

    @Override
    public final void begin(TextRecord r) {
        XmlFrame f = push(XmlFrame.RECORD, field);
        f.begin(r);
        if (r.recursive) {
            enter();
        }
        boolean inline = !message && field.place == TextField.INLINE;
        f.inline = inline;
        if (message) {
            message = false;
            f.message = true;
            f.tagDone = true;
            attributes = 0;
        } else if (inline) {
            f.ended = lacking;
            f.tagDone = true;
            lacking = false;
        } else if (attributes == 0 && !empty && r.text < 0) {
            f.simple = !lenient;
            f.tagDone = true;
        } else {
            beginTag(f, r);
        }
    }

    /** Finds the fields of the tag's attributes. */
    public final void beginTag(XmlFrame f, TextRecord r) {
        nextAttribute = 0;
        if (attributes == 0) {
            return;
        }
        if (isNil()) {
            if (r.text < 0 || !r.fields[r.text].optional) {
                throw notOptional();
            }
            f.textRead = true;
        }
        if (attributeField.length < attributes) {
            attributeField = new int[attributeName.length];
        }
        for (int k = 0; k < attributes; k++) {
            attributeField[k] = fieldOfAttribute(f, r, k);
        }
    }

    private int fieldOfAttribute(XmlFrame f, TextRecord r, int k) {
        boolean ours = attributeNamespace[k] == TextName.NONE;
        if (r.open) {
            for (int i = 0; i < r.fields.length; i++) {
                TextField x = r.fields[i];
                if (x.place == TextField.ATTRIBUTE) {
                    if (x.xml.is(attributeNamespace[k], b, attributeLocal[k], attributeEnd[k])) {
                        return i;
                    }
                    ours |= x.xml.isOf(attributeNamespace[k]);
                }
            }
        }
        if (attributeNamespace[k] == TextName.XSI) {
            return SKIPPED;
        }
        if (r.anyAttribute >= 0) {
            return OTHER;
        }
        if (ours && attributeNamespace[k] != TextName.XML && !r.extensible && !lenient) {
            throw XmlLenience.skipped(this, attributeName[k], "the attribute " + shown(attributeName[k], attributeEnd[k]) + ", where these can be: " + r.expectedAttributes());
        }
        return SKIPPED;
    }

    @Override
    public final int next(int likely) {
        XmlFrame f = top;
        if (f.simple && !pending && likely < f.fields.length) {
            TextField x = f.fields[likely];
            TextName name = x.xml;
            int p = pos + 1;
            if (x.place == TextField.ELEMENT && (Bytes.getLong(b, p) & likelyMask) == likelyPrefix && likelyNamespace == name.namespace && b[p - 1] == '<') {
                int q = p + likelyLength;
                int to = q + name.bytes.length;
                if (name.isAt(b, q) && b[to] == '>' && !f.saw(likely)) {
                    push(p, to - p);
                    attributes = 0;
                    pos = to + 1;
                    f.see(likely);
                    f.index = likely;
                    field = x;
                    source = ELEMENT;
                    return likely;
                }
            }
        }
        return nextSlow(f, likely);
    }

    private int nextSlow(XmlFrame f, int likely) {
        if (!f.tagDone) {
            int i = nextOfTag(f);
            if (i >= 0) {
                return i;
            }
        }
        while (!f.ended) {
            if (!pending) {
                if (f.message ? !nextPart(f) : !child()) {
                    break;
                }
                if (!f.tagDone) {
                    // Attributes of the body's element come first.
                    return nextSlow(f, likely);
                }
                if (!pending) {
                    startTag();
                }
            }
            if (lenient && XmlLenience.wasGathered(this, f)) {
                pending = false;
                skipElement();
                continue;
            }
            int i = find(f, likely);
            if (lenient && i >= 0 && XmlLenience.isMissing(this, f.fields[i])) {
                pending = false;
                skipElement();
            } else if (i >= 0) {
                take(f.fields[i]);
                f.see(i);
                f.index = i;
                return i;
            } else {
                pending = true;
                if (f.inline) {
                    break;
                }
                unknown(f);
            }
        }
        f.ended = true;
        f.index = -1;
        return -1;
    }

    /** Goes through the attributes and the text of a record. */
    private int nextOfTag(XmlFrame f) {
        TextRecord r = f.record;
        while (nextAttribute < attributes) {
            int k = nextAttribute++;
            int i = attributeField[k];
            if (i == OTHER && !f.saw(r.anyAttribute)) {
                i = r.anyAttribute;
            }
            if (i >= 0 && (!lenient || !XmlLenience.isBlankAttribute(this, f.fields[i], k))) {
                source = ATTRIBUTE;
                attribute = k;
                return found(f, i);
            }
        }
        if (r.text >= 0) {
            if (!f.textRead) {
                f.textRead = true;
                if (!lenient || !XmlLenience.isBlank(this, f.fields[r.text])) {
                    source = TEXT;
                    return found(f, r.text);
                }
            }
            f.ended = true;
            return -1;
        }
        f.tagDone = true;
        f.simple = !lenient && !empty && !r.hasHeaders;
        return -1;
    }

    private int found(XmlFrame f, int i) {
        f.see(i);
        f.index = i;
        field = f.fields[i];
        return i;
    }

    /** The field of the tag, or -1. */
    private int find(XmlFrame f, int likely) {
        TextField[] all = f.fields;
        for (int i = Math.max(0, likely); i < all.length; i++) {
            if (takes(f, i)) {
                return i;
            }
        }
        if (!f.inline) {
            for (int i = 0; i < likely && i < all.length; i++) {
                if (takes(f, i)) {
                    return i;
                }
            }
            int any = f.record.any;
            if (any >= 0 && !f.saw(any)) {
                return any;
            }
        }
        return -1;
    }

    private boolean takes(XmlFrame f, int i) {
        TextField x = f.fields[i];
        if (!x.takes(tagNamespace, b, tagLocal, tagEnd) || x.header != f.header) {
            return false;
        }
        if (!f.saw(i)) {
            return true;
        }
        if (f.inline) {
            return false;
        }
        f.index = -1;
        String reason = "the element " + shownTag() + ", which was there before";
        throw x.item != null && !x.wrapped && x.place == TextField.ELEMENT ? XmlLenience.accepted(this, nameStart[open - 1] - 1, reason) : malformed(nameStart[open - 1] - 1, reason);
    }

    /** Skips a tag that is no field of the record, or fails. */
    private void unknown(XmlFrame f) {
        if (!f.record.extensible && !f.header && !lenient) {
            f.index = -1;
            throw XmlLenience.skipped(this, nameStart[open - 1] - 1, "the element " + shownTag() + ", where these can be: " + f.record.expected());
        }
        pending = false;
        skipElement();
    }

    @Override
    public final void end(TextRecord r) {
        XmlFrame f = top;
        TextField[] all = f.fields;
        for (int i = 0; i < all.length; i++) {
            if (all[i].required && !f.saw(i)) {
                TextField x = all[i];
                String what = x.place == TextField.ATTRIBUTE ? "the attribute " + x.xml.local : x.place == TextField.TEXT ? "the text" : "the element " + x.shown();
                throw malformed(pos, "without " + what + ", which must be there");
            }
        }
        if (!f.inline && !f.closed) {
            if (f.textRead && !empty && child()) {
                throw malformed(pos, "an element within a text that is nothing");
            }
            endTag();
        }
        if (r.recursive) {
            level--;
        }
        popFrame();
    }

    @Override
    public final boolean lacks(int i) {
        XmlFrame f = top;
        if (f.saw(i) || f.fields[i].place != TextField.INLINE) {
            return false;
        }
        f.see(i);
        f.index = i;
        field = f.fields[i];
        source = PENDING;
        lacking = true;
        return true;
    }

    @Override
    public final boolean nil() {
        if (source != ELEMENT || attributes == 0 || !isNil()) {
            if (!lenient || source != ELEMENT || !XmlLenience.isBlank(this, field)) {
                charge(field.own);
                return false;
            }
        }
        if (child()) {
            throw malformed(pos, "an element within one that is nothing");
        }
        endTag();
        return true;
    }

    @Override
    public final int member(TextUnion u) {
        TextField x = field;
        XmlFrame f = push(XmlFrame.UNION, x);
        f.fields = u.members;
        if (u.recursive) {
            enter();
        }
        if (u.derived) {
            return derived(f, u);
        }
        if (x.place != TextField.INLINE) {
            checkAttributes(u.extensible);
            if (!child()) {
                throw malformed(pos, "no element, where one of these must be: " + u.expected());
            }
            startTag();
        }
        for (int i = 0; i < u.members.length; i++) {
            if (u.members[i].takes(tagNamespace, b, tagLocal, tagEnd)) {
                take(u.members[i]);
                f.index = i;
                chargeMember();
                return i;
            }
        }
        throw malformed(nameStart[open - 1] - 1, "the element " + shownTag() + ", where one of these must be: " + u.expected());
    }

    /** For an optional member, {@link #nil} charges for the value. */
    private void chargeMember() {
        charge(field.optional ? 0 : field.own);
    }

    private int derived(XmlFrame f, TextUnion u) {
        int base = -1;
        for (int i = 0; i < u.members.length; i++) {
            if (u.members[i].type == null) {
                base = i;
            }
        }
        int found = base;
        for (int k = 0; k < attributes; k++) {
            if (attributeNamespace[k] == TextName.XSI && is(attributeLocal[k], attributeEnd[k], "type")) {
                found = typeOf(u, k);
            }
        }
        if (found < 0) {
            throw malformed(pos, "no xsi:type, where one of these must be: " + u.expected());
        }
        f.index = found;
        field = u.members[found];
        source = ELEMENT;
        chargeMember();
        return found;
    }

    private int typeOf(TextUnion u, int k) {
        expand(k);
        trim();
        int colon = sliceFrom;
        while (colon < sliceTo && slice[colon] != ':') {
            colon++;
        }
        int local = colon == sliceTo ? sliceFrom : colon + 1;
        String namespace = namespaceOf(slice, sliceFrom, local == sliceFrom ? 0 : colon - sliceFrom);
        String name = new String(slice, local, sliceTo - local, StandardCharsets.UTF_8);
        for (int i = 0; i < u.members.length; i++) {
            TextName type = u.members[i].starts.get(0);
            if (type.isOf(namespace) && type.local.equals(name)) {
                return i;
            }
        }
        throw malformed(valueStart[k], "the xsi:type " + shown(valueStart[k], valueEnd[k]) + ", where one of these must be: " + u.expected());
    }

    @Override
    public final void endUnion(TextUnion u) {
        XmlFrame f = top;
        if (!u.derived && f.field.place != TextField.INLINE) {
            f.index = -1;
            if (child()) {
                startTag();
                throw malformed(nameStart[open - 1] - 1, "the element " + shownTag() + ", where the union ends");
            }
            endTag();
        }
        if (u.recursive) {
            level--;
        }
        popFrame();
    }

    @Override
    public final void beginEntries() {
        checkAttributes(false);
        push(XmlFrame.ENTRIES, field);
    }

    @Override
    public final boolean nextEntry() {
        XmlFrame f = top;
        TextField x = f.field;
        if (!child()) {
            endTag();
            popFrame();
            return false;
        }
        startTag();
        if (!x.entryName.is(tagNamespace, b, tagLocal, tagEnd)) {
            f.index = -1;
            throw malformed(nameStart[open - 1] - 1, "the element " + shownTag() + ", where entry can be");
        }
        f.index++;
        charge(x.each);
        field = x.entry.fields[0];
        begin(x.entry);
        top.kind = XmlFrame.ENTRY;
        return true;
    }

    @Override
    public final void endEntry() {
        end(top.record);
    }

    @Override
    public final CreoException duplicateKey() {
        top.index = -1;
        return malformed(pos, "a key that was there before");
    }

    @Override
    public final Map<String, String> readAttributes() {
        LinkedHashMap<String, String> all = new LinkedHashMap<>();
        for (int k = 0; k < attributes; k++) {
            if (attributeField[k] == OTHER) {
                String local = new String(b, attributeLocal[k], attributeEnd[k] - attributeLocal[k], StandardCharsets.UTF_8);
                expand(k);
                String value = new String(slice, sliceFrom, sliceTo - sliceFrom, StandardCharsets.UTF_8);
                charge(field.each);
                all.put(attributeNamespace[k].isEmpty() ? local : "{" + attributeNamespace[k] + "}" + local, value);
            }
        }
        return Lists.frozen(all);
    }

    /** Goes to the next part of a message: an element of its header or its body. */
    public boolean nextPart(XmlFrame f) {
        throw new IllegalStateException("no message is read here");
    }
}
