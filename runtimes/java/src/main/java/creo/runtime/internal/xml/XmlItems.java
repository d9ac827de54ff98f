package creo.runtime.internal.xml;

import creo.runtime.codegen.TextField;

/** Reads the items of arrays: those whose start tag is that of the item before by a short way. */
public abstract class XmlItems extends XmlValues {
    /** Comes to the value of a field whose start tag was read. */
    final void take(TextField x) {
        field = x;
        pending = x.place == TextField.INLINE || x.place == TextField.ANY;
        source = pending ? PENDING : ELEMENT;
    }

    @Override
    public final void beginItems() {
        TextField x = field;
        if (x.isList()) {
            beginList(x);
            return;
        }
        XmlFrame f = push(XmlFrame.ITEMS, x);
        if (x.wrapped) {
            checkAttributes(false);
        } else {
            f.first = true;
            if (!lenient && !pending && prefixes.count == scope[open - 1]) {
                f.rawStart = nameStart[open - 1];
                f.rawLength = nameLength[open - 1];
                f.rawBindings = prefixes.count;
            }
        }
    }

    @Override
    public final boolean nextItem() {
        XmlFrame f = top;
        TextField x = f.field.item;
        field = x;
        int content = likeTheLast(f);
        if (content >= 0) {
            push(pos + 1, f.rawLength);
            pos = content;
            attributes = 0;
            source = ELEMENT;
            f.index++;
            charge(f.field.each);
            return true;
        }
        boolean more = nextItemSlow(f, x);
        if (more) {
            charge(f.field.each);
        }
        return more;
    }

    private boolean nextItemSlow(XmlFrame f, TextField x) {
        if (f.list != null) {
            return nextListed(f);
        }
        if (f.first) {
            f.first = false;
            f.index = 0;
            take(x);
            return true;
        }
        boolean more = toTag();
        boolean wrapped = f.field.wrapped;
        if (lenient) {
            more = toItem(f, x, more);
        }
        if (more && isItem(x)) {
            if (pending && x.place == TextField.INLINE && f.lastPos == pos) {
                throw malformed(pos, "an item without content");
            }
            f.lastPos = pos;
            f.index++;
            if (f.rawStart < 0 && !lenient && x.place == TextField.ELEMENT && prefixes.count == scope[open - 1]) {
                f.rawStart = nameStart[open - 1];
                f.rawLength = nameLength[open - 1];
                f.rawBindings = prefixes.count;
            }
            take(x);
            return true;
        }
        f.index = -1;
        if (wrapped) {
            if (more) {
                throw malformed(nameStart[open - 1] - 1, "the element " + shownTag() + ", where " + x.shown() + " can be");
            }
            endTag();
        }
        popFrame();
        return false;
    }

    /** Goes to the next start tag and reads it; false if the innermost element ends. */
    private boolean toTag() {
        boolean more = pending || child();
        if (more && !pending) {
            startTag();
            pending = true;
        }
        return more;
    }

    /** Goes to the next item that is not missing, also behind elements of other fields; if there is none, back to the first of those. */
    private boolean toItem(XmlFrame f, TextField x, boolean found) {
        boolean gathers = XmlLenience.gathers(this, f, x);
        boolean more = found;
        while (more) {
            boolean item = isItem(x);
            if (item && !XmlLenience.isMissing(this, x)) {
                return true;
            }
            if (!item && !gathers) {
                return true;
            }
            if (!item && f.back < 0) {
                f.back = nameStart[open - 1] - 1;
            }
            pending = false;
            skipElement();
            more = toTag();
        }
        if (f.back >= 0) {
            pos = f.back;
            return toTag();
        }
        return false;
    }

    private boolean isItem(TextField x) {
        return x.place == TextField.ANY ? isOther() : x.takes(tagNamespace, b, tagLocal, tagEnd);
    }

    /** Whether the tag is none of the fields of the record that is being read. */
    private boolean isOther() {
        for (TextField x : frames[depth - 2].fields) {
            if (x.takes(tagNamespace, b, tagLocal, tagEnd)) {
                return false;
            }
        }
        return true;
    }
}
