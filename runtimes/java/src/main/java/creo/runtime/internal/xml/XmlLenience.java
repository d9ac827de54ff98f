package creo.runtime.internal.xml;

import creo.runtime.CreoException;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextType;
import creo.runtime.codegen.TextUnion;

/** What lenient reading takes otherwise than strict reading, and what errors of strict reading say about it (XML-50 to XML-52). */
final class XmlLenience {
    private static final String SKIPS = " (lenient reading would skip it)";
    private static final String MISSES = " (lenient reading would take it as missing)";
    private static final String ACCEPTS = " (lenient reading would accept it)";

    private XmlLenience() {}

    /** An error for what lenient reading skips. */
    static CreoException skipped(XmlCursor r, int at, String reason) {
        return r.malformed(at, reason + SKIPS);
    }

    /** An error for what lenient reading accepts. */
    static CreoException accepted(XmlCursor r, int at, String reason) {
        return r.malformed(at, reason + ACCEPTS);
    }

    /** The index behind the processing instruction at {@code p}, if it is read at all. */
    static int instruction(XmlCursor r, int p) {
        int to = XmlScanner.nameEnd(r.b, p + 2);
        boolean named = to > p + 2 && !(to - p == 5 && XmlCursor.lowerIs(r.b, p + 2, "xml"));
        boolean parted = XmlCursor.isSpace(r.b[to]) || r.b[to] == '?' && r.b[to + 1] == '>';
        if (!named || !parted) {
            throw r.malformed(p, "a processing instruction");
        }
        int q = to;
        while (r.b[q] != '?' || r.b[q + 1] != '>') {
            q = r.character(q);
        }
        if (!r.lenient) {
            throw skipped(r, p, "a processing instruction");
        }
        return q + 2;
    }

    /** What an error says that the value of a field is no such value: the slice is the text. */
    static String hint(XmlValues r, TextField x) {
        if (r.sliceFrom == r.sliceTo) {
            return isText(x) ? missing(x) : "";
        }
        return x != null && x.kind == TextType.BOOLEAN && (r.sliceLowerIs("true") || r.sliceLowerIs("false")) ? ACCEPTS : "";
    }

    /** What an error says about a field that lenient reading takes as missing; nothing if it must be there. */
    static String missing(TextField x) {
        return x != null && (x.isItem || !x.required) ? MISSES : "";
    }

    /** Whether the field holds single values of a type that no blank text is a value of. */
    private static boolean isText(TextField x) {
        return x != null && x.entry == null && x.item == null && switch (x.kind) {
            case BOOLEAN, INTEGER, REAL, DECIMAL, DATE_TIME, ENUM -> !x.mayBeBlank;
            case STRING, BYTES, RECORD, UNION -> false;
        };
    }

    /** Whether the element whose start tag was read is as if it were not there, for a field of a record or an item of an array. */
    static boolean isMissing(XmlValues r, TextField field) {
        TextField x = field.item != null && !field.wrapped ? field.item : field;
        if (x.optional || x.place != TextField.ELEMENT || x.raw) {
            return false;
        }
        return r.attributes > 0 && r.isNil() && !hasOptionalText(r, x) || isBlank(r, x);
    }

    /** Whether the element is one of a value that stands for nothing by a blank text. */
    static boolean isBlank(XmlValues r, TextField x) {
        if (!isText(x)) {
            return false;
        }
        int at = r.pos;
        r.text();
        r.trim();
        r.pos = at;
        return r.sliceFrom == r.sliceTo;
    }

    /** The same of an attribute. */
    static boolean isBlankAttribute(XmlValues r, TextField x, int k) {
        if (!isText(x)) {
            return false;
        }
        r.expand(k);
        r.trim();
        return r.sliceFrom == r.sliceTo;
    }

    /** Whether {@code xsi:nil} says that the text of a struct is nothing, and not the struct itself (XML-32). */
    private static boolean hasOptionalText(XmlValues r, TextField x) {
        if (x.kind != TextType.RECORD && x.kind != TextType.UNION) {
            return false;
        }
        if (r.top.record != null) {
            r.top.record.resolve();
        }
        return x.held != null && hasOptionalText(x.held.shape());
    }

    private static boolean hasOptionalText(Object shape) {
        if (shape instanceof TextRecord record) {
            return record.text >= 0 && record.fields[record.text].optional;
        }
        if (shape instanceof TextUnion union && union.derived) {
            union.resolve();
            for (TextField member : union.members) {
                if (member.held != null && hasOptionalText(member.held.shape())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the tag is one of an array that was read before, with the items behind other elements. */
    static boolean wasGathered(XmlValues r, XmlFrame f) {
        for (int i = 0; i < f.fields.length && !f.inline; i++) {
            TextField x = f.fields[i];
            if (x.item != null && !x.wrapped && x.place == TextField.ELEMENT && f.saw(i) && x.takes(r.tagNamespace, r.b, r.tagLocal, r.tagEnd)) {
                return true;
            }
        }
        return false;
    }

    /** Whether items of the array may stand behind elements of other fields: it is one of a record's own element. */
    static boolean gathers(XmlValues r, XmlFrame f, TextField item) {
        XmlFrame outer = r.depth < 2 ? null : r.frames[r.depth - 2];
        return !f.field.wrapped && item.place != TextField.INLINE && outer != null && outer.record != null && !outer.inline && !outer.header;
    }
}
