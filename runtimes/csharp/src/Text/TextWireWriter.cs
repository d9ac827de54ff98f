using System;
using System.ComponentModel;

namespace Creo;

/// <summary>Writes values to a text wire.</summary>
/// <remarks>
/// Generated code says which value it writes and as which field; the wire decides what that looks like. The writer keeps the place of errors from
/// the calls.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class TextWireWriter
{
    private protected TextWireWriter()
    {
    }

    /// <summary>Begins a record; if it has attributes, they follow, and <see cref="Content"/> after them.</summary>
    public abstract void BeginRecord(TextField field, TextRecord record);

    /// <summary>Ends the attributes of a record that has any.</summary>
    public abstract void Content(TextField field, TextRecord record);

    /// <summary>The text of a record is nothing: said among its attributes.</summary>
    public abstract void AbsentText();

    public abstract void EndRecord(TextField field, TextRecord record);

    /// <summary>Begins a union; its member follows, written as the field that is returned.</summary>
    public abstract TextField BeginUnion(TextField field, TextUnion union, int member);

    public abstract void EndUnion(TextField field, TextUnion union);

    /// <summary>A member of a union that came from another wire.</summary>
    public abstract CreoException UnknownMember(TextField field, TextUnion union, int member);

    /// <summary>Begins an array; the field of its items is returned.</summary>
    public abstract TextField BeginItems(TextField field, int count);

    /// <summary>The item of the index follows.</summary>
    public abstract void Item(int index);

    public abstract void EndItems(TextField field);

    public abstract void BeginEntries(TextField field, int count);

    /// <summary>The key of the entry of the index follows; its field is returned.</summary>
    public abstract TextField Key(TextField field, int index);

    /// <summary>The value of the entry follows; its field is returned.</summary>
    public abstract TextField Value(TextField field);

    public abstract void EndEntry(TextField field);

    public abstract void EndEntries(TextField field);

    /// <summary>An optional that is nothing.</summary>
    public abstract void WriteAbsent(TextField field);

    /// <summary>A value is null where none may be.</summary>
    public abstract CreoException Missing(TextField field);

    public abstract void WriteBoolean(TextField field, bool value);

    public abstract void WriteSByte(TextField field, sbyte value);

    public abstract void WriteInt16(TextField field, short value);

    public abstract void WriteChar(TextField field, char value);

    public abstract void WriteInt32(TextField field, int value);

    public abstract void WriteInt64(TextField field, long value);

    public abstract void WriteSingle(TextField field, float value);

    public abstract void WriteDouble(TextField field, double value);

    public abstract void WriteString(TextField field, string value);

    public abstract void WriteInstant(TextField field, Instant value);

    public abstract void WriteDecimal(TextField field, BigDecimal value);

    public abstract void WriteBytes(TextField field, ReadOnlyMemory<byte> value);

    /// <summary>A constant of an enum, by its number.</summary>
    public abstract void WriteEnum(TextField field, TextEnum type, int number);

    /// <summary>A text that is a whole element (XML-36).</summary>
    public abstract void WriteRaw(TextField field, string value);

    /// <summary>Attributes by <c>local</c> or <c>{uri}local</c>, where a wire has them among those of the record (XML-36).</summary>
    public abstract void WriteAttributes(TextField field, ValueMap<string, string> value);

    /// <summary>The same, in the field's turn, where a wire has them as a map.</summary>
    public abstract void WriteAttributeMap(TextField field, ValueMap<string, string> value);

    public abstract void WriteBooleans(TextField field, ReadOnlySpan<bool> items);

    public abstract void WriteInt16s(TextField field, ReadOnlySpan<short> items);

    public abstract void WriteChars(TextField field, ReadOnlySpan<char> items);

    public abstract void WriteInt32s(TextField field, ReadOnlySpan<int> items);

    public abstract void WriteInt64s(TextField field, ReadOnlySpan<long> items);

    public abstract void WriteSingles(TextField field, ReadOnlySpan<float> items);

    public abstract void WriteDoubles(TextField field, ReadOnlySpan<double> items);
}
