using System;
using System.ComponentModel;

namespace Creo;

/// <summary>Writes values to a text wire.</summary>
/// <remarks>
/// Generated code names the value and its field; the wire defines the form. The writer derives the paths of errors from these calls.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract partial class TextWireWriter
{
    private protected TextWireWriter()
    {
    }

    /// <summary>Begins a record; its attributes, if any, and <see cref="Content"/> follow.</summary>
    public abstract void BeginRecord(TextField field, TextRecord record);

    /// <summary>Ends the attributes of a record that has any.</summary>
    public abstract void Content(TextField field, TextRecord record);

    /// <summary>The text of a record is null; this is written among its attributes.</summary>
    public abstract void AbsentText();

    public abstract void EndRecord(TextField field, TextRecord record);

    /// <summary>Begins a union and returns the member's field; the member follows.</summary>
    public abstract TextField BeginUnion(TextField field, TextUnion union, int member);

    public abstract void EndUnion(TextField field, TextUnion union);

    /// <summary>The error for a union member that came from another wire.</summary>
    public abstract CreoException UnknownMember(TextField field, TextUnion union, int member);

    /// <summary>Begins an array; returns the field of its items.</summary>
    public abstract TextField BeginItems(TextField field, int count);

    /// <summary>The item at the index follows.</summary>
    public abstract void Item(int index);

    public abstract void EndItems(TextField field);

    public abstract void BeginEntries(TextField field, int count);

    /// <summary>The key of the entry at the index follows; returns its field.</summary>
    public abstract TextField Key(TextField field, int index);

    /// <summary>The value of the entry follows; returns its field.</summary>
    public abstract TextField Value(TextField field);

    public abstract void EndEntry(TextField field);

    public abstract void EndEntries(TextField field);

    /// <summary>An optional that is null.</summary>
    public abstract void WriteAbsent(TextField field);

    /// <summary>The error for a null value that must not be null.</summary>
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

    /// <summary>A text that is a complete element (XML-36).</summary>
    public abstract void WriteRaw(TextField field, string value);

    /// <summary>Attributes by <c>local</c> or <c>{uri}local</c>, on wires that write them as attributes of the record (XML-36).</summary>
    public abstract void WriteAttributes(TextField field, ValueMap<string, string> value);

    /// <summary>The same at the position of their field, on wires that write them as a map.</summary>
    public abstract void WriteAttributeMap(TextField field, ValueMap<string, string> value);

    public abstract void WriteBooleans(TextField field, ReadOnlySpan<bool> items);

    public abstract void WriteInt16s(TextField field, ReadOnlySpan<short> items);

    public abstract void WriteChars(TextField field, ReadOnlySpan<char> items);

    public abstract void WriteInt32s(TextField field, ReadOnlySpan<int> items);

    public abstract void WriteInt64s(TextField field, ReadOnlySpan<long> items);

    public abstract void WriteSingles(TextField field, ReadOnlySpan<float> items);

    public abstract void WriteDoubles(TextField field, ReadOnlySpan<double> items);
}
