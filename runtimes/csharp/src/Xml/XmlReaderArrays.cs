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
}
