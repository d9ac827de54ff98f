using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Numerics;
using System.Text;

namespace Creo;

/// <summary>What text wires know of an enum. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class TextEnum
{
    private const int MaxTable = 4096;
    private const int MaxList = 400;

    private readonly byte[][] _texts;
    private byte[][] _names;
    private readonly int[] _numbers;

    // The index plus one by number, if numbers are small; else a dictionary is used.
    private readonly int[]? _byNumber;
    private readonly Dictionary<int, int> _byLargeNumber = [];

    // Open addressing by the hash of the text, or of the name: the index plus one.
    private readonly int[] _byText;
    private int[] _byName;

    /// <summary>An enum.</summary>
    /// <param name="name">The declared name.</param>
    /// <param name="texts">The text of each constant.</param>
    /// <param name="numbers">The number of each constant.</param>
    public TextEnum(string name, string[] texts, int[] numbers)
    {
        Name = name;
        _numbers = numbers;
        _texts = new byte[texts.Length][];
        _names = _texts;
        int max = 0;
        foreach (int number in numbers)
        {
            max = Math.Max(max, number);
        }
        _byNumber = max < MaxTable ? new int[max + 1] : null;
        for (int i = 0; i < texts.Length; i++)
        {
            byte[] text = Encoding.UTF8.GetBytes(texts[i]);
            _texts[i] = text;
            IsSpecial |= text.Length == 0 || text.AsSpan().IndexOfAnyInRange((byte)0, (byte)' ') >= 0 || text.AsSpan().IndexOfAny("&<>\"|\\~"u8) >= 0;
            if (_byNumber is null)
            {
                _byLargeNumber[numbers[i]] = i + 1;
            }
            else
            {
                _byNumber[numbers[i]] = i + 1;
            }
        }
        _byText = Slots(_texts);
        _byName = _byText;
    }

    /// <summary>Whether the enum is extensible.</summary>
    public bool IsExtensible { get; init; }

    /// <summary>The declared names of the constants, if they differ from their texts.</summary>
    public string[] Names
    {
        init
        {
            _names = Array.ConvertAll(value, Encoding.UTF8.GetBytes);
            _byName = Slots(_names);
        }
    }

    internal string Name { get; }

    /// <summary>Whether a text needs escapes, or cannot be an item of a list.</summary>
    internal bool IsSpecial { get; }

    /// <summary>The text of a number, or null if unknown.</summary>
    internal byte[]? Text(int number) => IndexOf(number) is var index and >= 0 ? _texts[index] : null;

    /// <summary>The declared name of a number, or null if unknown.</summary>
    internal byte[]? NameOf(int number) => IndexOf(number) is var index and >= 0 ? _names[index] : null;

    /// <summary>The number of a text, or -1.</summary>
    internal int Number(ReadOnlySpan<byte> text) => Find(text, _texts, _byText);

    /// <summary>The number of a declared name, or -1.</summary>
    internal int NumberOfName(ReadOnlySpan<byte> name) => Find(name, _names, _byName);

    /// <summary>The constants' texts, or their names, for messages.</summary>
    internal string Expected(bool names = false)
    {
        var list = new StringBuilder();
        foreach (byte[] text in names ? _names : _texts)
        {
            list.Append(list.Length == 0 ? "" : ", ").Append(Encoding.UTF8.GetString(text));
            if (list.Length > MaxList)
            {
                return list.Append(", ...").ToString();
            }
        }
        return list.ToString();
    }

    private static int[] Slots(byte[][] texts)
    {
        int[] slots = new int[(int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(4, 2 * texts.Length))];
        for (int i = 0; i < texts.Length; i++)
        {
            int slot = Hash(texts[i]) & (slots.Length - 1);
            while (slots[slot] != 0)
            {
                slot = (slot + 1) & (slots.Length - 1);
            }
            slots[slot] = i + 1;
        }
        return slots;
    }

    private static int Hash(ReadOnlySpan<byte> text)
    {
        int hash = 0;
        foreach (byte b in text)
        {
            hash = 31 * hash + b;
        }
        return hash ^ (hash >> 15);
    }

    private int Find(ReadOnlySpan<byte> text, byte[][] texts, int[] slots)
    {
        for (int slot = Hash(text) & (slots.Length - 1); slots[slot] != 0; slot = (slot + 1) & (slots.Length - 1))
        {
            int index = slots[slot] - 1;
            if (text.SequenceEqual(texts[index]))
            {
                return _numbers[index];
            }
        }
        return -1;
    }

    private int IndexOf(int number)
    {
        int index = 0;
        if (_byNumber is not null)
        {
            index = (uint)number < (uint)_byNumber.Length ? _byNumber[number] : 0;
        }
        else if (_byLargeNumber.TryGetValue(number, out int found))
        {
            index = found;
        }
        return index - 1;
    }
}
