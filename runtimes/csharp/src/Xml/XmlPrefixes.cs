using System;

namespace Creo.Xml;

// The bound prefixes, innermost last. Beyond a certain number they are indexed, so lookups stay fast.
internal sealed class XmlPrefixes
{
    private const int Few = 8;

    // Random: peers cannot provoke collisions in the index.
    private static readonly uint Multiplier = (uint)Random.Shared.Next() | 1;

    private Binding[] _all = new Binding[16];

    // The first bindings are indexed: by the prefix's hash the innermost one, and for each the one before it.
    private int _indexed;
    private int[] _newest = [];
    private int[] _older = [];
    private uint[] _hashes = [];

    // The position of a prefix in the text, and its namespace.
    internal readonly record struct Binding(int Start, int Length, string Uri);

    // The number of bindings.
    public int Count { get; private set; }

    // The number of comparisons so far.
    public long Compared { get; private set; }

    public Binding this[int index] => _all[index];

    // Binds the prefix at a position of the text.
    public void Bind(byte[] text, int at, int length, string uri)
    {
        if (Count == _all.Length)
        {
            Array.Resize(ref _all, 2 * Count);
        }
        _all[Count++] = new Binding(at, length, uri);
        if (Count > Few)
        {
            Index(text);
        }
    }

    // Restores an earlier number of bindings; or a later one, in a text that is read again.
    public void Reset(byte[] text, int count)
    {
        Count = count;
        while (_indexed > count)
        {
            _indexed--;
            _newest[_hashes[_indexed] & (_newest.Length - 1)] = _older[_indexed];
        }
        if (count > Few)
        {
            Index(text);
        }
    }

    // The innermost binding of a prefix, or -1.
    public int Find(byte[] text, ReadOnlySpan<byte> prefix)
    {
        int i = Count <= Few ? Count : _newest[Hash(prefix) & (_newest.Length - 1)];
        while (--i >= 0)
        {
            Compared++;
            ref Binding binding = ref _all[i];
            if (binding.Length == prefix.Length && text.AsSpan(binding.Start, binding.Length).SequenceEqual(prefix))
            {
                return i;
            }
            i = Count <= Few ? i : _older[i];
        }
        return -1;
    }

    private void Index(byte[] text)
    {
        if (_older.Length < _all.Length)
        {
            // Doubles the index and fills it again.
            _newest = new int[2 * _all.Length];
            _older = new int[_all.Length];
            _hashes = new uint[_all.Length];
            _indexed = 0;
        }
        for (; _indexed < Count; _indexed++)
        {
            uint hash = Hash(text.AsSpan(_all[_indexed].Start, _all[_indexed].Length));
            ref int newest = ref _newest[hash & (_newest.Length - 1)];
            _hashes[_indexed] = hash;
            _older[_indexed] = newest;
            newest = _indexed + 1;
        }
    }

    private static uint Hash(ReadOnlySpan<byte> prefix)
    {
        uint hash = (uint)prefix.Length;
        foreach (byte c in prefix)
        {
            hash = unchecked((hash + c) * Multiplier);
            hash ^= hash >> 15;
        }
        return hash;
    }
}
