using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Text;

namespace Creo;

/// <summary>An immutable array that is compared by its items; records that contain one are thus compared by value.</summary>
/// <remarks>
/// <para>An array is taken over, not copied: <c>Samples = measured</c> wraps <c>measured</c>, which must not change afterwards. A list is copied, and
/// a collection expression, <c>Samples = [1.5, 2.5]</c> or <c>Samples = [.. items]</c>, makes a new array.</para>
/// <para>The default value is empty.</para>
/// </remarks>
[CollectionBuilder(typeof(ValueArray), nameof(ValueArray.Create))]
public readonly struct ValueArray<T> : IReadOnlyList<T>, IEquatable<ValueArray<T>>
{
    private readonly T[]? _items;

    internal ValueArray(T[] items) => _items = items;

    /// <summary>An empty array.</summary>
    public static ValueArray<T> Empty => default;

    public int Count => _items is null ? 0 : _items.Length;

    public bool IsEmpty => Count == 0;

    /// <summary>The items, without a copy.</summary>
    public ReadOnlySpan<T> Span => _items;

    /// <summary>The items, without a copy.</summary>
    public ReadOnlyMemory<T> Memory => _items;

    public ref readonly T this[int index] => ref (_items ?? [])[index];

    T IReadOnlyList<T>.this[int index] => this[index];

    /// <summary>Takes over an array, which must not change afterwards.</summary>
    public static implicit operator ValueArray<T>(T[] items)
    {
        ArgumentNullException.ThrowIfNull(items);
        return new ValueArray<T>(items);
    }

    /// <summary>A copy of the items of a list.</summary>
    public static implicit operator ValueArray<T>(List<T> items)
    {
        ArgumentNullException.ThrowIfNull(items);
        return items.ToValueArray();
    }

    public static implicit operator ReadOnlySpan<T>(ValueArray<T> items) => items._items;

    public static implicit operator ReadOnlyMemory<T>(ValueArray<T> items) => items._items;

    public static bool operator ==(ValueArray<T> left, ValueArray<T> right) => left.Equals(right);

    public static bool operator !=(ValueArray<T> left, ValueArray<T> right) => !left.Equals(right);

    /// <summary>A copy of the items.</summary>
    public T[] ToArray() => Span.ToArray();

    public bool Equals(ValueArray<T> other) =>
        ReferenceEquals(_items, other._items) || Span.SequenceEqual(other.Span, EqualityComparer<T>.Default);

    public override bool Equals(object? obj) => obj is ValueArray<T> other && Equals(other);

    /// <summary>A hash of the count and of the items at both ends, so a large array takes no longer than a small one.</summary>
    public override int GetHashCode()
    {
        const int ends = 8;
        var hash = new HashCode();
        ReadOnlySpan<T> items = Span;
        hash.Add(items.Length);
        for (int i = 0; i < items.Length; i++)
        {
            if (i == ends && items.Length > 2 * ends)
            {
                i = items.Length - ends;
            }
            hash.Add(items[i]);
        }
        return hash.ToHashCode();
    }

    /// <summary>The first items.</summary>
    public override string ToString()
    {
        const int shown = 16;
        var text = new StringBuilder("[");
        for (int i = 0; i < Count && i < shown; i++)
        {
            text.Append(i == 0 ? "" : ", ").Append(this[i]);
        }
        if (Count > shown)
        {
            text.Append(", ... ").Append(Count - shown).Append(" more");
        }
        return text.Append(']').ToString();
    }

    public Enumerator GetEnumerator() => new(_items ?? []);

    IEnumerator<T> IEnumerable<T>.GetEnumerator() => ((IEnumerable<T>)(_items ?? [])).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => (_items ?? []).GetEnumerator();

    /// <summary>Enumerates the items without allocating.</summary>
    public struct Enumerator
    {
        private readonly T[] _items;
        private int _index;

        internal Enumerator(T[] items)
        {
            _items = items;
            _index = -1;
        }

        public readonly ref readonly T Current => ref _items[_index];

        public bool MoveNext() => ++_index < _items.Length;
    }
}

/// <summary>Makes <see cref="ValueArray{T}"/>s.</summary>
public static class ValueArray
{
    /// <summary>A copy of some items.</summary>
    public static ValueArray<T> Create<T>(ReadOnlySpan<T> items) => items.IsEmpty ? default : new ValueArray<T>(items.ToArray());

    /// <summary>A copy of some items.</summary>
    public static ValueArray<T> ToValueArray<T>(this IEnumerable<T> items) => new([.. items]);
}

/// <summary>An immutable map that keeps the order of its entries and is compared without regard to order.</summary>
/// <remarks>
/// Made from a dictionary, <c>Counts = new Dictionary&lt;string, int&gt; { ["a"] = 1 }</c>, or from entries, <c>Counts = [new("a", 1), new("b",
/// 2)]</c>.
/// </remarks>
[CollectionBuilder(typeof(ValueMap), nameof(ValueMap.Create))]
public sealed class ValueMap<TKey, TValue> : IReadOnlyDictionary<TKey, TValue>, IEquatable<ValueMap<TKey, TValue>>
    where TKey : notnull
{
    // Up to this many entries, a linear search is faster than a table.
    private const int Few = 8;

    // A peer cannot choose colliding keys: numbers are multiplied by a secret, and texts have the platform's randomized hash.
    private static readonly ulong Secret = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(8)) | 1;

    private readonly KeyValuePair<TKey, TValue>[] _entries;

    // For more than a few entries: the first entry of each slot plus one, and for each entry the next in its slot plus one.
    private readonly int[]? _slots;
    private readonly int[]? _next;

    private ValueMap(KeyValuePair<TKey, TValue>[] entries, int[]? slots, int[]? next)
    {
        _entries = entries;
        _slots = slots;
        _next = next;
    }

    /// <summary>An empty map.</summary>
    public static ValueMap<TKey, TValue> Empty { get; } = new([], null, null);

    public int Count => _entries.Length;

    /// <summary>The entries in order, without a copy.</summary>
    public ReadOnlySpan<KeyValuePair<TKey, TValue>> Entries => _entries;

    public TValue this[TKey key] => TryGetValue(key, out TValue? value) ? value : throw new KeyNotFoundException($"no entry has the key {key}");

    public IEnumerable<TKey> Keys
    {
        get
        {
            foreach (KeyValuePair<TKey, TValue> entry in _entries)
            {
                yield return entry.Key;
            }
        }
    }

    public IEnumerable<TValue> Values
    {
        get
        {
            foreach (KeyValuePair<TKey, TValue> entry in _entries)
            {
                yield return entry.Value;
            }
        }
    }

    /// <summary>A copy of a dictionary.</summary>
    public static implicit operator ValueMap<TKey, TValue>(Dictionary<TKey, TValue> entries)
    {
        ArgumentNullException.ThrowIfNull(entries);
        return ValueMap.ToValueMap(entries);
    }

    /// <summary>Wraps entries that no other code uses; false for a duplicate key, with the position of the second one.</summary>
    internal static bool TryWrap(KeyValuePair<TKey, TValue>[] entries, [NotNullWhen(true)] out ValueMap<TKey, TValue>? map, out int second)
    {
        map = null;
        if (entries.Length <= Few)
        {
            for (second = 1; second < entries.Length; second++)
            {
                for (int i = 0; i < second; i++)
                {
                    if (EqualityComparer<TKey>.Default.Equals(entries[i].Key, entries[second].Key))
                    {
                        return false;
                    }
                }
            }
            map = entries.Length == 0 ? Empty : new(entries, null, null);
            return true;
        }
        int[] slots = new int[BitOperations.RoundUpToPowerOf2((uint)entries.Length)];
        int[] next = new int[entries.Length];
        for (second = 0; second < entries.Length; second++)
        {
            TKey key = entries[second].Key;
            ref int slot = ref slots[Slot(key, slots.Length)];
            for (int i = slot; i != 0; i = next[i - 1])
            {
                if (EqualityComparer<TKey>.Default.Equals(entries[i - 1].Key, key))
                {
                    return false;
                }
            }
            next[second] = slot;
            slot = second + 1;
        }
        map = new(entries, slots, next);
        return true;
    }

    public bool ContainsKey(TKey key) => Find(key) >= 0;

    public bool TryGetValue(TKey key, [MaybeNullWhen(false)] out TValue value)
    {
        int found = Find(key);
        value = found < 0 ? default : _entries[found].Value;
        return found >= 0;
    }

    public bool Equals(ValueMap<TKey, TValue>? other)
    {
        if (ReferenceEquals(this, other))
        {
            return true;
        }
        if (other is null || other.Count != Count)
        {
            return false;
        }
        foreach (KeyValuePair<TKey, TValue> entry in _entries)
        {
            int found = other.Find(entry.Key);
            if (found < 0 || !EqualityComparer<TValue>.Default.Equals(entry.Value, other._entries[found].Value))
            {
                return false;
            }
        }
        return true;
    }

    public override bool Equals(object? obj) => Equals(obj as ValueMap<TKey, TValue>);

    public override int GetHashCode()
    {
        int hash = Count;
        foreach (KeyValuePair<TKey, TValue> entry in _entries)
        {
            hash += entry.Key.GetHashCode();
        }
        return hash;
    }

    /// <summary>The first entries.</summary>
    public override string ToString()
    {
        const int shown = 16;
        var text = new StringBuilder("{");
        for (int i = 0; i < Count && i < shown; i++)
        {
            text.Append(i == 0 ? "" : ", ").Append(_entries[i].Key).Append(": ").Append(_entries[i].Value);
        }
        if (Count > shown)
        {
            text.Append(", ... ").Append(Count - shown).Append(" more");
        }
        return text.Append('}').ToString();
    }

    public IEnumerator<KeyValuePair<TKey, TValue>> GetEnumerator() => ((IEnumerable<KeyValuePair<TKey, TValue>>)_entries).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private int Find(TKey key)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (_slots is null || _next is null)
        {
            for (int i = 0; i < _entries.Length; i++)
            {
                if (EqualityComparer<TKey>.Default.Equals(_entries[i].Key, key))
                {
                    return i;
                }
            }
            return -1;
        }
        int entry = _slots[Slot(key, _slots.Length)];
        while (entry != 0 && !EqualityComparer<TKey>.Default.Equals(_entries[entry - 1].Key, key))
        {
            entry = _next[entry - 1];
        }
        return entry - 1;
    }

    private static int Slot(TKey key, int slots)
    {
        ulong hash = typeof(TKey) == typeof(long) ? (ulong)(long)(object)key : (uint)key.GetHashCode();
        return (int)((hash * Secret) >> (64 - BitOperations.Log2((uint)slots)));
    }
}

/// <summary>Makes <see cref="ValueMap{TKey, TValue}"/>s.</summary>
public static class ValueMap
{
    /// <summary>A map of entries, in order.</summary>
    /// <exception cref="ArgumentException">A key occurs twice.</exception>
    public static ValueMap<TKey, TValue> Create<TKey, TValue>(ReadOnlySpan<KeyValuePair<TKey, TValue>> entries)
        where TKey : notnull => Wrap(entries.ToArray());

    /// <summary>A map of entries, in order.</summary>
    /// <exception cref="ArgumentException">A key occurs twice.</exception>
    public static ValueMap<TKey, TValue> ToValueMap<TKey, TValue>(this IEnumerable<KeyValuePair<TKey, TValue>> entries)
        where TKey : notnull => Wrap([.. entries]);

    private static ValueMap<TKey, TValue> Wrap<TKey, TValue>(KeyValuePair<TKey, TValue>[] entries)
        where TKey : notnull =>
        ValueMap<TKey, TValue>.TryWrap(entries, out ValueMap<TKey, TValue>? map, out int second)
            ? map
            : throw new ArgumentException($"the key {entries[second].Key} occurs twice", nameof(entries));
}
