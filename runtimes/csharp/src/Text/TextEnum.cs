using System;
using System.Collections.Generic;
using System.Numerics;
using System.Text;
using Creo.Xml;

namespace Creo;

/// <summary>What text wires know of an enum. For generated code.</summary>
public sealed class TextEnum
{
    private const int LargestTable = 4096;
    private const int LongestList = 400;

    private readonly byte[][] _texts;
    private readonly int[] _numbers;

    // The index plus one of a number, where numbers are small; else a dictionary.
    private readonly int[]? _byNumber;
    private readonly Dictionary<int, int> _byLargeNumber = [];

    // Open addressing by the hash of the text: the index plus one.
    private readonly int[] _byText;

    /// <summary>An enum.</summary>
    /// <param name="name">As declared.</param>
    /// <param name="texts">The text of each constant.</param>
    /// <param name="numbers">The number of each constant.</param>
    public TextEnum(string name, string[] texts, int[] numbers)
    {
        Name = name;
        _numbers = numbers;
        _texts = new byte[texts.Length][];
        _byText = new int[(int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(4, 2 * texts.Length))];
        int most = 0;
        foreach (int number in numbers)
        {
            most = Math.Max(most, number);
        }
        _byNumber = most < LargestTable ? new int[most + 1] : null;
        for (int i = 0; i < texts.Length; i++)
        {
            byte[] text = Encoding.UTF8.GetBytes(texts[i]);
            _texts[i] = text;
            IsSpecial |= text.Length == 0 || text.AsSpan().IndexOfAnyInRange((byte)0, (byte)' ') >= 0 || text.AsSpan().IndexOfAny("&<>\""u8) >= 0;
            int slot = XmlName.Hash(text) & (_byText.Length - 1);
            while (_byText[slot] != 0)
            {
                slot = (slot + 1) & (_byText.Length - 1);
            }
            _byText[slot] = i + 1;
            if (_byNumber is null)
            {
                _byLargeNumber[numbers[i]] = i + 1;
            }
            else
            {
                _byNumber[numbers[i]] = i + 1;
            }
        }
    }

    /// <summary>It may grow.</summary>
    public bool IsExtensible { get; init; }

    internal string Name { get; }

    /// <summary>Whether a text needs escapes, or cannot be in a list.</summary>
    internal bool IsSpecial { get; }

    /// <summary>The text of a number, or null if it is not known.</summary>
    internal byte[]? Text(int number)
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
        return index == 0 ? null : _texts[index - 1];
    }

    /// <summary>The number of a text, or -1.</summary>
    internal int Number(ReadOnlySpan<byte> text)
    {
        for (int slot = XmlName.Hash(text) & (_byText.Length - 1); _byText[slot] != 0; slot = (slot + 1) & (_byText.Length - 1))
        {
            int index = _byText[slot] - 1;
            if (text.SequenceEqual(_texts[index]))
            {
                return _numbers[index];
            }
        }
        return -1;
    }

    /// <summary>The constants, for messages.</summary>
    internal string Expected()
    {
        var list = new StringBuilder();
        foreach (byte[] text in _texts)
        {
            list.Append(list.Length == 0 ? "" : ", ").Append(Encoding.UTF8.GetString(text));
            if (list.Length > LongestList)
            {
                return list.Append(", ...").ToString();
            }
        }
        return list.ToString();
    }
}
