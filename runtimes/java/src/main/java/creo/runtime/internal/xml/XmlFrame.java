package creo.runtime.internal.xml;

import creo.runtime.codegen.TextField;
import creo.runtime.internal.text.TextFrame;

/** A value that an XML reader has begun. */
public final class XmlFrame extends TextFrame {
    /** Whether {@link XmlReader#next} may try its prediction at once. */
    public boolean simple;
    /** Whether it has no element of its own. */
    boolean inline;
    /** Whether nothing more follows. */
    boolean ended;
    /** Whether the end tag was read. */
    boolean closed;
    boolean textRead;
    /** Whether the attributes and text of its element were read, or belong to another record. */
    public boolean tagDone;
    /** Whether it reads the parts of a message. */
    public boolean message;
    /** Whether it reads those of the header. */
    public boolean header;
    /** Whether the next item has already begun. */
    boolean first;
    int rawStart;
    int rawLength;
    int rawBindings;
    byte[] list;
    int listPos;
    int listEnd;
    /** The number of prefixes bound after the list; -1 if its items use none. */
    int bindingsBehind;
    int lastPos;
    /** Where elements begin that were skipped to find items behind them, or -1 (XML-51). */
    int back;

    void clear(int newKind, TextField newField) {
        restart(newKind, newField);
        simple = false;
        inline = false;
        ended = false;
        closed = false;
        textRead = false;
        tagDone = false;
        message = false;
        header = false;
        first = false;
        rawStart = -1;
        lastPos = -1;
        back = -1;
        list = null;
        bindingsBehind = -1;
    }
}
