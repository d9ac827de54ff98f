using System.Text;
using Creo.Tables;

namespace Creo;

// The tables' form of fields and messages, made on first use.
public sealed partial class TextField
{
    private byte[]? _step;

    /// <summary>Its part of an index: <c>[n]</c>, <c>(n)</c> or nothing.</summary>
    internal byte[] Step => _step ??= Number < 0 ? [] : Encoding.UTF8.GetBytes(Place == TextPlace.Attribute ? $"({Number})" : $"[{Number}]");
}

public sealed partial class TextRequest<T>
{
    private TableSchema? _schema;

    /// <summary>The schema of its tables.</summary>
    internal TableSchema Schema(string method) => _schema ??= new TableSchema(method, Record);
}

public sealed partial class TextResponse<T>
{
    private TableSchema? _schema;

    /// <summary>The schema of its tables.</summary>
    internal TableSchema Schema(string method) => _schema ??= new TableSchema(method, Record);
}

public sealed partial class TextCase
{
    private TableSchema? _schema;

    /// <summary>The schema of its tables.</summary>
    internal TableSchema Schema => _schema ??= new TableSchema(Name, Root);
}
