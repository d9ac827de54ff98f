using System;
using System.Collections;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Text;

namespace Creo;

/// <summary>An immutable array that is compared by its items, so that records which hold one are compared by value.</summary>
/// <remarks>
/// <para>An array is handed over, not copied: <c>Samples = measured</c> wraps <c>measured</c>, which must not be changed afterwards.
/// A list is copied, and a collection expression, <c>Samples = [1.5, 2.5]</c> or <c>Samples = [.. items]</c>, makes a new array.</para>
/// <para>The default value is empty.</para>
/// </remarks>
[CollectionBuilder(typeof(ValueArray), nameof(ValueArray.Create))]
public readonly struct ValueArray<T> : IReadOnlyList<T>, IEquatable<ValueArray<T>>
{
    private readonly T[]? _items;

    internal ValueArray(T[] items) => _items = items;

    /// <summary>An array without items.</summary>
    public static ValueArray<T> Empty => default;

    public int Count => _items is null ? 0 : _items.Length;

    public bool IsEmpty => Count == 0;

    /// <summary>The items, where they are.</summary>
    public ReadOnlySpan<T> Span => _items;

    /// <summary>The items, where they are.</summary>
    public ReadOnlyMemory<T> Memory => _items;

    public ref readonly T this[int index] => ref (_items ?? [])[index];

    T IReadOnlyList<T>.this[int index] => this[index];

    /// <summary>Hands an array over: it must not be changed afterwards.</summary>
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

    /// <summary>A hash of the count and of the items at both ends, so that a large array costs no more than a small one.</summary>
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

    /// <summary>Goes through the items without memory of its own.</summary>
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
