using System;
using System.Buffers;

namespace Creo.Xml;

// Arrays of primitives.
internal sealed partial class XmlReader
{
    public override ValueArray<bool> ReadBooleans()
    {
        var items = default(Growing<bool>);
        BeginItems();
        while (NextItem())
        {
            items.Add(ReadBoolean());
        }
        return items.ToArray();
    }

    public override ValueArray<short> ReadInt16s()
    {
        var items = default(Growing<short>);
        BeginItems();
        while (NextItem())
        {
            items.Add(ReadInt16());
        }
        return items.ToArray();
    }

    public override ValueArray<char> ReadChars()
    {
        var items = default(Growing<char>);
        BeginItems();
        while (NextItem())
        {
            items.Add(ReadChar());
        }
        return items.ToArray();
    }

    public override ValueArray<int> ReadInt32s()
    {
        var items = default(Growing<int>);
        BeginItems();
        while (NextItem())
        {
            items.Add(ReadInt32());
        }
        return items.ToArray();
    }

    public override ValueArray<long> ReadInt64s()
    {
        var items = default(Growing<long>);
        BeginItems();
        while (NextItem())
        {
            items.Add(ReadInt64());
        }
        return items.ToArray();
    }

    public override ValueArray<float> ReadSingles()
    {
        var items = default(Growing<float>);
        BeginItems();
        while (NextItem())
        {
            items.Add(ReadSingle());
        }
        return items.ToArray();
    }

    public override ValueArray<double> ReadDoubles()
    {
        var items = default(Growing<double>);
        BeginItems();
        while (NextItem())
        {
            items.Add(ReadDouble());
        }
        return items.ToArray();
    }

    // Items in memory that is lent, until their number is known.
    private struct Growing<T>
        where T : unmanaged
    {
        private const int First = 64;

        private T[]? _items;
        private int _count;

        public void Add(T item)
        {
            if (_items is null || _count == _items.Length)
            {
                Grow();
            }
            _items![_count++] = item;
        }

        public ValueArray<T> ToArray()
        {
            if (_items is null)
            {
                return default;
            }
            T[] all = _items.AsSpan(0, _count).ToArray();
            ArrayPool<T>.Shared.Return(_items);
            return all;
        }

        private void Grow()
        {
            T[] larger = ArrayPool<T>.Shared.Rent(_items is null ? First : (int)Math.Min(2L * _count, Array.MaxLength));
            if (_items is not null)
            {
                _items.AsSpan(0, _count).CopyTo(larger);
                ArrayPool<T>.Shared.Return(_items);
            }
            _items = larger;
        }
    }
}
