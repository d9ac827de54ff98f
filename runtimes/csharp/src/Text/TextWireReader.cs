using System;
using System.Collections.Generic;
using System.ComponentModel;

namespace Creo;

/// <summary>Reads values from a text wire.</summary>
/// <remarks>
/// Generated code asks which field comes next and then for a value of its type; the wire defines the form. The reader derives the paths of errors
/// from these calls.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract partial class TextWireReader
{
    private protected TextWireReader()
    {
    }

    /// <summary>Begins the record at the reader's position.</summary>
    public abstract void Begin(TextRecord record);

    /// <summary>The index of the field whose value comes next, or -1 at the end of the record.</summary>
    /// <param name="likely">The prediction.</param>
    public abstract int Next(int likely);

    /// <summary>Ends the record and checks that no required field is absent.</summary>
    public abstract void End(TextRecord record);

    /// <summary>Whether an inline field is absent: its value is then read as one without elements.</summary>
    public abstract bool Lacks(int field);

    /// <summary>Whether the value is null.</summary>
    public abstract bool ReadNil();

    /// <summary>Begins a union; returns the index of its member, whose value comes next.</summary>
    public abstract int Member(TextUnion union);

    public abstract void EndUnion(TextUnion union);

    public abstract void BeginItems();

    /// <summary>Whether another item follows.</summary>
    public abstract bool NextItem();

    public abstract void BeginEntries();

    /// <summary>Whether another entry follows: a record whose field 0 is the key and field 1 the value.</summary>
    public abstract bool NextEntry();

    public abstract void EndEntry();

    public abstract bool ReadBoolean();

    public abstract sbyte ReadSByte();

    public abstract short ReadInt16();

    public abstract char ReadChar();

    public abstract int ReadInt32();

    public abstract long ReadInt64();

    public abstract float ReadSingle();

    public abstract double ReadDouble();

    public abstract string ReadString();

    public abstract Instant ReadInstant();

    public abstract BigDecimal ReadDecimal();

    public abstract ValueArray<byte> ReadBytes();

    /// <summary>The number of a constant.</summary>
    public abstract int ReadEnum(TextEnum type);

    /// <summary>A complete element as text (XML-36).</summary>
    public abstract string ReadRaw();

    public abstract ValueMap<string, string> ReadAttributes();

    public abstract ValueArray<bool> ReadBooleans();

    public abstract ValueArray<short> ReadInt16s();

    public abstract ValueArray<char> ReadChars();

    public abstract ValueArray<int> ReadInt32s();

    public abstract ValueArray<long> ReadInt64s();

    public abstract ValueArray<float> ReadSingles();

    public abstract ValueArray<double> ReadDoubles();

    /// <summary>Reads an array with a function for its items.</summary>
    public ValueArray<T> ReadItems<T>(TextRead<T> read)
    {
        ArgumentNullException.ThrowIfNull(read);
        T[] items = [];
        int count = 0;
        BeginItems();
        while (NextItem())
        {
            Append(ref items, count++, read(this));
        }
        Array.Resize(ref items, count);
        return items;
    }

    /// <summary>Reads a map with functions for its keys and values.</summary>
    public ValueMap<TKey, TValue> ReadEntries<TKey, TValue>(TextRead<TKey> readKey, TextRead<TValue> readValue)
        where TKey : notnull
    {
        ArgumentNullException.ThrowIfNull(readKey);
        ArgumentNullException.ThrowIfNull(readValue);
        KeyValuePair<TKey, TValue>[] entries = [];
        int count = 0;
        BeginEntries();
        while (NextEntry())
        {
            TKey key = default!;
            TValue value = default!;
            for (int i = Next(0); i >= 0; i = Next(i + 1))
            {
                if (i == 0)
                {
                    key = readKey(this);
                }
                else
                {
                    value = readValue(this);
                }
            }
            EndEntry();
            Append(ref entries, count++, new(key, value));
        }
        Array.Resize(ref entries, count);
        return ValueMap<TKey, TValue>.TryWrap(entries, out ValueMap<TKey, TValue>? map, out int second) ? map : throw DuplicateKey(second);
    }

    /// <summary>The error for a duplicate key.</summary>
    internal abstract CreoException DuplicateKey(int entry);

    private protected static void Append<T>(ref T[] items, int count, T item)
    {
        if (count == items.Length)
        {
            Array.Resize(ref items, count < 4 ? 4 : (int)Math.Min(2L * count, Array.MaxLength));
        }
        items[count] = item;
    }
}
