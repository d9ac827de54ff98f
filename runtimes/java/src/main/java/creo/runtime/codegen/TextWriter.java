package creo.runtime.codegen;

import creo.runtime.CreoException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;

/**
 * Writes values to a text wire. Generated code names the value and its field; the wire defines the form. The writer derives the paths of errors from
 * these calls.
 */
public abstract class TextWriter {
    protected TextWriter() {}

    /** Begins a record; its attributes, if any, and {@link #content} follow. */
    public abstract void beginRecord(TextField f, TextRecord r);

    /** Ends the attributes of a record that has any. */
    public abstract void content(TextField f, TextRecord r);

    /** The text of the record is null; this is written among its attributes. */
    public abstract void absentText();

    public abstract void endRecord(TextField f, TextRecord r);

    /** Begins a union and returns the member's field; the member follows. */
    public abstract TextField beginUnion(TextField f, TextUnion u, int member);

    public abstract void endUnion(TextField f, TextUnion u);

    /** The error for a union member that came from another wire. */
    public abstract CreoException unknownMember(TextField f, TextUnion u, int member);

    /** Begins an array; returns the field of its items. */
    public abstract TextField beginItems(TextField f, int count);

    /** The item at the index follows. */
    public abstract void item(int index);

    public abstract void endItems(TextField f);

    public abstract void beginEntries(TextField f, int count);

    /** The key of the entry at the index follows; returns its field. */
    public abstract TextField key(TextField f, int index);

    /** The value of the entry follows; returns its field. */
    public abstract TextField value(TextField f);

    public abstract void endEntry(TextField f);

    public abstract void endEntries(TextField f);

    /** An optional that is null. */
    public abstract void absent(TextField f);

    /** The error for a null value that must not be null. */
    public abstract CreoException missing(TextField f);

    public abstract void writeBoolean(TextField f, boolean v);

    public abstract void writeByte(TextField f, byte v);

    public abstract void writeShort(TextField f, short v);

    public abstract void writeChar(TextField f, char v);

    public abstract void writeInt(TextField f, int v);

    public abstract void writeLong(TextField f, long v);

    public abstract void writeFloat(TextField f, float v);

    public abstract void writeDouble(TextField f, double v);

    public abstract void writeString(TextField f, String v);

    public abstract void writeInstant(TextField f, Instant v);

    public abstract void writeDecimal(TextField f, BigDecimal v);

    public abstract void writeBytes(TextField f, byte[] v);

    /** A constant of an enum, by its number. */
    public abstract void writeEnum(TextField f, TextEnum e, int number);

    /** A text that is a complete element. */
    public abstract void writeRaw(TextField f, String v);

    /** Writes the undeclared attributes, in the place of attributes. */
    public abstract void writeAttributes(TextField f, Map<String, String> v);

    /** Writes them at the declared position of their field, on wires without attributes. */
    public abstract void writeAttributesAsMap(TextField f, Map<String, String> v);

    public void writeBooleans(TextField f, boolean[] v) {
        TextField item = begin(f, v);
        for (boolean each : v) {
            writeBoolean(item, each);
        }
        endItems(f);
    }

    private TextField begin(TextField f, Object v) {
        if (v == null) {
            throw missing(f);
        }
        return beginItems(f, Array.getLength(v));
    }

    public void writeShorts(TextField f, short[] v) {
        TextField item = begin(f, v);
        for (short each : v) {
            writeInt(item, each);
        }
        endItems(f);
    }

    public void writeChars(TextField f, char[] v) {
        TextField item = begin(f, v);
        for (char each : v) {
            writeChar(item, each);
        }
        endItems(f);
    }

    public void writeInts(TextField f, int[] v) {
        TextField item = begin(f, v);
        for (int each : v) {
            writeInt(item, each);
        }
        endItems(f);
    }

    public void writeLongs(TextField f, long[] v) {
        TextField item = begin(f, v);
        for (long each : v) {
            writeLong(item, each);
        }
        endItems(f);
    }

    public void writeFloats(TextField f, float[] v) {
        TextField item = begin(f, v);
        for (float each : v) {
            writeFloat(item, each);
        }
        endItems(f);
    }

    public void writeDoubles(TextField f, double[] v) {
        TextField item = begin(f, v);
        for (double each : v) {
            writeDouble(item, each);
        }
        endItems(f);
    }
}
