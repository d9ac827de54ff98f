package creo.runtime.internal.json;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.Lists;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextUnion;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.text.Pool;
import creo.runtime.internal.text.TextFrame;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads JSON values ({@code spec/wires/json.md}). A correctly predicted member takes one comparison of its bytes. */
public final class JsonReader extends JsonValues {
    private static final Pool<JsonReader> POOL = new Pool<>(JsonReader::new);

    private JsonFrame[] frames = new JsonFrame[16];
    private int depth;
    private JsonFrame top;
    private int level;
    /** The array or object has just begun. */
    private boolean fresh;
    /** The next record is the result of a method, which is not wrapped (JSON-21). */
    private boolean result;
    /** The frame of that record. */
    private JsonFrame bare;
    /** The index of the entry's key. */
    private int keyAt;

    private JsonReader() {}

    public static JsonReader borrow(Limits limits) {
        JsonReader r = POOL.take();
        r.limits = limits;
        r.memory = null;
        r.depth = 0;
        r.top = null;
        r.level = 0;
        r.field = null;
        r.fresh = false;
        r.result = false;
        r.bare = null;
        return r;
    }

    public void giveBack() {
        if (b.length > 1 << 20) {
            b = new byte[PADDING];
        }
        slice = null;
        memory = null;
        POOL.release(this);
    }

    /** The next value is a standalone one. */
    public void beginRoot(TextField root) {
        field = root;
    }

    /** Leaves the current field out of paths. */
    public void unplaced() {
        top.index = -1;
    }

    /** The next record is a result that is not wrapped. */
    public void expectResult() {
        result = true;
    }

    public CreoException locate(CreoException e) {
        return Failures.within(Failures.placed(e), TextFrame.place(frames, depth));
    }

    private JsonFrame push(int kind, TextField f) {
        if (depth == frames.length) {
            frames = Arrays.copyOf(frames, 2 * depth);
        }
        JsonFrame frame = frames[depth];
        if (frame == null) {
            frame = new JsonFrame();
            frames[depth] = frame;
        }
        depth++;
        frame.clear(kind, f);
        top = frame;
        return frame;
    }

    private void pop() {
        depth--;
        top = depth > 0 ? frames[depth - 1] : null;
    }

    private void enter() {
        if (++level > limits.maxDepth()) {
            throw tooLarge(pos, "maxDepth", limits.maxDepth(), "a value that is nested too deeply");
        }
    }

    @Override
    public void begin(TextRecord r) {
        if (result) {
            result = false;
            bare = push(TextFrame.RECORD, null);
            bare.beginRecord(r);
            return;
        }
        open(start(), '{', "an object");
        JsonFrame f = push(TextFrame.RECORD, field);
        f.beginRecord(r);
        fresh = true;
        if (r.recursive) {
            enter();
        }
    }

    @Override
    public int next(int declared) {
        JsonFrame f = top;
        int likely = f.following == null ? declared : f.following[declared];
        if (f.kind == TextFrame.RECORD && likely < f.fields.length && (fresh || b[pos] == ',')) {
            JsonName x = f.names[likely];
            int p = fresh ? pos : pos + 1;
            if (x.words != null && x.isAt(b, p) && !f.saw(likely)) {
                pos = p + x.length;
                fresh = false;
                f.see(likely);
                f.index = likely;
                field = f.fields[likely];
                return likely;
            }
        }
        return nextSlow(f, likely);
    }

    private int nextSlow(JsonFrame f, int likely) {
        if (f.kind == TextFrame.ENTRY) {
            f.index++;
            if (f.index == 2) {
                f.index = 0;
                return -1;
            }
            if (f.index == 1) {
                colon();
            }
            field = f.fields[f.index];
            return f.index;
        }
        if (f == bare) {
            if (f.fields.length == 0 || f.saw(0)) {
                return -1;
            }
            f.see(0);
            f.index = 0;
            field = f.fields[0];
            return 0;
        }
        while (more('}')) {
            int i = member(f, likely);
            if (i >= 0) {
                if (f.saw(i)) {
                    f.index = -1;
                    throw malformed(keyAt, "the member \"" + f.fields[i].name + "\", which was there before");
                }
                f.see(i);
                f.index = i;
                field = f.fields[i];
                colon();
                return i;
            }
            f.index = -1;
            if (!f.record.extensible) {
                throw malformed(keyAt, "the member \"" + shownSlice() + "\", where these can be: " + expected(f.fields));
            }
            if (pos - 2 - keyAt > limits.maxXmlName()) {
                throw tooLarge(keyAt, "maxXmlName", limits.maxXmlName(), "a name of " + (pos - 2 - keyAt) + " bytes");
            }
            colon();
            skip();
        }
        f.index = -1;
        return -1;
    }

    /** Whether the object or array continues; if not, its bracket was read. */
    private boolean more(char bracket) {
        if (!fresh) {
            return next(bracket);
        }
        fresh = false;
        int p = start();
        pos = p;
        if (b[p] == bracket) {
            pos = p + 1;
            return false;
        }
        return true;
    }

    /** Reads the name of a member; returns the index of its field, or -1. The search starts at the likely field and follows the order of writing. */
    private int member(JsonFrame f, int likely) {
        int p = start();
        keyAt = p;
        if (b[p] != '"') {
            f.index = -1;
            throw wrong(p, "the name of a member");
        }
        slice(p);
        TextField[] all = f.fields;
        int[] following = f.following;
        int i = likely;
        for (int left = all.length; left > 0; left--) {
            if (i >= all.length) {
                i = following == null ? 0 : following[0];
            }
            if (JsonName.of(all[i]).isNamed(slice, sliceFrom, sliceTo)) {
                return i;
            }
            i = following == null ? i + 1 : following[i + 1];
        }
        return -1;
    }

    private String shownSlice() {
        return CreoException.shown(new String(slice, sliceFrom, Math.min(sliceTo - sliceFrom, 100), StandardCharsets.UTF_8));
    }

    private static String expected(TextField[] all) {
        StringBuilder text = new StringBuilder();
        for (TextField f : all) {
            text.append(text.length() == 0 ? "" : ", ").append(f.name);
            if (text.length() > 400) {
                return text.append(", ...").toString();
            }
        }
        return text.length() == 0 ? "none" : text.toString();
    }

    @Override
    public void end(TextRecord r) {
        JsonFrame f = top;
        if (f == bare) {
            bare = null;
            pop();
            return;
        }
        TextField[] all = f.fields;
        for (int i = f.sawAll() ? all.length : 0; i < all.length; i++) {
            if (!f.saw(i) && all[i].mustBeMember()) {
                f.index = -1;
                throw malformed(pos - 1, "without the member \"" + all[i].name + "\", which must be there");
            }
        }
        if (r.recursive) {
            level--;
        }
        open--;
        pop();
    }

    @Override
    public boolean lacks(int i) {
        return false;
    }

    @Override
    public boolean nil() {
        int p = start();
        if (b[p] != 'n') {
            charge(field.own);
            return false;
        }
        word(p, "null");
        return true;
    }

    @Override
    public int member(TextUnion u) {
        open(start(), '{', "an object of one member");
        JsonFrame f = push(TextFrame.UNION, field);
        f.fields = u.members;
        if (u.recursive) {
            enter();
        }
        fresh = true;
        if (!more('}')) {
            throw malformed(pos - 1, "no member, where one of these must be: " + expected(u.members));
        }
        int i = member(f, 0);
        if (i < 0) {
            throw malformed(keyAt, "the member \"" + shownSlice() + "\", where one of these must be: " + expected(u.members));
        }
        f.index = i;
        field = u.members[i];
        colon();
        chargeMember();
        return i;
    }

    /** For an optional member, {@link #nil} charges for the value. */
    private void chargeMember() {
        charge(field.optional ? 0 : field.own);
    }

    @Override
    public void endUnion(TextUnion u) {
        top.index = -1;
        int p = start();
        if (b[p] != '}') {
            throw b[p] == ',' ? malformed(p, "a second member of a union") : wrong(p, "the end of the union");
        }
        pos = p + 1;
        if (u.recursive) {
            level--;
        }
        open--;
        pop();
    }

    @Override
    public void beginItems() {
        open(start(), '[', "an array");
        push(TextFrame.ITEMS, field);
        fresh = true;
    }

    @Override
    public boolean nextItem() {
        JsonFrame f = top;
        if (!fresh && b[pos] == ',') {
            pos++;
        } else if (!more(']')) {
            open--;
            pop();
            return false;
        }
        f.index++;
        field = f.field.item;
        charge(f.field.each);
        return true;
    }

    @Override
    public void beginEntries() {
        open(start(), '{', "an object");
        push(TextFrame.ENTRIES, field);
        fresh = true;
    }

    @Override
    public boolean nextEntry() {
        JsonFrame f = top;
        if (!more('}')) {
            open--;
            pop();
            return false;
        }
        int p = start();
        if (b[p] != '"') {
            f.index = -1;
            throw wrong(p, "the key of an entry");
        }
        keyAt = p;
        f.index++;
        charge(f.field.each);
        TextRecord entry = f.field.entry;
        push(TextFrame.ENTRY, f.field).beginRecord(entry);
        top.index = -1;
        return true;
    }

    @Override
    public void endEntry() {
        pop();
    }

    @Override
    public CreoException duplicateKey() {
        top.index = -1;
        return malformed(keyAt, "a key that was there before");
    }

    @Override
    public Map<String, String> readAttributes() {
        LinkedHashMap<String, String> all = new LinkedHashMap<>();
        beginEntries();
        while (nextEntry()) {
            next(0);
            String key = readString();
            next(1);
            String value = readString();
            next(2);
            endEntry();
            if (all.put(key, value) != null) {
                throw duplicateKey();
            }
        }
        return Lists.frozen(all);
    }
}
