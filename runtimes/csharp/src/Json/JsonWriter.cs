using System;
using System.Runtime.CompilerServices;

namespace Creo.Json;

/// <summary>Writes JSON values (<c>spec/wires/json.md</c>) into reusable memory.</summary>
/// <remarks>The previous byte shows whether a comma is needed: only an opening is a bracket.</remarks>
internal sealed class JsonWriter : TextOutput
{
    [ThreadStatic]
    private static JsonWriter? t_writer;

    /// <summary>The thread's writer, or a new one.</summary>
    public static JsonWriter Rent(Limits limits)
    {
        JsonWriter writer = t_writer ?? new JsonWriter();
        t_writer = null;
        writer.Begin(limits);
        return writer;
    }

    public override void GiveBack()
    {
        End();
        t_writer = this;
    }

    public override void BeginRecord(TextField field, TextRecord record)
    {
        Lead(field, 1);
        Put((byte)'{');
        Push(field, StepKind.Record);
        if (record.IsRecursive)
        {
            Enter(record.Name);
        }
    }

    public override void Content(TextField field, TextRecord record)
    {
    }

    public override void AbsentText()
    {
    }

    public override void EndRecord(TextField field, TextRecord record)
    {
        _depth--;
        if (record.IsRecursive)
        {
            Leave();
        }
        Close((byte)'}');
    }

    public override TextField BeginUnion(TextField field, TextUnion union, int member)
    {
        Lead(field, 1);
        Put((byte)'{');
        Push(field, StepKind.Union);
        if (union.IsRecursive)
        {
            Enter(union.Name);
        }
        return union.Members[member];
    }

    public override void EndUnion(TextField field, TextUnion union)
    {
        _depth--;
        if (union.IsRecursive)
        {
            Leave();
        }
        Close((byte)'}');
    }

    public override TextField BeginItems(TextField field, int count)
    {
        Lead(field, 1);
        Put((byte)'[');
        Push(field, StepKind.Item);
        return field.Item!;
    }

    public override void EndItems(TextField field)
    {
        _depth--;
        Close((byte)']');
    }

    public override void BeginEntries(TextField field, int count)
    {
        Lead(field, 1);
        Put((byte)'{');
        Push(field, StepKind.Key);
    }

    public override TextField Key(TextField field, int index)
    {
        ref Step step = ref _path[_depth - 1];
        step.Index = index;
        step.Kind = StepKind.Key;
        return field.Key!;
    }

    public override TextField Value(TextField field)
    {
        _path[_depth - 1].Kind = StepKind.Value;
        return field.Value!;
    }

    public override void EndEntry(TextField field)
    {
    }

    public override void EndEntries(TextField field)
    {
        _depth--;
        Close((byte)'}');
    }

    public override void WriteAbsent(TextField field)
    {
        // A null member of a record is omitted (VAL-8).
        if (_depth == 0 || _path[_depth - 1].Kind != StepKind.Record)
        {
            Lead(field, 4);
            Raw("null"u8);
        }
    }

    public override void WriteBoolean(TextField field, bool value) => WriteOne(field, value);

    public override void WriteChar(TextField field, char value) => WriteOne(field, value);

    public override void WriteInt64(TextField field, long value) => WriteOne(field, value);

    public override void WriteInt32(TextField field, int value) => WriteOne(field, value);

    public override void WriteSingle(TextField field, float value) => WriteOne(field, value);

    public override void WriteDouble(TextField field, double value) => WriteOne(field, value);

    public override void WriteString(TextField field, string value)
    {
        if (value is null)
        {
            throw Missing(field);
        }
        _failed = field;
        bool isKey = Lead(field, 1);
        Put((byte)'"');
        Escaped(value, Escapes.Json);
        Close((byte)'"');
        EndKey(isKey);
        _failed = null;
    }

    public override void WriteInstant(TextField field, Instant value)
    {
        Lead(field, TextNumbers.MaxLength + 2);
        Put((byte)'"');
        _position += TextTimes.Put(_buffer.AsSpan(_position), value);
        Put((byte)'"');
    }

    public override void WriteDecimal(TextField field, BigDecimal value)
    {
        Lead(field, 1);
        Put((byte)'"');
        PutDecimal(value);
        Close((byte)'"');
    }

    public override void WriteBytes(TextField field, ReadOnlyMemory<byte> value)
    {
        _failed = field;
        Lead(field, 1);
        Put((byte)'"');
        Base64Digits(value.Span);
        Close((byte)'"');
        _failed = null;
    }

    public override void WriteEnum(TextField field, TextEnum type, int number)
    {
        byte[]? name = type.NameOf(number);
        if (name is null)
        {
            if (!type.IsExtensible || number < 0)
            {
                _failed = field;
                throw CreoException.Undeclared(type.Name, number);
            }
            WriteOne(field, (long)number);
            return;
        }
        bool isKey = Lead(field, name.Length + 2);
        Put((byte)'"');
        name.CopyTo(_buffer, _position);
        _position += name.Length;
        Put((byte)'"');
        EndKey(isKey);
    }

    public override void WriteRaw(TextField field, string value) => WriteString(field, value);

    public override void WriteAttributes(TextField field, ValueMap<string, string> value)
    {
    }

    public override void WriteAttributeMap(TextField field, ValueMap<string, string> value)
    {
        if (value is null)
        {
            throw Missing(field);
        }
        BeginEntries(field, value.Count);
        for (int i = 0; i < value.Entries.Length; i++)
        {
            WriteString(Key(field, i), value.Entries[i].Key);
            WriteString(Value(field), value.Entries[i].Value);
        }
        EndEntries(field);
    }

    protected override void WriteAll<T>(TextField field, ReadOnlySpan<T> items)
    {
        Lead(field, 1);
        Put((byte)'[');
        for (int i = 0; i < items.Length; i++)
        {
            Room(TextNumbers.MaxLength + 1);
            if (i > 0)
            {
                Put((byte)',');
            }
            PutValue(items[i]);
        }
        Close((byte)']');
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteOne<T>(TextField field, T value)
        where T : unmanaged
    {
        bool isKey = Lead(field, TextNumbers.MaxLength + 1);
        if (!isKey)
        {
            PutValue(value);
            return;
        }
        // The quoted text of the value, unless it is already quoted (VAL-12).
        int from = _position;
        Put((byte)'"');
        PutValue(value);
        if (_buffer[from + 1] == '"')
        {
            _position--;
            _buffer.AsSpan(from + 2, _position - from - 1).CopyTo(_buffer.AsSpan(from + 1));
        }
        else
        {
            Put((byte)'"');
        }
        Put((byte)':');
    }

    // Writes a value that takes at most the room of a number.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void PutValue<T>(T value)
        where T : unmanaged
    {
        if (typeof(T) == typeof(char))
        {
            PutChar(Unsafe.BitCast<T, char>(value));
        }
        else if (typeof(T) == typeof(double) && !double.IsFinite(Unsafe.BitCast<T, double>(value)))
        {
            PutName(Unsafe.BitCast<T, double>(value));
        }
        else if (typeof(T) == typeof(float) && !float.IsFinite(Unsafe.BitCast<T, float>(value)))
        {
            PutName(Unsafe.BitCast<T, float>(value));
        }
        else if (typeof(T) == typeof(long) && !IsExact(Unsafe.BitCast<T, long>(value)))
        {
            Put((byte)'"');
            _position += TextNumbers.Put(_buffer.AsSpan(_position), value);
            Put((byte)'"');
        }
        else
        {
            _position += TextNumbers.Put(_buffer.AsSpan(_position), value);
        }
    }

    // VAL-2.
    private static bool IsExact(long value) => value is >= -((1L << 53) - 1) and <= (1L << 53) - 1;

    private void PutName(double value) =>
        Raw(double.IsNaN(value) ? "\"NaN\""u8 : value > 0 ? "\"Infinity\""u8 : "\"-Infinity\""u8);

    // VAL-4.
    private void PutChar(char value)
    {
        if (char.IsSurrogate(value))
        {
            _position += TextNumbers.Put(_buffer.AsSpan(_position), (long)value);
            return;
        }
        Put((byte)'"');
        if (value < 128 && Escapes.Json.IsSpecial[value])
        {
            Raw(Escapes.Json.Text(value));
        }
        else
        {
            _position += new global::System.Text.Rune(value).EncodeToUtf8(_buffer.AsSpan(_position));
        }
        Put((byte)'"');
    }

    // Writes what precedes a value and makes room for it. Returns whether it is the key of an entry.
    private bool Lead(TextField field, int room)
    {
        if (_depth == 0)
        {
            Room(room);
            return false;
        }
        switch (_path[_depth - 1].Kind)
        {
            case StepKind.Item:
                Room(room + 1);
                Comma((byte)'[');
                return false;
            case StepKind.Key:
                Room(room + 3);
                Comma((byte)'{');
                return true;
            case StepKind.Value:
                Room(room);
                return false;
            default:
                byte[] member = field.Member;
                Room(member.Length + room);
                int comma = _buffer[_position - 1] == '{' ? 1 : 0;
                member.AsSpan(comma).CopyTo(_buffer.AsSpan(_position));
                _position += member.Length - comma;
                return false;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Comma(byte open)
    {
        if (_buffer[_position - 1] != open)
        {
            Put((byte)',');
        }
    }

    private void EndKey(bool isKey)
    {
        if (isKey)
        {
            Close((byte)':');
        }
    }

    // Writes a byte for which there is room.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Put(byte c) => _buffer[_position++] = c;

    // Writes a byte after text of any length.
    private void Close(byte c)
    {
        Room(1);
        Put(c);
    }
}
