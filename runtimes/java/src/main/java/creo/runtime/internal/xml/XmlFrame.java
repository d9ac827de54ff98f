package creo.runtime.internal.xml;

import creo.runtime.codegen.TextField;
import creo.runtime.internal.text.TextFrame;

/** What a reader of XML has begun and not yet ended. */
public final class XmlFrame extends TextFrame {
    /** Whether {@link XmlReader#next} may try its prediction at once. */
    public boolean simple;
    /** Without an element of its own. */
    boolean inline;
    /** Nothing more comes. */
    boolean ended;
    /** The end tag was read. */
    boolean closed;
    boolean textRead;
    /** The attributes and the text of its element were read, or are not its own. */
    public boolean tagDone;
    /** Reads the parts of a message. */
    public boolean message;
    /** Those of its header. */
    public boolean header;
    /** The next item has begun already. */
    boolean first;
    int rawStart;
    int rawLength;
    int rawBindings;
    byte[] list;
    int listPos;
    int listEnd;
    /** How many prefixes are bound behind the list; -1 if its items know none. */
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
