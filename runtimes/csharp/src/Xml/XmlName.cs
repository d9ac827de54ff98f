using System;
using System.Runtime.CompilerServices;
using System.Text;

namespace Creo.Xml;

/// <summary>The name of an element, attribute or type, in a form to compare with bytes or copy.</summary>
internal sealed class XmlName
{
    public static readonly string None = TextNamespaces.Shared("");
    public static readonly string Xsi = TextNamespaces.Shared("http://www.w3.org/2001/XMLSchema-instance");
    public static readonly string XmlSpace = TextNamespaces.Shared("http://www.w3.org/XML/1998/namespace");
    public static readonly string Xmlns = TextNamespaces.Shared("http://www.w3.org/2000/xmlns/");

    // The bytes, eight per word, the last one padded with zeros; and the mask of significant bits.
    private readonly ulong[] _words;
    private readonly ulong _mask;

    public XmlName(string ns, string local)
    {
        Namespace = TextNamespaces.Shared(ns);
        Local = local;
        Bytes = Encoding.UTF8.GetBytes(local);
        _words = Words(Bytes);
        int rest = Bytes.Length & 7;
        _mask = Bytes.Length == 0 ? 0 : Mask(rest == 0 ? 8 : rest);
        Tag = Words([.. Bytes, (byte)'>']);
    }

    /// <summary>The interned namespace.</summary>
    public string Namespace { get; }

    public string Local { get; }

    public byte[] Bytes { get; }

    /// <summary>The bytes and <c>&gt;</c>, eight per word.</summary>
    public ulong[] Tag { get; }

    /// <summary>The bits of a word that hold its first bytes.</summary>
    public static ulong Mask(int bytes)
    {
        if (bytes is 0 or 8)
        {
            return bytes == 0 ? 0 : ulong.MaxValue;
        }
        return BitConverter.IsLittleEndian ? ulong.MaxValue >> (64 - 8 * bytes) : ulong.MaxValue << (64 - 8 * bytes);
    }

    /// <summary>Whether the name is at a position; at least eight more bytes must follow.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsAt(ref byte place)
    {
        ulong[] words = _words;
        int last = words.Length - 1;
        for (int i = 0; i < last; i++)
        {
            if (Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref place, 8 * i)) != words[i])
            {
                return false;
            }
        }
        return ((Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref place, 8 * last)) ^ words[last]) & _mask) == 0;
    }

    /// <summary>Whether a name in some bytes is this one.</summary>
    public bool Is(string ns, byte[] bytes, int from, int to) =>
        ReferenceEquals(ns, Namespace) && bytes.AsSpan(from, to - from).SequenceEqual(Bytes);

    public override string ToString() => Namespace.Length == 0 ? Local : $"{{{Namespace}}}{Local}";

    private static ulong[] Words(ReadOnlySpan<byte> bytes)
    {
        ulong[] words = new ulong[Math.Max(1, (bytes.Length + 7) / 8)];
        bytes.CopyTo(global::System.Runtime.InteropServices.MemoryMarshal.AsBytes(words.AsSpan()));
        return words;
    }
}
