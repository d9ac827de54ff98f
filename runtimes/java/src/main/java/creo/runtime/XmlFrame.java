package creo.runtime;

/** What a reader has begun and not yet ended: a record, a union, an array, a map. Used again. */
final class XmlFrame {
    static final int RECORD = 0;
    static final int UNION = 1;
    static final int ITEMS = 2;
    static final int ENTRIES = 3;
    /** A record that is the key and the value of an entry. */
    static final int ENTRY = 4;

    int kind;
    /** The field whose value it is. */
    TextField field;
    TextRecord record;
    TextField[] fields;
    /** The field, item or entry that is being read; -1 before the first. */
    int index;
    /** Whether {@link XmlReader#next} may try its prediction at once. */
    boolean simple;
    /** Without an element of its own. */
    boolean inline;
    /** Nothing more comes. */
    boolean ended;
    /** The end tag was read. */
    boolean closed;
    boolean textRead;
    /** The attributes and the text of its element were read, or are not its own. */
    boolean tagDone;
    /** Reads the parts of a message. */
    boolean message;
    /** Those of its header. */
    boolean header;
    /** The next item has begun already. */
    boolean first;
    int rawStart;
    int rawLength;
    int rawBindings;
    byte[] list;
    int listPos;
    int listEnd;
    int lastPos;

    private long seen;
    private long[] more = {};

    void clear(int newKind, TextField newField) {
        kind = newKind;
        field = newField;
        record = null;
        fields = null;
        index = -1;
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
        list = null;
        seen = 0;
    }

    void begin(TextRecord r) {
        record = r;
        fields = r.fields;
        if (fields.length > 64) {
            int words = (fields.length - 1) / 64;
            if (more.length < words) {
                more = new long[words];
            } else {
                java.util.Arrays.fill(more, 0);
            }
        }
    }

    boolean saw(int i) {
        return ((i < 64 ? seen : more[i / 64 - 1]) >>> i & 1) != 0;
    }

    void see(int i) {
        if (i < 64) {
            seen |= 1L << i;
        } else {
            more[i / 64 - 1] |= 1L << i;
        }
    }
}
